import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { creditCost, paymentCost, takenBy } from '../../db/expressions.ts';
import { rolledParts, rolledRows } from '../../db/rolled-sums.ts';
import type { Db } from '../../db/schema.ts';
import type { Basis } from '../../shared/costs.ts';
import type { PlainDate } from '../../shared/dates.ts';
import { NO_RUBRO } from '../../shared/invoices.ts';
import type { Cents } from '../../shared/money.ts';
import { type CountOfDays, monthOf, type Period, roundToMonths } from '../../shared/periods.ts';

interface CostFilter {
  /** one, or any of several */
  jobId?: number | readonly number[] | null;
  /** of whose obras */
  clientId?: number | null;
  /** 0: what has none */
  rubroId?: number | null;
  /** by default facturado */
  base?: Basis;
  /** 'sin': without petty cash */
  caja?: 'con' | 'sin';
  /** nobody asks what of it is settled: the index of obras then answers by itself */
  isUnsettled?: true;
}

export interface CostQuery extends CostFilter, Period {
  jobId?: number | null;
}

/** Without a period whatever its day, and what has none. */
type AnyCosts = CostFilter & Partial<Period>;

/** What something cost, and of what that is made. */
export interface Cost {
  /** invoices, or payments of them, of which */
  count: number;
  /** without IVA: subtotal + otros impuestos, or of a payment that share of it */
  costCents: Cents;
  /** in all, IVA and withholdings included; of payments what left the bank */
  totalCents: Cents;
  /** what of that is settled by now, be it paid or credited */
  settledCents: Cents;
  /** what credit notes took off, without IVA: each note's own share of what of it was applied */
  creditCents: Cents;
  /** what they covered, IVA included */
  creditTotalCents: Cents;
  /** spent from petty cash, without IVA */
  pettyCents: Cents;
  /** the same with it */
  pettyTotalCents: Cents;
}

/** What is told apart. */
type Key = 'jobId' | 'rubroId' | 'month';

/** Of what is not told apart 0 and ''. */
export interface CostCell extends Cost {
  /** 0: petty cash that was spent on none */
  jobId: number;
  /** NO_RUBRO: without one */
  rubroId: number;
  /** "2026-11" */
  month: string;
}

/**
 * What a period cost: invoices by their day of issue less credit notes by theirs, at the obra and rubro of the invoice
 * that they were applied to, or what was paid in money by the payments' days; and what was spent from petty cash. Each
 * combination of the keys once, however many.
 */
export async function readCosts(db: Db, query: AnyCosts, by: readonly Key[]): Promise<CostCell[]> {
  const parts =
    query.base === 'pagado'
      ? [await readPaidCosts(db, query, by)]
      : [await readInvoiceCosts(db, query, by), await readCredits(db, query, by)];
  if (query.caja !== 'sin') parts.push(await readPettyCosts(db, query, by));
  const cells = new Map<string, CostCell>();
  for (const part of parts.flat()) {
    const cell = { jobId: 0, rubroId: NO_RUBRO, month: '', ...nothing(), ...part };
    const key = [cell.jobId, cell.rubroId, cell.month].join();
    const known = cells.get(key);
    if (known) add(known, cell);
    else cells.set(key, cell);
  }
  return [...cells.values()];
}

type Part = Partial<CostCell>;

/** What is settled of them by now beside what they cost. */
function readInvoiceCosts(db: Db, query: AnyCosts, by: readonly Key[]): Promise<Part[]> {
  const own: Monthly['own'] = (
    days,
    isFew,
  ) => sql`select "jobId", "rubroId", cast(fechaemision as text) as day, 1 as count,
      "subtotalCents" + "otrosimpuestosCents" as cost, "totalCents" as total, "paidCents" as settled
    from invoices where ${within(sql`fechaemision`, days)} ${narrowed(query, isFew)}`;
  return readMonthly(db, query, by, {
    own,
    months: 'invoice_month_sums',
    days: rolledRows('invoice_day_sums'),
    day: 'fechaemision',
    figures: sql`"sinIvaCents" as cost, "totalCents" as total, "paidCents" as settled`,
  });
}

