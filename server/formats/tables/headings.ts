import { fold } from '../../../shared/text.ts';
import { fieldsOf } from './fields.ts';
import type { TableField } from './own-fields.ts';
import { TABLE_KINDS, type TableKind } from './table.ts';

/** Headings are compared by letters, digits and "%" alone: "No. Factura", "NO_FACTURA" and "nofactura" are one. */
export const headingKey = (text: string): string => fold(text).replace(/[^\p{L}\p{N}%]+/gu, '');

/**
 * What a heading may be taken for, the likeliest first: the field's own name, its label, then its aliases. An id
 * of ours is what somebody says is one, for other systems have ids too.
 */
export const keysOf = (field: TableField): readonly string[] => {
  let keys = known.get(field);
  if (!keys) {
    const names = field.type === 'id' ? [] : [field.name, field.label, ...field.aliases];
    keys = [...new Set(names.map(headingKey))];
    known.set(field, keys);
  }
  return keys;
};

const known = new Map<TableField, readonly string[]>();

/**
 * How many fields of the kind (of the kind that fits best, where none is given) the cells could be headings
 * of. A cell counts in full where it is a heading that people use, by a quarter where it holds such a word.
 */
export function scoreHeadings(cells: readonly unknown[], kind?: TableKind): number {
  const keys = cells.flatMap((cell) =>
    typeof cell === 'string' && cell.length <= 80 ? [headingKey(cell)] : [],
  );
  if (keys.length === 0) return 0;
  const scores = (kind ? [kind] : TABLE_KINDS).map((one) => countFields(keys, one));
  const words = keys.filter((key) => WORDS.test(key) && !EVERY_KEY.has(key)).length;
  return Math.max(...scores) + words / 4;
}

/** The part, 0 to 1, of the fields that the kind needs for which there is a heading. */
export function coverRequired(cells: readonly unknown[], kind: TableKind): number {
  const keys = cells.flatMap((cell) => (typeof cell === 'string' ? [headingKey(cell.slice(0, 80))] : []));
  const needed = fieldsOf(kind).filter(({ required }) => required);
  return needed.filter((field) => keysOf(field).some((key) => keys.includes(key))).length / needed.length;
}

const countFields = (keys: readonly string[], kind: TableKind): number =>
  fieldsOf(kind).filter((field) => keysOf(field).some((key) => keys.includes(key))).length;

const EVERY_KEY = new Set(TABLE_KINDS.flatMap((kind) => fieldsOf(kind)).flatMap((field) => keysOf(field)));

const WORDS =
  /proveedor|supplier|contratista|vendor|factura|invoice|folio|fecha|date|importe|monto|amount|total|value|obra|proyecto|project|rfc|contrato|pago|paid|payment/;

/** A slip of the pen or two, where the word is long enough to be known all the same: "Proveedro", "Fecha emison". */
export function isAlike(key: string, heading: string): boolean {
  const longest = Math.max(key.length, heading.length);
  const most = longest >= 11 ? 2 : longest >= 7 ? 1 : 0;
  return most > 0 && Math.abs(key.length - heading.length) <= most && editsBetween(key, heading) <= most;
}

/** Damerau-Levenshtein (optimal string alignment): insertions, deletions, changes, and neighbours swapped. */
function editsBetween(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(previous[j]! + 1, row[j - 1]! + 1, change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        row[j] = Math.min(row[j]!, before[j - 2]! + 1);
      }
    }
    before = previous;
    previous = row;
  }
  return previous[b.length]!;
}
