import { isPlainDate } from '../../../shared/dates.ts';
import { serialToPlainDate } from './days.ts';
import { type TableLimits, TableMeter } from './limits.ts';
import type { RawCell, RawRow } from './table.ts';
import {
  type Attributes,
  decodeWorkbookText,
  type NumberFormat,
  parseXml,
  type Workbook,
} from './workbook.ts';

/** If a row's number occurs twice, the later row counts. */
export async function readWorksheet(
  pieces: AsyncIterable<string>,
  workbook: Workbook,
  limits: TableLimits,
): Promise<{ rows: RawRow[]; hiddenColumns: number[] }> {
  const rows = new Map<number, RawCell[]>();
  const hiddenRows = new Set<number>();
  const hiddenColumns: number[] = [];
  const merges: string[] = [];
  const meter = new TableMeter(limits);
  let row = 0;
  let cells: RawCell[] = [];
  let column = -1;
  let attributes: Attributes = {};
  let value = '';
  let hasFormula = false;
  await parseXml(pieces, {
    open(name, elementAttributes) {
      if (name === 'row') {
        row = parseRowNumber(elementAttributes.r) ?? row + 1;
        if (isHidden(elementAttributes, elementAttributes.ht)) hiddenRows.add(row);
        cells = [];
        column = -1;
      } else if (name === 'c') {
        attributes = elementAttributes;
        column = parseColumnIndex(elementAttributes.r) ?? column + 1;
        value = '';
        hasFormula = false;
      } else if (name === 'col' && isHidden(elementAttributes, elementAttributes.width)) {
        const last = Math.min(Number(elementAttributes.max), limits.columns);
        for (let at = Number(elementAttributes.min); at <= last; at++) hiddenColumns.push(at - 1);
      } else if (name === 'mergeCell' && merges.length < MAX_MERGES) merges.push(elementAttributes.ref ?? '');
    },
    close(name, text) {
      if (name === 'v') value = text;
      else if (name === 't') value += text;
      else if (name === 'f') hasFormula = true;
      else if (name === 'c') {
        const cell =
          value === '' ? readEmptyCell(attributes, hasFormula) : readCell(value, attributes, workbook);
        if (cell === null) return;
        if (column >= limits.columns) meter.requireAllowedColumn(column, `celda ${attributes.r ?? ''}`);
        while (cells.length < column) cells.push(null);
        cells[column] = cell;
      } else if (name === 'row' && cells.length > 0) {
        meter.countRow(cells);
        rows.set(row, cells);
      }
    },
  });
  repeatMergedNames(rows, merges);
  // Spreadsheets write rows in order, but other programs may not.
  const sorted = [...rows].sort(([one], [other]) => one - other);
  return {
    rows: sorted.map(([line, rowCells]) =>
      hiddenRows.has(line) ? { line, cells: rowCells, hidden: true } : { line, cells: rowCells },
    ),
    hiddenColumns,
  };
}

/** @param size a row or column may also be hidden by a size of 0 */
const isHidden = ({ hidden }: Attributes, size: string | undefined): boolean =>
  hidden === '1' || hidden === 'true' || (size !== undefined && Number(size) === 0);

const MAX_MERGES = 10_000;
const MAX_MERGED_ROWS = 500;

/** Repeats a merged name in each of its rows, but not an amount: merged over three invoices it is not three amounts. */
function repeatMergedNames(rows: ReadonlyMap<number, RawCell[]>, merges: readonly string[]): void {
  for (const reference of merges) {
    const [, from, first, last] = /^([A-Z]+)(\d+):[A-Z]+(\d+)$/.exec(reference) ?? [];
    const column = parseColumnIndex(from);
    const value = column === undefined ? null : rows.get(Number(first))?.[column];
    const isName = typeof value === 'string' || (typeof value === 'object' && value && 'date' in value);
    if (column === undefined || !isName) continue;
    const end = Math.min(Number(last), Number(first) + MAX_MERGED_ROWS);
    for (let line = Number(first) + 1; line <= end; line++) {
      const cells = rows.get(line);
      if (!cells || (cells[column] ?? null) !== null) continue;
      while (cells.length < column) cells.push(null);
      cells[column] = value;
    }
  }
}

const MAX_ROWS = 1_048_576;

