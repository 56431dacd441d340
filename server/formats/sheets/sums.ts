import type { Cents } from '../../../shared/money.ts';
import type { Cell, SheetColumn, SheetParts } from './sheet.ts';

/** Sums a table's money while its rows go by: since the last sum of some rows, and of all. */
export class Sums {
  /** of columns that hold money to be summed */
  readonly group: (Cents | undefined)[];
  readonly all: (Cents | undefined)[];
  readonly #isSummed: boolean[];

  constructor(columns: readonly Pick<SheetColumn<never>, 'sum'>[]) {
    this.#isSummed = columns.map(({ sum }) => sum !== false);
    this.group = columns.map(() => undefined);
    this.all = columns.map(() => undefined);
  }

  add(cells: readonly Cell[]): void {
    for (let index = 0; index < cells.length; index++) {
      const cell = cells[index];
      if (cell === null || typeof cell !== 'object' || !('cents' in cell) || !this.#isSummed[index]) continue;
      this.group[index] = (this.group[index] ?? 0) + cell.cents;
      this.all[index] = (this.all[index] ?? 0) + cell.cents;
    }
  }

  closeGroup(): void {
    this.group.fill(undefined);
  }

  /** Makes the last row of a table that has none of its own: a label before the first sum. */
  totalRow(label: string): Cell[] {
    return this.all.map((cents, index) => (cents !== undefined ? { cents } : index === 0 ? label : null));
  }
}

export class PartSums {
  readonly #parts: { text: string; label: string; sums: Sums }[];
  readonly #column: number;
  #isMixed = false;

  constructor(columns: readonly Pick<SheetColumn<never>, 'name' | 'sum'>[], parts: SheetParts | undefined) {
    this.#column = columns.findIndex(({ name }) => name === parts?.column);
    this.#parts = (parts?.labels ?? []).map(([text, label]) => ({ text, label, sums: new Sums(columns) }));
  }

  add(cells: readonly Cell[]): void {
    const at = this.#parts.findIndex(({ text }) => text === cells[this.#column]);
    this.#parts[at]?.sums.add(cells);
    this.#isMixed ||= at > 0;
  }

  /** Answers the rows above the sums of all; an amount that one kind has nothing of is zero there. */
  rows(all: readonly (Cents | undefined)[]): { text: string; cells: Cell[] }[] {
    if (!this.#isMixed) return [];
    return this.#parts.map(({ text, label, sums }) => ({
      text,
      cells: all.map((cents, index) => {
        if (cents !== undefined) return { cents: sums.all[index] ?? 0 };
        return index === 0 ? label : null;
      }),
    }));
  }

  get column(): number {
    return this.#column;
  }
}
