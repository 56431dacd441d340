import type { Cents } from '../../../shared/money.ts';
import type { Cell, SheetColumn, SumBreakdown } from './sheet.ts';

type SummableColumn = Pick<SheetColumn<never>, 'name' | 'sum'>;

export class Sums {
  readonly groupSums: (Cents | undefined)[];
  readonly all: (Cents | undefined)[];
  count = 0;
  /** This column states a row's kind; -1 means that there is none. */
  readonly breakdownColumn: number;
  readonly #isSummed: boolean[];
  readonly #parts: { text: string; label: string; sums: Sums }[];

  constructor(columns: readonly SummableColumn[], parts?: SumBreakdown) {
    this.#isSummed = columns.map(({ sum }) => sum !== false);
    this.groupSums = columns.map(() => undefined);
    this.all = columns.map(() => undefined);
    this.breakdownColumn = columns.findIndex(({ name }) => name === parts?.column);
    this.#parts = (parts?.labels ?? []).map(([text, label]) => ({ text, label, sums: new Sums(columns) }));
  }

  add(cells: readonly Cell[]): void {
    this.count++;
    for (let index = 0; index < cells.length; index++) {
      const cell = cells[index];
      if (cell === null || typeof cell !== 'object' || !('cents' in cell) || !this.#isSummed[index]) continue;
      this.groupSums[index] = (this.groupSums[index] ?? 0) + cell.cents;
      this.all[index] = (this.all[index] ?? 0) + cell.cents;
    }
    this.#parts.find(({ text }) => text === cells[this.breakdownColumn])?.sums.add(cells);
  }

  resetGroup(): void {
    this.groupSums.fill(undefined);
  }

  totalRow(label: string): Cell[] {
    return this.all.map((cents, index) => (cents !== undefined ? { cents } : index === 0 ? label : null));
  }

  /** Returns the sums by kind, if there are several kinds of rows. A kind without amounts has zero. */
  breakdownRows(): { text: string; cells: Cell[] }[] {
    if (!this.#parts.some(({ sums }, index) => index > 0 && sums.count > 0)) return [];
    return this.#parts.map(({ text, label, sums }) => ({
      text,
      cells: this.totalRow(label).map((cell, index) =>
        this.all[index] === undefined ? cell : { cents: sums.all[index] ?? 0 },
      ),
    }));
  }
}
