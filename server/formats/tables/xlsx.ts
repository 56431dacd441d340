import { DomainError } from '../../../shared/errors.ts';
import { fold } from '../../../shared/text.ts';
import { SAMPLE_LINES, scoreSheet, type TableHints } from './header.ts';
import { type TableLimits, unreadableTableError } from './limits.ts';
import type { RawRow, RawTable } from './table.ts';
import { openWorkbook, readWorkbook, type Worksheet } from './workbook.ts';
import { readWorksheet } from './worksheet.ts';

/**
 * Reads the requested worksheet, else the visible one with data; of several, the one whose headings fit `kind` best.
 * @throws DomainError with the worksheets to choose from (see worksheetChoicesFromError) where the requested one does
 * not exist, or the choice is ambiguous
 */
export async function readXlsx(
  file: Buffer,
  limits: TableLimits,
  hints: TableHints & { sheet?: string },
): Promise<Pick<RawTable, 'rows' | 'sheet' | 'sheets' | 'uses1904Dates' | 'hiddenColumns'>> {
  const zip = await openWorkbook(file, limits);
  try {
    const workbook = await readWorkbook(zip);
    const starts = new Map<Worksheet, WorksheetSample>();
    const readWorksheetOfZip = async (sheet: Worksheet) => {
      const all = await readWorksheet(zip.read(sheet.path), workbook, limits);
      starts.set(sheet, { count: all.rows.length, rows: all.rows.slice(0, SAMPLE_LINES) });
      return all;
    };
    const listSheetChoices = () =>
      workbook.sheets.map((sheet): WorksheetChoice => {
        const { name, hidden } = sheet;
        return { name, hidden, rows: starts.get(sheet)?.count ?? 0 };
      });
    const { sheet: name } = hints;
    const requested =
      name === undefined
        ? undefined
        : (workbook.sheets.find((sheet) => sheet.name === name) ??
          workbook.sheets.find((sheet) => fold(sheet.name) === fold(name)));
    if (name !== undefined && !requested) throw unknownWorksheetError(name, listSheetChoices());
    // Hidden worksheets contain lists for cells, or data that somebody put away.
    const candidates = requested ? [requested] : workbook.sheets.filter(({ hidden }) => !hidden);
    // With several candidates, the worksheet is chosen first and then read again, so that only one is in memory.
    let onlySheet: Awaited<ReturnType<typeof readWorksheetOfZip>> | undefined;
    for (const sheet of candidates) {
      const all = await readWorksheetOfZip(sheet);
      if (candidates.length === 1) onlySheet = all;
    }
    const chosen = requested ?? chooseWorksheet(starts, hints);
    return {
      ...(onlySheet ?? (await readWorksheetOfZip(chosen))),
      sheet: chosen.name,
      sheets: listSheetChoices(),
      uses1904Dates: workbook.uses1904Dates,
    };
  } finally {
    zip.close();
  }
}

interface WorksheetSample {
  count: number;
  rows: readonly RawRow[];
}

type WorksheetChoice = NonNullable<RawTable['sheets']>[number];

const unknownWorksheetError = (name: string, sheets: readonly WorksheetChoice[]) =>
  unreadableTableError(
    `El libro no tiene una hoja «${name.slice(0, 100)}». ${describeWorksheets(sheets)}`,
    'unknown_sheet',
    {
      sheets,
    },
  );

function chooseWorksheet(starts: ReadonlyMap<Worksheet, WorksheetSample>, hints: TableHints): Worksheet {
  const visible = [...starts].filter(([, { count }]) => count > 0);
  if (visible.length === 0) {
    throw unreadableTableError('El libro no tiene ninguna hoja visible con datos.', 'empty_file');
  }
  const scored = visible
    .map(([sheet, { rows }]) => ({ sheet, score: scoreSheet(rows, hints) }))
    .sort((a, b) => b.score - a.score);
  const [best, second] = scored;
  const { kind } = hints;
  if (
    !second ||
    (best!.score >= 2 && best!.score >= second.score + (kind ? 1 : 2) && (kind || second.score < 2))
  ) {
    return best!.sheet;
  }
  const sheets = visible.map(
    ([{ name, hidden }, { count }]): WorksheetChoice => ({ name, hidden, rows: count }),
  );
  const message = `El libro tiene varias hojas con datos: di cuál se importa. ${describeWorksheets(sheets)}`;
  throw new DomainError('invalid', message, {
    code: 'ambiguous_sheet',
    extra: { sheets },
    remedy: 'choose-sheet',
  });
}

const describeWorksheets = (sheets: readonly WorksheetChoice[]): string =>
  `Tiene: ${sheets
    .slice(0, 20)
    .map(({ name, hidden }) => `«${name}»${hidden ? ' (oculta)' : ''}`)
    .join(', ')}.`;
