import type { Alignment, PaperSize, Style, Worksheet } from 'exceljs';
import yauzl from 'yauzl';
import type { Letterhead } from './list-export.ts';
import { CELL_KINDS, columnLetters, type RowStyles } from './xlsx-rows.ts';

export interface BookColumn {
  heading: string;
  /** in letters */
  width: number;
  end: boolean;
}

/** A workbook without its rows: what comes before and after them, and everything beside the sheet. */
export interface Book {
  /** the first row's number */
  firstRow: number;
  styles: Record<'plain' | 'group' | 'total', RowStyles>;
  before: string;
  after(lastRow: number): string;
  /** the other files of the package; some name the last row */
  files(lastRow: number): Iterable<[name: string, content: Buffer]>;
}

/** As exceljs types it; the format's own number of US letter (ECMA-376 18.3.1.63). */
const LETTER_PAPER = 1 as PaperSize;
/** Letters that stand side by side on paper and can still be read. */
const MOST_ACROSS = 220;

const SHEET = 'xl/worksheets/sheet1.xml';
const FORMATS = {
  text: '@',
  whole: 'General',
  money: '"$"#,##0.00;[Red]-"$"#,##0.00',
  date: 'dd/mm/yyyy',
} as const;
const INK = 'FF2B2A27';
const SOFT = 'FF6B6862';
const HEAD_FILL = 'FFEFECE4';

/**
 * exceljs makes the book: letterhead, headings, widths, formats, what prints. Rows are put into it later, for
 * it would take an object for each cell, ten times as long, and ever more memory.
 */
export async function makeBook(head: Letterhead, columns: readonly BookColumn[], at: Date): Promise<Book> {
  const { default: ExcelJS } = await import('exceljs');
  const workbook = new ExcelJS.Workbook();
  Object.assign(workbook, { creator: 'Saldo', lastModifiedBy: 'Saldo', created: at, modified: at });
  workbook.title = head.title;
  workbook.company = head.empresa;
  const sheet = workbook.addWorksheet(sheetName(head.title));
  sheet.columns = columns.map(({ width }) => ({ width }));
  writeHead(sheet, head);
  const headingRow = sheet.rowCount + 2;
  writeHeadings(sheet, headingRow, columns);
  const firstRow = headingRow + 1;
  for (const [index, look] of Object.values(LOOKS).entries()) {
    for (const [column, kind] of CELL_KINDS.entries()) {
      const cell = sheet.getCell(firstRow + index, column + 1);
      cell.value = 0;
      cell.style = { ...look, numFmt: FORMATS[kind], alignment: alignmentOf(kind) };
    }
  }
  const last = columnLetters(columns.length - 1);
  sheet.autoFilter = `A${headingRow}:${last}${firstRow + 2}`;
  sheet.views = [
    { state: 'frozen', ySplit: headingRow, topLeftCell: `A${firstRow}`, activeCell: `A${firstRow}` },
  ];
  const pagesAcross = Math.ceil(columns.reduce((sum, { width }) => sum + width, 0) / MOST_ACROSS);
  sheet.pageSetup = {
    paperSize: LETTER_PAPER,
    orientation: 'landscape',
    fitToPage: true,
    fitToWidth: pagesAcross,
    fitToHeight: 0,
    printTitlesRow: `${headingRow}:${headingRow}`,
    ...(pagesAcross > 1 && { printTitlesColumn: 'A:B' }), // what tells the rows apart
    margins: { left: 0.4, right: 0.4, top: 0.5, bottom: 0.6, header: 0.3, footer: 0.3 },
  };
  sheet.headerFooter = { oddFooter: `&L${head.title.replaceAll('&', '&&')}&RPágina &P de &N` };
  const packed = Buffer.from(await workbook.xlsx.writeBuffer());
  return takeApart(await unpack(packed), firstRow, last);
}

/** Of rows: one of many, the sum of some, the sum of all. */
const LOOKS = {
  plain: { font: { name: 'Calibri', size: 10, color: { argb: INK } } },
  group: {
    font: { name: 'Calibri', size: 10, bold: true, color: { argb: INK } },
    border: {
      top: { style: 'hair', color: { argb: SOFT } },
      bottom: { style: 'thin', color: { argb: SOFT } },
    },
  },
  total: {
    font: { name: 'Calibri', size: 10, bold: true, color: { argb: INK } },
    border: {
      top: { style: 'thin', color: { argb: INK } },
      bottom: { style: 'double', color: { argb: INK } },
    },
  },
} as const satisfies Record<string, Partial<Style>>;

