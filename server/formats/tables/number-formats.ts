import type { RawCell } from './table.ts';

/** What a cell's format makes of its number. */
export type NumberFormat =
  | { as: 'number'; decimals?: number }
  | { as: 'date' }
  | { as: 'time' }
  | { as: 'percent' }
  /** `00000`: leading zeros that only the format has */
  | { as: 'padded'; digits: number };

const PLAIN: NumberFormat = { as: 'number' };

/** By the format's code, or its number where that is one of the built-in ones (ECMA-376, 18.8.30). */
export function readFormatCode(id: number, code: string | undefined): NumberFormat {
  if (code === undefined) return BUILT_IN.get(id) ?? PLAIN;
  if (code.length > 255) return PLAIN; // longer than a spreadsheet lets them be
  // Without quoted text, escaped characters, colours and conditions; the part for positive numbers.
  const bare = code
    .replace(/"[^"]*"|\\.|_.|\*./g, '')
    .replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
    .split(';')[0]!
    .toLowerCase();
  if (/^0{2,}$/.test(bare.trim()) && /^0+$/.test(code.trim()))
    return { as: 'padded', digits: bare.trim().length };
  if (/%/.test(bare)) return { as: 'percent' };
  if (/[yd]/.test(bare) || /mmm/.test(bare)) return { as: 'date' };
  if (/[hs]/.test(bare) || /\[[hms]+\]/.test(bare)) return { as: 'time' };
  const decimals = /\.(0+)/.exec(bare)?.[1]?.length;
  return decimals === undefined ? PLAIN : { as: 'number', decimals };
}

const BUILT_IN = new Map<number, NumberFormat>([
  ...[14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58].map(
    (id): [number, NumberFormat] => [id, { as: 'date' }],
  ),
  ...[18, 19, 20, 21, 32, 33, 45, 46, 47].map((id): [number, NumberFormat] => [id, { as: 'time' }]),
  ...[9, 10].map((id): [number, NumberFormat] => [id, { as: 'percent' }]),
  ...[2, 4, 7, 8, 39, 40, 43, 44].map((id): [number, NumberFormat] => [id, { as: 'number', decimals: 2 }]),
]);

/** A cell's number as its format shows it: a day, a percentage, or the number without what calculating left on it. */
export function formatNumber(value: number, format: NumberFormat = PLAIN, dates1904: boolean): RawCell {
  switch (format.as) {
    case 'date':
      return serialToCell(value, dates1904);
    case 'time':
      return value >= 1 ? serialToCell(value, dates1904) : timeText(value);
    case 'percent':
      return `${withoutNoise(value * 100)}%`;
    case 'padded':
      return Number.isInteger(value) && value >= 0 ? String(value).padStart(format.digits, '0') : value;
    case 'number':
      return roundShown(withoutNoise(value), format.decimals);
  }
}

/** Fifteen digits are what a spreadsheet itself keeps and shows; 0.1 + 0.2 is 0.3 there. */
const withoutNoise = (value: number): number =>
  Number.isInteger(value) ? value : Number(value.toPrecision(15));

/** An amount shown with cents is what is shown: =I5*0.16 carries on behind them. */
function roundShown(value: number, decimals: number | undefined): number {
  if (decimals === undefined || decimals < 2 || Number.isInteger(value) || Math.abs(value) >= 1e13)
    return value;
  const scale = 10 ** Math.min(decimals, 6);
  const scaled = Number((Math.abs(value) * scale).toPrecision(15));
  return (Math.sign(value) * Math.round(scaled)) / scale;
}

function serialToCell(value: number, dates1904: boolean): RawCell {
  if (value >= 0 && value < 1) return timeText(value);
  const date = serialToDate(value, dates1904);
  return date === undefined ? { error: '########' } : { date }; // as a spreadsheet shows what is no day
}

/**
 * A spreadsheet's day number → plain date. Its 1900 calendar counts a 29 February 1900 that never was.
 * Undefined outside of 1900 to 9999, as there.
 */
export function serialToDate(serial: number, dates1904: boolean): string | undefined {
  const days = Math.floor(serial) + (dates1904 ? 1462 : 0);
  if (!(days >= 1 && days < 2_958_466)) return undefined;
  const since1900 = days < 60 ? days + 1 : days;
  return new Date((since1900 - 25_569) * 86_400_000).toISOString().slice(0, 10);
}

function timeText(value: number): string {
  const seconds = Math.round((value % 1) * 86_400);
  const parts = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
