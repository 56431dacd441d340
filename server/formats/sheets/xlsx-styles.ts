import type { Style } from 'exceljs';
import type { Cell } from './sheet.ts';

export const INK = 'FF2B2A27';
export const SOFT = 'FF6B6862';

const FORMATS = {
  text: '@',
  whole: 'General',
  money: '"$"#,##0.00;[Red]-"$"#,##0.00',
  date: 'dd/mm/yyyy',
} as const;
type CellKind = keyof typeof FORMATS;

/** Of one kind of row: each an object that stays the same, for exceljs looks it up by that. */
export type RowStyles = Readonly<Record<CellKind, Partial<Style>>>;

export function styleOf(cell: Cell, styles: RowStyles): Partial<Style> {
  if (cell === null || typeof cell === 'string') return styles.text;
  if (typeof cell === 'number') return styles.whole;
  return 'date' in cell ? styles.date : styles.money;
}

/** Apart from the figures that end in the column before. */
export const TEXT_PLACE = { horizontal: 'left', indent: 1 } as const;

function stylesOf(look: Partial<Style>): RowStyles {
  const style = (kind: CellKind, place: Partial<Style['alignment']>): Partial<Style> => ({
    ...look,
    numFmt: FORMATS[kind],
    alignment: { vertical: 'top', ...place },
  });
  return {
    text: style('text', TEXT_PLACE),
    whole: style('whole', { horizontal: 'right' }),
    money: style('money', { horizontal: 'right' }),
    date: style('date', { horizontal: 'center' }),
  };
}

/** Of rows: one of many, the sum of some, the sum of all. */
export const ROW_STYLES = {
  plain: stylesOf({ font: { name: 'Calibri', size: 10, color: { argb: INK } } }),
  group: stylesOf({
    font: { name: 'Calibri', size: 10, bold: true, color: { argb: INK } },
    border: {
      top: { style: 'hair', color: { argb: SOFT } },
      bottom: { style: 'thin', color: { argb: SOFT } },
    },
  }),
  total: stylesOf({
    font: { name: 'Calibri', size: 10, bold: true, color: { argb: INK } },
    border: {
      top: { style: 'thin', color: { argb: INK } },
      bottom: { style: 'double', color: { argb: INK } },
    },
  }),
} as const;
