import type { Catalog, CatalogField } from '../../../shared/catalogs/catalog.ts';
import { CLABE, words } from '../../../shared/catalogs/headings.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';

export type TableFieldType =
  | 'text' // one line
  | 'long-text'
  | 'number' // of a document: text of which nothing may be lost
  | 'money'
  | 'rate'
  | 'date'
  | 'rfc'
  | 'uuid'
  | 'whole'
  | 'id'
  | 'currency'
  | 'exchange'; // what a unit of it is in pesos

export interface TableField {
  /** the field's name on the wire */
  name: string;
  label: string;
  type: TableFieldType;
  /** every row needs a value, so some column must be it */
  required: boolean;
  /** headings that people use for it, folded to letters and digits (see plan.ts); the likeliest first */
  aliases: readonly string[];
  /** the most characters, or the largest whole number */
  max: number;
  /** the field of ours that it goes into: tables have withholdings and discounts apart, an invoice has not */
  partOf?: string;
  /** the field that it makes unnecessary: an id says whom the other one would name, a total what it is made of */
  insteadOf?: string;
  /** of a list's own: why every row needs it, and what stands for it where nobody knows */
  needed?: CatalogField['needed'];
}

export const NAME = 200;
const COMMENT = 4000;
const NUMBER = 100;

/** @param headings that people use for it, likeliest first: a list, or its words between commas */
export function field(
  name: string,
  label: string,
  type: TableFieldType,
  max: number,
  headings: string | readonly string[] = [],
): TableField {
  const aliases = typeof headings === 'string' ? words(headings) : headings;
  return { name, label, type, required: false, max, aliases };
}

const money = (name: string, label: string, headings?: string | readonly string[]): TableField =>
  field(name, label, 'money', 0, headings);

const date = (name: string, label: string, headings: string | readonly string[]): TableField =>
  field(name, label, 'date', 0, headings);

export const required = (one: TableField): TableField => ({ ...one, required: true });

const partOf = (whole: string, one: TableField): TableField => ({ ...one, partOf: whole });

const insteadOf = (other: string, one: TableField): TableField => ({ ...one, insteadOf: other });

/** Of a row of ours, not of another system's: only somebody can say so, no heading does. */
export const idOf = (named: TableField, name: string, label: string): TableField =>
  insteadOf(named.name, field(name, label, 'id', Number.MAX_SAFE_INTEGER));

const OF_ITS_OWN_LIST = ['nombre', 'empresa', 'nombre comercial', 'titulo'];

/** What a catalog's own tables call a field, but for words that say whose name it is only there. */
const headingsOf = ({ fields }: Catalog, name: string): readonly string[] =>
  fields.find((one) => one.name === name)!.headings.filter((one) => !OF_ITS_OWN_LIST.includes(one));

const ISSUED_LONG = words(`
  fecha emision, fecha de emision, emision, fecha factura, fecha de factura, fecha de la factura,
  fecha de expedicion, fecha expedicion, invoice date`);
const ISSUED = ISSUED_LONG.toSpliced(-1, 0, 'fecha');

export const TOTAL = words(`
  total, importe total, total factura, total de la factura, total con iva, monto total, total mxn,
  importe con iva, neto a pagar, total a pagar`);

/** Those that can only mean an amount without IVA. */
export const SUBTOTALS_BY_NAME = words(`
  subtotal, sub total, importe sin iva, subtotal sin iva, base gravable, monto sin iva, importe antes de iva`);

const COMMENTS = words('observaciones, comentarios, notas, nota, concepto, conceptos, descripcion, comments');
const FUNDS = words('caja, caja chica, nombre de la caja, nombre de caja, fondo fijo, fondo');

const supplier = field('suppliername', 'Proveedor', 'text', NAME, headingsOf(suppliers, 'suppliername'));
const supplierId = idOf(supplier, 'supplierId', 'Id de proveedor');
const rfc = insteadOf('suppliername', field('rfc', 'RFC', 'rfc', 13, headingsOf(suppliers, 'rfc')));
const job = field('jobtitle', 'Obra', 'text', NAME, headingsOf(jobs, 'jobtitle'));
const jobId = idOf(job, 'jobId', 'Id de obra');
const rubro = field(
  'nombrerubro',
  'Rubro',
  'text',
  NAME,
  'rubro, nombre del rubro, partida, categoria, clasificacion, tipo de gasto',
);
const rubroId = idOf(rubro, 'rubroId', 'Id de rubro');
const source = field(
  'origenderecursonombre',
  'Origen de recurso',
  'text',
  NAME,
  'origen de recurso, origen del recurso, origen de recursos, origen, cuenta, banco, cuenta bancaria, fondo',
);
const number = field(
  'numfactura',
  'Factura',
  'number',
  NUMBER,
  `no factura, factura, folio, numero de factura, num factura, nro factura, n factura, numero factura,
  folio factura, folio de factura, folio de la factura, serie y folio, serie folio, no de factura,
  num de factura, invoice no, invoice number, invoice`,
);
/** As long as a cell may be: the rules of its noun say what is too long. */
export const BY_ITS_RULES = 32_767;
const SERIES = 'serie, serie factura, serie de la factura, serie de factura, serie cfdi';
const series = partOf('numfactura', field('serie', 'Serie', 'number', 25, SERIES));
const UUID = 'uuid, folio fiscal, folio fiscal uuid, uuid factura, folio fiscal de la factura, uuid cfdi';
const uuid = field('uuid', 'UUID', 'uuid', 36, UUID);
const comments = field('comments', 'Observaciones', 'long-text', COMMENT, COMMENTS);
const iva = money('iva', 'IVA', 'iva, importe iva, iva trasladado, monto iva, i v a, importe del iva, vat');
const CURRENCIES = 'moneda, tipo de moneda, tipo moneda, divisa, clave moneda, currency';
const EXCHANGE_RATES =
  'tipo de cambio, tipo cambio, t c, tipo de cambio fix, paridad, exchange rate, fx rate';
