import { formatCount, pluralize } from './counts.ts';
import { daysBetween, type Instant, isoWeekOf, type PlainDate } from './dates.ts';
import { isDueEstimated } from './invoices-due.ts';
import { type Cents, computeTax, MAX_CENTS, type Rate } from './money.ts';
import type { FieldNameOf, FieldValuesOf, RecordField } from './record-fields.ts';
import { createRefusal, type Refusal, toFieldsRefusal } from './refusal.ts';

/** No amount depends on these fields. Each has the same name in the database, in JSON and in imported tables. */
export const INVOICE_DATES = ['fechaemision', 'fecharecepcion', 'fechavencimiento'] as const;
export const INVOICE_NOTES = ['contrato', 'comments'] as const;

export type DateAndNoteFields = Record<(typeof INVOICE_DATES)[number], PlainDate | null> &
  Record<(typeof INVOICE_NOTES)[number], string>;

export interface Invoice extends Required<Omit<InvoiceFieldValues, 'supplierId' | 'jobId' | 'tasa'>> {
  id: number;
  supplierId: number;
  suppliername: string;
  rfc: string | null;
  jobId: number;
  jobtitle: string;
  nombrerubro: string | null;
  /** null: the invoice has several rates ("Mixta") */
  tasa: Rate | null;
  paidCents: Cents;
  uuid: string | null;
  metodopago: string | null;
  /** ISO 4217; null unless its amounts were converted from a foreign currency */
  moneda: string | null;
  /** the invoice's exchange rate, an exact decimal, which converts the debt whatever the rate of the payment's day */
  tipocambio: string | null;
  /** the due date (computeDueDay), an estimate where the invoice states none */
  vence: PlainDate;
  fechacaptura: PlainDate;
  createdAt: Instant;
  version: number;
}

export const invoiceNumberText = (numfactura: string): string => numfactura || '(sin número)';

export const INVOICE_FIELDS = [
  { name: 'supplierId', label: 'Proveedor', kind: 'ref', catalog: 'suppliers', required: true },
  { name: 'jobId', label: 'Obra', kind: 'ref', catalog: 'jobs', required: true },
  { name: 'rubroId', label: 'Rubro', kind: 'ref', catalog: 'rubros' },
  { name: 'numfactura', label: 'Número de factura', shortLabel: 'Factura', kind: 'text', maxLength: 100 },
  {
    name: 'contrato',
    label: 'Contrato u orden de compra',
    shortLabel: 'Contrato',
    kind: 'text',
    maxLength: 60,
    isFolded: true,
  },
  { name: 'fechaemision', label: 'Fecha de emisión', shortLabel: 'Emisión', kind: 'date' },
  { name: 'fecharecepcion', label: 'Fecha de recepción', shortLabel: 'Recepción', kind: 'date' },
  { name: 'fechavencimiento', label: 'Fecha de vencimiento', shortLabel: 'Vencimiento', kind: 'date' },
  { name: 'subtotal', label: 'Subtotal', kind: 'money', cents: 'subtotalCents', required: true },
  { name: 'tasa', label: 'Tasa de IVA', shortLabel: 'Tasa', kind: 'rate' },
  { name: 'otrosimpuestos', label: 'Otros impuestos', kind: 'money', cents: 'otrosimpuestosCents' },
  { name: 'retenciones', label: 'Retenciones', kind: 'money', cents: 'retencionesCents' },
  { name: 'comments', label: 'Observaciones', kind: 'textarea', wide: true, maxLength: 4000 },
] as const satisfies readonly RecordField[];

/** The server computes these; a request may send them, but they must equal the computed ones. */
export const COMPUTED_AMOUNT_FIELDS = [
  { name: 'iva', label: 'IVA', kind: 'money', cents: 'ivaCents' },
  { name: 'total', label: 'Total', kind: 'money', cents: 'totalCents' },
] as const satisfies readonly RecordField[];

export type InvoiceFieldValues = FieldValuesOf<typeof INVOICE_FIELDS> &
  FieldValuesOf<typeof COMPUTED_AMOUNT_FIELDS>;
