import ExcelJS from 'exceljs';

export interface SheetContent {
  name: string;
  headings: string[];
  /** the rows between the headings and the sums: each cell by its heading */
  rows: Record<string, ExcelJS.CellValue>[];
  /** the last row's formulas and their results, by heading */
  totals: Record<string, { formula: string; result: number }>;
  sheet: ExcelJS.Worksheet;
}

export async function readXlsx(source: Response | Uint8Array): Promise<SheetContent> {
  const bytes = source instanceof Response ? new Uint8Array(await source.arrayBuffer()) : source;
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.load(bytes as unknown as ExcelJS.Buffer);
  const sheet = workbook.worksheets[0]!;
  const [view] = sheet.views;
  const headingRow = view?.state === 'frozen' ? (view.ySplit ?? 0) : 0;
  const headings = (sheet.getRow(headingRow).values as unknown[]).slice(1).map(String);
  const rows: SheetContent['rows'] = [];
  const totals: SheetContent['totals'] = {};
  for (let number = headingRow + 1; number <= sheet.rowCount; number++) {
    const row = sheet.getRow(number);
    if (!row.hasValues) break;
    const cells = Object.fromEntries(
      headings.map((heading, index) => [heading, shownTextOf(row.getCell(index + 1).value)]),
    );
    const sums = Object.entries(cells).filter(([, value]) => isFormula(value));
    if (sums.length === 0) rows.push(cells);
    for (const [heading, value] of sums)
      totals[heading] = {
        result: 0,
        ...(value as ExcelJS.CellFormulaValue),
      } as SheetContent['totals'][string];
  }
  return { name: sheet.name, headings, rows, totals, sheet };
}

const shownTextOf = (value: ExcelJS.CellValue): ExcelJS.CellValue =>
  value !== null && typeof value === 'object' && 'richText' in value
    ? value.richText.map(({ text }) => text).join('')
    : value;

const isFormula = (value: ExcelJS.CellValue) =>
  value !== null && typeof value === 'object' && ('formula' in value || 'sharedFormula' in value);
