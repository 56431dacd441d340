/** 53 bits of a key: of a million keys two are taken for one in one file of ten thousand; who finds one looks again. */
export function digestOf(key: string): number {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < key.length; at++) {
    const code = key.charCodeAt(at);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}

type Numbers = Float64Array | Int32Array;

/** Numbers in the order in which they come, as small as they can be kept. */
export class NumberColumn {
  readonly #make: (length: number) => Numbers;
  #numbers: Numbers;
  #length = 0;

  constructor(make: (length: number) => Numbers = (length) => new Float64Array(length)) {
    this.#make = make;
    this.#numbers = make(1024);
  }

  get length(): number {
    return this.#length;
  }

  push(number: number): void {
    if (this.#length === this.#numbers.length) {
      const larger = this.#make(2 * this.#length);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.#length++] = number;
  }

  at = (index: number): number => this.#numbers[index]!;

  set(index: number, number: number): void {
    this.#numbers[index] = number;
  }
}

const NONE = -1;
const places = () => new NumberColumn((length) => new Int32Array(length));

/**
 * For each key the places of the rows that have it, in their order: some thirty bytes a row, where a map of texts takes
 * hundreds. A key is a whole number: an id, or a digest.
 */
export class KeyChains {
  readonly #keys = new NumberColumn();
  readonly #places = places();
  readonly #next = places();
  /** by a slot that a key leads to: the first and the last of its entries */
  #heads = new Int32Array(1024).fill(NONE);
  #tails = new Int32Array(1024);

  add(key: number, place: number): void {
    const entry = this.#keys.length;
    if (2 * entry >= this.#heads.length) this.#grow();
    this.#keys.push(key);
    this.#places.push(place);
    this.#next.push(NONE);
    this.#link(key, entry);
  }

  *placesOf(key: number): Generator<number> {
    for (let entry = this.#heads[this.#slotOf(key)]!; entry !== NONE; entry = this.#next.at(entry))
      yield this.#places.at(entry);
  }

  /** -1 where no row has it */
  lastPlace(key: number): number {
    const slot = this.#slotOf(key);
    return this.#heads[slot] === NONE ? NONE : this.#places.at(this.#tails[slot]!);
  }

  #link(key: number, entry: number): void {
    const slot = this.#slotOf(key);
    if (this.#heads[slot] === NONE) this.#heads[slot] = entry;
    else this.#next.set(this.#tails[slot]!, entry);
    this.#tails[slot] = entry;
  }

  /** The key's own, or the free one that it would take. */
  #slotOf(key: number): number {
    const mask = this.#heads.length - 1;
    let slot = Math.imul(key % 4294967296, 0x9e3779b1) >>> 0;
    slot = (slot ^ (slot >>> 15)) & mask;
    for (;;) {
      const entry = this.#heads[slot]!;
      if (entry === NONE || this.#keys.at(entry) === key) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #grow(): void {
    this.#heads = new Int32Array(2 * this.#heads.length).fill(NONE);
    this.#tails = new Int32Array(this.#heads.length);
    for (let entry = 0; entry < this.#keys.length; entry++) {
      this.#next.set(entry, NONE);
      this.#link(this.#keys.at(entry), entry);
    }
  }
}
