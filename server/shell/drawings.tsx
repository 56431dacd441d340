import type { ReactElement, ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { language } from '../../shared/language.ts';

type Markup = Buffer<ArrayBuffer>;

/** Bytes of what is kept at least, keys included; twice as many at most. */
const KEPT = 6_000_000;

let recent = new Map<string, Markup>();
let former = new Map<string, Markup>();
let size = 0;

/**
 * The markup that was drawn for the same key before, in the same language. The key holds all that it is drawn from, not where that comes
 * from, so what is kept cannot be out of date: a row that has changed has another key. What was not asked for in a
 * long while goes, half of all at a time. In development and under test nothing is believed: all is drawn again, and a
 * key that leaves something out is told.
 */
export function drawnOnce(of: string, draw: () => string): Markup {
  const key = `${language()}\n${of}`;
  const known = recent.get(key) ?? former.get(key);
  if (known && import.meta.env.DEV) return redrawn(key, known, draw);
  if (known && recent.has(key)) return known;
  const markup = known ?? Buffer.from(draw());
  if (size > KEPT) {
    former = recent;
    recent = new Map();
    size = 0;
  }
  recent.set(key, markup);
  size += key.length + markup.length;
  return markup;
}

function redrawn(key: string, known: Markup, draw: () => string): Markup {
  const markup = Buffer.from(draw());
  if (markup.equals(known)) return known;
  recent.set(key, markup);
  const why = 'drawn otherwise than before: its code has changed, or its key leaves something out';
  console.error(`${key.slice(0, 300)}: ${why}`);
  return markup;
}

/** The kept parts of what is being drawn, which React need not carry along. */
let parts: Markup[] | undefined;

/** The markup of a page's part, what is kept of it put in its place; `prefix`: of the ids, where a page has several. */
export function drawPart(element: ReactNode, prefix?: string): Markup[] {
  const outer = parts;
  const own: Markup[] = [];
  parts = own;
  try {
    const pieces = renderToStaticMarkup(element, { identifierPrefix: prefix }).split(MARK);
    return pieces.map((piece, index) => (index % 2 === 0 ? Buffer.from(piece) : own[Number(piece)]!));
  } finally {
    parts = outer;
  }
}

/** No text can hold it, since React writes &lt; there. */
const MARK = /<slot>(\d+)<\/slot>/;

/** Kept markup inside of what React draws: a mark where a part is drawn, else the markup itself. */
export function keptInside(key: string, draw: () => string): string {
  const outer = parts;
  parts = undefined;
  try {
    const markup = drawnOnce(key, draw);
    return outer ? `<slot>${outer.push(markup) - 1}</slot>` : markup.toString();
  } finally {
    parts = outer;
  }
}

/**
 * What draws the rows of a table, each once: by the row itself, the form that its columns have in this table, and
 * `about`, all else that its cells show or lead to.
 */
export const drawsRows =
  (about: string) =>
  (row: object, form: string, element: ReactElement): string =>
    keptInside(`${about}\n${form}\n${JSON.stringify(row)}`, () => renderToStaticMarkup(element));
