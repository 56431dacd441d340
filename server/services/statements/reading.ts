import { sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { isDueEstimated } from '../../../shared/invoices-due.ts';
import { requirePeriod } from '../../../shared/periods.ts';
import { agingOf, type Owed, type Statement, type StatementLine } from '../../../shared/statements.ts';
import { readOpenInvoices } from '../balances/balances.ts';
import { sumUnapplied } from '../credit-notes.ts';
import type { Day } from '../invoices/reading.ts';
import { awaitsReceipt, hasReceipt } from '../payments/reading.ts';

export interface StatementQuery {
  supplierId: number;
  /** by default from the beginning */
  desde?: PlainDate | null;
  /** by default today */
  hasta?: PlainDate | null;
}

/**
 * Estado de cuenta: its closing is what Saldos por proveedor says of the supplier at the end of that day.
 * @param most lines that are told, the last ones; by default all
 * @throws DomainError not-found; malformed where the period ends before it begins
 */
export async function readStatement(
  db: Db,
  { supplierId, desde, hasta }: StatementQuery,
  day: Day,
  most = Infinity,
): Promise<Statement> {
  const from = desde ?? null;
  const to = hasta ?? day.today;
  if (from !== null) requirePeriod({ from, to });
  const supplier = await readSupplier(db, supplierId);
  const sums = await sumMovements(db, supplierId, from, to);
  const opening = sums.chargeBefore - sums.creditBefore;
  const closing = opening + sums.charge - sums.credit;
  const lines = sums.count > 0 ? await readLines(db, { supplierId, from, to, closing, most }) : [];
  const owed = await readOwed(db, supplierId, to, day);
  return {
    supplier,
    from,
    to,
    openingCents: opening,
    lines,
    untold: untoldOf(sums, lines),
    chargeCents: sums.charge,
    creditCents: sums.credit,
    closingCents: closing,
    aging: agingOf(owed, to),
    owed,
    unappliedCents: (await sumUnapplied(db, { supplierId, corte: to })).sumCents,
  };
}

async function readSupplier(db: Db, id: number): Promise<Statement['supplier']> {
  const supplier = await db
    .selectFrom('suppliers')
    .select(['id', 'suppliername', 'rfc', 'suppliercontactemail'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!supplier) throw new DomainError('not-found', `No existe el proveedor ${id}.`);
  return supplier;
}

/** An invoice counts from its issue, one without from its capture, as in the report. */
const INVOICE_DAY = sql<PlainDate>`coalesce(invoices.fechaemision, invoices.fechacaptura)`;

/** What is paid before there is anything to pay counts with it: no balance is ever below zero for that. */
const PAYMENT_DAY = sql<PlainDate>`case when payments.paymentdate < ${INVOICE_DAY} then ${INVOICE_DAY}
  else payments.paymentdate end`;

/** No date is before it. */
const FIRST_DAY: PlainDate = '1900-01-01';

interface Sums {
  count: number;
  charge: number;
  credit: number;
  chargeBefore: number;
  creditBefore: number;
}

async function sumMovements(
  db: Db,
  supplierId: number,
  from: PlainDate | null,
  to: PlainDate,
): Promise<Sums> {
  const start = from ?? FIRST_DAY;
  const { rows } = await sql<Sums>`
    select coalesce(sum(case when date >= ${start} then 1 else 0 end), 0) as count,
      coalesce(sum(case when date >= ${start} then charge else 0 end), 0) as charge,
      coalesce(sum(case when date >= ${start} then credit else 0 end), 0) as credit,
      coalesce(sum(case when date < ${start} then charge else 0 end), 0) as "chargeBefore",
      coalesce(sum(case when date < ${start} then credit else 0 end), 0) as "creditBefore"
    from (
      select ${INVOICE_DAY} as date, invoices."totalCents" as charge, 0 as credit
      from invoices where invoices."supplierId" = ${supplierId}
      union all
      select ${PAYMENT_DAY}, 0, payments."amountCents"
      from invoices join payments on payments."facturaproveedorId" = invoices.id
      where invoices."supplierId" = ${supplierId}) as movements
    where date <= ${to}`.execute(db);
  return rows[0]!;
}

type Row = Omit<StatementLine, 'balanceCents'>;

/**
 * The last ones of a period, each with the balance after it, worked back from the end. Which ones they are is asked
 * first, by day and id alone, since a supplier may have very many.
 */
async function readLines(
  db: Db,
  asked: { supplierId: number; from: PlainDate | null; to: PlainDate; closing: number; most: number },
): Promise<StatementLine[]> {
  const { supplierId, from, to, closing, most } = asked;
  const within = (date: typeof INVOICE_DAY) =>
    sql`${date} <= ${to} ${from === null ? sql`` : sql`and ${date} >= ${from}`}`;
  const { rows } = await sql<Row>`
    with last as (
      select * from (
        select ${INVOICE_DAY} as date, 0 as place, invoices.id, invoices.id as "invoiceId"
        from invoices where invoices."supplierId" = ${supplierId} and ${within(INVOICE_DAY)}
        union all
        select ${PAYMENT_DAY}, 1, payments.id, invoices.id
        from invoices join payments on payments."facturaproveedorId" = invoices.id
        where invoices."supplierId" = ${supplierId} and ${within(PAYMENT_DAY)}) as movements
      order by date desc, place desc, id desc ${most === Infinity ? sql`` : sql`limit ${most}`})
    select last.date, coalesce(payments.kind, 'factura') as kind, last.id, last."invoiceId",
      invoices.numfactura, jobs.jobtitle, case when last.place = 0 then invoices.uuid else credit_notes.uuid end as uuid,
      case when last.place = 0 then '' when payments.kind = 'credito' then coalesce(credit_notes.numero, '')
        else payments.checknum end as reference,
      case when last.place = 0 then null when ${hasReceipt} then 'con' when ${awaitsReceipt} then 'sin' end as rep,
      case when last.place = 0 then invoices."totalCents" else 0 end as "chargeCents",
      case when last.place = 0 then 0 else payments."amountCents" end as "creditCents"
    from last join invoices on invoices.id = last."invoiceId" join jobs on jobs.id = invoices."jobId"
      left join payments on last.place = 1 and payments.id = last.id
      left join credit_notes on credit_notes.id = payments."creditNoteId"
    order by last.date desc, last.place desc, last.id desc`.execute(db);
  let balance = closing;
  const lines = rows.map((row): StatementLine => {
    const { date, kind, id, invoiceId, numfactura, jobtitle, uuid, reference, rep } = row;
    const { chargeCents, creditCents } = row;
    const balanceCents = balance;
    balance -= chargeCents - creditCents;
    const facts = { date, kind, id, invoiceId, numfactura, jobtitle, uuid, reference, rep };
    return { ...facts, chargeCents, creditCents, balanceCents };
  });
  return lines.reverse();
}

function untoldOf({ count, charge, credit }: Sums, lines: readonly StatementLine[]): Statement['untold'] {
  const told = (of: 'chargeCents' | 'creditCents') => lines.reduce((sum, line) => sum + line[of], 0);
  return {
    count: count - lines.length,
    chargeCents: charge - told('chargeCents'),
    creditCents: credit - told('creditCents'),
  };
}

/** What is open of a supplier at the end of a day, by due day; reads none of its movements. */
export async function readOwed(db: Db, supplierId: number, to: PlainDate, day: Day): Promise<Owed[]> {
  const open = await readOpenInvoices(db, { supplierId }, to, day);
  return open
    .map(({ id, numfactura, vence, fechavencimiento, pendingCents }) => ({
      invoiceId: id,
      numfactura,
      vence,
      isEstimated: isDueEstimated({ fechavencimiento }),
      pendingCents,
    }))
    .sort((a, b) => (a.vence < b.vence ? -1 : a.vence > b.vence ? 1 : a.invoiceId - b.invoiceId));
}
