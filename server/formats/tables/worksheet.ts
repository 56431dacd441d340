import { isPlainDate } from '../../../shared/dates.ts';
import { serialToDate } from './days.ts';
import { type TableLimits, TableMeter } from './limits.ts';
import type { RawCell, RawRow } from './table.ts';
import {
  type Attributes,
  type NumberFormat,
  parseXml,
  RichText,
  unescapeText,
  type Workbook,
} from './workbook.ts';

/** @param pieces of the sheet's text, whenever asked for: it is looked through before it is read */
export async function readSheet(
  pieces: () => AsyncIterable<string>,
  workbook: Workbook,
  limits: TableLimits,
  take: (row: RawRow) => void,
): Promise<void> {
  const { merges, isInOrder } = await readLayout(pieces());
  const merged = new MergedCells(merges);
  if (isInOrder) {
    await parseXml(pieces(), new SheetReader(workbook, limits, (row) => take(merged.fill(row))));
    return;
  }
  // No spreadsheet writes its rows in another order; of two with one number the later counts.
  const rows = new Map<number, RawRow>();
  await parseXml(pieces(), new SheetReader(workbook, limits, (row) => rows.set(row.line, row)));
  for (const row of [...rows.values()].sort((one, other) => one.line - other.line)) take(merged.fill(row));
}

/** Takes what the sheet says in its first lines; 0 where it does not say. */
export async function readSheetSize(pieces: AsyncIterable<string>): Promise<number> {
  let size: number | undefined;
  await parseXml(pieces, {
    open(name, { ref = '' }) {
      if (name === 'dimension') size ??= Number(/(\d+)$/.exec(ref)?.[1] ?? 0);
      if (name === 'sheetData') size ??= 0;
    },
    done: () => size !== undefined,
  });
  return size ?? 0;
}

const TAG = /<(?:\w+:)?(row|mergeCell)(?=[\s>/])([^>]*)>/g;

const MOST_MERGES = 10_000;
const MOST_MERGED_ROWS = 500;
const LONGEST_TAG = 10_000;

/**
 * Merged cells stand behind a sheet's rows and yet matter to the first, and so does whether each row stands below the
 * one before. Looking for these two tags alone takes a tenth of the time that reading the XML does.
 */
