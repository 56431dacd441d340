import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { paymentCost, takenBy } from '../../db/expressions.ts';
import { rolledParts, rolledRows } from '../../db/rolled-sums.ts';
import type { Db } from '../../db/schema.ts';
import type { PlainDate } from '../../shared/dates.ts';
import { type CountOfDays, monthOf, type Period, roundToMonths } from '../../shared/periods.ts';
import {
  type AnyCosts,
  addedUp,
  type CostsAsked,
  narrowed,
  narrowedRoll,
  type Part,
  within,
} from './cost-rows.ts';

/** What is rolled up by month, and lies there by day. */
interface Monthly {
  /** rows of obra, rubro, day and figures; of few days they are looked for by these alone */
  own(query: AnyCosts, days: Partial<Period>, isFew?: 'few'): RawBuilder<unknown>;
  /** the roll that has them by month and obra, and by month and rubro */
  months: 'invoice_month_sums' | 'payment_month_sums';
  told?: RawBuilder<unknown>;
  /** how many there are of each day */
  days: RawBuilder<unknown>;
  day: string;
  /** of the roll */
  figures: RawBuilder<unknown>;
}

/** What is settled of them by now beside what they cost. */
export const BILLED: Monthly = {
  own: (query, days, isFew) => sql`select "jobId", "rubroId", cast(fechaemision as text) as day, 1 as count,
      "subtotalCents" + "otrosimpuestosCents" as cost, "totalCents" as total, "paidCents" as settled
    from invoices where ${within(sql`fechaemision`, days)} ${narrowed(query, isFew)}`,
  months: 'invoice_month_sums',
  days: rolledRows('invoice_day_sums'),
  day: 'fechaemision',
  figures: sql`"sinIvaCents" as cost, "totalCents" as total, "paidCents" as settled`,
};

/** What was paid in money, as it left the bank, and the share of it that is cost. */
export const PAID: Monthly = {
  own: (query, days, isFew) => sql`select invoices."jobId", invoices."rubroId",
      cast(payments.paymentdate as text) as day, 1 as count, ${paymentCost('payments', 'invoices')} as cost,
      ${takenBy('payments')} as total, ${takenBy('payments')} as settled
    from payments join invoices on invoices.id = payments."facturaproveedorId"
    where payments.kind = 'pago' and ${within(sql`payments.paymentdate`, days)} ${narrowed(query, isFew)}`,
  months: 'payment_month_sums',
  told: sql`and kind = 'pago'`,
  days: rolledRows('payment_day_sums', {}, sql`kind = 'pago'`),
  day: 'paymentdate',
  figures: sql`"costCents" as cost, "takenCents" as total, "takenCents" as settled`,
};

/** Of each question the cells, all of one moment. Days that several of them ask for are read once. */
export async function readMonthly(db: Db, of: Monthly, asked: readonly CostsAsked[]): Promise<Part[][]> {
  const days = new SharedDays(of);
  const countOf = await countDays(db, of, asked.flatMap(rolledPeriod));
  const kinds = asked.map((one) => kindsOf(of, one, days, countOf));
  const sums = asked.every(({ query }) => query.isUnsettled)
    ? COSTS
    : { ...COSTS, settledCents: sql`settled` };
  const questions = asked.map(({ by }, at) => addedUp(by, kinds[at]!(), sums, at));
  const { rows } = await sql<Part & { at: number }>`
    ${days.shared()} ${sql.join(questions, sql` union all `)}`.execute(db);
  const parts = asked.map((): Part[] => []);
  for (const { at, ...part } of rows) parts[at]!.push(part);
  return parts;
}

const COSTS = { count: sql`count`, costCents: sql`cost`, totalCents: sql`total` };

/** By month as costs are rolled up, where obras and rubros are not told apart together; else of their own rows. */
function rolledPeriod({ query, by }: CostsAsked): Period[] {
  const { from, to } = query;
  const rubros = by.includes('rubroId') || typeof query.rubroId === 'number';
  return !from || !to || (asksJobs({ query, by }) && rubros) ? [] : [{ from, to }];
}

const asksJobs = ({ query, by }: CostsAsked) =>
  by.includes('jobId') || Boolean(query.jobId) || Boolean(query.clientId);

/** Rows to be added up, to be taken once all have asked. */
function kindsOf(
  of: Monthly,
  asked: CostsAsked,
  shared: SharedDays,
  countOf: CountOfDays,
): () => RawBuilder<unknown>[] {
  const { query } = asked;
  const [period] = rolledPeriod(asked);
  if (!period) return () => [of.own(query, query)];
  const { months, more, less } = roundToMonths(period, countOf);
  const jobs = asksJobs(asked);
  // The level at which the other one is not told apart.
  const told = { [jobs ? 'rubroId' : 'jobId']: undefined };
  const rolls = sql<SqlBool>`${sql.ref(jobs ? 'jobId' : 'rubroId')} >= 0
    and month >= ${months.from} and month <= ${months.to} ${of.told ?? sql``} ${narrowedRoll(query)}`;
  const rolled = rolledParts(of.months, told, rolls).map(
    (part) => sql`select "jobId", "rubroId", month as day, count, ${of.figures} from (${part}) rolled`,
  );
  const put = more.map((days) => shared.ask(query, days));
  const taken = less.map((days) => shared.ask(query, days));
  return () => [
    ...rolled,
    ...put.map((rows) => rows()),
    ...taken.map(
      (rows) => sql`select "jobId", "rubroId", day, -count as count, -cost as cost, -total as total,
        -settled as settled from (${rows()}) own`,
    ),
  ];
}

/** Rows of few days, for which the questions of a statement ask: those that several ask for have a name in it. */
class SharedDays {
  readonly #asked = new Map<string, { name: string; rows: RawBuilder<unknown>; times: number }>();
  readonly #of: Monthly;

  constructor(of: Monthly) {
    this.#of = of;
  }

  /** @returns the rows, to be taken once all have asked */
  ask({ jobId, clientId, rubroId }: AnyCosts, days: Period): () => RawBuilder<unknown> {
    const query = { jobId, clientId, rubroId };
    const key = JSON.stringify([query, days]);
    const known = this.#asked.get(key);
    const own = known ?? {
      name: `days_${this.#asked.size}`,
      rows: this.#of.own(query, days, 'few'),
      times: 0,
    };
    own.times++;
    this.#asked.set(key, own);
    return () => (own.times > 1 ? sql`select * from ${sql.table(own.name)}` : own.rows);
  }

  shared(): RawBuilder<unknown> {
    const shared = [...this.#asked.values()].filter(({ times }) => times > 1);
    if (shared.length === 0) return sql``;
    return sql`with ${sql.join(shared.map(({ name, rows }) => sql`${sql.table(name)} as materialized (${rows})`))}`;
  }
}

/** How many rows there are of days of the months that some periods begin and end in. */
async function countDays(db: Db, { days, day }: Monthly, periods: readonly Period[]): Promise<CountOfDays> {
  const months = new Map(
    periods.flatMap(({ from, to }) => [from, to].map((end) => [monthOf(end).from, monthOf(end)] as const)),
  );
  if (months.size === 0) return () => 0;
  const ends = [...months.values()].map(
    (month) => sql`${sql.ref(day)} between ${month.from} and ${month.to}`,
  );
  const { rows } = await sql<{ day: PlainDate; count: number }>`
    select ${sql.ref(day)} as day, sum(count) as count from ${days} days where ${sql.join(ends, sql` or `)}
    group by 1`.execute(db);
  return (period) =>
    rows.reduce((sum, row) => sum + (row.day >= period.from && row.day <= period.to ? row.count : 0), 0);
}
