/** The same numbers at every run (mulberry32), so that the demo company is always the same one. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** from 0 up to, not including, 1 */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** both ends included */
  whole(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  chance(of: number): boolean {
    return this.next() < of;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.whole(0, from.length - 1)]!;
  }

  /** The likelier the greater its weight. */
  weighted<T>(from: readonly T[], weight: (one: T) => number): T {
    let left = this.next() * from.reduce((sum, one) => sum + weight(one), 0);
    for (const one of from) {
      left -= weight(one);
      if (left < 0) return one;
    }
    return from.at(-1)!;
  }

  /** Small amounts often, large ones seldom. */
  amount(from: number, to: number): number {
    return Math.exp(Math.log(from) + this.next() ** 1.3 * Math.log(to / from));
  }

  shuffled<T>(list: readonly T[]): T[] {
    const shuffled = [...list];
    for (let last = shuffled.length - 1; last > 0; last--) {
      const other = this.whole(0, last);
      [shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!];
    }
    return shuffled;
  }
}
