import { sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';
import { addDays, type PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { isDueEstimated } from '../../../shared/invoices-due.ts';
import type { Cents } from '../../../shared/money.ts';
import { requirePeriod } from '../../../shared/periods.ts';
import { agingOf, type Owed, type Statement, type StatementLine } from '../../../shared/statements.ts';
import { readOpenInvoices } from '../balances/balances.ts';
import type { DueRow } from '../balances/layout.ts';
import type { Day } from '../invoices/reading.ts';
import { sumUnapplied } from '../payments/credit-notes.ts';
import { awaitsReceipt, hasReceipt } from '../payments/reading.ts';

export interface StatementQuery {
  supplierId: number;
  desde?: PlainDate | null;
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
  const before = from === null ? NOTHING : await sumUntil(db, supplierId, addDays(from, -1));
  const until = await sumUntil(db, supplierId, to);
  const chargeCents = until.charge - before.charge;
  const creditCents = until.credit - before.credit;
  const closingCents = until.charge - until.credit;
  const { lines, areAll } = await readLines(db, { supplierId, from, to, most }, closingCents);
  const owed = inDueOrder(await readOpenInvoices(db, { supplierId }, to, day));
  return {
    supplier,
    from,
    to,
    openingCents: before.charge - before.credit,
    lines,
    omitted: areAll ? null : omittedFrom({ chargeCents, creditCents }, lines),
    chargeCents,
    creditCents,
    closingCents,
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

/** A payment before its invoice counts on the day of the invoice, so that it brings no balance below zero. */
const PAYMENT_DAY = sql<PlainDate>`case when payments.paymentdate < ${INVOICE_DAY} then ${INVOICE_DAY}
  else payments.paymentdate end`;

const isOf = (supplierId: number) => sql`invoices."supplierId" = ${supplierId}`;

/** The sum billed until a day, and the part of it that was settled by then. */
interface Sums {
  charge: Cents;
  credit: Cents;
}

const NOTHING: Sums = { charge: 0, credit: 0 };

/** Each invoice has the sum that is settled by now; payments after the day are taken off. */
async function sumUntil(db: Db, supplierId: number, day: PlainDate): Promise<Sums> {
  const own = sql`${isOf(supplierId)} and ${INVOICE_DAY} <= ${day}`;
  const since = addDays(day, 1);
  const later = (await areFew(db, { from: since }))
    ? sql`payments cross join invoices where invoices.id = payments."facturaproveedorId" and ${own}`
    : // By their ids, in the order in which the index has their payments.
      sql`(select id from invoices where ${own} order by id limit ${MANY}) invoices cross join payments
        where payments."facturaproveedorId" = invoices.id`;
  // In one statement, so that a payment of just now is in both sums or in none.
  const { rows } = await sql<Sums>`select charge, settled - later as credit
    from (select coalesce(sum("totalCents"), 0) as charge, coalesce(sum("paidCents"), 0) as settled
      from invoices where ${own}) billed
    cross join (select coalesce(sum(payments."amountCents"), 0) as later
      from ${later} and payments.paymentdate >= ${since}) paid`.execute(db);
  return rows[0]!;
}

/** More than there are of anything. */
const MANY = 1e9;

/** Whether the payments of some days are so few that a supplier's are looked for among them. */
async function areFew(db: Db, { from, to }: { from: PlainDate; to?: PlainDate }): Promise<boolean> {
  const until = to === undefined ? sql`` : sql`and paymentdate <= ${to}`;
  const { rows } = await sql`select 1 from payments where paymentdate >= ${from} ${until}
    limit 1 offset ${FEW}`.execute(db);
  return rows.length === 0;
}

const FEW = 1000;

interface Asked {
  supplierId: number;
  from: PlainDate | null;
  to: PlainDate;
  most: number;
}

type Row = Omit<StatementLine, 'balanceCents'>;

/**
 * The last ones of a period, each with the balance after it, worked back from the end. Which ones they are is asked
 * first, by day and id alone, since a supplier may have very many.
 */
async function readLines(
  db: Db,
  asked: Asked,
  closing: Cents,
): Promise<{ lines: StatementLine[]; areAll: boolean }> {
  const { supplierId, to, most } = asked;
  const first = await firstDayTold(db, asked);
  const within = (date: typeof INVOICE_DAY) =>
    sql`${isOf(supplierId)} and ${date} <= ${to} ${first === null ? sql`` : sql`and ${date} >= ${first}`}`;
  const payments =
    first !== null && (await areFew(db, { from: first, to }))
      ? sql`
        select ${PAYMENT_DAY}, 1, payments.id, invoices.id
        from payments cross join invoices
        where payments.paymentdate between ${first} and ${to} and invoices.id = payments."facturaproveedorId"
          and ${isOf(supplierId)} and ${INVOICE_DAY} <= ${to}
        union all
        select own.date, 1, payments.id, own.id
        from own cross join payments
        where payments."facturaproveedorId" = own.id and payments.paymentdate < ${first}`
      : sql`
        select ${PAYMENT_DAY}, 1, payments.id, invoices.id
        from invoices cross join payments
        where payments."facturaproveedorId" = invoices.id and ${within(PAYMENT_DAY)}`;
  const { rows } = await sql<Row>`
    with own as materialized (
      select invoices.id, ${INVOICE_DAY} as date from invoices where ${within(INVOICE_DAY)}),
    last as (
      select * from (
        select date, 0 as place, id, id as "invoiceId" from own
        union all ${payments}) as movements
      order by date desc, place desc, id desc ${most === Infinity ? sql`` : sql`limit ${most + 1}`})
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
  const lines = rows.slice(0, most).map((row): StatementLine => {
    const { date, kind, id, invoiceId, numfactura, jobtitle, uuid, reference, rep } = row;
    const { chargeCents, creditCents } = row;
    const balanceCents = balance;
    balance -= chargeCents - creditCents;
    const facts = { date, kind, id, invoiceId, numfactura, jobtitle, uuid, reference, rep };
    return { ...facts, chargeCents, creditCents, balanceCents };
  });
  return { lines: lines.reverse(), areAll: rows.length <= most };
}

/** The day of the invoice before which no movement is told, for there are enough without: of its index alone. */
async function firstDayTold(db: Db, { supplierId, from, to, most }: Asked): Promise<PlainDate | null> {
  if (most === Infinity) return from;
  const { rows } = await sql<{ day: PlainDate }>`
    select ${INVOICE_DAY} as day from invoices
    where ${isOf(supplierId)} and ${INVOICE_DAY} <= ${to} ${from === null ? sql`` : sql`and ${INVOICE_DAY} >= ${from}`}
    order by 1 desc limit 1 offset ${most}`.execute(db);
  return rows[0]?.day ?? from;
}

function omittedFrom(
  { chargeCents, creditCents }: NonNullable<Statement['omitted']>,
  lines: readonly StatementLine[],
): Statement['omitted'] {
  const shown = (of: 'chargeCents' | 'creditCents') => lines.reduce((sum, line) => sum + line[of], 0);
  return { chargeCents: chargeCents - shown('chargeCents'), creditCents: creditCents - shown('creditCents') };
}

export function inDueOrder(open: readonly DueRow[]): Owed[] {
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