const alignmentOf = (kind: (typeof CELL_KINDS)[number]): Partial<Alignment> => ({
  vertical: 'top',
  ...(kind === 'text' ? TEXT_PLACE : { horizontal: kind === 'date' ? 'center' : 'right' }),
});

/** Apart from the figures that end in the column before. */
const TEXT_PLACE = { horizontal: 'left', indent: 1 } as const;

function writeHead(
  sheet: Worksheet,
  { empresa, rfc, direccion, title, filters, generated }: Letterhead,
): void {
  const add = (text: string, font: object) => {
    const cell = sheet.getCell(sheet.rowCount + 1, 1);
    cell.value = text;
    cell.font = { name: 'Calibri', size: 10, color: { argb: SOFT }, ...font };
  };
  if (empresa) add(empresa, { size: 12, bold: true, color: { argb: INK } });
  const address = [rfc && `RFC ${rfc}`, direccion.replace(/\s+/g, ' ')].filter(Boolean).join('  ·  ');
  if (address) add(address, {});
  add(title, { size: 14, bold: true, color: { argb: INK } });
  if (filters.length > 0)
    add(filters.map(({ label, value }) => `${label}: ${value}`).join('  ·  '), { color: { argb: INK } });
  add(generated, {});
}

function writeHeadings(sheet: Worksheet, number: number, columns: readonly BookColumn[]): void {
  const row = sheet.getRow(number);
  const lines = Math.max(
    ...columns.map(({ heading, width }) => Math.ceil((heading.length + 1) / (width - 2))),
  );
  row.height = lines === 1 ? 18 : Math.min(lines, 4) * 15;
  for (const [index, { heading, end }] of columns.entries()) {
    const cell = row.getCell(index + 1);
    cell.value = heading;
    cell.font = { name: 'Calibri', size: 10, bold: true, color: { argb: INK } };
    cell.fill = { type: 'pattern', pattern: 'solid', fgColor: { argb: HEAD_FILL } };
    cell.border = {
      top: { style: 'thin', color: { argb: INK } },
      bottom: { style: 'thin', color: { argb: INK } },
    };
    cell.alignment = {
      vertical: 'middle',
      ...(end ? { horizontal: 'right' } : TEXT_PLACE),
      wrapText: true,
    };
  }
}

/** Up to 31 letters, without those that sheets' names can't have. */
const sheetName = (title: string): string =>
  title
    .replace(/[*?:\\/[\]']/g, ' ')
    .slice(0, 31)
    .trim();

async function unpack(packed: Buffer): Promise<Map<string, Buffer>> {
  const zip = await yauzl.fromBufferPromise(packed, { lazyEntries: true });
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.endsWith('/')) continue;
    const stream = await zip.openReadStreamPromise(entry);
    files.set(entry.fileName, Buffer.concat(await stream.toArray()));
  }
  return files;
}

/** Cut where the three rows of styles stand; whatever names the last of them will name the last there is. */
function takeApart(files: ReadonlyMap<string, Buffer>, firstRow: number, last: string): Book {
  const xml = files
    .get(SHEET)!
    .toString()
    .replace(/<dimension [^>]*\/>/, '');
  const rows = [0, 1, 2].map((index) => new RegExp(`<row r="${firstRow + index}".*?</row>`, 's').exec(xml)!);
  const styles = rows.map(([row]) => {
    const numbers = [...row.matchAll(/<c [^>]*?s="(\d+)"/g)].map(([, number = '']) => number);
    return Object.fromEntries(CELL_KINDS.map((kind, index) => [kind, numbers[index]])) as RowStyles;
  });
  const end = rows[2]!.index + rows[2]![0].length;
  const to = (row: number, text: string) =>
    text
      .replaceAll(`:${last}${firstRow + 2}`, `:${last}${row}`)
      .replaceAll(`$${last}$${firstRow + 2}`, `$${last}$${row}`);
  return {
    firstRow,
    styles: { plain: styles[0]!, group: styles[1]!, total: styles[2]! },
    before: xml.slice(0, rows[0]!.index),
    after: (lastRow) => to(lastRow, xml.slice(end)),
    *files(lastRow) {
      for (const [name, content] of files)
        if (name !== SHEET)
          yield [name, name === 'xl/workbook.xml' ? Buffer.from(to(lastRow, content.toString())) : content];
    },
  };
}
