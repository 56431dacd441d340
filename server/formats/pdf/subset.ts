import type { TrueType } from './truetype.ts';

/**
 * A TrueType file with these characters alone, as a PDF embeds it: the first is glyph 1, the next glyph 2,
 * and so on, also where two share an outline, so that what is copied from a page is what was written there.
 * What hints at small sizes on coarse screens is left out.
 */
export function subsetOf(font: TrueType, characters: readonly string[]): Uint8Array {
  const sources = [0, ...characters.map(font.glyphOf)];
  const places = new Map(sources.map((source, place) => [source, place]));
  // What letters are put together from comes after all of them.
  const placeOf = (source: number): number => {
    if (!places.has(source)) places.set(source, sources.push(source) - 1);
    return places.get(source)!;
  };
  const outlines: Uint8Array[] = [];
  for (let place = 0; place < sources.length; place++)
    outlines.push(withoutHints(font.outlineOf(sources[place]!), placeOf));

  const [head, hhea, maxp] = [font.table('head'), font.table('hhea'), font.table('maxp')];
  head.setInt16(50, 1); // places of four bytes
  hhea.setUint16(34, sources.length);
  maxp.setUint16(4, sources.length);
  const [loca, glyf] = joined(outlines);
  return fileOf({ glyf, head, hhea, hmtx: advancesOf(font, sources), loca, maxp });
}

function withoutHints(outline: Uint8Array, placeOf: (glyph: number) => number): Uint8Array {
  const own = outline.slice();
  const view = new DataView(own.buffer);
  const contours = own.length > 0 ? view.getInt16(0) : 0;
  if (contours === 0) return own;
  if (contours < 0) return own.subarray(0, putTogether(view, placeOf));
  const at = 10 + 2 * contours;
  const start = at + 2 + view.getUint16(at);
  const points = own.subarray(start, endOfPoints(view, start, view.getUint16(at - 2) + 1));
  view.setUint16(at, 0);
  own.set(points, at + 2);
  return own.subarray(0, at + 2 + points.length);
}

/** What a point says of itself: how it is written, and for how many more it holds. */
const BYTE = [0x2, 0x4];
const SAME = [0x10, 0x20];
const REPEATED = 0x8;

/** @returns where the outline ends, before what fills it up */
function endOfPoints(view: DataView, start: number, count: number): number {
  let at = start;
  let coordinates = 0;
  for (let point = 0; point < count; ) {
    const flags = view.getUint8(at++);
    const times = flags & REPEATED ? view.getUint8(at++) + 1 : 1;
    for (const axis of [0, 1]) coordinates += times * (flags & BYTE[axis]! ? 1 : flags & SAME[axis]! ? 0 : 2);
    point += times;
  }
  return at + coordinates;
}

/** What the parts of a glyph say of themselves. */
const WIDE = 0x1;
const SCALED = 0x8;
const MORE = 0x20;
const SCALED_TWICE = 0x40;
const TURNED = 0x80;
const HINTED = 0x100;

/** @returns where the last of the parts ends */
function putTogether(view: DataView, placeOf: (glyph: number) => number): number {
  let at = 10;
  for (let flags = MORE; flags & MORE; ) {
    flags = view.getUint16(at);
    view.setUint16(at, flags & ~HINTED);
    view.setUint16(at + 2, placeOf(view.getUint16(at + 2)));
    at += 4 + (flags & WIDE ? 4 : 2);
    at += flags & SCALED ? 2 : flags & SCALED_TWICE ? 4 : flags & TURNED ? 8 : 0;
  }
  return at;
}

/** One after the other, and where each of them begins. */
function joined(outlines: readonly Uint8Array[]): [places: DataView, all: DataView] {
  const places = new DataView(new ArrayBuffer(4 * (outlines.length + 1)));
  let end = 0;
  for (const [index, { length }] of outlines.entries()) {
    end += padded(length);
    places.setUint32(4 * (index + 1), end);
  }
  const all = new Uint8Array(end);
  for (const [index, outline] of outlines.entries()) all.set(outline, places.getUint32(4 * index));
  return [places, new DataView(all.buffer)];
}

function advancesOf(font: TrueType, glyphs: readonly number[]): DataView {
  const advances = new DataView(new ArrayBuffer(4 * glyphs.length));
  for (const [index, glyph] of glyphs.entries()) {
    const [width, bearing] = font.advanceOf(glyph);
    advances.setUint16(4 * index, width);
    advances.setInt16(4 * index + 2, bearing);
  }
  return advances;
}

const padded = (length: number): number => (length + 3) & ~3;

/** Where `head` keeps what makes the sums of the whole come to the known figure. */
const ADJUSTMENT = 8;
const WHOLE = 0xb1b0afba;

/** The tables, in the order of their names, behind their directory. */
function fileOf(tables: Record<string, DataView>): Uint8Array {
  const entries = Object.entries(tables);
  const start = 12 + 16 * entries.length;
  const file = new Uint8Array(entries.reduce((end, [, table]) => end + padded(table.byteLength), start));
  const view = new DataView(file.buffer);
  const steps = Math.floor(Math.log2(entries.length));
  view.setUint32(0, 0x0001_0000);
  view.setUint16(4, entries.length);
  view.setUint16(6, 16 << steps);
  view.setUint16(8, steps);
  view.setUint16(10, 16 * entries.length - (16 << steps));
  tables.head?.setUint32(ADJUSTMENT, 0);
  let at = start;
  let head = 0;
  for (const [index, [tag, table]] of entries.entries()) {
    const length = table.byteLength;
    file.set(new Uint8Array(table.buffer, table.byteOffset, length), at);
    const entry = 12 + 16 * index;
    file.set(new TextEncoder().encode(tag), entry);
    view.setUint32(entry + 4, sumOf(view, at, at + padded(length)));
    view.setUint32(entry + 8, at);
    view.setUint32(entry + 12, length);
    if (tag === 'head') head = at;
    at += padded(length);
  }
  view.setUint32(head + ADJUSTMENT, WHOLE - sumOf(view, 0, file.length));
  return file;
}

/** Of the file's words, as far as 32 bits hold it. */
function sumOf(view: DataView, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at += 4) sum = (sum + view.getUint32(at)) >>> 0;
  return sum;
}
