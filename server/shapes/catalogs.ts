import { z } from 'zod';
import type { Catalog, CatalogField } from '../../shared/catalogs/catalog.ts';
import type { CatalogDraft } from '../../shared/catalogs/rules.ts';
import type { CatalogQuery } from '../services/catalog-reading.ts';
import {
  choiceField,
  dateField,
  directionField,
  idField,
  parseQuery,
  parseShape,
  textField,
  versionField,
  wholeField,
} from './fields.ts';

/** The payload of a creation: the definition's fields, also under their old names. */
export function newRowShape({ fields }: Catalog) {
  const aliases = fields.flatMap((field) => (field.alias ? [[field.alias, typeOf(field)] as const] : []));
  return z.strictObject({ ...typesOf(fields), ...Object.fromEntries(aliases) });
}

/** The payload of a change: all or some of the fields, the version that was seen, and the path's own id. */
export const rowChangeShape = ({ fields }: Catalog) =>
  z.strictObject({ ...typesOf(fields), id: idField('id'), version: versionField });

/** The parameters of a list and of a search. */
export const catalogQueryShape = (catalog: Catalog) =>
  z.strictObject({
    id: idField('id'),
    [catalog.nameField]: textField(catalog.texts.filter, 200, catalog.nameField),
    sortfield: choiceField('sortfield', sortNames(catalog)),
    sorttype: directionField,
    limit: wholeField('limit', 1, 1000),
    cursor: textField('cursor', 2000),
  });

/** @throws DomainError malformed */
export function parseCatalogQuery(
  catalog: Catalog,
  query: Record<string, string[]>,
): Partial<CatalogQuery> & { id?: number | null } {
  const {
    [catalog.nameField]: text,
    sortfield,
    sorttype,
    ...rest
  } = parseQuery(catalogQueryShape(catalog), query) as Sent;
  return { ...rest, text, sort: sortfield, direction: sorttype } as Partial<CatalogQuery>;
}

/** Where a field comes under both names, the long one counts. @throws DomainError malformed or invalid */
export function parseNewRow(catalog: Catalog, body: unknown): CatalogDraft {
  const sent = parseShape(newRowShape(catalog), body) as Sent;
  const named = catalog.fields.map(({ name, alias }) => [name, sent[name] ?? (alias && sent[alias])]);
  return Object.fromEntries(named) as CatalogDraft;
}

/** @throws DomainError malformed or invalid */
export function parseRowChange(
  catalog: Catalog,
  body: object,
): { draft: CatalogDraft; id?: number | null; version?: number } {
  const { id, version, ...draft } = parseShape(rowChangeShape(catalog), body) as Sent & {
    id?: number | null;
    version?: number;
  };
  // A number that was emptied is 0, not left as it was.
  const isEmptied = ({ name, type }: CatalogField) =>
    type === 'whole' && name in body && draft[name] === undefined;
  for (const { name } of catalog.fields.filter(isEmptied)) draft[name] = 0;
  return { draft, id, version };
}

type Sent = Record<string, string | number | null | undefined>;

const typesOf = (fields: readonly CatalogField[]) =>
  Object.fromEntries(fields.map((field) => [field.name, typeOf(field)]));

function typeOf({ name, label, type, max }: CatalogField) {
  if (type === 'date') return dateField(label);
  if (type === 'ref') return idField(label);
  if (type === 'whole') return wholeField(label, 0, max);
  // An RFC may be typed with dashes and spaces; its own rule counts what is left.
  return textField(label, type === 'rfc' ? max + 7 : max, name);
}

const sortNames = ({ sortFields, nameField }: Catalog): string[] => [
  ...new Set([...Object.keys(sortFields), nameField]),
];
