import { catalogs } from '../../../shared/catalogs/all.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import { pages } from '../../../shared/urls.ts';
import type { Sheet } from '../../formats/sheets/sheet.ts';
import { fieldsOf, type TableField } from '../../formats/tables/fields.ts';
import type { TableKind } from '../../formats/tables/table.ts';

interface ImportKind {
  label: string;
  /** the nouns after a count: "1 factura", "584 facturas" */
  one: string;
  many: string;
  list: string;
  hint: string;
}

export const IMPORT_KINDS: Readonly<Record<TableKind, ImportKind>> = {
  invoices: {
    label: 'Facturas',
    one: 'factura',
    many: 'facturas',
    list: pages.invoices,
    hint: 'Proveedor, obra y subtotal; número, fechas, IVA y total, si los tienes.',
  },
  payments: {
    label: 'Pagos',
    one: 'pago',
    many: 'pagos',
    list: pages.payments,
    hint: 'Cantidad pagada y su factura: proveedor y número, o UUID.',
  },
  'credit-notes': {
    label: 'Notas de crédito',
    one: 'nota de crédito',
    many: 'notas de crédito',
    list: pages.creditNotes,
    hint: 'Proveedor, número, fecha y subtotal o total; IVA, si lo tienes. Se aplican después.',
  },
  ...Object.fromEntries(catalogs.map((catalog) => [catalog.command, catalogToImportKind(catalog)])),
  budgets: {
    label: 'Presupuestos',
    one: 'partida',
    many: 'partidas',
    list: pages.budgets,
    hint: 'Obra, rubro y presupuesto sin IVA; el motivo, si lo hay.',
  },
  cuentas: {
    label: 'Cuentas bancarias',
    one: 'cuenta',
    many: 'cuentas',
    list: pages.accounts,
    hint: 'Proveedor, CLABE y titular; después otra persona confirma cada una.',
  },
  cajas: {
    label: 'Cajas chicas',
    one: 'caja',
    many: 'cajas',
    list: pages.pettyCash,
    hint: 'Caja, responsable, origen de recurso y fecha de apertura.',
  },
  'movimientos-caja': {
    label: 'Movimientos de caja chica',
    one: 'movimiento',
    many: 'movimientos',
    list: pages.pettyCashMovements,
    hint: 'Caja, fecha, concepto e importe; comprobante, IVA, obra y rubro, si los tienes.',
  },
} as Record<TableKind, ImportKind>;

function catalogToImportKind({ texts, paths, import: { hint } }: Catalog): ImportKind {
  const one = texts.one.replace(/^(el|la) /, '');
  return { label: texts.list, one, many: texts.many, list: paths.list, hint };
}

export const IMPORTABLE_KINDS = Object.keys(IMPORT_KINDS) as TableKind[];

export const isImportKind = (text: string): text is TableKind => Object.hasOwn(IMPORT_KINDS, text);

export const ROW_NOUN = ['fila', 'filas'] as const;
export const LINE_NOUN = ['renglón', 'renglones'] as const;

export function findReferencedCatalog(kind: TableKind, field: string): Catalog | undefined {
  const catalog = catalogs.find(({ nameField }) => nameField === field);
  return catalog && catalog.command !== kind ? catalog : undefined;
}

export const MAX_UPLOAD_MB = 20;

export function createTemplate(kind: TableKind): Sheet<Readonly<Record<string, string>>> {
  const fields = fieldsOf(kind).filter(
    ({ partOf, type }) => partOf === undefined && type !== 'id' && type !== 'word',
  );
  const columns = fields.map(({ name, label }: TableField) => ({
    name,
    heading: label,
    cell: (row: Readonly<Record<string, string>>) => row[name] ?? null,
  }));
  return { columns, pages: [[{ ...EXAMPLES_BY_COLUMN, ...EXAMPLE_TEXTS_BY_KIND[kind] }]] };
}

/** Examples for templates. Together they describe one invoice of one supplier for one job. */
const EXAMPLES_BY_COLUMN: Readonly<Record<string, string>> = {
  ...Object.fromEntries(catalogs.flatMap(({ fields }) => fields.map(({ name, example }) => [name, example]))),
  numfactura: 'A-1001',
  fechaemision: '2026-11-03',
  fecharecepcion: '2026-11-05',
  fechavencimiento: '2026-12-05',
  metodopago: 'PPD',
  subtotal: '1000.00',
  tasa: '16',
  iva: '160.00',
  otrosimpuestos: '0.00',
  retenciones: '0.00',
  total: '1160.00',
  checknum: '2045',
  paymentdate: '2026-11-20',
  paymentamount: '500.00',
  kind: 'pago',
  presupuesto: '500000.00',
  motivo: 'Contrato',
  clabe: '032180000118359719',
  titular: 'Aceros del Bajío SA de CV',
};

const EXAMPLE_TEXTS_BY_KIND: Partial<Record<TableKind, Readonly<Record<string, string>>>> = {
  invoices: { comments: 'Varilla de 3/8' },
  payments: { comments: 'Primer pago' },
};