export type InvoiceField = FieldNameOf<typeof INVOICE_FIELDS>;
export type InvoiceFieldTexts = Record<InvoiceField, string>;

interface InvoiceAmounts {
  subtotalCents: Cents;
  tasa: Rate | null;
  otrosimpuestosCents: Cents;
  retencionesCents: Cents;
}

export const STATUSES = ['pendiente', 'parcial', 'pagada', 'vencida'] as const;
type InvoiceStatus = (typeof STATUSES)[number];

/**
 * `por-pagar` are all invoices with a balance, `sin-vencimiento` those that also lack a due date, `sin-programar` those
 * that are in no open payment batch.
 */
export const STATUS_FILTERS = [...STATUSES, 'sin-vencimiento', 'por-pagar', 'sin-programar'] as const;
export type StatusFilter = (typeof STATUS_FILTERS)[number];

export const STATUS_LABELS: Record<StatusFilter, string> = {
  pendiente: 'Pendiente',
  parcial: 'Parcial',
  pagada: 'Pagada',
  vencida: 'Vencida',
  'sin-vencimiento': 'Sin vencimiento',
  'por-pagar': 'Por pagar',
  'sin-programar': 'Sin programar',
};

export const INVOICE_SORTS = {
  id: 'ID',
  numfactura: 'Factura',
  suppliername: 'Proveedor',
  jobtitle: 'Obra',
  total: 'Total',
  totalamountpaid: 'Pagado',
  pending: 'Pendiente',
  fechavencimiento: 'Vencimiento',
  status: 'Estado',
} as const;
export type InvoiceSort = keyof typeof INVOICE_SORTS;

export const invoiceTexts = {
  required: 'Ingrese proveedor, obra y subtotal.',
  missingRate: 'Indica la tasa de IVA.',
  noSuchRate: 'El IVA no corresponde a ninguna tasa de este subtotal.',
  stale: 'Otra persona guardó esta factura mientras la editabas.',
  notBelowPaid: 'El total no puede ser menor o igual a la suma de los pagos realizados.',
  duplicate: (numfactura: string, suppliername: string) =>
    `Ya existe la factura ${numfactura} de ${suppliername}.`,
  hasCredit:
    'La factura tiene aplicado saldo a favor de su proveedor. Para cambiarlo, elimina antes esos pagos.',
  cfdiLocked: 'Los importes vienen de su CFDI y no se cambian mientras la factura esté ligada a él.',
  saved: (numfactura: string) => `Se guardó la factura ${numfactura}.`.replace(' .', '.'),
  deleted: (numfactura: string) => `Se eliminó la factura ${numfactura}.`.replace(' .', '.'),
  restored: (numfactura: string) => `Se recuperó la factura ${numfactura}.`.replace(' .', '.'),
  nothingToChange: 'Elige qué cambia: el vencimiento, el rubro o la obra.',
  changedAndEmptied: 'Elige un valor nuevo o márcalo para quitarlo, no las dos cosas.',
  changedMany: (count: number) =>
    `${count === 1 ? 'Se cambió' : 'Se cambiaron'} ${pluralize(count, 'factura', 'facturas')}.`,
  unlinked: 'La factura ya no está ligada a su CFDI. Sus importes se pueden cambiar.',
  alreadySaved: 'Este formulario ya se guardó con otros datos. Si es otra factura, guarda de nuevo.',
  loadFailed: 'Ocurrió un error al cargar las facturas.',
  unplannedOnlyNow:
    'Qué facturas están sin programar se sabe solo al día de hoy: quita el corte, o elige otro estado.',
  converted: (moneda: string, tipocambio: string) =>
    `Está en ${moneda}, a ${Number(tipocambio)}: a ese tipo de cambio se debe, cualquiera que sea el del día del pago.`,
} as const;

