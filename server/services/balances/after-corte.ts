import { sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';
import type { CountAndSum, LaterDatedSums } from '../../../shared/balances.ts';
import { addDays, type PlainDate } from '../../../shared/dates.ts';
import { pendingOf } from '../../../shared/invoices.ts';
import type { Cents } from '../../../shared/money.ts';
import { type InvoiceFilter, issuedUpToCondition, type TodayAndTimeZone } from '../invoices/reading.ts';
import { hasNothingDatedLater, sumInvoices } from '../invoices/sums.ts';
import { sumPayments } from '../payments/sums.ts';

/** Each sum equals the total of the list that the page links to. */
export async function sumDatedLater(
  db: Db,
  { supplierId, jobId }: Pick<InvoiceFilter, 'supplierId' | 'jobId'>,
  corte: PlainDate,
  day: TodayAndTimeZone,
): Promise<LaterDatedSums> {
  if (await hasNothingDatedLater(db, corte, day))
    return { payments: ZERO_SUM, credits: ZERO_SUM, invoices: ZERO_SUM, undated: ZERO_SUM };
  const from = addDays(corte, 1);
  const scope = { supplierId, jobId };
  const paid = { ...scope, paymentdateDesde: from };
  const payments = await sumPayments(db, { ...paid, kind: 'pago' });
  const credits = await sumPayments(db, { ...paid, kind: 'credito' });
  const sumPendingOfInvoices = async (filter: InvoiceFilter): Promise<CountAndSum> => {
    const totals = await sumInvoices(db, { ...scope, ...filter }, day);
    return { count: totals.count, sumCents: pendingOf(totals) };
  };
  return {
    payments: { count: payments.count, sumCents: payments.amountCents - payments.exchangeCents },
    credits: { count: credits.count, sumCents: credits.creditCents },
    invoices: await sumPendingOfInvoices({ fechaemisionDesde: from }),
    undated: await sumPendingOfInvoices({ emision: 'sin', capturaDesde: from }),
  };
}

const ZERO_SUM: CountAndSum = { count: 0, sumCents: 0 };

/** The balance at the corte still shows `paidCents` as owed, though it was paid after the corte. */
export interface InvoicePaidLater {
  invoiceId: number;
  supplierId: number;
  jobId: number;
  paidCents: Cents;
}

export async function readInvoicesPaidLater(
  db: Db,
  corte: PlainDate,
  { timeZone }: TodayAndTimeZone,
): Promise<InvoicePaidLater[]> {
  // The `+` keeps SQLite from using the column's index for the grouping, which would read all payments.
  const { rows } = await sql<InvoicePaidLater>`
    select invoices.id as "invoiceId", invoices."supplierId", invoices."jobId", later.cents as "paidCents"
    from (select id, cast(sum("amountCents") as bigint) as cents from (
        select +"facturaproveedorId" as id, "amountCents" from payments where paymentdate > ${corte}) dated
      group by id) later
    cross join invoices where invoices.id = later.id and ${issuedUpToCondition(corte, timeZone)}`.execute(db);
  return rows;
}
