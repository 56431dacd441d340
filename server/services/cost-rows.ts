import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import type { Basis } from '../../shared/costs.ts';
import { NO_RUBRO } from '../../shared/invoices.ts';
import type { Cents } from '../../shared/money.ts';
import type { Period } from '../../shared/periods.ts';

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
export type AnyCosts = CostFilter & Partial<Period>;

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

export type Key = 'jobId' | 'rubroId' | 'month';

/** Of what is not told apart 0 and ''. */
export interface CostCell extends Cost {
  /** 0: petty cash that was spent on none */
  jobId: number;
  /** NO_RUBRO: without one */
  rubroId: number;
  /** "2026-11" */
  month: string;
}

export type Part = Partial<CostCell>;

/** Adds up rows of obra, rubro and day by the keys, with 0 or '' for the others; what comes to nothing is left out. */
export async function addUp(
  db: Db,
  by: readonly Key[],
  rows: RawBuilder<unknown>,
  sums: Readonly<Record<string, RawBuilder<unknown>>>,
): Promise<Part[]> {
  const keys = Object.entries(KEYS).map(
    ([key, { of, none }]) => sql`${by.includes(key as Key) ? of : none} as ${sql.ref(key)}`,
  );
  const figures = Object.entries(sums).map(([name, of]) => sql`coalesce(sum(${of}), 0) as ${sql.ref(name)}`);
  const groups = by.map((key) => KEYS[key].of);
  const isAny = Object.values(sums).map((of) => sql`sum(${of}) <> 0`);
  const { rows: found } = await sql<Part>`select ${sql.join([...keys, ...figures])} from (${rows}) own
    ${groups.length > 0 ? sql`group by ${sql.join(groups)}` : sql``} having ${sql.join(isAny, sql` or `)}`.execute(
    db,
  );
  return found;
}

const KEYS: Record<Key, { of: RawBuilder<unknown>; none: RawBuilder<unknown> }> = {
  jobId: { of: sql`"jobId"`, none: sql`0` },
  rubroId: { of: sql`coalesce("rubroId", 0)`, none: sql`${sql.lit(NO_RUBRO)}` },
  month: { of: sql`substr(day, 1, 7)`, none: sql`''` },
};

export const within = (day: RawBuilder<unknown>, { from, to }: Partial<Period>) =>
  from && to ? sql`${day} between ${from} and ${to}` : sql`true`;

export const narrowed = ({ jobId, clientId, rubroId }: CostFilter) => sql`
  ${typeof jobId === 'object' && jobId ? sql`and "jobId" in (${sql.join(jobId)})` : sql``}
  ${typeof jobId === 'number' ? sql`and "jobId" = ${jobId}` : sql``}
  ${clientId ? sql`and "jobId" in (select jobs.id from jobs where jobs."clientId" = ${clientId})` : sql``}
  ${rubroId ? sql`and "rubroId" = ${rubroId}` : sql``}
  ${rubroId === NO_RUBRO ? sql`and "rubroId" is null` : sql``}`;
