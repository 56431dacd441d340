import { daysBetween, formatLongDate, type Instant, type PlainDate } from './dates.ts';
import { computeSettledPesoCents, formatImpliedRate } from './foreign-amounts.ts';
import type { Invoice } from './invoices.ts';
import { type Cents, formatMoney, tryParseMoney } from './money.ts';
import type { BatchOfInvoice } from './payment-batches.ts';
import { listLastMonths } from './periods.ts';
import { type FieldNameOf, type FieldValuesOf, keysOf, type RecordField } from './record-fields.ts';
import { type Refusal, toFieldsRefusal } from './refusal.ts';
import type { PayeeAccountTexts } from './supplier-accounts.ts';

/**
 * `amountCents` reduces the debt. `importebancoCents` is what left the bank or, for an applied credit note, what the
 * note's balance decreased by; null: the same amount.
 */
export interface Payment extends Required<Omit<PaymentFieldValues, 'facturaproveedorId' | 'paymentdate'>> {
  id: number;
  facturaproveedorId: number;
  numfactura: string;
  suppliername: string;
  jobtitle: string;
  origenderecursonombre: string | null;
  paymentdate: PlainDate;
  /** currency of the invoice; null unless it was converted from a foreign one */
  moneda: string | null;
  tipocambio: string | null;
  userId: number;
  importId: number | null;
  /** 'credito': an application of a credit note, which moves no money */
  kind: PaymentKind;
  creditNoteId: number | null;
  creditNumero: string | null;
  /** whether the supplier's receipt (REP) for this payment has arrived; null: none is due */
  rep: RepState | null;
  createdAt: Instant;
  version: number;
}

export const PAYMENT_KIND_LABELS = { pago: 'Pago', credito: 'Nota de crédito' } as const;
export type PaymentKind = keyof typeof PAYMENT_KIND_LABELS;
export const PAYMENT_KINDS = keysOf(PAYMENT_KIND_LABELS);

export const REP_STATE_LABELS = { con: 'Con REP', sin: 'Sin REP' } as const;
export type RepState = keyof typeof REP_STATE_LABELS;
export const REP_STATES = keysOf(REP_STATE_LABELS);

export const creditNoteLabel = (numero: string | null): string => `Nota de crédito ${numero ?? ''}`.trim();

export const PAYMENT_FIELDS = [
  { name: 'facturaproveedorId', label: 'Factura', kind: 'ref', required: true },
  { name: 'origenderecursoId', label: 'Origen de recurso', kind: 'ref', catalog: 'funding-sources' },
  { name: 'checknum', label: 'Número de cheque', shortLabel: 'Cheque', kind: 'text', maxLength: 60 },
  { name: 'paymentdate', label: 'Fecha de pago', kind: 'date' },
  { name: 'paymentamount', label: 'Cantidad pagada', kind: 'money', cents: 'amountCents', required: true },
  {
    name: 'importemoneda',
    label: 'Importe en su moneda',
    kind: 'money',
    cents: 'importemonedaCents',
    canBeNone: true,
    description:
      'De una factura en moneda extranjera, lo que se paga en esa moneda, en vez de `paymentamount`, que sale al tipo de cambio de la factura',
  },
  {
    name: 'importebanco',
    label: 'Importe del banco',
    kind: 'money',
    cents: 'importebancoCents',
    canBeNone: true,
    hint: 'Solo si del banco salió otra cantidad, por el tipo de cambio del día.',
  },
  { name: 'comments', label: 'Observaciones', kind: 'textarea', wide: true, maxLength: 4000 },
] as const satisfies readonly RecordField[];

export type PaymentFieldValues = FieldValuesOf<typeof PAYMENT_FIELDS>;
export type PaymentField = FieldNameOf<typeof PAYMENT_FIELDS>;
export type PaymentFieldTexts = Record<PaymentField, string>;

export const INVOICE_OF_PAYMENT_FIELDS = [
  'id',
  'numfactura',
  'suppliername',
  'rfc',
  'jobtitle',
  'nombrerubro',
  'totalCents',
  'paidCents',
  'moneda',
  'tipocambio',
] as const;

export interface InvoiceOfPayment extends Pick<Invoice, (typeof INVOICE_OF_PAYMENT_FIELDS)[number]> {
  vencimientoTexto: string;
}

export interface PaymentFormContext {
  invoice?: InvoiceOfPayment;
  programmed: readonly BatchOfInvoice[];
  /** absent: not known, or not shown */
  account?: PayeeAccountTexts;
  /** what is owed in the currency of a foreign invoice, not counting the payment that is edited */
  remainingCents: Cents | null;
  /** the payment as stored; its amount is already part of the invoice's paid sum */
  previous?: { invoiceId: number; amountCents: Cents; remainingCents: Cents | null };
}

