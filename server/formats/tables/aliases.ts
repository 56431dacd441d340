import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import { words } from '../../../shared/catalogs/headings.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';

/**
 * The headings that people use for each field of invoices and payments, as the fields of catalogs have theirs.
 */

const OF_ITS_OWN_LIST = ['nombre', 'empresa', 'nombre comercial', 'titulo'];

/** What a catalog's own tables call a field, but for words that say whose name it is only there. */
const headingsOf = ({ fields }: Catalog, name: string): readonly string[] =>
  fields.find((field) => field.name === name)!.headings.filter((one) => !OF_ITS_OWN_LIST.includes(one));

export const SUPPLIER_NAMES = headingsOf(suppliers, 'suppliername');

export const RFC = headingsOf(suppliers, 'rfc');

export const JOB_NAMES = headingsOf(jobs, 'jobtitle');

export const INVOICE_NUMBERS = words(`
  no factura, factura, folio, numero de factura, num factura, nro factura, n factura, numero factura,
  folio factura, folio de factura, folio de la factura, serie y folio, serie folio, no de factura,
  num de factura, invoice no, invoice number, invoice`);

export const SERIES = words('serie, serie factura, serie de la factura, serie de factura, serie cfdi');

export const UUID = words(
  'uuid, folio fiscal, folio fiscal uuid, uuid factura, folio fiscal de la factura, uuid cfdi',
);

export const ISSUED = words(`
  fecha emision, fecha de emision, emision, fecha factura, fecha de factura, fecha de la factura,
  fecha de expedicion, fecha expedicion, fecha, invoice date`);

export const TOTAL = words(`
  total, importe total, total factura, total de la factura, total con iva, monto total, total mxn,
  importe con iva, neto a pagar, total a pagar`);

export const COMMENTS = words(
  'observaciones, comentarios, notas, nota, concepto, conceptos, descripcion, comments',
);

export const RUBRO_NAMES = words('rubro, nombre del rubro, partida, categoria, clasificacion, tipo de gasto');

export const RECEIVED = words('fecha recepcion, fecha de recepcion, recepcion, recibida, fecha recibida');

export const DUE = words(`
  fecha vencimiento, fecha de vencimiento, vencimiento, vence, fecha limite de pago, fecha limite,
  due date`);

export const METHODS = words('metodo de pago, metodo pago, metodo');

/** Those that can only mean an amount without IVA. */
export const SUBTOTALS_BY_NAME = words(`
  subtotal, sub total, importe sin iva, subtotal sin iva, base gravable, monto sin iva, importe antes de iva`);

export const SUBTOTALS = [
  ...SUBTOTALS_BY_NAME,
  ...words('importe, base, monto, neto, net, net amount, amount'),
];

export const DISCOUNTS = words('descuento, descuentos, importe descuento, importe de descuento, discount');

export const RATES = words(
  'tasa, tasa iva, tasa de iva, iva %, % iva, iva porcentaje, porcentaje iva, vat rate',
);

export const IVA = words('iva, importe iva, iva trasladado, monto iva, i v a, importe del iva, vat');

export const OTHER_TAXES = words(
  'otros impuestos, ieps, otros, impuestos locales, otros impuestos trasladados',
);

export const WITHHELD = words(
  'retenciones, retencion, total retenciones, impuestos retenidos, total retenido',
);

export const WITHHELD_IVA = words(`
  retencion iva, retencion de iva, iva retenido, ret iva, retiva, importe iva retenido,
  retencion del iva, iva ret`);

export const WITHHELD_ISR = words(`
  retencion isr, retencion de isr, isr retenido, ret isr, retisr, importe isr retenido,
  retencion del isr, isr ret, isr`);

export const INVOICE_TOTALS = [...TOTAL, ...words('gross, gross amount')];

export const PAID_TOTALS = words('total factura, total de la factura, importe factura, monto factura, total');

export const CURRENCIES = words('moneda, tipo de moneda, tipo moneda, divisa, clave moneda, currency');

export const EXCHANGE_RATES = words(
  'tipo de cambio, tipo cambio, t c, tipo de cambio fix, paridad, exchange rate, fx rate',
);

export const CHEQUES = words(`
  cheque, no cheque, numero de cheque, num cheque, no cheque transferencia, cheque transferencia,
  no de cheque, no transferencia, transferencia, referencia, no operacion, numero de operacion,
  clave de rastreo, poliza, check number`);

export const PAID_ON = words(`
  fecha de pago, fecha pago, fecha del pago, fecha, fecha de transferencia, fecha de cheque,
  pagado el, payment date, paid date`);

export const PAID_AMOUNTS = words(`
  cantidad pagada, importe pagado, monto pagado, pago, importe del pago, monto del pago,
  importe de pago, cantidad, importe, monto, abono, amount paid, amount`);

export const BANK_AMOUNTS = words(`
  importe banco, importe en banco, importe bancario, monto del banco, monto banco, monto bancario,
  cargo del banco, cargo banco, cargo bancario, salida de banco, salida del banco, bank amount`);

export const SOURCE_NAMES = words(`
  origen de recurso, origen del recurso, origen de recursos, origen, cuenta, banco, cuenta bancaria,
  fondo`);

export const PAYMENT_KINDS = words('tipo, tipo de pago, clase, kind');

export const ISSUED_LONG = ISSUED.filter((alias) => alias !== 'fecha');

export const BUDGETS = words(`
  presupuesto, presupuesto vigente, vigente, presupuestado, presupuesto autorizado, monto presupuestado,
  importe presupuestado, importe, monto, budget`);

export const HOLDERS = words(
  'titular, titular de la cuenta, nombre del titular, cuentahabiente, a nombre de',
);

export const REASONS = words('motivo, razon, justificacion, reason');
