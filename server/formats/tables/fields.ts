import { catalogOf, catalogs } from '../../../shared/catalogs/all.ts';
import type { Catalog, CatalogField } from '../../../shared/catalogs/catalog.ts';
import { CLABE } from '../../../shared/catalogs/headings.ts';
import { LONGEST_MOTIVO } from '../../../shared/text.ts';
import {
  BANK_AMOUNTS,
  BUDGETS,
  CHEQUES,
  COMMENTS,
  CURRENCIES,
  DISCOUNTS,
  DUE,
  EXCHANGE_RATES,
  HOLDERS,
  INVOICE_NUMBERS,
  INVOICE_TOTALS,
  ISSUED,
  ISSUED_LONG,
  IVA,
  METHODS,
  OTHER_TAXES,
  PAID_AMOUNTS,
  PAID_ON,
  PAID_TOTALS,
  PAYMENT_KINDS,
  RATES,
  REASONS,
  RECEIVED,
  RFC,
  SERIES,
  SUBTOTALS,
  SUPPLIER_NAMES,
  WITHHELD,
  WITHHELD_ISR,
  WITHHELD_IVA,
} from './aliases.ts';
import { PETTY_CASH_FIELDS } from './petty-cash-fields.ts';
import type { TableKind } from './table.ts';
import {
  COMMENT,
  field,
  idOf,
  insteadOf,
  job,
  jobId,
  NAME,
  partOf,
  required,
  rubro,
  source,
  type TableField,
  type TableFieldType,
  uuid,
} from './table-field.ts';

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

const NUMBER = 100;
/** As long as a cell may be: the rules of payments say what is too long for one. */
const BY_ITS_RULES = 32_767;

const supplier = field('suppliername', 'Proveedor', 'text', NAME, SUPPLIER_NAMES);
const supplierId = idOf(supplier, 'supplierId', 'Id de proveedor');
const rfc = insteadOf('suppliername', field('rfc', 'RFC', 'rfc', 13, RFC));
const number = field('numfactura', 'Factura', 'number', NUMBER, INVOICE_NUMBERS);
const series = partOf('numfactura', field('serie', 'Serie', 'number', 25, SERIES));
const currency = [
  partOf('total', field('moneda', 'Moneda', 'currency', 20, CURRENCIES)),
  partOf('total', field('tipocambio', 'Tipo de cambio', 'exchange', 0, EXCHANGE_RATES)),
];