export const describePayment = ({
  amountCents,
  numfactura,
  suppliername,
}: Pick<Payment, 'amountCents' | 'numfactura' | 'suppliername'>): string =>
  `el pago de ${formatMoney(amountCents)} a la factura ${numfactura || 'sin número'} de ${suppliername}`;

type PaidAmounts = Pick<Payment, 'amountCents' | 'importebancoCents'>;

export const bankAmountOf = ({ amountCents, importebancoCents }: PaidAmounts): Cents =>
  importebancoCents ?? amountCents;

export const toPaidAmounts = (amountCents: Cents, bankCents: Cents | null | undefined): PaidAmounts => ({
  amountCents,
  importebancoCents: bankCents === amountCents ? null : (bankCents ?? null),
});

/** Warns of a bank amount that no exchange rate explains: for an invoice in pesos, or 1.5 times too high or too low. */
export function bankAmountWarnings(payment: PaidAmounts & Pick<Payment, 'moneda' | 'tipocambio'>): string[] {
  const { amountCents, importebancoCents: bankCents, moneda, tipocambio } = payment;
  if (bankCents === null) return [];
  if (moneda === null) return [paymentTexts.bankWithoutCurrency(formatMoney(bankCents))];
  if (bankCents * 2 <= amountCents * 3 && bankCents * 3 >= amountCents * 2) return [];
  const rate = ((Number(tipocambio) * bankCents) / amountCents).toFixed(4);
  return [paymentTexts.unlikelyRate(formatMoney(bankCents), `${rate} pesos por ${moneda}`, tipocambio!)];
}

/** A payment dated more than this many days before its invoice was issued usually has a wrong date. */
const MIN_DAYS_BEFORE_ISSUE = 60;

export const paymentBeforeIssueWarnings = (paymentdate: PlainDate, issued: PlainDate | null): string[] =>
  issued !== null && daysBetween(paymentdate, issued) > MIN_DAYS_BEFORE_ISSUE
    ? [paymentTexts.early(issued)]
    : [];

export const PAYMENT_SORTS = {
  id: 'ID',
  paymentdate: 'Fecha de pago',
  checknum: 'Cheque',
  facturaproveedorId: 'ID de factura',
  numfactura: 'Factura',
  suppliername: 'Proveedor',
  jobtitle: 'Obra',
  paymentamount: 'Cantidad pagada',
  importebanco: 'Importe del banco',
  origenderecursonombre: 'Origen',
  rep: 'REP',
} as const;
export type PaymentSort = keyof typeof PAYMENT_SORTS;

export const paymentTexts = {
  required: 'Seleccione una factura e ingrese la cantidad del pago recibido.',
  beyondTotal: 'El total pagado no puede ser mayor que el total de la factura.',
  stale: 'Otra persona guardó este pago mientras lo editabas.',
  partAboveZero: 'La cantidad debe ser mayor que cero.',
  otherSupplier: 'La factura es de otro proveedor que la nota de crédito.',
  beyondCredit: 'La cantidad no puede ser mayor que lo que queda de la nota de crédito.',
  creditFixed:
    'Es parte de una nota de crédito y no se edita: para cambiarla, quítala de la factura y aplica otra cantidad.',
  creditApplied: 'Se aplicó el saldo a favor.',
  created: 'Se registró el pago.',
  updated: 'Se actualizó el pago.',
  deleted: 'Se eliminó el pago.',
  restored: 'Se recuperó el pago.',
  createdLine: (moment: string) => `Creado: ${moment}`,
  pendingIncludes: 'El total pendiente ya incluye este pago.',
  alreadySaved: 'Este formulario ya se guardó con otros datos. Si es otro pago, guarda de nuevo.',
  atMost: (payable: string) => `A lo más ${payable}.`,
  alreadyPaid: 'Esa factura ya está pagada.',
  loadFailed: 'Ocurrió un error al cargar los proveedores.',
  bankAboveZero: 'El importe del banco debe ser mayor que cero.',
  foreignAboveZero: 'El importe en su moneda debe ser mayor que cero.',
  notForeign: 'La factura está en pesos: no tiene un importe en otra moneda.',
  otherCurrency: (moneda: string, stated: string) =>
    `La factura está en ${moneda}, y el importe del pago en ${stated}: indica lo que se paga en ${moneda}.`,
  belowCent: 'A su tipo de cambio no llega a un centavo.',
  otherThanForeign: (foreign: string, settled: string) =>
    `Al tipo de cambio de la factura, ${foreign} abonan ${settled}: deja vacía la cantidad pagada, o corrígela.`,
  exchange: 'Diferencia cambiaria',
  settled: 'Abona a la factura',
  rest: 'Queda por pagar',
  foreignAmount: (moneda: string) => `Importe en ${moneda}`,
  bankWithoutCurrency: (bank: string) =>
    `La factura no está en moneda extranjera, y del banco salieron ${bank}: ¿es otra la cantidad pagada?`,
  receiptSays: (settled: string, bank: string) =>
    `Según el recibo de este pago, abona ${settled} a la factura y del banco salieron ${bank}: corrige ambas cantidades.`,
  bankMatched: (day: PlainDate, filename: string, isOfBatch = true) =>
    `Lo pagó el banco el ${formatLongDate(day)} (${filename}). Para quitarlo, ${isOfBatch ? 'márcalo como devuelto' : 'suelta su movimiento'} en el estado de cuenta.`,
  twin: (id: number | string) =>
    `Es igual al pago ${id}: la misma factura, fecha, cantidad y número de cheque.`,
  early: (issued: PlainDate) =>
    `La fecha del pago es más de ${MIN_DAYS_BEFORE_ISSUE} días anterior a la emisión de la factura, el ${formatLongDate(issued)}.`,
  unlikelyRate: (bank: string, rate: string, invoiceRate: string) =>
    `Los ${bank} del banco suponen un tipo de cambio de ${rate}; el de la factura es ${invoiceRate}.`,
} as const;

