import { catalogs } from '../../../shared/catalogs/all.ts';
import type { Catalog, CatalogNoun } from '../../../shared/catalogs/catalog.ts';
import { clients } from '../../../shared/catalogs/clients.ts';
import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { rubros } from '../../../shared/catalogs/rubros.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { pages } from '../../../shared/urls.ts';
import type { TableKind } from '../../formats/tables/table.ts';

/** A list that tables are imported into, in the words of its page. */
export interface ImportKind {
  label: string;
  /** "1 factura", "584 facturas" */
  one: string;
  many: string;
  list: string;
  /** what a table of it is about, for whoever chooses */
  hint: string;
}

export const IMPORT_KINDS: Readonly<Record<TableKind, ImportKind>> = {
  invoices: {
    label: 'Facturas',
    one: 'factura',
    many: 'facturas',
    list: pages.invoices,
    hint: 'Proveedor, obra y subtotal, y lo que haya de número, fechas, IVA y total.',
  },
  payments: {
    label: 'Pagos',
    one: 'pago',
    many: 'pagos',
    list: pages.payments,
    hint: 'La cantidad pagada y con qué se reconoce su factura: proveedor y número, o UUID.',
  },
  suppliers: {
    label: 'Proveedores',
    one: 'proveedor',
    many: 'proveedores',
    list: suppliers.paths.list,
    hint: 'Nombre y contacto, y si se tienen RFC, teléfono, correo y días de crédito.',
  },
  clients: {
    label: 'Clientes',
    one: 'cliente',
    many: 'clientes',
    list: clients.paths.list,
    hint: 'Nombre y contacto, y si se tienen teléfono y correo.',
  },
  jobs: {
    label: 'Obras',
    one: 'obra',
    many: 'obras',
    list: jobs.paths.list,
    hint: 'Nombre y cliente, y si se tienen descripción y fechas.',
  },
  rubros: {
    label: 'Rubros',
    one: 'rubro',
    many: 'rubros',
    list: rubros.paths.list,
    hint: 'Nombre, y si se tiene descripción.',
  },
  origenes: {
    label: 'Origen de recursos',
    one: 'origen de recurso',
    many: 'orígenes de recurso',
    list: fundingSources.paths.list,
    hint: 'Nombre, y si se tiene descripción.',
  },
};

export const KINDS = Object.keys(IMPORT_KINDS) as TableKind[];

export const isImportKind = (text: string): text is TableKind => Object.hasOwn(IMPORT_KINDS, text);

/** "1 factura", "65,000 facturas" */
export const counted = (count: number, { one, many }: { one: string; many: string }): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;

export const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

export const ROWS = { one: 'fila', many: 'filas' };
/** of a file, whether they turn out to be rows or not */
export const LINES = { one: 'renglón', many: 'renglones' };

/** The list that a field of a table names a row of, but for the table's own name. */
export function catalogNamedBy(kind: TableKind, field: string): Catalog | undefined {
  const catalog = catalogs.find(({ nameField }) => nameField === field);
  return catalog && KIND_OF[catalog.noun] !== kind ? catalog : undefined;
}

export const KIND_OF: Readonly<Record<CatalogNoun, TableKind>> = {
  suppliers: 'suppliers',
  clients: 'clients',
  jobs: 'jobs',
  rubros: 'rubros',
  'funding-sources': 'origenes',
};

/** A file that the page takes. */
export const MOST_MB = 20;
