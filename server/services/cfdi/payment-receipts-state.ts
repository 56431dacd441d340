import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import type { CfdiReceipt } from '../../formats/cfdi/candidates.ts';
import { holdClosing } from '../closing/closing.ts';
import { type BalanceDifference, differingBalances } from '../receipt-balances.ts';
import { KnownOnFile } from './known-invoices.ts';
import { readKnown } from './known-invoices-reading.ts';
import { KnownSettlements, readSettlements } from './known-settlements.ts';
import { planLines } from './settling-payment-receipts.ts';
import { DryStore } from './store.ts';

/** What a receipt that is on file says of one invoice, and what has become of it. */
export interface ReceiptLineState {
  id: number;
  paidOn: PlainDate;
  amountCents: Cents;
  invoiceUuid: string;
  /** none: not on file, or of another supplier */
  invoice?: { id: number; numfactura: string };
  /** the payment that it tells of; none: nobody has captured it */
  paymentId?: number;
  /** given a funding source, its payment is captured */
  isMissing: boolean;
  /** what is owed of the invoice, where the payment does not fit into it */
  roomCents?: Cents;
  /** a closed period keeps it from being captured */
  isClosed: boolean;
  /** where the supplier's balance is not ours */
  balance?: BalanceDifference;
}

/** The lines of a receipt that is on file, each with its payment, or what it would come to with a funding source. */
export async function readReceiptState(db: Db, receipt: CfdiReceipt): Promise<ReceiptLineState[]> {
  const [known, settlements] = [new KnownOnFile(), new KnownSettlements()];
  const uuids = receipt.lines.map(({ invoiceUuid }) => invoiceUuid);
  await readKnown(db, known, { candidates: [], issued: [receipt], uuids });
  await readSettlements(db, settlements, {
    notes: [],
    receipts: [receipt.uuid],
    arriving: [],
    supplierIds: [],
  });
  const lines = settlements.receiptOf(receipt.uuid)?.lines ?? [];
  // Any source: what is planned is not stored.
  const context = {
    db,
    known,
    settlements,
    store: new DryStore(),
    createSuppliers: false,
    fundingSourceId: 0,
    closing: await holdClosing(db),
  };
  const plan = await planLines(
    context,
    lines.filter(({ isPaid }) => !isPaid),
  );
  const planned = new Map(plan.lines.map((one) => [one.line, one]));
  const placed = await readPlaced(
    db,
    lines.map(({ id }) => id!),
  );
  const receiptId = settlements.receiptOf(receipt.uuid)?.id;
  const balances = receiptId === undefined ? undefined : await differingBalances(db, { receiptId });
  return lines.map((line) => {
    const { id, paidOn, amountCents, invoiceUuid } = line;
    const open = planned.get(line);
    const on = placed.get(id!);
    const invoice = open ? { id: open.invoice.id!, numfactura: open.invoice.numfactura } : on?.invoice;
    return {
      id: id!,
      paidOn,
      amountCents,
      invoiceUuid,
      invoice,
      paymentId: on?.paymentId,
      isMissing: Boolean(open?.isCreated || open?.payment),
      roomCents: open?.roomCents,
      isClosed: open?.closedDay !== undefined,
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
