import { catalogOf, catalogs } from '../../../shared/catalogs/all.ts';
import type { Catalog, CatalogField } from '../../../shared/catalogs/catalog.ts';
import { CLABE_HEADINGS, splitHeadings } from '../../../shared/catalogs/headings.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import type { TableKind } from './table.ts';

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
  | 'exchange' // pesos for one unit of a currency
  | 'word'; // what a row is, or what became of it (status-words.ts)

export interface TableField {
  name: string;
  label: string;
  type: TableFieldType;
  required: boolean;
  /** headings that people use for this field, folded to letters and digits (see headings.ts), the likeliest first */
  aliases: readonly string[];
  /** A longer text, or a larger whole number, is refused. */
  max: number;
  /** the field to which this one is added: tables have columns for withholdings and discounts, invoices have none */
  partOf?: string;
  /**
   * whether a table may have several such columns: their amounts are added up, and each of their words is checked; "n%"
   * at the end of an alias stands for any rate
   */
  isRepeatable: boolean;
  /** the field that this one makes unnecessary: an id replaces a name, a total its components */
  insteadOf?: string;
  requirement?: CatalogField['requirement'];
}

const MAX_CELL_LENGTH = 32_767;

/**
 * Parses descriptions of fields, one per paragraph: `name | label | type max, options | headings`. The options are
 * `required`, `each` (isRepeatable), `part of NAME` and `instead of NAME`, with the name of another field.
 */
function parseFields(text: string): TableField[] {
  return text
    .trim()
    .split(/\n(?=\s*\w+ \|)/)
    .map((paragraph) => {
      const [name = '', label = '', typeAndOptions = '', headings = ''] = paragraph
        .split('|')
        .map((part) => part.trim());
      const [typeText = '', ...others] = typeAndOptions.split(', ');
      const [type, max = MAX_CELL_LENGTH] = typeText.split(' ');
      const findOptionAfter = (start: string) =>
        others.find((one) => one.startsWith(start))?.slice(start.length);
      return {
        name,
        label,
        type: type as TableFieldType,
        required: others.includes('required'),
        aliases: headings === '' ? [] : splitHeadings(headings),
        max: Number(max),
        partOf: findOptionAfter('part of '),
        isRepeatable: others.includes('each'),
        insteadOf: findOptionAfter('instead of '),
      };
    });
}

const parseField = (text: string): TableField => parseFields(text)[0]!;

const makeRequired = (one: TableField): TableField => ({ ...one, required: true });

/** A field for ids has no headings, because the ids may be another system's: the user has to choose the column. */
const createIdField = (named: TableField, name: string, label: string): TableField =>
  parseField(`${name} | ${label} | id ${Number.MAX_SAFE_INTEGER}, instead of ${named.name} |`);

const GENERIC_HEADINGS = ['nombre', 'empresa', 'nombre comercial', 'titulo'];

/** Generic headings such as "nombre" are clear only in the catalog's own tables. */
const specificHeadingsTextOf = (catalog: Catalog, name: string): string =>
  catalog.fields
    .find((one) => one.name === name)!
    .headings.filter((one) => !GENERIC_HEADINGS.includes(one))
    .join(', ');

const CLEAR_ISSUE_DATE_HEADINGS_TEXT = `fecha emision, fecha de emision, emision, fecha factura, fecha de factura, fecha de la factura,
  fecha de expedicion, fecha expedicion`;
const ISSUE_DATE_HEADINGS_TEXT = `${CLEAR_ISSUE_DATE_HEADINGS_TEXT}, fecha, invoice date`;
const TOTAL_HEADINGS_TEXT = `total, importe total, total factura, total de la factura, total con iva, monto total, total mxn,
  importe con iva, neto a pagar, total a pagar`;
const SUBTOTAL_HEADINGS_TEXT = `subtotal, sub total, importe sin iva, subtotal sin iva, base gravable, monto sin iva,
  importe antes de iva`;
const FUND_HEADINGS_TEXT = 'caja, caja chica, nombre de la caja, nombre de caja, fondo fijo, fondo';
const NOTES_HEADINGS_TEXT = 'observaciones, comentarios, notas, nota';

export const TOTAL_HEADINGS = splitHeadings(TOTAL_HEADINGS_TEXT);
export const SUBTOTAL_HEADINGS = splitHeadings(SUBTOTAL_HEADINGS_TEXT);