/** What was paid in money, as it left the bank, and the share of it that is cost. */
function readPaidCosts(db: Db, query: AnyCosts, by: readonly Key[]): Promise<Part[]> {
  const own: Monthly['own'] = (days, isFew) => sql`select invoices."jobId", invoices."rubroId",
      cast(payments.paymentdate as text) as day, 1 as count, ${paymentCost('payments', 'invoices')} as cost,
      ${takenBy('payments')} as total, ${takenBy('payments')} as settled
    from payments join invoices on invoices.id = payments."facturaproveedorId"
    where payments.kind = 'pago' and ${within(sql`payments.paymentdate`, days)} ${narrowed(query, isFew)}`;
  return readMonthly(db, query, by, {
    own,
    months: 'payment_month_sums',
    told: sql`and kind = 'pago'`,
    days: rolledRows('payment_day_sums', {}, sql`kind = 'pago'`),
    day: 'paymentdate',
    figures: sql`"costCents" as cost, "takenCents" as total, "takenCents" as settled`,
  });
}

interface Monthly {
  /** rows of obra, rubro, day and figures; of few days they are looked for by these alone */
  own(days: Partial<Period>, isFew?: 'few'): RawBuilder<unknown>;
  /** the roll that has them by month and obra, and by month and rubro */
  months: 'invoice_month_sums' | 'payment_month_sums';
  told?: RawBuilder<unknown>;
  /** how many there are of each day */
  days: RawBuilder<unknown>;
  day: string;
  /** of the roll */
  figures: RawBuilder<unknown>;
}

/** By month as they are rolled up, where obras and rubros are not told apart together; else from the rows. */
async function readMonthly(db: Db, query: AnyCosts, by: readonly Key[], of: Monthly): Promise<Part[]> {
  const sums = {
    count: sql`count`,
    costCents: sql`cost`,
    totalCents: sql`total`,
    ...(!query.isUnsettled && { settledCents: sql`settled` }),
  };
  const { from, to } = query;
  const jobs = by.includes('jobId') || query.jobId || query.clientId;
  const rubros = by.includes('rubroId') || typeof query.rubroId === 'number';
  if (!from || !to || (jobs && rubros)) return added(db, by, [of.own({ from, to })], sums);
  const { months, more, less } = roundToMonths({ from, to }, await countDays(db, of, { from, to }));
  // The level at which the other one is not told apart.
  const told = { [jobs ? 'rubroId' : 'jobId']: undefined };
  const rolls = sql<SqlBool>`${sql.ref(jobs ? 'jobId' : 'rubroId')} >= 0
    and month >= ${months.from} and month <= ${months.to} ${of.told ?? sql``} ${narrowedRoll(query)}`;
  const rolled = rolledParts(of.months, told, rolls).map(
    (part) => sql`select "jobId", "rubroId", month as day, count, ${of.figures} from (${part}) rolled`,
  );
  const takenOff = less.map(
    (days) =>
      sql`select "jobId", "rubroId", day, -count as count, -cost as cost, -total as total, -settled as settled
        from (${of.own(days, 'few')}) own`,
  );
  return added(db, by, [...rolled, ...more.map((days) => of.own(days, 'few')), ...takenOff], sums);
}

/** How many rows there are of days of the months that a period begins and ends in. */
async function countDays(db: Db, { days, day }: Monthly, { from, to }: Period): Promise<CountOfDays> {
  const ends = [monthOf(from), monthOf(to)].map(
    (month) => sql`${sql.ref(day)} between ${month.from} and ${month.to}`,
  );
  const { rows } = await sql<{ day: PlainDate; count: number }>`
    select ${sql.ref(day)} as day, sum(count) as count from ${days} days where ${sql.join(ends, sql` or `)}
    group by 1`.execute(db);
  return (period) =>
    rows.reduce((sum, row) => sum + (row.day >= period.from && row.day <= period.to ? row.count : 0), 0);
}

/** What credit notes of these days, or all of them, took off. @param of the notes' own days, or the invoices' */
export async function readCredits(
  db: Db,
  query: AnyCosts,
  by: readonly Key[],
  of: 'notes' | 'invoices' = 'notes',
): Promise<Part[]> {
  const day = sql.ref(of === 'notes' ? 'day' : 'issued');
  // Looked up one by one, for they are few: joined, PostgreSQL may read all invoices for them.
  const ofInvoice = (column: 'jobId' | 'rubroId' | 'fechaemision') =>
    sql`(select i.${sql.ref(column)} from invoices i where i.id = payments."facturaproveedorId")`;
  const rows = sql`select "jobId", "rubroId", ${day} as day, credit, "amountCents" from (
      select ${ofInvoice('jobId')} as "jobId", ${ofInvoice('rubroId')} as "rubroId",
        cast(${ofInvoice('fechaemision')} as text) as issued, cast(payments.paymentdate as text) as day,
        payments."amountCents", ${creditCost('payments', 'credit_notes')} as credit
      from credit_notes cross join payments where payments."creditNoteId" = credit_notes.id) credited
    where ${within(day, query)} ${narrowed(query)}`;
  return added(db, by, [rows], { creditCents: sql`credit`, creditTotalCents: sql`"amountCents"` });
}

