import { formatLongDate, type PlainDate } from '../../../shared/dates.ts';
import { type Cents, divideHalfUp, formatMoney, MAX_CENTS } from '../../../shared/money.ts';
import {
  cfdiError,
  DECIMAL_ONE,
  type Decimal,
  formatDecimal,
  parseDecimal,
  toCents,
} from './attribute-values.ts';
import { requirePlausibleRate } from './currency.ts';
import type { CfdiDocument, CfdiParty, CfdiReadOptions } from './document.ts';
import { composeDocumentNumber, supplierNameOf } from './invoices.ts';
import type { CfdiDocto, CfdiPago } from './pagos.ts';
import { identityWarnings } from './warnings.ts';

export interface PaymentReceiptLine {
  invoiceUuid: string;
  paidOn: PlainDate;
  /** the amount that left the bank, converted to the base currency at the rate of the payment's day and rounded once */
  amountCents: Cents;
  /** the invoice's currency, as the receipt states it */
  moneda: string;
  /** the amount paid in `moneda`, an exact decimal; null where that is the base currency */
  pagado: string | null;
  parcialidad: number | null;
}

/** Returns "$209,445.33 USD", or undefined where the base currency was paid. */
export function formatForeignAmount({
  pagado,
  moneda,
}: Pick<PaymentReceiptLine, 'pagado' | 'moneda'>): string | undefined {
  const paid = pagado === null ? undefined : parseDecimal(pagado);
  return paid === undefined ? undefined : `${formatMoney(toCents(paid))} ${moneda}`;
}

export interface PaymentReceiptDetail {
  emisor: CfdiParty;
  receptor: CfdiParty;
  /** the payments; each states its amounts in cents of its own currency */
  pagos: {
    fecha: PlainDate;
    moneda: string;
    tipoCambio: string;
    montoCents: Cents;
    /** for each line, what the supplier says is owed, in cents of the invoice's currency; null: not stated */
    doctos?: { moneda: string; saldoAnteriorCents: Cents | null; saldoInsolutoCents: Cents | null }[];
  }[];
  sha256: string;
}

export interface PaymentReceipt {
  suppliername: string;
  numero: string;
  uuid: string;
  fecha: PlainDate;
  lines: PaymentReceiptLine[];
  detail: PaymentReceiptDetail;
  warnings: string[];
}

/**
 * @throws DomainError invalid: not_stamped, no_payments, bad_value, bad_amount, beyond_payment,
 * missing_exchange_rate, absurd_exchange_rate, unconvertible_currency
 */
export function readPaymentReceipt(
  document: CfdiDocument,
  options: CfdiReadOptions,
  sha256: string,
): PaymentReceipt {
  const { uuid, fecha, emisor, receptor, pagos } = document;
  if (!uuid)
    throw cfdiError(
      'not_stamped',
      'Es un recibo de pago sin timbrar: no trae un folio fiscal (UUID) del SAT.',
    );
  if (pagos.length === 0)
    throw cfdiError('no_payments', 'Es un recibo de pago que no trae su complemento de pagos.');
  const lines = pagos.flatMap((pago) => toReceiptLines(pago, options.baseCurrency));
  const warnings = identityWarnings(document, options);
  if (pagos.some(({ doctos }) => doctos.length === 0))
    warnings.push('Trae un pago que no dice qué factura paga.');
  return {
    suppliername: supplierNameOf(document),
    numero: composeDocumentNumber(document),
    uuid,
    fecha,
    lines,
    detail: {
      emisor,
      receptor,
      pagos: pagos.map(({ fecha: paidOn, moneda, tipoCambio, monto, doctos }) => ({
        fecha: paidOn,
        moneda,
        tipoCambio,
        montoCents: toCents(monto),
        doctos: doctos.map((docto) => ({
          moneda: docto.moneda || options.baseCurrency,
          saldoAnteriorCents: toCentsOrNull(docto.saldoAnterior),
          saldoInsolutoCents: toCentsOrNull(docto.saldoInsoluto),
        })),
      })),
      sha256,
    },
    warnings,
  };
}

const toCentsOrNull = (amount: Decimal | null): Cents | null => (amount === null ? null : toCents(amount));

/** @throws DomainError invalid (beyond_payment) where the lines add up to more than was paid */
function toReceiptLines(pago: CfdiPago, base: string): PaymentReceiptLine[] {
  const lines = pago.doctos.map((docto) => toReceiptLine(pago, docto, base));
  const sum = lines.reduce((cents, { amountCents }) => cents + amountCents, 0);
  const rate = pago.moneda === base ? DECIMAL_ONE : requirePlausibleRate(pago.moneda, pago.tipoCambio, base);
  const paid = divideHalfUp(pago.monto * rate, (DECIMAL_ONE * DECIMAL_ONE) / 100n);
  // Rounding each line may add a cent, so the document's unrounded amounts decide.
  if (sum <= paid || !linesExceedPayment(pago)) return lines;
  const day = formatLongDate(pago.fecha);
  throw cfdiError(
    'beyond_payment',
    `El pago del ${day} es de ${formatMoney(paid)} (Monto), y lo que reparte entre facturas suma ${formatMoney(sum)}.`,
  );
}

