import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import type { PaymentReceipt } from '../../formats/cfdi/payment-receipts.ts';
import type { Actor } from '../audit/audit.ts';
import { type BalanceDifference, findBalanceDifferences } from '../payments/receipt-balances.ts';
import { idsOf } from '../stored-rows.ts';
import { exceedsPending, isInClosedPeriod, isPaymentAccepted, planLines } from './decide-receipts.ts';
import { createCfdiImportContext, prepareImportContext, readSettlingDocuments } from './import-context.ts';

export interface ReceiptLineState {
  id: number;
  paidOn: PlainDate;
  amountCents: Cents;
  invoiceUuid: string;
  /** Undefined if the invoice is not stored, or is another supplier's. */
  invoice?: { id: number; numfactura: string };
  paymentId?: number;
  /** The line has no payment yet. With a funding source it would get a stored payment or a new one. */
  isMissing: boolean;
  /** The invoice's remaining debt; set only if the payment exceeds it. */
  availableCents?: Cents;
  isClosed: boolean;
  balance?: BalanceDifference;
}

export async function readReceiptState(
  db: Db,
  actor: Actor,
  receipt: PaymentReceipt,
): Promise<ReceiptLineState[]> {
  // Any source will do, since nothing is stored.
  const context = await createCfdiImportContext(db, actor, { jobId: 0, fundingSourceId: -1, dryRun: true });
  const readings = [{ file: '', uuid: receipt.uuid, kind: 'P' as const, issued: receipt }];
  await prepareImportContext(context, readings);
  await readSettlingDocuments(context, readings);
  const stored = context.settlements.receiptWithUuid(receipt.uuid);
  const lines = stored?.lines ?? [];
  const plan = await planLines(
    context,
    lines.filter(({ hasPayment }) => !hasPayment),
  );
  const planned = new Map(plan.lines.map((one) => [one.line, one]));
  const links = await readLineLinks(db, idsOf(lines));
  const balances = stored && (await findBalanceDifferences(db, { receiptId: stored.id }));
  return lines.map((line) => {
    const { id, paidOn, amountCents, invoiceUuid } = line;
    const plannedLine = planned.get(line);
    const link = links.get(id);
    const invoice = plannedLine
      ? { id: plannedLine.invoice.id, numfactura: plannedLine.invoice.numfactura }
      : link?.invoice;
    return {
      id,
      paidOn,
      amountCents,
      invoiceUuid,
      invoice,
      paymentId: link?.paymentId,
      isMissing:
        plannedLine !== undefined && (plannedLine.payment !== undefined || isPaymentAccepted(plannedLine)),
      availableCents: plannedLine && exceedsPending(plannedLine) ? plannedLine.availableCents : undefined,
      isClosed: plannedLine !== undefined && isInClosedPeriod(plannedLine),
      balance: link?.paymentId === undefined ? undefined : balances?.get(link.paymentId),
    };
  });
}

type LineLinks = Pick<ReceiptLineState, 'invoice' | 'paymentId'>;

async function readLineLinks(db: Db, lineIds: readonly number[]): Promise<Map<number, LineLinks>> {
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