function parseRowNumber(text: string | undefined): number | undefined {
  const number = Number(text);
  return Number.isInteger(number) && number > 0 && number <= MAX_ROWS ? number : undefined;
}

/** "AB12" → 27 */
function parseColumnIndex(reference: string | undefined): number | undefined {
  if (!reference) return undefined;
  let column = 0;
  let letters = 0;
  for (; letters < reference.length && letters < 4; letters++) {
    const code = reference.charCodeAt(letters) & ~32;
    if (code < 65 || code > 90) break;
    column = column * 26 + code - 64;
  }
  return letters === 0 ? undefined : column - 1;
}

const readEmptyCell = ({ t }: Attributes, hasFormula: boolean): RawCell =>
  hasFormula && t !== 'str' ? { error: 'fórmula sin valor guardado' } : null;

function readCell(value: string, { t = 'n', s = '0' }: Attributes, workbook: Workbook): RawCell {
  switch (t) {
    case 's':
      return workbook.sharedTexts[Number(value)] || null;
    case 'inlineStr':
    case 'str':
      return decodeWorkbookText(value);
    case 'b':
      return value.trim() === '1' || value.trim() === 'true';
    case 'e':
      return { error: value };
    case 'd': {
      const day = value.slice(0, 10);
      return isPlainDate(day) ? { date: day } : value;
    }
    default: {
      const number = Number(value);
      if (value.trim() === '' || !Number.isFinite(number)) return value;
      return applyNumberFormat(number, workbook.formats[Number(s)], workbook.uses1904Dates);
    }
  }
}

function applyNumberFormat(value: number, format: NumberFormat | undefined, uses1904Dates: boolean): RawCell {
  switch (format?.as) {
    case 'date':
      return serialToCell(value, uses1904Dates);
    case 'time':
      return value >= 1 ? serialToCell(value, uses1904Dates) : formatSerialTime(value);
    case 'percent':
      return `${roundFloatNoise(value * 100)}%`;
    case 'masked': {
      // A spreadsheet loses the digits beyond the fifteenth, and the format hides the loss.
      if (Math.abs(value) >= 1e15) return value;
      const number = roundAsShown(roundFloatNoise(value), format.decimals);
      return { number, shown: format.mask && formatMasked(number, format.mask) };
    }
    default:
      return roundAsShown(roundFloatNoise(value), format?.decimals);
  }
}

/** Spreadsheets keep and show fifteen digits; 0.1 + 0.2 is 0.3 there. */
const roundFloatNoise = (value: number): number =>
  Number.isInteger(value) ? value : Number(value.toPrecision(15));

/** Rounds an amount to the decimals that its format shows, because a formula such as =I5*0.16 has more. */
function roundAsShown(value: number, decimals = 0): number {
  if (decimals < 2 || Number.isInteger(value) || Math.abs(value) >= 1e13) return value;
  const scale = 10 ** Math.min(decimals, 6);
  const scaled = Number((Math.abs(value) * scale).toPrecision(15));
  return (Math.sign(value) * Math.round(scaled)) / scale;
}

/** Digits fill the mask's places from the right; if there are too many, the rest go into the first place: "A-0007". */
function formatMasked(number: number, mask: readonly string[]): string {
  const isDigitPlace = (part: string) => !part.startsWith("'");
  const decimals = mask.includes("'.") ? mask.slice(mask.indexOf("'.")).filter(isDigitPlace).length : 0;
  const figures = Math.abs(number);
  const digits = mask.includes('general')
    ? [String(figures)]
    : [...figures.toFixed(decimals).replace('.', '')];
  let places = mask.filter(isDigitPlace).length;
  let shown = '';
  for (const part of mask.toReversed()) {
    if (isDigitPlace(part)) {
      places -= 1;
      const digit = places === 0 ? digits.splice(0).join('') : digits.pop();
      shown = (digit || (part === '0' ? '0' : '')) + shown;
    } else shown = part.slice(1) + shown;
  }
  return (number < 0 ? '-' : '') + shown.trim();
}

function serialToCell(value: number, uses1904Dates: boolean): RawCell {
  if (value >= 0 && value < 1) return formatSerialTime(value);
  const date = serialToPlainDate(value, uses1904Dates);
  return date === undefined ? { error: '########' } : { date }; // spreadsheets show an invalid date in this way
}

function formatSerialTime(value: number): string {
  const seconds = Math.round((value % 1) * 86_400);
  const parts = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