const supplier = parseField(
  `suppliername | Proveedor | text 200 | ${specificHeadingsTextOf(suppliers, 'suppliername')}`,
);
const rfc = parseField(
  `rfc | RFC | rfc 13, instead of suppliername | ${specificHeadingsTextOf(suppliers, 'rfc')}`,
);
const job = parseField(`jobtitle | Obra | text 200 | ${specificHeadingsTextOf(jobs, 'jobtitle')}`);
const rubro = parseField(`
  nombrerubro | Rubro | text 200 | rubro, nombre del rubro, partida, categoria, clasificacion, tipo de gasto`);
const fundingSource = parseField(`
  origenderecursonombre | Origen de recurso | text 200 | origen de recurso, origen del recurso, origen de recursos,
    origen, cuenta, banco, cuenta bancaria, fondo`);
const invoiceNumber = parseField(`
  numfactura | Factura | number 100 | no factura, factura, folio, numero de factura, num factura, nro factura,
    n factura, numero factura, folio factura, folio de factura, folio de la factura, serie y folio, serie folio,
    no de factura, num de factura, invoice no, invoice number, invoice`);
const series = parseField(`
  serie | Serie | number 25, part of numfactura | serie, serie factura, serie de la factura, serie de factura,
    serie cfdi`);
const uuid = parseField(`
  uuid | UUID | uuid | uuid, folio fiscal, folio fiscal uuid, uuid factura, folio fiscal de la factura, uuid cfdi`);
const iva = parseField(
  'iva | IVA | money | iva, importe iva, iva trasladado, monto iva, i v a, importe del iva, vat, total iva, iva total, iva acreditable',
);
const currencyFields = parseFields(`
  moneda | Moneda | currency 20, part of total | moneda, tipo de moneda, tipo moneda, divisa, clave moneda, currency
  tipocambio | Tipo de cambio | exchange, part of total | tipo de cambio, tipo cambio, t c, tipo de cambio fix,
    paridad, exchange rate, fx rate`);
const supplierId = createIdField(supplier, 'supplierId', 'Id de proveedor');
const jobId = createIdField(job, 'jobId', 'Id de obra');
const rubroId = createIdField(rubro, 'rubroId', 'Id de rubro');
const comments = parseField(`
  comments | Observaciones | long-text | ${NOTES_HEADINGS_TEXT}, concepto, conceptos, descripcion, comments`);

const documentType = parseField(`
  tipo | Tipo de comprobante | word, each | tipo de comprobante, tipo comprobante, tipo, efecto, efecto sat,
    efecto comprobante, efecto del comprobante, efecto cfdi, tipo cfdi, tipo de cfdi, tipo documento,
    tipo de documento, tipo doc, tipo de doc, tipo factura, tipo de factura, clase de documento, document type`);
const stateFields = parseFields(`
  estado | Estado | word, each | estado, estatus, status, estado sat, estatus sat, situacion, situacion sat, estado cfdi,
    estatus cfdi, estado del cfdi, estatus del cfdi, estado comprobante, estado del comprobante, estatus comprobante,
    estatus del comprobante, estado factura, estado de la factura, estatus factura, estatus de la factura, estado pago,
    estado de pago, estado del pago, estatus pago, estatus de pago, estatus del pago, estado cancelacion,
    estatus cancelacion, estado de cancelacion, estatus de cancelacion
  cancelado | Cancelación | word, each | cancelado, cancelada, fecha cancelacion, fecha de cancelacion, anulado,
    anulada, fecha anulacion, fecha de anulacion, devuelto, rechazado`);

