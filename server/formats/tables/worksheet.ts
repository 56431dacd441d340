import { isPlainDate } from '../../../shared/dates.ts';
import { type TableLimits, TableMeter } from './limits.ts';
import { formatNumber } from './number-formats.ts';
import { columnOf, MergedCells, rowNumber, type SheetLayout } from './sheet-layout.ts';
import type { RawCell, RawRow } from './table.ts';
import { RichText, unescapeText, type Workbook } from './workbook-parts.ts';
import { type Attributes, parseXml } from './workbook-xml.ts';

/**
 * The rows of a sheet that hold anything, one after another as they come.
 * @param layout of the same sheet (see readLayout)
 */
export async function readSheet(
  pieces: AsyncIterable<string>,
  workbook: Workbook,
  { limits, layout, take }: { limits: TableLimits; layout: SheetLayout; take: (row: RawRow) => void },
): Promise<void> {
  if (layout.isInOrder) {
    const merged = new MergedCells(layout.merges);
    const reader = new SheetReader(workbook, limits, (row) => take(merged.fill(row)));
    await parseXml(pieces, reader);
    return;
  }
  // No spreadsheet writes its rows in another order; of two with one number the later counts.
  const rows = new Map<number, RawRow>();
  await parseXml(pieces, new SheetReader(workbook, limits, (row) => rows.set(row.line, row)));
  const merged = new MergedCells(layout.merges);
  for (const row of [...rows.values()].sort((one, other) => one.line - other.line)) take(merged.fill(row));
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
  readonly #take: (row: RawRow) => void;
  readonly #inline = new RichText();
  #row = 0;
  #cells: RawCell[] = [];
  #column = -1;
  #cell: Attributes = {};
  #value = '';
  #inValue = false;
  #inInline = false;
  #hasValue = false;
  #hasFormula = false;

  constructor(workbook: Workbook, limits: TableLimits, take: (row: RawRow) => void) {
    this.#workbook = workbook;
    this.#limits = limits;
    this.#take = take;
    this.#meter = new TableMeter(limits);
  }

  open(name: string, attributes: Attributes): void {
    switch (name) {
      case 'row':
        this.#row = rowNumber(attributes.r) ?? this.#row + 1;
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
}

const NO_VALUE = 'fórmula sin valor guardado';
