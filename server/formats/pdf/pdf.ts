import { formatDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { formatMoney } from '../../../shared/money.ts';
import type { Letterhead, ListExport } from '../sheets/list-export.ts';
import { nextStep } from '../sheets/next-step.ts';
import type { Cell, RowRole, SheetColumn } from '../sheets/sheet.ts';
import { PartSums, Sums } from '../sheets/sums.ts';
import { type Fonts, startPdf } from './file.ts';
import type { PaperColumn } from './fit.ts';
import type { PaperRow } from './paper-row.ts';
import { layOutTable } from './table.ts';
import { type Font, printable, widthOf } from './text.ts';

/** Beyond this nobody leafs through it. */
const MOST_PDF_ROWS = 10_000;

/** Set between two steps. */
const ROWS_A_STEP = 250;

/**
 * A list as a document: letterhead, what it is narrowed by, its rows under headings that come again on every
 * page, and their sums.
 * @throws DomainError too-large; the signal's reason
 */
export async function sheetPdf<Row>(
  list: ListExport<Row>,
  head: Letterhead,
  { at, signal }: { at: Date; signal?: AbortSignal },
): Promise<Uint8Array<ArrayBuffer>> {
  requireFewEnough(list, (await list.count?.()) ?? 0);
  const pdf = await startPdf({ title: head.title, at, logo: head.logo });
  const all = list.sheet.columns.filter(({ paper }) => paper !== false);
  const read = await readRows(list, all, pdf.fonts, signal);
  // A column in which nothing stands says nothing and takes others' room.
  const isUsed = (_: unknown, index: number) => read.rows.length < 2 || read.kinds[index] !== undefined;
  const columns = all.filter(isUsed);
  const rows = read.rows.map(({ role, texts }) => ({ role, texts: texts.filter(isUsed) }));
  const kinds = read.kinds.filter(isUsed).map((kind) => kind ?? 'text');
  const paper = await measureColumns(columns, kinds, rows, pdf.fonts);
  const table = { head, columns: paper, rows, notes: list.notes ?? [] };
  return pdf.write(await layOutTable(table, pdf.fonts), signal);
}

function requireFewEnough<Row>({ noun }: ListExport<Row>, found: number): void {
  if (found <= MOST_PDF_ROWS) return;
  const [has, most] = [found, MOST_PDF_ROWS].map((number) => number.toLocaleString('en-US'));
  throw new DomainError(
    'too-large',
    `Son ${has} ${noun[1]} y en un PDF caben ${most}. Acota el filtro, o exporta en XLSX o CSV, que llevan todo.`,
    { code: 'too_many_rows' },
  );
}

/** What a column holds, as far as its rows say: the first cell that is not empty. */
type Kind = 'text' | 'date' | 'figure';

async function readRows<Row>(
  list: ListExport<Row>,
  columns: readonly SheetColumn<Row>[],
  { regular }: Fonts,
  signal: AbortSignal | undefined,
): Promise<{ rows: PaperRow[]; kinds: (Kind | undefined)[] }> {
  const { roleOf, pages, parts } = list.sheet;
  const rows: PaperRow[] = [];
  const kinds: (Kind | undefined)[] = columns.map(() => undefined);
  const sums = new Sums(columns);
  const partSums = new PartSums(columns, parts);
  const add = (cells: readonly Cell[], role: RowRole | undefined) => {
    for (const [index, cell] of cells.entries())
      if (cell !== null && cell !== '') kinds[index] ??= kindOf(cell);
    rows.push({ role, texts: cells.map((cell) => cellText(cell, regular)) });
  };
  for await (const page of pages) {
    signal?.throwIfAborted();
    for (const [index, row] of page.entries()) {
      const role = roleOf?.(row);
      const cells = columns.map((column) => column.cell(row));
      if (role === undefined) {
        sums.add(cells);
        partSums.add(cells);
      }
      add(
        columns.map(({ paper }, at) => (paper ? paper(row) : cells[at]!)),
        role,
      );
      if (index % ROWS_A_STEP === ROWS_A_STEP - 1) await nextStep();
    }
    requireFewEnough(list, rows.length);
    await nextStep();
  }
  const count = rows.filter(({ role }) => role === undefined).length;
  const counted = count === 1 ? `1 ${list.noun[0]}` : `${count.toLocaleString('en-US')} ${list.noun[1]}`;
  if (rows.every(({ role }) => role !== 'total')) {
    for (const { cells } of partSums.rows(sums.all)) add(cells, 'group');
    add(sums.totalRow(counted), 'total');
  }
  return { rows, kinds };
}

function kindOf(cell: Exclude<Cell, null>): Kind {
  if (typeof cell === 'string') return 'text';
  return typeof cell === 'object' && 'date' in cell ? 'date' : 'figure';
}

function cellText(cell: Cell, font: Font): string {
  if (cell === null) return '';
  if (typeof cell !== 'object') return printable(String(cell), font);
  return 'cents' in cell ? formatMoney(cell.cents) : formatDate(cell.date);
}

async function measureColumns<Row>(
  columns: readonly SheetColumn<Row>[],
  kinds: readonly Kind[],
  rows: readonly PaperRow[],
  fonts: Fonts,
): Promise<PaperColumn[]> {
  const widest = columns.map(() => 0);
  const widestWord = columns.map(() => 0);
  for (const [number, { role, texts }] of rows.entries()) {
    const font = role === 'group' || role === 'total' ? fonts.bold : fonts.regular;
    for (let index = 0; index < texts.length; index++) {
      // what a sum is called may reach over the empty cells beside it
      if (font === fonts.bold && (index === 0 || kinds[index] === 'text')) continue;
      const text = texts[index]!;
      widest[index] = Math.max(widest[index]!, widthOf(text, font, 1));
      if (kinds[index] !== 'text') continue;
      for (const word of text.split(' '))
        if (word.length > 16) widestWord[index] = Math.max(widestWord[index]!, widthOf(word, font, 1));
    }
    if (number % (2 * ROWS_A_STEP) === 0) await nextStep();
  }
  const hasKeys = columns.some(({ key }) => key);
  return columns.map(({ heading, headingLines, key }, index) => ({
    heading: (headingLines ?? splitHeading(heading)).map((line) => printable(line, fonts.bold)),
    hasNote: headingLines !== undefined,
    isFigure: kinds[index] === 'figure',
    isFixed: kinds[index] === 'date',
    isKey: hasKeys ? key === true : index === 0,
    widest: widest[index]!,
    widestWord: widestWord[index]!,
  }));
}

/** "Vencimiento estimado" over two lines, at the space nearest to its middle. */
function splitHeading(heading: string): readonly string[] {
  const spaces = [...heading.matchAll(/ /g)].map(({ index }) => index);
  if (heading.length < 12 || spaces.length === 0) return [heading];
  const middle = heading.length / 2;
  const at = spaces.reduce((best, one) => (Math.abs(one - middle) < Math.abs(best - middle) ? one : best));
  return [heading.slice(0, at), heading.slice(at + 1)];
}