export function checkInvoice(draft: InvoiceFieldValues): Refusal | undefined {
  const { required } = invoiceTexts;
  return toFieldsRefusal({
    supplierId: !draft.supplierId && required,
    jobId: !draft.jobId && required,
    ...findAmountProblems(draft, required),
  });
}

/** @param requiredText the message where there is no subtotal @returns messages by field, for `toFieldsRefusal` */
export const findAmountProblems = (
  draft: Pick<InvoiceFieldValues, 'subtotalCents' | 'otrosimpuestosCents' | 'retencionesCents'>,
  requiredText: string,
) => ({
  subtotal: draft.subtotalCents
    ? draft.subtotalCents < 0 && 'El subtotal debe ser mayor que cero.'
    : requiredText,
  otrosimpuestos: (draft.otrosimpuestosCents ?? 0) < 0 && 'Otros impuestos no pueden ser negativos.',
  retenciones: (draft.retencionesCents ?? 0) < 0 && 'Las retenciones no pueden ser negativas.',
});

/** IVA is rounded once to the cent; total = subtotal + iva + otros impuestos − retenciones. */
export function computeIvaAndTotal(amounts: InvoiceAmounts & { tasa: Rate }): {
  ivaCents: Cents;
  totalCents: Cents;
} {
  const ivaCents = computeTax(amounts.subtotalCents, amounts.tasa);
  const totalCents =
    amounts.subtotalCents + ivaCents + amounts.otrosimpuestosCents - amounts.retencionesCents;
  return { ivaCents, totalCents };
}

export function checkTotalRange(totalCents: Cents): Refusal | undefined {
  if (totalCents > MAX_CENTS)
    return createRefusal('El total no puede pasar de $9,999,999,999.99.', 'subtotal');
  if (totalCents <= 0) return createRefusal('El total debe ser mayor que cero.', 'retenciones');
  return undefined;
}

export const NO_RUBRO = 0;
export const NO_RUBRO_NAME = 'Sin rubro';

export const pendingOf = ({ totalCents, paidCents }: { totalCents: Cents; paidCents: Cents }): Cents =>
  totalCents - paidCents;

type InvoiceForStatus = Pick<Invoice, 'totalCents' | 'paidCents' | 'vence'>;

/** A status is never stored: it is the first one whose condition holds. */
export function statusOf(invoice: InvoiceForStatus, today: PlainDate): InvoiceStatus {
  if (pendingOf(invoice) === 0) return 'pagada';
  if (invoice.vence < today) return 'vencida';
  return invoice.paidCents > 0 ? 'parcial' : 'pendiente';
}

/** Returns the API's vencimientoTexto, such as "Vence en 5 días (SEM 48)". */
export function dueText(
  invoice: InvoiceForStatus & Pick<Invoice, 'fechavencimiento'>,
  today: PlainDate,
): string {
  if (pendingOf(invoice) === 0) return 'Pagada';
  return dueDayText(invoice.vence, today) + (isDueEstimated(invoice) ? ' (estimado)' : '');
}

/** Returns "1,035 d" for narrow places, where the chip's colour and mark tell whether the invoice is overdue. */
export function shortDueText(invoice: InvoiceForStatus, today: PlainDate): string | undefined {
  const days = daysBetween(today, invoice.vence);
  if (pendingOf(invoice) === 0) return undefined;
  if (days === 0) return 'Hoy';
  return `${days > 0 ? 'En ' : ''}${formatCount(Math.abs(days))} d`;
}

function dueDayText(due: PlainDate, today: PlainDate): string {
  const days = daysBetween(today, due);
  if (days < 0) return `Vencida hace ${pluralize(-days, 'día', 'días')}`;
  if (days === 0) return 'Vence hoy';
  if (days === 1) return 'Vence mañana';
  return `Vence en ${days} días (SEM ${isoWeekOf(due).week})`;
}

/** Returns "A-12" or, where the invoice has no number, "sin número (id 7)". */
export const invoiceNumberOrId = (numfactura: string, id = 0): string =>
  numfactura || `sin número${id > 0 ? ` (id ${id})` : ''}`;
