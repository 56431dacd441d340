import { isPlainDate } from '../../../shared/dates.ts';
import { type TableLimits, TableMeter } from './limits.ts';
import { formatNumber } from './number-formats.ts';
import type { RawCell, RawRow } from './table.ts';
import { RichText, unescapeText, type Workbook } from './workbook-parts.ts';
import { type Attributes, parseXml } from './workbook-xml.ts';

/** The rows of a sheet that hold anything. */
export async function readSheet(
  pieces: AsyncIterable<string>,
  workbook: Workbook,
  limits: TableLimits,
): Promise<RawRow[]> {
  const reader = new SheetReader(workbook, limits);
  await parseXml(pieces, reader);
  return reader.finish();
}

/** How many rows the sheet says it has, from its first lines; 0 where it does not say. */
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

class SheetReader {
  readonly #workbook: Workbook;
  readonly #limits: TableLimits;
  readonly #meter: TableMeter;
  readonly #rows = new Map<number, RawCell[]>();
  readonly #inline = new RichText();
  readonly #merges: string[] = [];
  #row = 0;
  #cells: RawCell[] = [];
  #column = -1;
  #cell: Attributes = {};
  #value = '';
  #inValue = false;
  #inInline = false;
  #hasValue = false;
  #hasFormula = false;

  constructor(workbook: Workbook, limits: TableLimits) {
    this.#workbook = workbook;
    this.#limits = limits;
    this.#meter = new TableMeter(limits);
  }

  open(name: string, attributes: Attributes): void {
    switch (name) {
      case 'row':
        this.#row = wholeNumber(attributes.r) ?? this.#row + 1;
        this.#cells = [];
        this.#column = -1;
        break;
      case 'c':
        this.#cell = attributes;
        this.#column = columnOf(attributes.r) ?? this.#column + 1;
        this.#value = '';
        this.#hasValue = this.#hasFormula = this.#inInline = false;
        break;
      case 'v':
        this.#inValue = true;
        break;
      case 'f':
        this.#hasFormula = true;
        break;
      case 'is':
        this.#inInline = true;
        this.#inline.start();
        break;
      case 'mergeCell':
        if (this.#merges.length < MOST_MERGES) this.#merges.push(attributes.ref ?? '');
        break;
      default:
        if (this.#inInline) this.#inline.open(name);
    }
  }

  text(text: string): void {
    if (this.#inValue) {
      this.#value += text;
      this.#hasValue = true;
    } else if (this.#inInline) this.#inline.text(text);
  }

  close(name: string): void {
    switch (name) {
      case 'v':
        this.#inValue = false;
        break;
      case 'is':
        this.#value = this.#inline.end();
        this.#hasValue = this.#value !== '';
        this.#inInline = false;
        break;
      case 'c':
        this.#keepCell();
        break;
      case 'row':
        this.#keepRow();
        break;
      default:
        if (this.#inInline) this.#inline.close(name);
    }
  }

  finish(): RawRow[] {
    for (const merge of this.#merges) this.#fillMerged(merge);
    return [...this.#rows].sort(([a], [b]) => a - b).map(([line, cells]) => ({ line, cells }));
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
    this.#rows.set(this.#row, this.#cells);
  }

  #readCell(): RawCell {
    const { t = 'n', s } = this.#cell;
    if (!this.#hasValue) return this.#hasFormula && t !== 'str' ? { error: NO_VALUE } : null;
    const value = this.#value;
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

  /**
   * One name merged over several rows is the name of each. Numbers are not repeated: one amount merged over
   * three invoices is not three amounts.
   */
  #fillMerged(merge: string): void {
    const [, from = '', fromRow, to = '', toRow] = /^([A-Z]+)(\d+):([A-Z]+)(\d+)$/.exec(merge) ?? [];
    const column = columnOf(from);
    if (column === undefined || columnOf(to) === undefined) return;
    const first = Number(fromRow);
    const value = this.#rows.get(first)?.[column];
    if (typeof value !== 'string' && !(typeof value === 'object' && value !== null && 'date' in value))
      return;
    for (let row = first + 1; row <= Math.min(Number(toRow), first + MOST_MERGED_ROWS); row++) {
      const cells = this.#rows.get(row);
      if (!cells || (cells[column] ?? null) !== null) continue;
      while (cells.length < column) cells.push(null);
      cells[column] = value;
    }
  }
}

const NO_VALUE = 'fórmula sin valor guardado';
const MOST_MERGES = 10_000;
const MOST_MERGED_ROWS = 500;
const MOST_ROWS = 1_048_576;

function wholeNumber(text: string | undefined): number | undefined {
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
