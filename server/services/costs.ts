import { type RawBuilder, sql } from 'kysely';
import { daySumsSubquery } from '../../db/day-sums.ts';
import { bankAmountExpression, creditCostExpression, paymentCostExpression } from '../../db/expressions.ts';
import type { Db } from '../../db/schema.ts';
import type { CostBasis } from '../../shared/costs.ts';
import { NO_RUBRO } from '../../shared/invoices.ts';
import type { Cents } from '../../shared/money.ts';
import type { Period } from '../../shared/periods.ts';

interface CostFilter {
  jobId?: number | readonly number[] | null;
  clientId?: number | null;
  /** 0: without rubro. */
  rubroId?: number | null;
  base?: CostBasis;
  caja?: 'con' | 'sin';
  /** Leaves out settled amounts, so that only the index of obras is read. */
  skipsSettled?: true;
}

export interface CostFilterInPeriod extends CostFilter, Period {
  jobId?: number | null;
}

/** Without a period: costs of any day, and undated ones. */
type CostQueryOfAnyDay = CostFilter & Partial<Period>;

export interface Cost {
  count: number;
  /** The cost is without IVA: subtotal + otros impuestos; a payment counts with its share of them. */
  costCents: Cents;
  /** The total is with IVA and withholdings; a payment counts with what left the bank. */
  totalCents: Cents;
  /** How much of the total is settled by now, paid or credited. */
  settledCents: Cents;
  /** The sum of applied credit notes without IVA. Each note's own share of IVA is subtracted. */
  creditCents: Cents;
  creditTotalCents: Cents;
  pettyCents: Cents;
  pettyTotalCents: Cents;
}

type CostKey = 'jobId' | 'rubroId' | 'month';

/** Keys that were not requested are 0 or ''. */
export interface CostCell extends Cost {
  /** 0 stands for petty cash that was spent on no obra. */
  jobId: number;
  rubroId: number;
  /** "2026-11" */
  month: string;
}

type PartialCell = Partial<CostCell>;

/**
 * Sums the costs of a period: invoices by day of issue, less credit notes by their own day; or, on the basis `pagado`,
 * payments by their day, without applied credit notes. Petty cash expenses are added on either basis. A credit note
 * counts at the obra and rubro of its invoice. Each combination of the keys occurs once.
 * @param db a snapshot if the figures have to be of one moment, because this runs several queries
 */
export async function readCosts(
  db: Db,
  query: CostQueryOfAnyDay,
  costKeys: readonly CostKey[],
): Promise<CostCell[]> {
  const isPaid = query.base === 'pagado';
  const cells = new Map<string, CostCell>();
  for (const part of [
    ...(await sumByKeys(
      db,
      costKeys,
      isPaid ? buildPaidCostsQuery(query) : buildBilledCostsQuery(db, query, costKeys),
      {
        count: sql`count`,
        costCents: sql`cost`,
        totalCents: sql`total`,
        ...(!query.skipsSettled && { settledCents: sql`settled` }),
      },
    )),
    ...(isPaid ? [] : await readCredits(db, query, costKeys)),
    ...(query.caja === 'sin' ? [] : await readPettyCashCosts(db, query, costKeys)),
  ]) {
    const cell = { ...ZERO_CELL, ...part };
    const key = `${cell.jobId},${cell.rubroId},${cell.month}`;
    const existing = cells.get(key);
    if (existing) addCost(existing, cell);
    else cells.set(key, cell);
  }
  return [...cells.values()];
}

/** Sorting invoices to group them takes SQLite three times as long as reading them in the order of an index. */
function buildBilledCostsQuery(db: Db, query: CostQueryOfAnyDay, costKeys: readonly CostKey[]) {
  if (costKeys.join() === 'month' && [query.jobId, query.clientId, query.rubroId].every((id) => id == null))
    return sql`select day, count, "costCents" as cost, "totalCents" as total, "paidCents" as settled
      from ${daySumsSubquery(db, 'issued')} where ${periodCondition(sql`day`, query)}`;
  const isOfAllJobs = query.from && costKeys.includes('jobId') && !query.jobId && !query.clientId;
  const [jobId, source] = isOfAllJobs
    ? [sql`jobs.id as "jobId"`, sql`jobs cross join invoices where invoices."jobId" = jobs.id and`]
    : [sql`"jobId"`, sql`invoices where`];
  return sql`select ${jobId}, "rubroId", fechaemision as day, 1 as count,
      "subtotalCents" + "otrosimpuestosCents" as cost, "totalCents" as total, "paidCents" as settled
    from ${source} ${periodCondition(sql`fechaemision`, query)} ${buildJobAndRubroConditions(query)}`;
}

const buildPaidCostsQuery = (query: CostQueryOfAnyDay) => sql`select invoices."jobId", invoices."rubroId",
    payments.paymentdate as day, 1 as count, ${paymentCostExpression('payments', 'invoices')} as cost,
    ${bankAmountExpression('payments')} as total, ${bankAmountExpression('payments')} as settled
  from payments join invoices on invoices.id = payments."facturaproveedorId"
  where payments.kind = 'pago' and ${periodCondition(sql`payments.paymentdate`, query)} ${buildJobAndRubroConditions(query)}`;

