import { z } from 'zod';
import { catalogs } from '../../shared/catalogs/all.ts';
import type { Catalog, CatalogField } from '../../shared/catalogs/catalog.ts';
import type { CatalogDraft } from '../../shared/catalogs/rules.ts';
import type { CatalogQuery } from '../services/catalog-reading.ts';
import {
  choiceField,
  dateField,
  directionField,
  idField,
  parseShape,
  textField,
  versionField,
  wholeField,
} from './fields.ts';

/** Made once for each list, from its definition. */
export const catalogShapes = Object.fromEntries(catalogs.map((catalog) => [catalog.noun, shapesOf(catalog)]));

/** The parameters as the service takes them. */
export function toCatalogQuery(
  { nameField }: Catalog,
  parameters: object,
): Partial<CatalogQuery> & { id?: number | null } {
  const { [nameField]: text, sortfield, sorttype, ...rest } = parameters as Sent;
  return { ...rest, text, sort: sortfield, direction: sorttype } as Partial<CatalogQuery>;
}

/** Where a field comes under both names, the long one counts. @throws DomainError malformed or invalid */
export function parseNewRow(catalog: Catalog, body: unknown): CatalogDraft {
  const sent = parseShape(catalogShapes[catalog.noun]!.create, body) as Sent;
  const named = catalog.fields.map(({ name, alias }) => [name, sent[name] ?? (alias && sent[alias])]);
  return Object.fromEntries(named) as CatalogDraft;
}

/** @throws DomainError malformed or invalid */
export function parseRowChange(
  catalog: Catalog,
  body: object,
): { draft: CatalogDraft; id?: number | null; version?: number } {
  const { id, version, ...draft } = parseShape(catalogShapes[catalog.noun]!.change, body) as Sent & {
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

function shapesOf({ fields, nameField, sortFields, texts }: Catalog) {
  const aliases = fields.flatMap((field) => (field.alias ? [[field.alias, typeOf(field)] as const] : []));
  const sortNames = [...new Set([...Object.keys(sortFields), nameField])];
  const query = z.strictObject({
    id: idField('id'),
    [nameField]: textField(texts.filter, 200, nameField),
    sortfield: choiceField('sortfield', sortNames),
    sorttype: directionField,
    limit: wholeField('limit', 1, 1000),
    cursor: textField('cursor', 2000),
  });
  return {
    /** the fields, also under their old names */
    create: z.strictObject({ ...typesOf(fields), ...Object.fromEntries(aliases) }),
    /** all or some of the fields, the version that was seen, and the path's own id */
    change: z.strictObject({ ...typesOf(fields), id: idField('id'), version: versionField }),
    /** the parameters of a list and of a search */
    query,
    /** the same in a page's address, with the rows on the pages before it */
    page: query.extend({ shown: wholeField('shown', 0, 1_000_000_000) }),
  };
}

function typesOf(fields: readonly CatalogField[]) {
  return Object.fromEntries(fields.map((field) => [field.name, typeOf(field)]));
}

function typeOf({ name, label, type, max }: CatalogField) {
  if (type === 'date') return dateField(label);
  if (type === 'ref') return idField(label);
  if (type === 'whole') return wholeField(label, 0, max);
  // An RFC may be typed with dashes and spaces; its own rule counts what is left.
  return textField(label, type === 'rfc' ? max + 7 : max, name);
}