const currency = [
  partOf('total', field('moneda', 'Moneda', 'currency', 20, CURRENCIES)),
  partOf('total', field('tipocambio', 'Tipo de cambio', 'exchange', 0, EXCHANGE_RATES)),
];

/** What a table may have that is no catalog's. */
export const OWN_FIELDS = {
  invoices: [
    required(supplier),
    rfc,
    required(job),
    rubro,
    { ...number, max: BY_ITS_RULES },
    series,
    uuid,
    field(
      'contrato',
      'Contrato',
      'number',
      BY_ITS_RULES,
      `no contrato, numero de contrato, contrato u orden de compra, orden de compra, no orden de compra,
      numero de orden de compra, orden compra, oc, no oc, po, purchase order`,
    ),
    date('fechaemision', 'Emisión', ISSUED),
    date(
      'fecharecepcion',
      'Recepción',
      'fecha recepcion, fecha de recepcion, recepcion, recibida, fecha recibida',
    ),
    date(
      'fechavencimiento',
      'Vencimiento',
      `fecha vencimiento, fecha de vencimiento, vencimiento, vence, fecha limite de pago, fecha limite,
      due date`,
    ),
    field('metodopago', 'Método de pago', 'text', 3, 'metodo de pago, metodo pago, metodo'),
    required(
      money('subtotal', 'Subtotal', [
        ...SUBTOTALS_BY_NAME,
        ...words('importe, base, monto, neto, net, net amount, amount'),
      ]),
    ),
    partOf(
      'subtotal',
      money(
        'descuento',
        'Descuento',
        'descuento, descuentos, importe descuento, importe de descuento, discount',
      ),
    ),
    field(
      'tasa',
      'Tasa',
      'rate',
      0,
      'tasa, tasa iva, tasa de iva, iva %, % iva, iva porcentaje, porcentaje iva, vat rate',
    ),
    iva,
    money(
      'otrosimpuestos',
      'Otros impuestos',
      'otros impuestos, ieps, otros, impuestos locales, otros impuestos trasladados',
    ),
    money(
      'retenciones',
      'Retenciones',
      'retenciones, retencion, total retenciones, impuestos retenidos, total retenido',
    ),
    partOf(
      'retenciones',
      money(
        'retencioniva',
        'Retención de IVA',
        `retencion iva, retencion de iva, iva retenido, ret iva, retiva, importe iva retenido,
        retencion del iva, iva ret`,
      ),
    ),
    partOf(
      'retenciones',
      money(
        'retencionisr',
        'Retención de ISR',
        `retencion isr, retencion de isr, isr retenido, ret isr, retisr, importe isr retenido,
        retencion del isr, isr ret, isr`,
      ),
    ),
    insteadOf('subtotal', money('total', 'Total', [...TOTAL, 'gross', 'gross amount'])),
    // What the amounts were converted from; a table that is in another currency says so in other columns.
    field('monedacfdi', 'Moneda del CFDI', 'text', 3),
    field('tipocambiocfdi', 'Tipo de cambio del CFDI', 'text', 30),
    ...currency,
    { ...comments, max: BY_ITS_RULES },
    supplierId,
    jobId,
    rubroId,
  ],
  payments: [
    supplier,
    rfc,
    number,
    series,
    uuid,
    job,
    date('fechaemision', 'Emisión', ISSUED_LONG),
    money(
      'total',
      'Total de la factura',
      'total factura, total de la factura, importe factura, monto factura, total',
    ),
    field(
      'checknum',
      'Cheque',
      'number',
      BY_ITS_RULES,
      `cheque, no cheque, numero de cheque, num cheque, no cheque transferencia, cheque transferencia,
      no de cheque, no transferencia, transferencia, referencia, no operacion, numero de operacion,
      clave de rastreo, poliza, check number`,
    ),
    date(
      'paymentdate',
      'Fecha de pago',
      `fecha de pago, fecha pago, fecha del pago, fecha, fecha de transferencia, fecha de cheque,
      pagado el, payment date, paid date`,
    ),
    required(
      money(
        'paymentamount',
        'Cantidad pagada',
        `cantidad pagada, importe pagado, monto pagado, pago, importe del pago, monto del pago,
        importe de pago, cantidad, importe, monto, abono, amount paid, amount`,
      ),
    ),
    money(
      'importebanco',
      'Importe del banco',
      `importe banco, importe en banco, importe bancario, monto del banco, monto banco, monto bancario,
      cargo del banco, cargo banco, cargo bancario, salida de banco, salida del banco, bank amount`,
    ),
    ...currency,
    source,
    { ...comments, max: BY_ITS_RULES },
    field('kind', 'Tipo', 'text', 10, 'tipo, tipo de pago, clase, kind'),
    field(
      'creditnumero',
      'Nota de crédito',
      'number',
      NUMBER,
      'numero de nota de credito, no nota de credito, folio de la nota, folio nota de credito',
    ),
    field('credituuid', 'UUID de la nota', 'uuid', 36, 'uuid nota de credito, uuid de la nota de credito'),
    money('credittotal', 'Total de la nota', 'total nota de credito, total de la nota de credito'),
    money('creditiva', 'IVA de la nota', 'iva nota de credito, iva de la nota de credito'),
    money('creditotrosimpuestos', 'Otros impuestos de la nota'),
    money('creditretenciones', 'Retenciones de la nota'),
    supplierId,
    jobId,
    idOf(source, 'origenderecursoId', 'Id de origen de recurso'),
    money('creditaplicado', 'Aplicado de la nota'),
  ],
  budgets: [
    required(job),
    rubro,
    required(
      money(
        'presupuesto',
        'Presupuesto',
        `presupuesto, presupuesto vigente, vigente, presupuestado, presupuesto autorizado, monto presupuestado,
        importe presupuestado, importe, monto, budget`,
      ),
    ),
    field('motivo', 'Motivo', 'text', BY_ITS_RULES, 'motivo, razon, justificacion, reason'),
    jobId,
    rubroId,
  ],
  cuentas: [
    required(supplier),
    rfc,
    required(field('clabe', 'CLABE', 'number', BY_ITS_RULES, CLABE)),
    field(
      'titular',
      'Titular',
      'text',
      BY_ITS_RULES,
      'titular, titular de la cuenta, nombre del titular, cuentahabiente, a nombre de',
    ),
    supplierId,
  ],
  cajas: [
    required(field('nombre', 'Caja', 'text', 120, [...FUNDS, 'nombre'])),
    required(
      field(
        'responsable',
        'Responsable',
        'text',
        NAME,
        'responsable, responsable de la caja, encargado, custodio, resguardante, usuario',
      ),
    ),
    required(source),
    job,
    money('montofijo', 'Monto fijo', 'monto fijo, importe fijo, fondo asignado, monto'),
    money('tope', 'Tope por gasto', 'tope por gasto, tope, limite por gasto, limite'),
    required(date('openedOn', 'Fecha de apertura', 'fecha de apertura, fecha apertura, apertura')),
    field('pagosOrigen', 'Pagos desde la caja', 'text', NAME, 'pagos desde la caja, origen de pagos'),
    comments,
    jobId,
  ],
  'movimientos-caja': [
    required(field('caja', 'Caja', 'text', 120, FUNDS)),
    field('tipo', 'Tipo', 'text', 20, 'tipo, tipo de movimiento, movimiento'),
    required(date('fecha', 'Fecha', ['fecha', 'fecha del gasto', 'dia', ...ISSUED])),
    required(
      field('concepto', 'Concepto', 'text', 300, 'concepto, descripcion, detalle, descripcion del gasto'),
    ),
    field('beneficiario', 'Beneficiario', 'text', NAME, 'beneficiario, proveedor, pagado a, a favor de'),
    field(
      'comprobante',
      'Comprobante',
      'text',
      40,
      'comprobante, tipo de comprobante, documento, tipo de documento',
    ),
    field(
      'folio',
      'Número de comprobante',
      'number',
      60,
      'numero de comprobante, no comprobante, folio, no nota, factura, no factura',
    ),
    uuid,
    insteadOf('importe', money('subtotal', 'Subtotal', SUBTOTALS_BY_NAME)),
    iva,
    required(money('importe', 'Importe', 'importe, total, monto, gasto, cantidad, importe total')),
    job,
    rubro,
    date('comprobarAntes', 'Comprobar antes del', 'comprobar antes del, fecha limite para comprobar, plazo'),
    field(
      'reposicion',
      'Reposición',
      'number',
      20,
      'reposicion, no reposicion, numero de reposicion, folio de reposicion',
    ),
    source,
    { ...comments, aliases: COMMENTS.filter((alias) => !/concepto|descripcion/.test(alias)) },
    // What tells rows of a file apart that are equal otherwise.
    field('clave', 'ID', 'number', 40, 'id, consecutivo, clave'),
    jobId,
    rubroId,
  ],
} satisfies Record<string, readonly TableField[]>;
