import { type RawBuilder, sql } from 'kysely';
import type { Basis } from '../../shared/costs.ts';
import { NO_RUBRO } from '../../shared/invoices.ts';
import type { Cents } from '../../shared/money.ts';
import type { Period } from '../../shared/periods.ts';

/** Which of what was spent. */
export interface CostFilter {
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

/** Some figures of a cell. */
export type Part = Partial<CostCell>;

/** What is asked of costs: which, and what of them is told apart. */
export interface CostsAsked {
  query: AnyCosts;
  by: readonly Key[];
}

/**
 * Rows of obra, rubro and day (or month), added up by the keys, with 0 or '' for the others. Rows of several kinds kind by
 * kind, and these sums then: all at once would be copied and sorted before.
 * @param at its place among several questions
 */
export function addedUp(
  by: readonly Key[],
  kinds: readonly RawBuilder<unknown>[],
  sums: Readonly<Record<string, RawBuilder<unknown>>>,
  at = 0,
): RawBuilder<Part & { at: number }> {
  const groupBy = (keys: readonly RawBuilder<unknown>[]) =>
    keys.length > 0 ? sql`group by ${sql.join(keys)}` : sql``;
  const keys = by.map((key) => sql`${KEYS[key].of} as ${sql.ref(key)}`);
  const figures = Object.entries(sums).map(([name, of]) => sql`coalesce(sum(${of}), 0) as ${sql.ref(name)}`);
  const apiece = kinds.map(
    (rows) => sql`select ${sql.join([...keys, ...figures])} from (${rows}) own
      ${groupBy(by.map((_, index) => sql.lit(index + 1)))}`,
  );
  const told = Object.entries(KEYS).map(
    ([key, { none }]) =>
      sql`${by.includes(key as Key) ? sql`parts.${sql.ref(key)}` : none} as ${sql.ref(key)}`,
  );
  const names = Object.keys(sums).map((name) => sql`parts.${sql.ref(name)}`);
  const together = Object.keys(sums).map(
    (name) => sql`coalesce(sum(parts.${sql.ref(name)}), 0) as ${sql.ref(name)}`,
  );
  const isAny = names.map((name) => sql`sum(${name}) <> 0`);
  return sql`select ${sql.lit(at)} as at, ${sql.join([...told, ...together])}
    from (${sql.join(apiece, sql` union all `)}) parts
    ${groupBy(by.map((key) => sql`parts.${sql.ref(key)}`))} having ${sql.join(isAny, sql` or `)}`;
}

const KEYS: Record<Key, { of: RawBuilder<unknown>; none: RawBuilder<unknown> }> = {
  jobId: { of: sql`"jobId"`, none: sql`0` },
  rubroId: { of: sql`coalesce("rubroId", 0)`, none: sql`${sql.lit(NO_RUBRO)}` },
  month: { of: sql`substr(day, 1, 7)`, none: sql`''` },
};

export const within = (day: RawBuilder<unknown>, { from, to }: Partial<Period>) =>
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
export const narrowedRoll = ({ rubroId, ...query }: CostFilter) => sql`${narrowed(query)}
  ${typeof rubroId === 'number' ? sql`and "rubroId" = ${rubroId}` : sql``}`;
