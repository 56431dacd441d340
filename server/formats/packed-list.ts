import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** What is gone through in order, or looked into in parts: an array, or a list that is packed. */
export interface Rows<T> extends Iterable<T> {
  readonly length: number;
  slice(from: number, to?: number): T[];
}

/** So many make a pack: enough to pack well, few enough to open one for the sake of a single row. */
const ROWS_IN_PACK = 500;

const QUICKLY = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

/**
 * A long list of plain data (what JSON holds), packed as it grows: a row of a table takes some thirty bytes instead
 * of a thousand, so that a million of them are kept beside all else. What was put in is never changed.
 */
export class PackedList<T> implements Rows<T> {
  readonly #packs: Uint8Array[] = [];
  readonly #onPack: ((pack: Uint8Array, count: number) => void) | undefined;
  /** those of the last pack, which is not full yet */
  #open: T[] = [];
  #length = 0;
  #last: { place: number; rows: T[] } | undefined;

  /** @param onPack takes each full pack in place of this list: somebody else keeps them */
  constructor(onPack?: (pack: Uint8Array, count: number) => void) {
    this.#onPack = onPack;
  }

  get length(): number {
    return this.#length;
  }

  push(row: T): void {
    this.#open.push(row);
    this.#length += 1;
    if (this.#open.length === ROWS_IN_PACK) this.#close();
  }

  /** Nothing more comes for whoever takes the packs. */
  end(): void {
    if (this.#open.length > 0) this.#close();
  }

  /** Takes over what another one has packed, in order; only the last pack may be short. */
  addPack(pack: Uint8Array, count: number): void {
    if (this.#length % ROWS_IN_PACK !== 0) throw new Error('a pack after one that is not full');
    this.#packs.push(new Uint8Array(pack)); // what it is a part of goes
    this.#length += count;
  }

  *[Symbol.iterator](): Generator<T> {
    for (let place = 0; place < this.#packs.length; place++) yield* this.#unpack(place);
    yield* this.#open;
  }

  slice(from: number, to = this.#length): T[] {
    const end = Math.min(to, this.#length);
    const found: T[] = [];
    for (let at = from; at < end; ) {
      const place = Math.floor(at / ROWS_IN_PACK);
      const first = place * ROWS_IN_PACK;
      const rows = this.#rowsOf(place).slice(at - first, end - first);
      found.push(...rows);
      at += rows.length;
    }
    return found;
  }

  at = (index: number): T => this.#rowsOf(Math.floor(index / ROWS_IN_PACK))[index % ROWS_IN_PACK]!;

  /** The last one is kept open: what comes next is mostly in it too. */
  #rowsOf(place: number): T[] {
    if (place >= this.#packs.length) return this.#open;
    if (this.#last?.place !== place) this.#last = { place, rows: this.#unpack(place) };
    return this.#last.rows;
  }

  #unpack(place: number): T[] {
    return JSON.parse(brotliDecompressSync(this.#packs[place]!).toString());
  }

  #close(): void {
    const pack = brotliCompressSync(JSON.stringify(this.#open), QUICKLY);
    if (this.#onPack) this.#onPack(pack, this.#open.length);
    else this.#packs.push(new Uint8Array(pack));
    this.#open = [];
  }
}
