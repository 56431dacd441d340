import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import type { CfdiReceipt } from '../../formats/cfdi/payment-receipts.ts';
import type { Actor } from '../audit/audit.ts';
import { type BalanceDifference, findBalanceDifferences } from '../payments/receipt-balances.ts';
import { isBeyond, isClosed, isMade, planLines } from './decide-receipts.ts';
import { openPart, placeDocuments, readSettling } from './place.ts';

export interface ReceiptLineState {
  id: number;
  paidOn: PlainDate;
  amountCents: Cents;
  invoiceUuid: string;
  /** Undefined where it is not on file, or is another supplier's. */
  invoice?: { id: number; numfactura: string };
  paymentId?: number;
  /** The payment is captured once a funding source is given. */
  isMissing: boolean;
  /** What is owed of the invoice, where the payment exceeds it. */
  roomCents?: Cents;
  isClosed: boolean;
  /** Set where the balance stated by the supplier differs from ours. */
  balance?: BalanceDifference;
}

export async function readReceiptState(
  db: Db,
  actor: Actor,
  receipt: CfdiReceipt,
): Promise<ReceiptLineState[]> {
  // Any source will do, since nothing is stored.
  const part = await openPart(db, actor, { jobId: 0, fundingSourceId: -1, dryRun: true });
  const readings = [{ file: '', uuid: receipt.uuid, kind: 'P' as const, issued: receipt }];
  await placeDocuments(part, readings);
  await readSettling(part, readings);
  const stored = part.settlements.receiptOf(receipt.uuid);
  const lines = stored?.lines ?? [];
  const plan = await planLines(
    part,
    lines.filter(({ isPaid }) => !isPaid),
  );
  const planned = new Map(plan.lines.map((one) => [one.line, one]));
  const placed = await readPlaced(
    db,
    lines.map(({ id }) => id),
  );
  const balances = stored && (await findBalanceDifferences(db, { receiptId: stored.id }));
  return lines.map((line) => {
    const { id, paidOn, amountCents, invoiceUuid } = line;
    const open = planned.get(line);
    const on = placed.get(id);
    const invoice = open ? { id: open.invoice.id, numfactura: open.invoice.numfactura } : on?.invoice;
    return {
      id,
      paidOn,
      amountCents,
      invoiceUuid,
      invoice,
      paymentId: on?.paymentId,
      isMissing: open !== undefined && (open.payment !== undefined || isMade(open)),
      roomCents: open && isBeyond(open) ? open.roomCents : undefined,
      isClosed: open !== undefined && isClosed(open),
      balance: on?.paymentId === undefined ? undefined : balances?.get(on.paymentId),
    };
  });
}

type Placed = Pick<ReceiptLineState, 'invoice' | 'paymentId'>;

async function readPlaced(db: Db, lineIds: readonly number[]): Promise<Map<number, Placed>> {
  if (lineIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('payment_receipt_lines as lines')
    .innerJoin('invoices', 'invoices.id', 'lines.invoiceId')
    .select(['lines.id', 'lines.paymentId', 'lines.invoiceId', 'invoices.numfactura'])
    .where('lines.id', 'in', lineIds)
    .execute();
  return new Map(
    rows.map(({ id, paymentId, invoiceId, numfactura }) => [
      id,
      { invoice: { id: invoiceId!, numfactura }, paymentId: paymentId ?? undefined },
    ]),
  );
}
