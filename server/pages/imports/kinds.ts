import { catalogs } from '../../../shared/catalogs/all.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import { pages } from '../../../shared/urls.ts';
import type { TableKind } from '../../formats/tables/table.ts';

interface ImportKind {
  label: string;
  /** "1 factura", "584 facturas" */
  one: string;
  many: string;
  list: string;
  hint: string;
}

/** Catalogs are in their definitions' words. */
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
  ...Object.fromEntries(catalogs.map((catalog) => [catalog.command, kindOf(catalog)])),
  budgets: {
    label: 'Presupuestos',
    one: 'partida',
    many: 'partidas',
    list: pages.budgets,
    hint: 'Obra, rubro y cuánto puede costar, sin IVA; y el motivo, si lo hay.',
  },
  cuentas: {
    label: 'Cuentas bancarias',
    one: 'cuenta',
    many: 'cuentas',
    list: pages.accounts,
    hint: 'Proveedor y CLABE, y el titular; después otra persona confirma cada una.',
  },
  cajas: {
    label: 'Cajas chicas',
    one: 'caja',
    many: 'cajas',
    list: pages.pettyCash,
    hint: 'Caja, responsable, origen de recurso y apertura; con cuánto se abrió va en sus movimientos.',
  },
  'movimientos-caja': {
    label: 'Movimientos de caja chica',
    one: 'movimiento',
    many: 'movimientos',
    list: pages.pettyCashMovements,
    hint: 'Caja, fecha, concepto e importe, y lo que haya de tipo, comprobante, IVA, obra y rubro.',
  },
} as Record<TableKind, ImportKind>;

function kindOf({ texts, paths, import: { hint } }: Catalog): ImportKind {
  const one = texts.one.replace(/^(el|la) /, '');
  return { label: texts.list, one, many: texts.many, list: paths.list, hint };
}

export const KINDS = Object.keys(IMPORT_KINDS) as TableKind[];

export const isImportKind = (text: string): text is TableKind => Object.hasOwn(IMPORT_KINDS, text);

/** "1 factura", "65,000 facturas" */
export const counted = (count: number, { one, many }: { one: string; many: string }): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;

export const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

export const ROWS = { one: 'fila', many: 'filas' };
export const LINES = { one: 'renglón', many: 'renglones' };

export function catalogNamedBy(kind: TableKind, field: string): Catalog | undefined {
  const catalog = catalogs.find(({ nameField }) => nameField === field);
  return catalog && catalog.command !== kind ? catalog : undefined;
}

export const MOST_MB = 20;
