import { fold } from '../../../shared/text.ts';
import { fieldsOf, type TableField } from './fields.ts';
import { TABLE_KINDS, type TableKind } from './table.ts';

/** Headings are compared by letters, digits and "%" only: "No. Factura", "NO_FACTURA" and "nofactura" are equal. */
export const headingKey = (text: string): string => fold(text).replace(/[^\p{L}\p{N}%]+/gu, '');

/** The likeliest come first. Fields for ids have none, because a column's ids may be those of another system. */
export const headingKeysOf = (field: TableField): readonly string[] => {
  let keys = headingKeysByField.get(field);
  if (!keys) {
    const names = field.type === 'id' ? [] : [field.name, field.label, ...field.aliases];
    keys = [...new Set(names.map(headingKey))];
    headingKeysByField.set(field, keys);
  }
  return keys;
};

const headingKeysByField = new Map<TableField, readonly string[]>();

/** Without a kind, the best score of all kinds counts. A cell that only contains a typical word scores a quarter. */
export function scoreHeadings(cells: readonly unknown[], kind?: TableKind): number {
  const keys = cells.flatMap((cell) =>
    typeof cell === 'string' && cell.length <= 80 ? [headingKey(cell)] : [],
  );
  if (keys.length === 0) return 0;
  const scores = (kind ? [kind] : TABLE_KINDS).map((one) => countRecognizedFields(keys, one));
  const words = keys.filter((key) => HEADING_WORD_PATTERN.test(key) && !ALL_HEADING_KEYS.has(key)).length;
  return Math.max(...scores) + words / 4;
}

export function computeRequiredFieldCoverage(cells: readonly unknown[], kind: TableKind): number {
  const keys = cells.flatMap((cell) => (typeof cell === 'string' ? [headingKey(cell.slice(0, 80))] : []));
  const needed = fieldsOf(kind).filter(({ required }) => required);
  return (
    needed.filter((field) => headingKeysOf(field).some((key) => keys.includes(key))).length / needed.length
  );
}

const countRecognizedFields = (keys: readonly string[], kind: TableKind): number =>
  fieldsOf(kind).filter(
    (field) => field.type !== 'word' && headingKeysOf(field).some((key) => keys.includes(key)),
  ).length;

const ALL_HEADING_KEYS = new Set(
  TABLE_KINDS.flatMap((kind) => fieldsOf(kind)).flatMap((field) => headingKeysOf(field)),
);

const HEADING_WORD_PATTERN =
  /proveedor|supplier|contratista|vendor|factura|invoice|folio|fecha|date|importe|monto|amount|total|value|obra|proyecto|project|rfc|contrato|pago|paid|payment/;

/** Allows one or two typing errors in long words: "Proveedro", "Fecha emison". */
export function isSimilarHeading(key: string, heading: string): boolean {
  const longest = Math.max(key.length, heading.length);
  const maxEdits = longest >= 11 ? 2 : longest >= 7 ? 1 : 0;
  return (
    maxEdits > 0 &&
    Math.abs(key.length - heading.length) <= maxEdits &&
    computeEditDistance(key, heading) <= maxEdits
  );
}

/** The distance is that of Damerau and Levenshtein (optimal string alignment). */
function computeEditDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(previous[j]! + 1, row[j - 1]! + 1, change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        row[j] = Math.min(row[j]!, beforePrevious[j - 2]! + 1);
      }
    }
    beforePrevious = previous;
    previous = row;
  }
  return previous[b.length]!;
}
