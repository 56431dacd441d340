import { DomainError } from '../../../shared/errors.ts';
import { fold } from '../../../shared/text.ts';
import { LINES_LOOKED_AT, scoreTable, type TableHints } from './header.ts';
import { type TableLimits, unreadable } from './limits.ts';
import type { RawRow, ReadTable } from './table.ts';
import { readWorkbook, type SheetPart, type Workbook, WorkbookZip } from './workbook.ts';
import { readSheet, readSheetSize } from './worksheet.ts';

interface WorkbookTable {
  sheet: string;
  sheets: NonNullable<ReadTable['sheets']>;
  dates1904: boolean;
}

/**
 * Reads the sheet that is asked for; else the visible one with data; of several the one whose headings fit `kind`.
 * @throws DomainError with the sheets to choose from (see sheetsToChoose) where the asked one is not there, or none is
 * told
 */
export async function readXlsx(
  file: string | Buffer,
  limits: TableLimits,
  options: TableHints & { sheet?: string },
  take: (row: RawRow) => void,
): Promise<WorkbookTable> {
  const zip = await WorkbookZip.open(file, limits);
  try {
    const workbook = await readWorkbook(zip);
    const read = new Map<SheetPart, SheetStart>();
    const listAll = async (): Promise<SheetChoice[]> => {
      const sheets = [];
      for (const sheet of workbook.sheets) {
        const { path, ...said } = sheet;
        sheets.push({ ...said, rows: read.get(sheet)?.count ?? (await readSheetSize(zip.read(path))) });
      }
      return sheets;
    };
    const readAll = async (sheet: SheetPart, onRow: (row: RawRow) => void) => {
      const start: SheetStart = { count: 0, rows: [] };
      read.set(sheet, start);
      await readSheet(
        () => zip.read(sheet.path),
        workbook,
        limits,
        (row) => {
          start.count += 1;
          if (start.rows.length < LINES_LOOKED_AT) start.rows.push(row);
          onRow(row);
        },
      );
    };
    const asked = options.sheet === undefined ? undefined : findSheet(workbook, options.sheet);
    if (options.sheet !== undefined && !asked) throw unknownSheet(options.sheet, await listAll());
    const candidates = asked ? [asked] : workbook.sheets.filter(({ hidden }) => !hidden);
    const only = candidates.length === 1;
    // Of several one is chosen first; none of them is kept meanwhile.
    for (const sheet of candidates) await readAll(sheet, only ? take : () => undefined);
    const chosen = asked ?? chooseSheet(read, options);
    if (!only) await readAll(chosen, take);
    return { sheet: chosen.name, sheets: await listAll(), dates1904: workbook.dates1904 };
  } finally {
    zip.close();
  }
}

interface SheetStart {
  count: number;
  rows: RawRow[];
}

type SheetChoice = WorkbookTable['sheets'][number];

const findSheet = ({ sheets }: Workbook, name: string): SheetPart | undefined =>
  sheets.find((sheet) => sheet.name === name) ?? sheets.find((sheet) => fold(sheet.name) === fold(name));

const unknownSheet = (name: string, sheets: readonly SheetChoice[]) =>
  unreadable(`El libro no tiene una hoja «${name.slice(0, 100)}». ${listSheets(sheets)}`, 'unknown_sheet', {
    sheets,
  });

/** Hidden sheets are never taken by themselves: they hold lists for cells, or what somebody put away. */
function chooseSheet(read: ReadonlyMap<SheetPart, SheetStart>, hints: TableHints): SheetPart {
  const { kind } = hints;
  const visible = [...read].filter(([, { count }]) => count > 0);
  if (visible.length === 0) {
    throw unreadable('El libro no tiene ninguna hoja visible con datos.', 'empty_file');
  }
  const scored = visible
    .map(([sheet, { rows }]) => ({ sheet, score: scoreTable(rows, hints) }))
    .sort((a, b) => b.score - a.score);
  const [best, second] = scored;
  if (
    !second ||
    (best!.score >= 2 && best!.score >= second.score + (kind ? 1 : 2) && (kind || second.score < 2))
  ) {
    return best!.sheet;
  }
  const sheets = visible.map(([{ name, hidden }, { count }]): SheetChoice => ({ name, hidden, rows: count }));
  const message = `El libro tiene varias hojas con datos: di cuál se importa. ${listSheets(sheets)}`;
  throw new DomainError('invalid', message, {
    code: 'ambiguous_sheet',
    extra: { sheets },
    remedy: 'choose-sheet',
  });
}

const listSheets = (sheets: readonly SheetChoice[]): string =>
  `Tiene: ${sheets
    .slice(0, 20)
    .map(({ name, hidden }) => `«${name}»${hidden ? ' (oculta)' : ''}`)
    .join(', ')}.`;