const NON_CATALOG_FIELDS = {
  invoices: [
    makeRequired(supplier),
    rfc,
    makeRequired(job),
    rubro,
    { ...invoiceNumber, max: MAX_CELL_LENGTH },
    series,
    uuid,
    ...parseFields(`
      contrato | Contrato | number | no contrato, numero de contrato, contrato u orden de compra, orden de compra,
        no orden de compra, numero de orden de compra, orden compra, oc, no oc, po, purchase order
      fechaemision | Emisión | date | ${ISSUE_DATE_HEADINGS_TEXT}
      fecharecepcion | Recepción | date | fecha recepcion, fecha de recepcion, recepcion, recibida, fecha recibida
      fechavencimiento | Vencimiento | date | fecha vencimiento, fecha de vencimiento, vencimiento, vence,
        fecha limite de pago, fecha limite, due date
      metodopago | Método de pago | text 3 | metodo de pago, metodo pago, metodo
      subtotal | Subtotal | money, required | ${SUBTOTAL_HEADINGS_TEXT}, importe, base, monto, neto, net, net amount, amount
      descuento | Descuento | money, part of subtotal | descuento, descuentos, importe descuento,
        importe de descuento, discount
      tasa | Tasa | rate | tasa, tasa iva, tasa de iva, iva %, % iva, iva porcentaje, porcentaje iva, vat rate`),
    iva,
    ...parseFields(`
      ivatasas | IVA por tasa | money, part of iva, each | iva n%, iva al n%, iva del n%, iva tasa n%, importe iva n%,
        iva trasladado n%, traslado iva n%, total iva n%, iva frontera, iva fronterizo
      ivacero | IVA al 0 % | money, part of iva, each | iva 0%, iva 0, iva al 0%, iva tasa 0%, iva tasa 0, iva exento,
        importe iva 0%, iva trasladado 0%, traslado iva 0%
      trasladados | Impuestos trasladados | money, part of iva | total trasladados, total trasladado,
        total impuestos trasladados, total de impuestos trasladados, impuestos trasladados
      otrosimpuestos | Otros impuestos | money | otros impuestos, otros, otros impuestos trasladados
      ieps | IEPS | money, part of otrosimpuestos | ieps, total ieps, importe ieps, ieps trasladado, traslado ieps
      iepstasas | IEPS por tasa | money, part of otrosimpuestos, each | ieps n%, ieps al n%, ieps tasa n%,
        importe ieps n%, ieps trasladado n%, traslado ieps n%
      localestrasladados | Impuestos locales | money, part of otrosimpuestos | impuestos locales,
        total localtrasladado, total local trasladado, total locales trasladados, total traslados locales,
        total impuestos locales trasladados, impuestos locales trasladados, total de traslados locales,
        traslados locales, locales trasladados, total impuestos locales
      ish | ISH y otros locales | money, part of otrosimpuestos, each | ish, ish n%, importe ish, impuesto hospedaje,
        impuesto sobre hospedaje, impuesto al hospedaje, impuesto sobre hospedaje n%, impuesto local, saneamiento ambiental,
        derecho de saneamiento ambiental, dsa
      retenciones | Retenciones | money | retenciones, retencion, total retenciones, impuestos retenidos,
        total retenido, total retenidos, total impuestos retenidos, total de impuestos retenidos
      retencioniva | Retención de IVA | money, part of retenciones | retencion iva, retencion de iva, iva retenido,
        ret iva, retiva, importe iva retenido, retencion del iva, iva ret, retenido iva
      ivaretenido | Retención de IVA por tasa | money, part of retenciones, each | retencion iva n%, retencion de iva n%,
        iva retenido n%, ret iva n%, iva ret n%, retenido iva n%
      retencionisr | Retención de ISR | money, part of retenciones | retencion isr, retencion de isr, isr retenido,
        ret isr, retisr, importe isr retenido, retencion del isr, isr ret, isr, retenido isr
      isrretenido | Retención de ISR por tasa | money, part of retenciones, each | retencion isr n%, retencion de isr n%,
        isr retenido n%, ret isr n%, isr ret n%, retenido isr n%, isr n%
      retencionieps | Retención de IEPS | money, part of retenciones | retencion ieps, retencion de ieps, ieps retenido,
        ret ieps, retenido ieps
      localesretenidos | Retenciones locales | money, part of retenciones | total localretenido, total local retenido,
        total locales retenidos, total retenciones locales, total impuestos locales retenidos, retenciones locales,
        impuestos locales retenidos, locales retenidos
      cedular | Cedular y otras locales | money, part of retenciones, each | cedular, impuesto cedular, cedular n%,
        retencion cedular, 5 al millar, cinco al millar, 2 al millar, dos al millar, al millar, inspeccion y vigilancia
      total | Total | money, instead of subtotal | ${TOTAL_HEADINGS_TEXT}, gross, gross amount
      totaloriginal | Total original | money, part of total | total original, total moneda original,
        total en moneda original`),
    // These columns state the currency from which the amounts were converted.
    ...parseFields(`
      monedacfdi | Moneda del CFDI | text 3 |
      tipocambiocfdi | Tipo de cambio del CFDI | text 30 |`),
    ...currencyFields,
    comments,
    documentType,
    ...stateFields,
    supplierId,
    jobId,
    rubroId,
  ],
  payments: [
    supplier,
    rfc,
    invoiceNumber,
    series,
    uuid,
    job,
    ...parseFields(`
      fechaemision | Emisión | date | ${CLEAR_ISSUE_DATE_HEADINGS_TEXT}, invoice date
      total | Total de la factura | money | total factura, total de la factura, importe factura, monto factura, total
      checknum | Cheque | number | cheque, no cheque, numero de cheque, num cheque, no cheque transferencia,
        cheque transferencia, no de cheque, no transferencia, transferencia, referencia, no operacion,
        numero de operacion, clave de rastreo, poliza, check number
      paymentdate | Fecha de pago | date | fecha de pago, fecha pago, fecha del pago, fecha, fecha de transferencia,
        fecha de cheque, pagado el, payment date, paid date
      paymentamount | Cantidad pagada | money, required | cantidad pagada, importe pagado, monto pagado, pago,
        importe del pago, monto del pago, importe de pago, cantidad, importe, monto, abono, amount paid, amount
      importemoneda | Importe en su moneda | money | importe en moneda de la factura, importe en dolares,
        pagado en su moneda
      importebanco | Importe del banco | money | importe banco, importe en banco, importe bancario,
        monto del banco, monto banco, monto bancario, cargo del banco, cargo banco, cargo bancario,
        salida de banco, salida del banco, bank amount`),
    ...currencyFields,
    fundingSource,
    comments,
    ...parseFields(`
      kind | Tipo | text 10 | tipo, tipo de pago, clase, kind
      creditnumero | Nota de crédito | number 100 | numero de nota de credito, no nota de credito,
        folio de la nota, folio nota de credito
      credituuid | UUID de la nota | uuid | uuid nota de credito, uuid de la nota de credito
      credittotal | Total de la nota | money | total nota de credito, total de la nota de credito
      creditiva | IVA de la nota | money | iva nota de credito, iva de la nota de credito
      creditotrosimpuestos | Otros impuestos de la nota | money |
      creditretenciones | Retenciones de la nota | money |`),
    ...stateFields,
    supplierId,
    jobId,
    createIdField(fundingSource, 'origenderecursoId', 'Id de origen de recurso'),
    parseField('creditaplicado | Aplicado de la nota | money |'),
  ],
  'credit-notes': [
    makeRequired(supplier),
    rfc,
    ...parseFields(`
      numero | Número de la nota | number, required | nota de credito, no nota, numero de nota, numero de nota de credito,
        no nota de credito, folio de la nota, folio nota de credito, numero de la nota, folio
      uuid | UUID | uuid, instead of numero | uuid, folio fiscal, folio fiscal uuid, uuid cfdi, uuid de la nota,
        uuid nota de credito
      fecha | Fecha | date, required | fecha de la nota, fecha nota, fecha nota de credito, ${ISSUE_DATE_HEADINGS_TEXT}
      subtotal | Subtotal | money, required | ${SUBTOTAL_HEADINGS_TEXT}, importe, base, monto
      tasa | Tasa | rate | tasa, tasa iva, tasa de iva, iva %, % iva`),
    iva,
    ...parseFields(`
      otrosimpuestos | Otros impuestos | money | otros impuestos, ieps, impuestos locales
      retenciones | Retenciones | money | retenciones, retencion, total retenciones
      total | Total | money, instead of subtotal | ${TOTAL_HEADINGS_TEXT}, total nota de credito, total de la nota`),
    { ...comments, max: 4000 },
    documentType,
    ...stateFields,
    supplierId,
  ],
  budgets: [
    makeRequired(job),
    rubro,
    ...parseFields(`
      presupuesto | Presupuesto | money, required | presupuesto, presupuesto vigente, vigente, presupuestado,
        presupuesto autorizado, monto presupuestado, importe presupuestado, importe, monto, budget
      motivo | Motivo | text | motivo, razon, justificacion, reason`),
    ...stateFields,
    jobId,
    rubroId,
  ],
  cuentas: [
    makeRequired(supplier),
    rfc,
    ...parseFields(`
      clabe | CLABE | number, required | ${CLABE_HEADINGS.join(', ')}
      titular | Titular | text | titular, titular de la cuenta, nombre del titular, cuentahabiente, a nombre de`),
    ...stateFields,
    supplierId,
  ],
  cajas: [
    ...parseFields(`
      nombre | Caja | text 120, required | ${FUND_HEADINGS_TEXT}, nombre
      responsable | Responsable | text 200, required | responsable, responsable de la caja, encargado, custodio,
        resguardante, usuario`),
    makeRequired(fundingSource),
    job,
    ...parseFields(`
      montofijo | Monto fijo | money | monto fijo, importe fijo, fondo asignado, monto
      tope | Tope por gasto | money | tope por gasto, tope, limite por gasto, limite
      openedOn | Fecha de apertura | date, required | fecha de apertura, fecha apertura, apertura
      pagosOrigen | Pagos desde la caja | text 200 | pagos desde la caja, origen de pagos`),
    { ...comments, max: 4000 },
    jobId,
  ],
  'movimientos-caja': [
    ...parseFields(`
      caja | Caja | text 120, required | ${FUND_HEADINGS_TEXT}
      tipo | Tipo | text 20 | tipo, tipo de movimiento, movimiento
      fecha | Fecha | date, required | fecha, fecha del gasto, dia, ${ISSUE_DATE_HEADINGS_TEXT}
      concepto | Concepto | text 300, required | concepto, descripcion, detalle, descripcion del gasto
      beneficiario | Beneficiario | text 200 | beneficiario, proveedor, pagado a, a favor de
      comprobante | Comprobante | text 40 | comprobante, tipo de comprobante, documento, tipo de documento
      folio | Número de comprobante | number 60 | numero de comprobante, no comprobante, folio, no nota, factura,
        no factura`),
    uuid,
    parseField(`subtotal | Subtotal | money, instead of importe | ${SUBTOTAL_HEADINGS_TEXT}`),
    iva,
    parseField('importe | Importe | money, required | importe, total, monto, gasto, cantidad, importe total'),
    job,
    rubro,
    ...parseFields(`
      comprobarAntes | Comprobar antes del | date | comprobar antes del, fecha limite para comprobar, plazo
      reposicion | Reposición | number 20 | reposicion, no reposicion, numero de reposicion, folio de reposicion`),
    fundingSource,
    parseField(`comments | Observaciones | long-text 4000 | ${NOTES_HEADINGS_TEXT}, comments`),
    // Distinguishes rows of a file that are equal otherwise.
    parseField('clave | ID | number 40 | id, consecutivo, clave'),
    ...stateFields,
    jobId,
    rubroId,
  ],
} satisfies Record<string, readonly TableField[]>;