/** What was spent from petty cash, as readCosts tells it. */
export function readPettyCosts(db: Db, query: AnyCosts, by: readonly Key[]): Promise<Part[]> {
  const rows = sql`select coalesce("jobId", 0) as "jobId", "rubroId", cast(fecha as text) as day, "subtotalCents",
      "importeCents"
    from petty_cash_movements where tipo = 'gasto' and ${within(sql`fecha`, query)} ${narrowed(query)}`;
  return added(db, by, [rows], { pettyCents: sql`"subtotalCents"`, pettyTotalCents: sql`"importeCents"` });
}

/**
 * Rows of obra, rubro and day (or month), added up by the keys. Rows of several kinds kind by kind, and these sums then:
 * all at once would be copied and sorted before.
 */
async function added(
  db: Db,
  by: readonly Key[],
  kinds: readonly RawBuilder<unknown>[],
  sums: Readonly<Record<string, RawBuilder<unknown>>>,
): Promise<Part[]> {
  const apart = by.length > 0 ? sql`group by ${sql.join(by.map((_, index) => sql.lit(index + 1)))}` : sql``;
  const keys = by.map((key) => sql`${KEYS[key]} as ${sql.ref(key)}`);
  const figures = Object.entries(sums).map(([name, of]) => sql`coalesce(sum(${of}), 0) as ${sql.ref(name)}`);
  const apiece = kinds.map(
    (rows) => sql`select ${sql.join([...keys, ...figures])} from (${rows}) own ${apart}`,
  );
  const names = Object.keys(sums).map((name) => sql.ref(name));
  const together = names.map((name) => sql`coalesce(sum(${name}), 0) as ${name}`);
  const isAny = names.map((name) => sql`sum(${name}) <> 0`);
  const { rows } = await sql<Part>`
    select ${sql.join([...by.map((key) => sql.ref(key)), ...together])}
    from (${sql.join(apiece, sql` union all `)}) parts
    ${apart} having ${sql.join(isAny, sql` or `)}`.execute(db);
  return rows;
}

const KEYS: Record<Key, RawBuilder<unknown>> = {
  jobId: sql`"jobId"`,
  rubroId: sql`coalesce("rubroId", 0)`,
  month: sql`substr(day, 1, 7)`,
};

const within = (day: RawBuilder<unknown>, { from, to }: Partial<Period>) =>
  from && to ? sql`${day} between ${from} and ${to}` : sql`true`;

/** What is narrowed by obra, client and rubro. @param isFew what there is to narrow: no index of these is to be gone through */
export const narrowed = ({ jobId, clientId, rubroId }: CostFilter, isFew?: 'few') => {
  const [job, rubro] = isFew ? [sql`"jobId" + 0`, sql`"rubroId" + 0`] : [sql`"jobId"`, sql`"rubroId"`];
  return sql`
  ${typeof jobId === 'object' && jobId ? sql`and ${job} in (${sql.join(jobId)})` : sql``}
  ${typeof jobId === 'number' ? sql`and ${job} = ${jobId}` : sql``}
  ${clientId ? sql`and ${job} in (select jobs.id from jobs where jobs."clientId" = ${clientId})` : sql``}
  ${rubroId ? sql`and ${rubro} = ${rubroId}` : sql``}
  ${rubroId === NO_RUBRO ? sql`and ${rubro} is null` : sql``}`;
};

/** The same of what is rolled up, where 0 stands for no rubro. */
const narrowedRoll = ({ rubroId, ...query }: CostFilter) => sql`${narrowed(query)}
  ${typeof rubroId === 'number' ? sql`and "rubroId" = ${rubroId}` : sql``}`;

export const nothing = (): Cost => ({
  count: 0,
  costCents: 0,
  totalCents: 0,
  settledCents: 0,
  creditCents: 0,
  creditTotalCents: 0,
  pettyCents: 0,
  pettyTotalCents: 0,
});

export function add(sum: Cost, figure: Cost): void {
  for (const name of Object.keys(nothing()) as (keyof Cost)[]) sum[name] += figure[name];
}

export function sumOf(figures: readonly Cost[]): Cost {
  const sum = nothing();
  for (const figure of figures) add(sum, figure);
  return sum;
}

/** What is left of a cost, with IVA or without. */
export const netOf = (cost: Omit<Cost, 'count'>, iva: 'sin' | 'con' = 'sin'): Cents =>
  iva === 'con'
    ? cost.totalCents - cost.creditTotalCents + cost.pettyTotalCents
    : cost.costCents - cost.creditCents + cost.pettyCents;
