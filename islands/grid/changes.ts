/** What one step did to a cell. */
export interface CellChange {
  cell: HTMLInputElement;
  before: string;
  after: string;
}

/** Steps that can be taken back, and made again. */
export class Changes {
  readonly #done: CellChange[][] = [];
  readonly #undone: CellChange[][] = [];

  get canUndo(): boolean {
    return this.#done.length > 0;
  }

  get canRedo(): boolean {
    return this.#undone.length > 0;
  }

  add(step: readonly CellChange[]): void {
    const real = step.filter(({ before, after }) => before !== after);
    if (real.length === 0) return;
    this.#done.push(real);
    this.#undone.length = 0;
  }

  /** @returns the cells of the step, which then hold what they held before it */
  undo(): HTMLInputElement[] {
    const step = this.#done.pop();
    if (!step) return [];
    this.#undone.push(step);
    return step.map(({ cell, before }) => put(cell, before));
  }

  redo(): HTMLInputElement[] {
    const step = this.#undone.pop();
    if (!step) return [];
    this.#done.push(step);
    return step.map(({ cell, after }) => put(cell, after));
  }
}

function put(cell: HTMLInputElement, text: string): HTMLInputElement {
  cell.value = text;
  return cell;
}