const OWN_FIELDS = {
  invoices: [
    required(supplier),
    rfc,
    required(job),
    rubro,
    number,
    series,
    uuid,
    field('contrato', 'Contrato', 'number', 60, [
      'no contrato',
      'numero de contrato',
      'contrato u orden de compra',
      'orden de compra',
      'no orden de compra',
      'numero de orden de compra',
      'orden compra',
      'oc',
      'no oc',
      'po',
      'purchase order',
    ]),
    field('fechaemision', 'Emisión', 'date', 0, ISSUED),
    field('fecharecepcion', 'Recepción', 'date', 0, RECEIVED),
    field('fechavencimiento', 'Vencimiento', 'date', 0, DUE),
    field('metodopago', 'Método de pago', 'text', 3, METHODS),
    required(field('subtotal', 'Subtotal', 'money', 0, SUBTOTALS)),
    partOf('subtotal', field('descuento', 'Descuento', 'money', 0, DISCOUNTS)),
    field('tasa', 'Tasa', 'rate', 0, RATES),
    field('iva', 'IVA', 'money', 0, IVA),
    field('otrosimpuestos', 'Otros impuestos', 'money', 0, OTHER_TAXES),
    field('retenciones', 'Retenciones', 'money', 0, WITHHELD),
    partOf('retenciones', field('retencioniva', 'Retención de IVA', 'money', 0, WITHHELD_IVA)),
    partOf('retenciones', field('retencionisr', 'Retención de ISR', 'money', 0, WITHHELD_ISR)),
    insteadOf('subtotal', field('total', 'Total', 'money', 0, INVOICE_TOTALS)),
    // What the amounts were converted from; a table that is in another currency says so in other columns.
    field('monedacfdi', 'Moneda del CFDI', 'text', 3, []),
    field('tipocambiocfdi', 'Tipo de cambio del CFDI', 'text', 30, []),
    ...currency,
    field('comments', 'Observaciones', 'long-text', COMMENT, COMMENTS),
    supplierId,
    jobId,
    idOf(rubro, 'rubroId', 'Id de rubro'),
  ],
  payments: [
    supplier,
    rfc,
    number,
    series,
    uuid,
    job,
    field('fechaemision', 'Emisión', 'date', 0, ISSUED_LONG),
    field('total', 'Total de la factura', 'money', 0, PAID_TOTALS),
    field('checknum', 'Cheque', 'number', BY_ITS_RULES, CHEQUES),
    field('paymentdate', 'Fecha de pago', 'date', 0, PAID_ON),
    required(field('paymentamount', 'Cantidad pagada', 'money', 0, PAID_AMOUNTS)),
    field('importebanco', 'Importe del banco', 'money', 0, BANK_AMOUNTS),
    ...currency,
    source,
    field('comments', 'Observaciones', 'long-text', BY_ITS_RULES, COMMENTS),
    field('kind', 'Tipo', 'text', 10, PAYMENT_KINDS),
    field('creditnumero', 'Nota de crédito', 'number', NUMBER, [
      'numero de nota de credito',
      'no nota de credito',
      'folio de la nota',
      'folio nota de credito',
    ]),
    field('credituuid', 'UUID de la nota', 'uuid', 36, [
      'uuid nota de credito',
      'uuid de la nota de credito',
    ]),
    field('credittotal', 'Total de la nota', 'money', 0, [
      'total nota de credito',
      'total de la nota de credito',
    ]),
    field('creditiva', 'IVA de la nota', 'money', 0, ['iva nota de credito', 'iva de la nota de credito']),
    field('creditotrosimpuestos', 'Otros impuestos de la nota', 'money', 0, []),
    field('creditretenciones', 'Retenciones de la nota', 'money', 0, []),
    supplierId,
    jobId,
    idOf(source, 'origenderecursoId', 'Id de origen de recurso'),
    field('creditaplicado', 'Aplicado de la nota', 'money', 0, []),
  ],
  budgets: [
    required(job),
    rubro,
    required(field('presupuesto', 'Presupuesto', 'money', 0, BUDGETS)),
    field('motivo', 'Motivo', 'text', LONGEST_MOTIVO, REASONS),
    jobId,
    idOf(rubro, 'rubroId', 'Id de rubro'),
  ],
  cuentas: [
    required(supplier),
    rfc,
    required(field('clabe', 'CLABE', 'number', 60, CLABE)),
    field('titular', 'Titular', 'text', NAME, HOLDERS),
    supplierId,
  ],
};

/** A reference is told by the other list's name. */
function fieldOfCatalog({ required: needs }: Catalog, one: CatalogField): TableField {
  const { name, label, type, max, ref, headings, needed } = one;
  const made = ref
    ? field(catalogOf(ref).nameField, label, 'text', NAME, headings)
    : field(name, label, TYPES[type], max, headings);
  return needs.includes(name) ? { ...required(made), needed } : made;
}

const TYPES: Readonly<Record<CatalogField['type'], TableFieldType>> = {
  text: 'text',
  textarea: 'long-text',
  phone: 'phone',
  email: 'email',
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

const FIELDS: ReadonlyMap<TableKind, readonly TableField[]> = new Map<TableKind, readonly TableField[]>([
  ...catalogs.map((catalog) => [catalog.command, fieldsOfCatalog(catalog)] as const),
  ['invoices', OWN_FIELDS.invoices],
  ['payments', OWN_FIELDS.payments],
  ['budgets', OWN_FIELDS.budgets],
  ['cuentas', OWN_FIELDS.cuentas],
  ['cajas', PETTY_CASH_FIELDS.cajas],
  ['movimientos-caja', PETTY_CASH_FIELDS.movements],
]);
