import { sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import type { PaymentReceiptDetail } from '../../formats/cfdi/payment-receipts.ts';
import { readSettings } from '../settings/settings.ts';
import { uuidCancelledInSatCondition } from './reading.ts';

/** The balances of an invoice before and after a payment; null means that the receipt does not state it. */
interface BeforeAndAfter {
  beforeCents: Cents | null;
  afterCents: Cents | null;
}

export interface BalanceDifference {
  numero: string;
  receiptBalances: BeforeAndAfter;
  storedBalances: BeforeAndAfter;
}

type ReceiptSelection =
  | { paymentId: number }
  | { receiptId: number }
  | { from: PlainDate; to: PlainDate; supplierId?: number | null };

/** Only documents in the base currency are compared, because other balances change with the exchange rates. */
export async function findBalanceDifferences(
  db: Db,
  selection: ReceiptSelection,
): Promise<Map<number, BalanceDifference>> {
  const differences = new Map<number, BalanceDifference>();
  const lines = await readReceiptLines(db, selection);
  if (lines.length === 0) return differences;
  const { moneda: base } = await readSettings(db);
  for (const { paymentId, numero, stated } of lines) {
    if (stated.moneda !== base) continue;
    const theirs = { beforeCents: stated.saldoAnteriorCents, afterCents: stated.saldoInsolutoCents };
    const ours = await readBalances(db, paymentId, theirs.afterCents);
    const differsFromOurs = (one: keyof BeforeAndAfter) => theirs[one] !== null && theirs[one] !== ours[one];
    if (differsFromOurs('beforeCents') || differsFromOurs('afterCents'))
      differences.set(paymentId, { numero, receiptBalances: theirs, storedBalances: ours });
  }
  return differences;
}

type StatedDocument = NonNullable<PaymentReceiptDetail['pagos'][number]['doctos']>[number];

async function readReceiptLines(
  db: Db,
  document: ReceiptSelection,
): Promise<{ paymentId: number; numero: string; stated: StatedDocument }[]> {
  const lines = await db
    .selectFrom('payment_receipt_lines as lines')
    .innerJoin('payment_receipts as receipts', 'receipts.id', 'lines.receiptId')
    .select(['lines.receiptId', 'lines.paymentId', 'receipts.numero', 'receipts.detail'])
    .where((eb) => {
      if ('from' in document) {
        const { from, to, supplierId } = document;
        const days = sql<boolean>`receipts.fecha between ${from} and ${to} and not ${uuidCancelledInSatCondition('receipts')}`;
        return supplierId ? eb.and([days, eb('receipts.supplierId', '=', supplierId)]) : days;
      }
      return 'receiptId' in document
        ? eb('lines.receiptId', '=', document.receiptId)
        : eb(
            'lines.receiptId',
            'in',
            eb
              .selectFrom('payment_receipt_lines')
              .select('receiptId')
              .where('paymentId', '=', document.paymentId),
          );
    })
    .orderBy('lines.id')
    .execute();
  const receipts = Map.groupBy(lines, ({ receiptId }) => receiptId);
  return [...receipts.values()].flatMap((receiptLines) => {
    // Older receipts state no balances, and receipts that were captured without a document state no payments.
    const { pagos = [] } = JSON.parse(receiptLines[0]!.detail) as Partial<PaymentReceiptDetail>;
    const all = pagos.flatMap(({ doctos = [] }) => doctos);
    return receiptLines.flatMap(({ paymentId, numero }, index) => {
      const stated = all[index];
      const isRequested =
        paymentId !== null && (!('paymentId' in document) || paymentId === document.paymentId);
      return stated && isRequested ? [{ paymentId, numero, stated }] : [];
    });
  });
}

/** @param expectedCents the balance stated after the payment: returned if any order of that day's payments gives it */
async function readBalances(db: Db, paymentId: number, expectedCents: Cents | null): Promise<BeforeAndAfter> {
  const payments = await db
    .selectFrom('payments as one')
    .innerJoin('invoices', 'invoices.id', 'one.facturaproveedorId')
    .innerJoin('payments as others', 'others.facturaproveedorId', 'one.facturaproveedorId')
    .select(['invoices.totalCents', 'others.id', 'others.paymentdate', 'others.amountCents'])
    .where('one.id', '=', paymentId)
    .orderBy('others.paymentdate')
    .orderBy('others.id')
    .execute();
  const payment = payments.find(({ id }) => id === paymentId)!;
  const sum = (some: typeof payments) => some.reduce((cents, { amountCents }) => cents + amountCents, 0);
  const before =
    payment.totalCents - sum(payments.filter(({ paymentdate }) => paymentdate < payment.paymentdate));
  const sameDay = payments.filter(({ paymentdate }) => paymentdate === payment.paymentdate);
  const first = before - payment.amountCents;
  const last = before - sum(sameDay);
  const listed = before - sum(sameDay.slice(0, sameDay.indexOf(payment) + 1));
  const afterCents = [first, last].find((cents) => cents === expectedCents) ?? listed;
  return { beforeCents: afterCents + payment.amountCents, afterCents };
}