export const listRequiredFieldAlternatives = (
  kind: TableKind,
): readonly (readonly [name: string, ...others: string[]])[] =>
  fieldsOf(kind).flatMap(({ name, required }) => {
    const others = fieldsOf(kind).filter(({ insteadOf }) => insteadOf === name);
    return required ? [[name, ...others.map((other) => other.name)] as const] : [];
  });

export const fieldsOf = (kind: TableKind): readonly TableField[] => FIELDS_BY_KIND.get(kind)!;

export function findFieldByName(kind: TableKind, name: string): TableField {
  const found = fieldsOf(kind).find((one) => one.name === name);
  if (!found) throw new Error(`tables of ${kind} have no field ${name}`);
  return found;
}

/** A reference is read from the name of the row that it refers to. */
function toTableField(
  catalog: Catalog,
  { name, label, type, ref, headings, requirement }: CatalogField,
): TableField {
  const [wireName, typeText] = ref
    ? [catalogOf(ref).nameField, 'text 200']
    : [name, CATALOG_FIELD_TYPES[type]];
  const catalogField = parseField(`${wireName} | ${label} | ${typeText} | ${headings.join(', ')}`);
  return catalog.required.includes(name) ? { ...makeRequired(catalogField), requirement } : catalogField;
}

const CATALOG_FIELD_TYPES: Readonly<Record<CatalogField['type'], TableFieldType>> = {
  text: 'text',
  textarea: 'long-text',
  phone: 'text',
  email: 'text',
  date: 'date',
  whole: 'whole',
  money: 'money',
  rfc: 'rfc',
  clabe: 'number',
  ref: 'text',
};

function toTableFields(catalog: Catalog): TableField[] {
  const { order = catalog.fields.map(({ name }) => name) } = catalog.import;
  const ordered = order.map((name) => catalog.fields.find((one) => one.name === name)!);
  const named = ordered.map((one) => toTableField(catalog, one));
  const ids = ordered.flatMap(({ name, label, ref }, index) =>
    ref ? createIdField(named[index]!, name, `Id de ${label.toLowerCase()}`) : [],
  );
  return [...named, ...ids];
}

const FIELDS_BY_KIND = new Map<string, readonly TableField[]>([
  ...catalogs.map((catalog) => [catalog.command, toTableFields(catalog)] as const),
  ...Object.entries(NON_CATALOG_FIELDS),
]);
