import { sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';
import type { CountAndSum, DatedLater } from '../../../shared/balances.ts';
import { addDays, type PlainDate } from '../../../shared/dates.ts';
import { pendingOf } from '../../../shared/invoices.ts';
import type { Cents } from '../../../shared/money.ts';
import { type BusinessDay, type InvoiceFilter, issuedUpTo } from '../invoices/reading.ts';
import { hasNothingDatedLater, sumInvoices } from '../invoices/sums.ts';
import { sumPayments } from '../payments/sums.ts';

/** Each sum is that of a list, queried as the page's links query it. */
export async function readDatedLater(
  db: Db,
  { supplierId, jobId }: Pick<InvoiceFilter, 'supplierId' | 'jobId'>,
  corte: PlainDate,
  day: BusinessDay,
): Promise<DatedLater> {
  if (await hasNothingDatedLater(db, corte, day))
    return { payments: NONE, credits: NONE, invoices: NONE, undated: NONE };
  const from = addDays(corte, 1);
  const scope = { supplierId, jobId };
  const paid = { ...scope, paymentdateDesde: from };
  const payments = await sumPayments(db, { ...paid, kind: 'pago' });
  const credits = await sumPayments(db, { ...paid, kind: 'credito' });
  const sumPending = async (filter: InvoiceFilter): Promise<CountAndSum> => {
    const totals = await sumInvoices(db, { ...scope, ...filter }, day);
    return { count: totals.count, sumCents: pendingOf(totals) };
  };
  return {
    payments: { count: payments.count, sumCents: payments.amountCents - payments.exchangeCents },
    credits: { count: credits.count, sumCents: credits.creditCents },
    invoices: await sumPending({ fechaemisionDesde: from }),
    undated: await sumPending({ emision: 'sin', capturaDesde: from }),
  };
}

const NONE: CountAndSum = { count: 0, sumCents: 0 };

/** What was paid after a day of an invoice that counts on that day, and must not be paid again. */
export interface PaidLater {
  invoiceId: number;
  supplierId: number;
  jobId: number;
  paidCents: Cents;
}

export async function readPaidLater(
  db: Db,
  corte: PlainDate,
  { timeZone }: BusinessDay,
): Promise<PaidLater[]> {
  // A sign before the column keeps SQLite from reading all payments, in the order of its index, to group them.
  const { rows } = await sql<PaidLater>`
    select invoices.id as "invoiceId", invoices."supplierId", invoices."jobId", later.cents as "paidCents"
    from (select id, cast(sum("amountCents") as bigint) as cents from (
        select +"facturaproveedorId" as id, "amountCents" from payments where paymentdate > ${corte}) dated
      group by id) later
    cross join invoices where invoices.id = later.id and ${issuedUpTo(corte, timeZone)}`.execute(db);
  return rows;
}
