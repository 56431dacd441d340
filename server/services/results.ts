import { sql } from 'kysely';
import { isOneOf } from '../../db/expressions.ts';
import type { Db } from '../../db/schema.ts';
import { addDays, endOfDay, type Instant, type PlainDate } from '../../shared/dates.ts';
import type { Cents } from '../../shared/money.ts';
import { type Cost, narrowed } from './cost-rows.ts';
import { type CostQuery, nothing, readCosts } from './costs.ts';
import { layOut, type Names, type Results } from './results-layout.ts';

export interface UndatedInvoice {
  id: number;
  numfactura: string;
  suppliername: string;
  jobtitle: string;
  nombrerubro: string | null;
  createdAt: Instant;
  costCents: Cents;
}

/** Figures are those of the lists under the same filter. */
export async function readResults(db: Db, query: CostQuery, timeZone: string): Promise<Results> {
  const undated = await sumUndated(db, query, timeZone);
  const cells = await readCosts(db, query, ['jobId', 'rubroId']);
  return { ...layOut(await readNames(db), cells), undated };
}

/** The last day of issue of each of some obras that is not after the period; from the index of obras. */
export async function readLastIssued(
  db: Db,
  jobIds: readonly number[],
  { from, to }: CostQuery,
): Promise<Map<number, PlainDate>> {
  const { rows } = await sql<{ id: number; last: PlainDate | null }>`
    select jobs.id, (select max(fechaemision) from invoices
      where invoices."jobId" = jobs.id and fechaemision between ${from} and ${to}) as last
    from jobs where ${isOneOf(db, 'jobs.id', jobIds)}`.execute(db);
  return new Map(rows.flatMap(({ id, last }) => (last ? [[id, last]] : [])));
}

/** From the first day of issue to the last one; undefined where no invoice has any. */
export async function readIssueDays(db: Db): Promise<{ from: PlainDate; to: PlainDate } | undefined> {
  const [first] = await issueDay(db, 'asc');
  const [last] = await issueDay(db, 'desc');
  return first?.fechaemision && last?.fechaemision
    ? { from: first.fechaemision, to: last.fechaemision }
    : undefined;
}

const issueDay = (db: Db, direction: 'asc' | 'desc') =>
  db
    .selectFrom('invoices')
    .select('fechaemision')
    .where('fechaemision', 'is not', null)
    .orderBy('fechaemision', direction)
    .limit(1)
    .execute();

/** Invoices captured in the period without a date of issue, which count in no period. */
export async function sumUndated(db: Db, query: CostQuery, timeZone: string): Promise<Cost> {
  const { rows } = await sql<Pick<Cost, 'count' | 'costCents' | 'totalCents'>>`
    select count(*) as count, coalesce(sum("subtotalCents" + "otrosimpuestosCents"), 0) as "costCents",
      coalesce(sum("totalCents"), 0) as "totalCents"
    from invoices where ${capturedUndated(query, timeZone)} ${narrowed(query)}`.execute(db);
  return { ...nothing(), ...rows[0] };
}

/** The invoices behind that, so that somebody may give them their date; the latest ones. */
export async function readUndated(
  db: Db,
  query: CostQuery,
  timeZone: string,
  limit: number,
): Promise<UndatedInvoice[]> {
  const { rows } = await sql<UndatedInvoice>`
    select invoices.id, invoices.numfactura, suppliers.suppliername, jobs.jobtitle, rubros.nombrerubro,
      invoices."createdAt", invoices."subtotalCents" + invoices."otrosimpuestosCents" as "costCents"
    from invoices
    left join suppliers on suppliers.id = invoices."supplierId"
    left join jobs on jobs.id = invoices."jobId"
    left join rubros on rubros.id = invoices."rubroId"
    where ${capturedUndated(query, timeZone)} ${narrowed(query)}
    order by invoices.id desc limit ${limit}`.execute(db);
  return rows;
}

/** Without an issue date the day of capture counts, as clocks in the business's zone saw it. */
function capturedUndated({ from, to }: CostQuery, timeZone: string) {
  const start = endOfDay(addDays(from, -1), timeZone);
  const end = endOfDay(to, timeZone);
  return sql`(invoices.fechaemision is null and invoices."createdAt" >= ${start} and invoices."createdAt" < ${end})`;
}

export const readNames = async (db: Db): Promise<Names> => ({
  jobs: await namesOf(db, 'jobs', 'jobtitle'),
  rubros: await namesOf(db, 'rubros', 'nombrerubro'),
});

async function namesOf(db: Db, table: 'jobs' | 'rubros', name: string): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, ${sql.ref(name)} as name from ${sql.table(table)}`.execute(db);
  return new Map(rows.map((row) => [row.id, row.name]));
}
