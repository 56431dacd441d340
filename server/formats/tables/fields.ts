import { catalogOf, catalogs } from '../../../shared/catalogs/all.ts';
import type { Catalog, CatalogField } from '../../../shared/catalogs/catalog.ts';
import {
  BY_ITS_RULES,
  field,
  idOf,
  NAME,
  OWN_FIELDS,
  required,
  type TableField,
  type TableFieldType,
} from './own-fields.ts';
import type { TableKind } from './table.ts';

/** What every row needs: of each such field its name, then the names of those that do as well. */
export const neededBy = (kind: TableKind): readonly (readonly [name: string, ...others: string[]])[] =>
  fieldsOf(kind).flatMap(({ name, required }) => {
    const others = fieldsOf(kind).filter(({ insteadOf }) => insteadOf === name);
    return required ? [[name, ...others.map((other) => other.name)] as const] : [];
  });

/** What a table of that kind may have, in the order in which a template would show it. */
export const fieldsOf = (kind: TableKind): readonly TableField[] => FIELDS.get(kind)!;

export function fieldNamed(kind: TableKind, name: string): TableField {
  const found = fieldsOf(kind).find((one) => one.name === name);
  if (!found) throw new Error(`tables of ${kind} have no field ${name}`);
  return found;
}

/** A reference is told by the other list's name. */
function fieldOfCatalog({ required: needs }: Catalog, one: CatalogField): TableField {
  const { name, label, type, ref, headings, needed } = one;
  const made = ref
    ? field(catalogOf(ref).nameField, label, 'text', NAME, headings)
    : field(name, label, TYPES[type], BY_ITS_RULES, headings);
  return needs.includes(name) ? { ...required(made), needed } : made;
}

const TYPES: Readonly<Record<CatalogField['type'], TableFieldType>> = {
  text: 'text',
  textarea: 'long-text',
  phone: 'text',
  email: 'text',
  date: 'date',
  whole: 'whole',
  rfc: 'rfc',
  clabe: 'number',
  ref: 'text',
};

function fieldsOfCatalog(catalog: Catalog): TableField[] {
  const { order = catalog.fields.map(({ name }) => name) } = catalog.import;
  const fields = order.map((name) => catalog.fields.find((one) => one.name === name)!);
  const named = fields.map((one) => fieldOfCatalog(catalog, one));
  const ids = fields.flatMap(({ name, label, ref }, index) =>
    ref ? idOf(named[index]!, name, `Id de ${label.toLowerCase()}`) : [],
  );
  return [...named, ...ids];
}

const FIELDS = new Map<string, readonly TableField[]>([
  ...catalogs.map((catalog) => [catalog.command, fieldsOfCatalog(catalog)] as const),
  ...Object.entries(OWN_FIELDS),
]);
