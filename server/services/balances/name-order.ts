import { byName, type Named } from '../by-name.ts';

/**
 * The places of a list's rows in the order of their names, those of the same name by their ids. Thousands of names
 * take longer to compare than all else that a report does with them, and change seldom: while each is what it was, so
 * are their places.
 */
export class NameOrder {
  #known: readonly Named[] = [];
  #places: ReadonlyMap<number, number> = new Map();

  /** @returns id → place */
  placesOf(list: readonly Named[]): ReadonlyMap<number, number> {
    const known = this.#known;
    const isSame = (row: Named, at: number) => row.id === known[at]!.id && row.name === known[at]!.name;
    if (list.length !== known.length || !list.every(isSame)) {
      const sorted = list.toSorted(byName);
      this.#known = list;
      this.#places = new Map(sorted.map(({ id }, place) => [id, place]));
    }
    return this.#places;
  }
}