async function readLayout(pieces: AsyncIterable<string>): Promise<{ merges: string[]; isInOrder: boolean }> {
  const merges: string[] = [];
  let isInOrder = true;
  let row = 0;
  let rest = '';
  for await (const piece of pieces) {
    const text = rest + piece;
    for (const [, name, attributes = ''] of text.matchAll(TAG)) {
      if (name === 'row') {
        const number = rowNumber(/(?:^|\s)r=["'](\d+)["']/.exec(attributes)?.[1]) ?? row + 1;
        if (number <= row) isInOrder = false;
        row = number;
      } else if (merges.length < MOST_MERGES) merges.push(/ref=["']([^"']*)["']/.exec(attributes)?.[1] ?? '');
    }
    const open = text.lastIndexOf('<');
    rest = open > text.lastIndexOf('>') && text.length - open < LONGEST_TAG ? text.slice(open) : '';
  }
  return { merges, isInOrder };
}

interface Merge {
  column: number;
  first: number;
  last: number;
  value?: RawCell;
}

/**
 * One name merged over several rows is the name of each. Numbers are not repeated: one amount merged over three
 * invoices is not three amounts.
 */
class MergedCells {
  /** those to come, the next one last */
  readonly #coming: Merge[];
  #open: Merge[] = [];

  constructor(references: readonly string[]) {
    this.#coming = references.flatMap(readMerge).sort((one, other) => other.first - one.first);
  }

  fill(row: RawRow): RawRow {
    if (this.#coming.length === 0 && this.#open.length === 0) return row;
    const { line } = row;
    const cells = [...row.cells];
    this.#open = this.#open.filter(({ last }) => last >= line);
    for (const { column, value = null } of this.#open) {
      if ((cells[column] ?? null) !== null) continue;
      while (cells.length < column) cells.push(null);
      cells[column] = value;
    }
    for (let next = this.#coming.at(-1); next && next.first <= line; next = this.#coming.at(-1)) {
      this.#coming.pop();
      const value = next.first === line ? cells[next.column] : undefined;
      if (typeof value === 'string' || (typeof value === 'object' && value !== null && 'date' in value))
        this.#open.push({ ...next, value });
    }
    return { line, cells };
  }
}

function readMerge(reference: string): Merge[] {
  const [, from, first, to, last] = /^([A-Z]+)(\d+):([A-Z]+)(\d+)$/.exec(reference) ?? [];
  const column = columnOf(from);
  if (column === undefined || columnOf(to) === undefined) return [];
  return [{ column, first: Number(first), last: Math.min(Number(last), Number(first) + MOST_MERGED_ROWS) }];
}

const MOST_ROWS = 1_048_576;

function rowNumber(text: string | undefined): number | undefined {
  const number = Number(text);
  return Number.isInteger(number) && number > 0 && number <= MOST_ROWS ? number : undefined;
}

/** "AB12" → 27 */
function columnOf(reference: string | undefined): number | undefined {
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

class SheetReader {
  readonly #workbook: Workbook;
  readonly #limits: TableLimits;
  readonly #meter: TableMeter;
  readonly #take: (row: RawRow) => void;
  readonly #inline = new RichText();
  #row = 0;
  #cells: RawCell[] = [];
  #column = -1;
  #cell: Attributes = {};
  /** of the cell, once it has any */
  #value: string | undefined;
  #inValue = false;
  #inInline = false;
  #hasFormula = false;

  constructor(workbook: Workbook, limits: TableLimits, take: (row: RawRow) => void) {
    this.#workbook = workbook;
    this.#limits = limits;
    this.#take = take;
    this.#meter = new TableMeter(limits);
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'row') {
      this.#row = rowNumber(attributes.r) ?? this.#row + 1;
      this.#cells = [];
      this.#column = -1;
    } else if (name === 'c') {
      this.#cell = attributes;
      this.#column = columnOf(attributes.r) ?? this.#column + 1;
      this.#value = undefined;
      this.#hasFormula = this.#inInline = false;
    } else if (name === 'v') this.#inValue = true;
    else if (name === 'f') this.#hasFormula = true;
    else {
      if (name === 'is') this.#inInline = true;
      if (this.#inInline) this.#inline.open(name);
    }
  }

  text(text: string): void {
    if (this.#inValue) this.#value = (this.#value ?? '') + text;
    else if (this.#inInline) this.#inline.text(text);
  }

  close(name: string): void {
    if (name === 'v') this.#inValue = false;
    else if (name === 'is') {
      this.#value = this.#inline.end() || undefined;
      this.#inInline = false;
    } else if (name === 'c') this.#keepCell();
    else if (name === 'row') this.#keepRow();
    else if (this.#inInline) this.#inline.close(name);
  }

  #keepCell(): void {
    const cell = this.#readCell();
    if (cell === null) return;
    if (this.#column >= this.#limits.columns) this.#meter.column(this.#column, `celda ${this.#cell.r ?? ''}`);
    while (this.#cells.length < this.#column) this.#cells.push(null);
    this.#cells[this.#column] = cell;
  }

  #keepRow(): void {
    if (this.#cells.length === 0) return;
    this.#meter.row(this.#cells);
    this.#take({ line: this.#row, cells: this.#cells });
  }

  #readCell(): RawCell {
    const { t = 'n', s } = this.#cell;
    const value = this.#value;
    if (value === undefined) return this.#hasFormula && t !== 'str' ? { error: NO_VALUE } : null;
    switch (t) {
      case 's':
        return this.#workbook.sharedTexts[Number(value)] || null;
      case 'inlineStr':
        return value;
      case 'str':
        return unescapeText(value);
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
        return formatNumber(number, this.#workbook.formats[Number(s ?? 0)], this.#workbook.dates1904);
      }
    }
  }
}

const NO_VALUE = 'fórmula sin valor guardado';

function formatNumber(value: number, format: NumberFormat | undefined, dates1904: boolean): RawCell {
  switch (format?.as) {
    case 'date':
      return serialToCell(value, dates1904);
    case 'time':
      return value >= 1 ? serialToCell(value, dates1904) : timeText(value);
    case 'percent':
      return `${withoutNoise(value * 100)}%`;
    case 'padded':
      return Number.isInteger(value) && value >= 0 ? String(value).padStart(format.digits, '0') : value;
    default:
      return roundShown(withoutNoise(value), format?.decimals);
  }
}

/** Fifteen digits are what a spreadsheet itself keeps and shows; 0.1 + 0.2 is 0.3 there. */
const withoutNoise = (value: number): number =>
  Number.isInteger(value) ? value : Number(value.toPrecision(15));

/** An amount shown with cents is what is shown: =I5*0.16 carries on behind them. */
function roundShown(value: number, decimals = 0): number {
  if (decimals < 2 || Number.isInteger(value) || Math.abs(value) >= 1e13) return value;
  const scale = 10 ** Math.min(decimals, 6);
  const scaled = Number((Math.abs(value) * scale).toPrecision(15));
  return (Math.sign(value) * Math.round(scaled)) / scale;
}

function serialToCell(value: number, dates1904: boolean): RawCell {
  if (value >= 0 && value < 1) return timeText(value);
  const date = serialToDate(value, dates1904);
  return date === undefined ? { error: '########' } : { date }; // as a spreadsheet shows what is no day
}

function timeText(value: number): string {
  const seconds = Math.round((value % 1) * 86_400);
  const parts = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