/** Compares in the payment's own currency, and tolerates the limited precision of the equivalences. */
function linesExceedPayment({ doctos, moneda, monto }: CfdiPago): boolean {
  let [remaining, tolerance] = [monto, 0n];
  for (const docto of doctos) {
    const paid = docto.pagado ?? monto;
    if (docto.moneda === moneda) remaining -= paid;
    else {
      const units = requireEquivalence(docto.equivalencia, docto.moneda, moneda);
      const decimals = docto.equivalencia.split('.')[1]?.length ?? 0;
      remaining -= (paid * DECIMAL_ONE) / units;
      tolerance +=
        (paid * DECIMAL_ONE * DECIMAL_ONE) / (units * units * 2n * 10n ** BigInt(decimals)) +
        DECIMAL_ONE / 1000n;
    }
  }
  return remaining + tolerance < 0n;
}

function toReceiptLine(pago: CfdiPago, docto: CfdiDocto, base: string): PaymentReceiptLine {
  if (docto.uuid === '') throw cfdiError('bad_value', 'Trae un pago de una factura de la que no da el UUID.');
  const amountCents = amountInBaseCurrency(pago, docto, base);
  if (amountCents > MAX_CENTS)
    throw cfdiError('bad_amount', `ImpPagado: no puede pasar de ${formatMoney(MAX_CENTS)}.`);
  return {
    invoiceUuid: docto.uuid.slice(0, 60),
    paidOn: pago.fecha,
    amountCents,
    moneda: docto.moneda.slice(0, 20) || base,
    pagado: amountInInvoiceCurrency(pago, docto, base),
    parcialidad: docto.parcialidad,
  };
}

/** Version 1.0 may state only the whole payment; the amount in the invoice's currency is then computed from it. */
function amountInInvoiceCurrency(
  pago: CfdiPago,
  { moneda, equivalencia, pagado }: CfdiDocto,
  base: string,
): string | null {
  if (moneda === '' || moneda === base) return null;
  const units = moneda === pago.moneda ? DECIMAL_ONE : (parseDecimal(equivalencia) ?? 0n);
  const paid = pagado ?? (pago.monto * units + DECIMAL_ONE / 2n) / DECIMAL_ONE;
  return paid > 0n ? formatDecimal(paid) : null;
}

function amountInBaseCurrency(
  pago: CfdiPago,
  { moneda, equivalencia, pagado, uuid }: CfdiDocto,
  base: string,
): Cents {
  if (pagado === null && pago.doctos.length > 1)
    throw cfdiError('bad_value', `No dice cuánto se pagó de la factura ${uuid.slice(0, 60)} (ImpPagado).`);
  if (pagado !== null && moneda === base) return toCents(pagado);
  const units =
    pagado === null || moneda === pago.moneda
      ? DECIMAL_ONE
      : requireEquivalence(equivalencia, moneda, pago.moneda);
  if (pagado !== null && usesWholePayment(pago, pagado, units, equivalencia, base))
    return toCents(pago.monto);
  const rate = pago.moneda === base ? DECIMAL_ONE : requirePlausibleRate(pago.moneda, pago.tipoCambio, base);
  return divideHalfUp((pagado ?? pago.monto) * rate * 100n, units * DECIMAL_ONE);
}

/** Whether the line is the whole payment. Its exact amount is then Monto, since equivalences are only approximate. */
function usesWholePayment(
  pago: CfdiPago,
  paid: Decimal,
  units: Decimal,
  text: string,
  base: string,
): boolean {
  if (pago.doctos.length !== 1 || pago.moneda !== base) return false;
  const decimals = /\.(\d{1,12})$/.exec(text)?.[1]?.length ?? 0;
  const halfDigit = DECIMAL_ONE / (2n * 10n ** BigInt(decimals));
  const difference = paid * DECIMAL_ONE - pago.monto * units;
  return (
    (difference < 0n ? -difference : difference) <= pago.monto * halfDigit + (units * DECIMAL_ONE) / 100n
  );
}

function requireEquivalence(text: string, moneda: string, paid: string): Decimal {
  const units = text === '' ? undefined : parseDecimal(text);
  if (units !== undefined && units > 0n) return units;
  const pair = `${moneda.slice(0, 20)} y ${paid.slice(0, 20)}`;
  throw cfdiError(
    'missing_exchange_rate',
    `Trae un pago entre ${pair} sin la equivalencia entre ambas (EquivalenciaDR o TipoCambioDR).`,
  );
}