/** Sums applied credit notes. @param of whether the period applies to the days of the notes or of the invoices */
export function readCredits(
  db: Db,
  query: CostQueryOfAnyDay,
  costKeys: readonly CostKey[],
  of: 'notes' | 'invoices' = 'notes',
): Promise<PartialCell[]> {
  const day = sql.ref(of === 'notes' ? 'day' : 'issued');
  // There are few invoices, so they are looked up one by one: with a join PostgreSQL may read all of them.
  const invoiceColumnSubquery = (column: 'jobId' | 'rubroId' | 'fechaemision') =>
    sql`(select i.${sql.ref(column)} from invoices i where i.id = payments."facturaproveedorId")`;
  const rows = sql`select "jobId", "rubroId", ${day} as day, credit, "amountCents" from (
      select ${invoiceColumnSubquery('jobId')} as "jobId", ${invoiceColumnSubquery('rubroId')} as "rubroId",
        ${invoiceColumnSubquery('fechaemision')} as issued, payments.paymentdate as day,
        payments."amountCents", ${creditCostExpression('payments', 'credit_notes')} as credit
      from credit_notes cross join payments where payments."creditNoteId" = credit_notes.id) credited
    where ${periodCondition(day, query)} ${buildJobAndRubroConditions(query)}`;
  return sumByKeys(db, costKeys, rows, { creditCents: sql`credit`, creditTotalCents: sql`"amountCents"` });
}

function readPettyCashCosts(
  db: Db,
  query: CostQueryOfAnyDay,
  costKeys: readonly CostKey[],
): Promise<PartialCell[]> {
  const rows = sql`select coalesce("jobId", 0) as "jobId", "rubroId", fecha as day, "subtotalCents",
      "importeCents"
    from petty_cash_movements where tipo = 'gasto' and ${periodCondition(sql`fecha`, query)} ${buildJobAndRubroConditions(query)}`;
  return sumByKeys(db, costKeys, rows, {
    pettyCents: sql`"subtotalCents"`,
    pettyTotalCents: sql`"importeCents"`,
  });
}

async function sumByKeys(
  db: Db,
  costKeys: readonly CostKey[],
  rows: RawBuilder<unknown>,
  sums: Readonly<Record<string, RawBuilder<unknown>>>,
): Promise<PartialCell[]> {
  // Months alone are grouped by day, in the order of an index; the caller adds up the days.
  const groups = costKeys.join() === 'month' ? [sql`day`] : costKeys.map((key) => KEY_EXPRESSIONS[key]);
  const keys = costKeys.map((key) => sql`${KEY_EXPRESSIONS[key]} as ${sql.ref(key)}`);
  const figures = Object.entries(sums).map(([name, of]) => sql`coalesce(sum(${of}), 0) as ${sql.ref(name)}`);
  const nonZero = Object.values(sums).map((of) => sql`sum(${of}) <> 0`);
  const { rows: found } = await sql<PartialCell>`select ${sql.join([...keys, ...figures])} from (${rows}) own
    ${costKeys.length > 0 ? sql`group by ${sql.join(groups)}` : sql``} having ${sql.join(nonZero, sql` or `)}`.execute(
    db,
  );
  return found;
}

const KEY_EXPRESSIONS: Record<CostKey, RawBuilder<unknown>> = {
  jobId: sql`"jobId"`,
  rubroId: sql`coalesce("rubroId", ${sql.lit(NO_RUBRO)})`,
  month: sql`substr(cast(day as text), 1, 7)`,
};

const periodCondition = (day: RawBuilder<unknown>, { from, to }: Partial<Period>) =>
  from && to ? sql`${day} between ${from} and ${to}` : sql`true`;

export const buildJobAndRubroConditions = ({ jobId, clientId, rubroId }: CostFilter) => sql`
  ${typeof jobId === 'object' && jobId ? sql`and "jobId" in (${sql.join(jobId)})` : sql``}
  ${typeof jobId === 'number' ? sql`and "jobId" = ${jobId}` : sql``}
  ${clientId ? sql`and "jobId" in (select jobs.id from jobs where jobs."clientId" = ${clientId})` : sql``}
  ${rubroId ? sql`and "rubroId" = ${rubroId}` : sql``}
  ${rubroId === NO_RUBRO ? sql`and "rubroId" is null` : sql``}`;

export const createZeroCost = (): Cost => ({
  count: 0,
  costCents: 0,
  totalCents: 0,
  settledCents: 0,
  creditCents: 0,
  creditTotalCents: 0,
  pettyCents: 0,
  pettyTotalCents: 0,
});

const ZERO_CELL: Readonly<CostCell> = { jobId: 0, rubroId: NO_RUBRO, month: '', ...createZeroCost() };

/** A year of a large firm has 15,000 cells: a loop over the names of the figures takes five times as long. */
function addCost(sum: Cost, figure: Cost): void {
  sum.count += figure.count;
  sum.costCents += figure.costCents;
  sum.totalCents += figure.totalCents;
  sum.settledCents += figure.settledCents;
  sum.creditCents += figure.creditCents;
  sum.creditTotalCents += figure.creditTotalCents;
  sum.pettyCents += figure.pettyCents;
  sum.pettyTotalCents += figure.pettyTotalCents;
}

export const sumCellsBy = (cells: readonly CostCell[], key: 'jobId' | 'rubroId'): CostCell[] =>
  [...Map.groupBy(cells, (cell) => cell[key])].map(([id, own]) => ({
    ...ZERO_CELL,
    ...sumCosts(own),
    [key]: id,
  }));

export function sumCosts(costs: readonly Cost[]): Cost {
  const sum = createZeroCost();
  for (const figure of costs) addCost(sum, figure);
  return sum;
}

export const computeCostAfterCredits = (costParts: Omit<Cost, 'count'>, iva: 'sin' | 'con' = 'sin'): Cents =>
  iva === 'con'
    ? costParts.totalCents - costParts.creditTotalCents + costParts.pettyTotalCents
    : costParts.costCents - costParts.creditCents + costParts.pettyCents;