export function checkPayment(draft: PaymentFieldValues): Refusal | undefined {
  const { required, bankAboveZero, foreignAboveZero } = paymentTexts;
  const { importebancoCents: bank, importemonedaCents: foreign } = draft;
  const isForeign = typeof foreign === 'number';
  return toFieldsRefusal({
    facturaproveedorId: !draft.facturaproveedorId && required,
    paymentamount: draft.amountCents
      ? draft.amountCents < 0 && 'El pago debe ser mayor que cero.'
      : !isForeign && required,
    importemoneda: isForeign && foreign <= 0 && foreignAboveZero,
    importebanco: typeof bank === 'number' && bank <= 0 && bankAboveZero,
  });
}

/** The receipt for a payment is due on the fifth day of the following month (RMF 2.7.1.32). */
export const REP_DUE_DAY = 5;

export function lastPaymentDayWithRepDue(today: PlainDate): PlainDate {
  const passed = Number(today.slice(8)) > REP_DUE_DAY ? 1 : 2;
  return listLastMonths(today, passed + 1)[0]!.to;
}

type ForeignAmountTexts = Record<'paymentamount' | 'importemoneda' | 'importebanco', string>;

/** The amounts that a form computes and shows; undefined where an amount needed for one is missing or unreadable. */
export function computeForeignAmounts(
  texts: ForeignAmountTexts,
  invoice: Pick<Invoice, 'tipocambio'> | null | undefined,
  payable: { pendingCents: Cents; remainingCents: Cents },
) {
  const { paymentamount, importemoneda, importebanco } = texts;
  const [foreign, bank] = [tryParseMoney(importemoneda), tryParseMoney(importebanco)];
  const rate = invoice?.tipocambio;
  const settled =
    foreign === undefined || !rate
      ? tryParseMoney(paymentamount)
      : computeSettledPesoCents(foreign, payable, rate);
  return {
    settledCents: settled,
    rate: foreign && bank !== undefined ? formatImpliedRate(bank, foreign) : undefined,
    exchangeCents: settled === undefined || bank === undefined ? undefined : bank - settled,
  };
}

export const DOUBLE_PAYMENT_REASON_LABELS = { importe: 'Mismo importe', cheque: 'Mismo cheque' } as const;
export type DoublePaymentReason = keyof typeof DOUBLE_PAYMENT_REASON_LABELS;
export const DOUBLE_PAYMENT_REASONS = keysOf(DOUBLE_PAYMENT_REASON_LABELS);

export const DOUBLE_PAYMENT_STATE_LABELS = { pendientes: 'Por revisar', revisados: 'Revisados' } as const;
export type DoublePaymentState = keyof typeof DOUBLE_PAYMENT_STATE_LABELS;

/** Two payments that may have paid the same debt; the older one comes first. */
export interface DoublePayment {
  /** its position among the pairs found, from 1, which may change; `pair` is stable */
  id: number;
  /** the ids of both, such as "12-31" */
  pair: string;
  payments: readonly [Payment, Payment];
  reason: DoublePaymentReason;
  /** why the two are no double payment, who said so and when; null: nobody has */
  motivo: string | null;
  username: string | null;
  settledAt: Instant | null;
}

export const paymentPairKey = (ids: readonly [number, number]): string => ids.join('-');

export const doublePaymentTexts = {
  mark: 'Posible doble',
  found: 'Puede ser un pago doble: hay otro que se le parece.',
  empty: 'Escribe por qué son dos pagos distintos.',
  settled: 'Se guardó que son dos pagos distintos.',
  alreadySettled: (username: string, motivo: string) => `${username} ya los revisó: ${motivo}`,
  unknown: 'Esos dos pagos no parecen uno doble, o ya no están.',
} as const;
