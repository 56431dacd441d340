import type { Alignment, Font, PaperSize, Row, Style, Worksheet } from 'exceljs';
import type { Letterhead } from './list-export.ts';
import { textValue } from './xlsx-cells.ts';
import { INK, SOFT, TEXT_PLACE } from './xlsx-styles.ts';

export interface BookColumn {
  heading: string;
  /** in letters */
  width: number;
  end: boolean;
}

/** As exceljs types it; the format's own number of US letter (ECMA-376 18.3.1.63). */
const LETTER_PAPER = 1 as PaperSize;
/** Letters that stand side by side on paper and can still be read. */
const MOST_ACROSS = 220;

const HEAD_FILL = 'FFEFECE4';

export function sheetSetup(head: Letterhead, columns: readonly BookColumn[], headings: number) {
  const pagesAcross = Math.ceil(columns.reduce((sum, { width }) => sum + width, 0) / MOST_ACROSS);
  const first = `A${headings + 1}`;
  return {
    views: [{ state: 'frozen' as const, ySplit: headings, topLeftCell: first, activeCell: first }],
    pageSetup: {
      paperSize: LETTER_PAPER,
      orientation: 'landscape' as const,
      fitToPage: true,
      fitToWidth: pagesAcross,
      fitToHeight: 0,
      printTitlesRow: `${headings}:${headings}`,
      ...(pagesAcross > 1 && { printTitlesColumn: 'A:B' }), // what tells the rows apart
      margins: { left: 0.4, right: 0.4, top: 0.5, bottom: 0.6, header: 0.3, footer: 0.3 },
    },
    headerFooter: { oddFooter: `&L${head.title.replaceAll('&', '&&')}&RPágina &P de &N` },
  };
}

interface HeadLine {
  text: string;
  font: Partial<Font>;
}

export function headLines({ empresa, rfc, direccion, title, filters, generated }: Letterhead): HeadLine[] {
  const address = [rfc && `RFC ${rfc}`, direccion.replace(/\s+/g, ' ')].filter(Boolean).join('  ·  ');
  const narrowed = filters.map(({ label, value }) => `${label}: ${value}`).join('  ·  ');
  const lines: HeadLine[] = [
    { text: empresa, font: { size: 12, bold: true, color: { argb: INK } } },
    { text: address, font: {} },
    { text: title, font: { size: 14, bold: true, color: { argb: INK } } },
    { text: narrowed, font: { color: { argb: INK } } },
    { text: generated, font: {} },
  ];
  return lines.filter(({ text }) => text !== '');
}

/** And an empty row. */
export function writeHead(sheet: Worksheet, lines: readonly HeadLine[]): void {
  for (const { text, font } of lines) {
    const row = sheet.addRow([textValue(text)]);
    row.getCell(1).font = { name: 'Calibri', size: 10, color: { argb: SOFT }, ...font };
    row.commit();
  }
  sheet.addRow([]).commit();
}

export function writeHeadings(row: Row, columns: readonly BookColumn[]): void {
  const lines = Math.max(
    ...columns.map(({ heading, width }) => Math.ceil((heading.length + 1) / (width - 2))),
  );
  row.height = lines === 1 ? 18 : Math.min(lines, 4) * 15;
  for (const [index, { heading, end }] of columns.entries()) {
    const cell = row.getCell(index + 1);
    cell.value = textValue(heading);
    cell.style = end ? HEADING_STYLES.end : HEADING_STYLES.start;
  }
  row.commit();
}

const headingStyle = (place: Partial<Alignment>): Partial<Style> => ({
  font: { name: 'Calibri', size: 10, bold: true, color: { argb: INK } },
  fill: { type: 'pattern', pattern: 'solid', fgColor: { argb: HEAD_FILL } },
  border: {
    top: { style: 'thin', color: { argb: INK } },
    bottom: { style: 'thin', color: { argb: INK } },
  },
  alignment: { vertical: 'middle', ...place, wrapText: true },
});
const HEADING_STYLES = { start: headingStyle(TEXT_PLACE), end: headingStyle({ horizontal: 'right' }) };

/** Up to 31 letters, without those that sheets' names can't have. */
export const sheetName = (title: string): string =>
  title
    .replace(/[*?:\\/[\]']/g, ' ')
    .slice(0, 31)
    .trim();
