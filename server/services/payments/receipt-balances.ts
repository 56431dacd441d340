import type { Db } from '../../../db/schema.ts';
import type { Cents } from '../../../shared/money.ts';
import type { ReceiptDetail } from '../../formats/cfdi/payment-receipts.ts';
import { readSettings } from '../settings/settings.ts';

/** The balance of an invoice before and after a payment; null: not said. */
interface Balances {
  beforeCents: Cents | null;
  afterCents: Cents | null;
}

/** A balance on the supplier's receipt that differs from the one on file. */
export interface BalanceDifference {
  numero: string;
  theirs: Balances;
  ours: Balances;
}

/**
 * The payments of a receipt, or the one payment, whose balance differs between supplier and firm, by id. Only
 * documents in the base currency are compared: in another one balances move with its rates.
 */
export async function differingBalances(
  db: Db,
  of: { paymentId: number } | { receiptId: number },
): Promise<Map<number, BalanceDifference>> {
  const differing = new Map<number, BalanceDifference>();
  const { moneda: base } = await readSettings(db);
  for (const { paymentId, numero, said } of await readSaid(db, of)) {
    if (said.moneda !== base) continue;
    const theirs = { beforeCents: said.saldoAnteriorCents, afterCents: said.saldoInsolutoCents };
    const ours = await readOwn(db, paymentId, theirs.afterCents);
    const isOther = (one: keyof Balances) => theirs[one] !== null && theirs[one] !== ours[one];
    if (isOther('beforeCents') || isOther('afterCents')) differing.set(paymentId, { numero, theirs, ours });
  }
  return differing;
}

type Said = NonNullable<ReceiptDetail['pagos'][number]['doctos']>[number];

/** Lines of receipts with their matched payments, in the order of their document. */
async function readSaid(
  db: Db,
  of: { paymentId: number } | { receiptId: number },
): Promise<{ paymentId: number; numero: string; said: Said }[]> {
  const lines = await db
    .selectFrom('payment_receipt_lines as lines')
    .innerJoin('payment_receipts as receipts', 'receipts.id', 'lines.receiptId')
    .select(['lines.receiptId', 'lines.paymentId', 'receipts.numero', 'receipts.detail'])
    .where((eb) =>
      'receiptId' in of
        ? eb('lines.receiptId', '=', of.receiptId)
        : eb(
            'lines.receiptId',
            'in',
            eb.selectFrom('payment_receipt_lines').select('receiptId').where('paymentId', '=', of.paymentId),
          ),
    )
    .orderBy('lines.id')
    .execute();
  const receipts = Map.groupBy(lines, ({ receiptId }) => receiptId);
  return [...receipts.values()].flatMap((own) => {
    // Older receipts have no balances, and those that did not come as a document have no payments.
    const { pagos = [] } = JSON.parse(own[0]!.detail) as Partial<ReceiptDetail>;
    const all = pagos.flatMap(({ doctos = [] }) => doctos);
    return own.flatMap(({ paymentId, numero }, index) => {
      const said = all[index];
      const isAsked = paymentId !== null && ('receiptId' in of || paymentId === of.paymentId);
      return said && isAsked ? [{ paymentId, numero, said }] : [];
    });
  });
}

/** @param likely preferred where the order of several payments of one day is unknown and some order gives it */
async function readOwn(db: Db, paymentId: number, likely: Cents | null): Promise<Balances> {
  const payments = await db
    .selectFrom('payments as one')
    .innerJoin('invoices', 'invoices.id', 'one.facturaproveedorId')
    .innerJoin('payments as others', 'others.facturaproveedorId', 'one.facturaproveedorId')
    .select(['invoices.totalCents', 'others.id', 'others.paymentdate', 'others.amountCents'])
    .where('one.id', '=', paymentId)
    .orderBy('others.paymentdate')
    .orderBy('others.id')
    .execute();
  const own = payments.find(({ id }) => id === paymentId)!;
  const sum = (some: typeof payments) => some.reduce((cents, { amountCents }) => cents + amountCents, 0);
  const before = own.totalCents - sum(payments.filter(({ paymentdate }) => paymentdate < own.paymentdate));
  const sameDay = payments.filter(({ paymentdate }) => paymentdate === own.paymentdate);
  const first = before - own.amountCents;
  const last = before - sum(sameDay);
  const listed = before - sum(sameDay.slice(0, sameDay.indexOf(own) + 1));
  const afterCents = [first, last].find((cents) => cents === likely) ?? listed;
  return { beforeCents: afterCents + own.amountCents, afterCents };
}
