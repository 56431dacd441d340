import { maxRoundingError, toRateUnits } from '../../../shared/foreign-amounts.ts';
import type { Invoice } from '../../../shared/invoices.ts';
import { type Cents, divideHalfUp } from '../../../shared/money.ts';
import { type Payment, toPaidAmounts } from '../../../shared/payments.ts';
import { DECIMAL_ONE, type Decimal, parseDecimal } from '../../formats/cfdi/attribute-values.ts';

/** The currency of an invoice; null where its amounts were not converted. */
type InvoiceCurrency = Pick<Invoice, 'moneda' | 'tipocambio'>;

export interface StatedPaymentAmounts {
  /** in the base currency, at the rate of the payment's day */
  amountCents: Cents;
  moneda: string;
  /** in `moneda`, an exact decimal; null: unknown, or the base currency */
  pagado: string | null;
}

export type SettledAmounts = Pick<Payment, 'amountCents' | 'importebancoCents'> & {
  /** what is settled in the invoice's currency, where that is stated to the cent */
  importemonedaCents?: Cents | null;
};

/** A line in the invoice's currency settles at the invoice's rate, rounded once. Any other settles what was paid. */
export function computeSettlement(line: StatedPaymentAmounts, invoice: InvoiceCurrency): SettledAmounts {
  const rate = invoiceRate(invoice);
  const paid = line.pagado === null ? undefined : parseDecimal(line.pagado);
  if (rate === undefined || paid === undefined || line.moneda !== invoice.moneda)
    return { amountCents: line.amountCents, importebancoCents: null, importemonedaCents: null };
  return {
    ...toPaidAmounts(divideHalfUp(paid * rate * 100n, DECIMAL_ONE * DECIMAL_ONE), line.amountCents || null),
    importemonedaCents:
      (paid * 100n) % DECIMAL_ONE === 0n && paid > 0n ? Number((paid * 100n) / DECIMAL_ONE) : null,
  };
}

/**
 * Payments that are rounded one by one may miss the total by some cents. Less than half a cent of the invoice's
 * currency is no debt in it, so a payment that close to what is pending settles all of it.
 * @param paymentCount the number of earlier payments and credits
 */
export function absorbRounding(
  settlement: SettledAmounts,
  pendingCents: Cents,
  invoice: InvoiceCurrency,
  paymentCount = 0,
): SettledAmounts {
  const { amountCents, importebancoCents, importemonedaCents = null } = settlement;
  if (
    pendingCents < 1 ||
    Math.abs(amountCents - pendingCents) > computeRoundingTolerance(invoice, paymentCount)
  )
    return { amountCents, importebancoCents, importemonedaCents };
  return { ...toPaidAmounts(pendingCents, importebancoCents ?? amountCents), importemonedaCents };
}

export const recordsBankAmountOnly = (line: SettledAmounts, payment: SettledAmounts): boolean =>
  line.importebancoCents !== null &&
  payment.importebancoCents === null &&
  payment.amountCents === line.importebancoCents;

/**
 * The largest rounding error in pesos: half a cent of the invoice's own currency, at its rate, and half a centavo for each
 * earlier payment; 0 for an invoice that was not converted.
 * @param paymentCount the number of earlier payments and credits
 */
export const computeRoundingTolerance = ({ moneda, tipocambio }: InvoiceCurrency, paymentCount = 0): Cents =>
  moneda === null || tipocambio === null ? 0 : maxRoundingError(tipocambio, paymentCount);

interface CreditNoteAmounts {
  totalCents: Cents;
  appliedCents: Cents;
  moneda: string;
  /** the note's total in its own currency; null where its document is not stored */
  detail: { totalCents: Cents } | null;
}

/** The rest of the note that the invoice can use: at the invoice's rate where both are in one foreign currency. */
export function computeApplicableNoteCents(note: CreditNoteAmounts, invoice: InvoiceCurrency): Cents {
  const remainingCents = note.totalCents - note.appliedCents;
  const noteAtRate = noteTotalAtInvoiceRate(note, invoice);
  return noteAtRate === undefined
    ? remainingCents
    : divideHalfUp(noteAtRate * BigInt(remainingCents), DECIMAL_ONE * BigInt(note.totalCents));
}

/**
 * Computes what a credit settles of the invoice and what it uses of the note, in pesos. If the amount is close to all
 * that is left of the note, the credit uses all of it.
 */
export function computeAppliedCredit(
  note: CreditNoteAmounts,
  invoice: InvoiceCurrency,
  amountCents: Cents,
  paymentCount = 0,
): SettledAmounts {
  const noteAtRate = noteTotalAtInvoiceRate(note, invoice);
  if (noteAtRate === undefined) return { amountCents, importebancoCents: null };
  const isRest =
    Math.abs(amountCents - computeApplicableNoteCents(note, invoice)) <=
    computeRoundingTolerance(invoice, paymentCount);
  const noteCents = divideHalfUp(BigInt(amountCents) * DECIMAL_ONE * BigInt(note.totalCents), noteAtRate);
  return toPaidAmounts(amountCents, isRest ? note.totalCents - note.appliedCents : Math.max(1, noteCents));
}

function noteTotalAtInvoiceRate(
  { moneda, detail }: CreditNoteAmounts,
  invoice: InvoiceCurrency,
): bigint | undefined {
  const rate = invoiceRate(invoice);
  if (rate === undefined || moneda !== invoice.moneda || !detail?.totalCents) return undefined;
  return BigInt(detail.totalCents) * rate;
}

const invoiceRate = ({ moneda, tipocambio }: InvoiceCurrency): Decimal | undefined =>
  moneda === null || tipocambio === null ? undefined : toRateUnits(tipocambio);
