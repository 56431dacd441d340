import { type RawBuilder, sql } from 'kysely';
import { takenBy } from '../../../db/expressions.ts';
import { rolledRows } from '../../../db/rolled-sums.ts';
import type { Db } from '../../../db/schema.ts';
import { addDays, type PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Cents } from '../../../shared/money.ts';
import type { Movement, PettyCashEntry, PettyCashFund } from '../../../shared/petty-cash.ts';
import { fold } from '../../../shared/text.ts';

export interface FundRow extends PettyCashFund {
  balanceCents: Cents;
  /** day of the last movement or payment, until the day asked for */
  lastOn: PlainDate | null;
}

export interface Statement {
  /** in the box before the first entry listed */
  beforeCents: Cents;
  /** the period's entries by day; of very many the last ones */
  entries: PettyCashEntry[];
  /** how many there are in the period */
  count: number;
  ingresosCents: Cents;
  /** gastos and payments to suppliers */
  gastosCents: Cents;
  /** in the box at the period's beginning and end */
  startCents: Cents;
  endCents: Cents;
}

/** As many entries as a page shows; a longer period shows its last ones. */
export const MOST_ENTRIES = 2000;

/** Every fund by name, with what is in it at the end of a day. */
export async function listFunds(db: Db, on: PlainDate): Promise<FundRow[]> {
  const { rows } = await sql<FundRow>`
    select ${fundColumns},
      case when funds."openedOn" > ${on} then 0 else funds."openingCents" + coalesce(
        (select sum(${signed}) from petty_cash_movements m where m."fundId" = funds.id and m.movementdate <= ${on}), 0)
        - coalesce((select sum("takenCents") from ${paid(sql`funds."fundingSourceId"`, sql`cast(funds."openedOn" as text)`, on)} paid), 0) end
        as "balanceCents",
      (select max(days.day) from (
        select max(m.movementdate) as day from petty_cash_movements m
          where m."fundId" = funds.id and m.movementdate <= ${on}
        union all
        select max(p.paymentdate) from payments p where p."origenderecursoId" = funds."fundingSourceId"
          and p.paymentdate between funds."openedOn" and ${on}) days) as "lastOn"
    from petty_cash_funds funds
    join funding_sources sources on sources.id = funds."fundingSourceId"
    order by sources."origenderecursonombreFold", funds.id`.execute(db);
  return rows;
}

/** @throws DomainError not-found */
export async function getFund(db: Db, id: number): Promise<PettyCashFund> {
  const { rows } = await sql<PettyCashFund>`
    select ${fundColumns} from petty_cash_funds funds
    join funding_sources sources on sources.id = funds."fundingSourceId"
    where funds.id = ${id}`.execute(db);
  if (!rows[0]) throw new DomainError('not-found', `No existe la caja chica ${id}.`);
  return rows[0];
}

/** By id, or by name, case and accents aside. @throws DomainError not-found */
export async function findFund(db: Db, who: string): Promise<PettyCashFund> {
  const { rows } = await sql<PettyCashFund>`
    select ${fundColumns} from petty_cash_funds funds
    join funding_sources sources on sources.id = funds."fundingSourceId"
    where ${/^\d{1,9}$/.test(who.trim()) ? sql`funds.id = ${Number(who)}` : sql`sources."origenderecursonombreFold" = ${fold(who)}`}
    order by funds.id`.execute(db);
  if (!rows[0]) throw new DomainError('not-found', `No existe la caja chica «${who.slice(0, 60)}».`);
  return rows[0];
}

/** @throws DomainError not-found */
export async function getMovement(db: Db, id: number): Promise<Movement> {
  const { rows } = await sql<Movement>`
    select m.id, m."fundId", m.movementdate, m.kind, m.concept, m.comprobante, m."amountCents", m."jobId",
      jobs.jobtitle, m."rubroId", rubros.nombrerubro, m.comments, m."userId", m."importId", m."createdAt", m.version
    from petty_cash_movements m
    left join jobs on jobs.id = m."jobId"
    left join rubros on rubros.id = m."rubroId"
    where m.id = ${id}`.execute(db);
  if (!rows[0]) throw new DomainError('not-found', `No existe el movimiento de caja chica ${id}.`);
  return rows[0];
}

/**
 * A fund's movements and payments from one day to another, each with the balance after it. Within a day
 * ingresos come first, then gastos, then payments, each in the order of their capture.
 */
export async function readStatement(
  db: Db,
  fund: PettyCashFund,
  { from, to }: { from: PlainDate; to: PlainDate },
  most = MOST_ENTRIES,
): Promise<Statement> {
  const opened = fund.openedOn <= to ? fund.openingCents : 0;
  const dayBefore = addDays(from, -1);
  const { id, fundingSourceId, openedOn } = fund;
  const { rows } = await sql<Sums>`
    select coalesce(sum(case when day >= ${from} then count end), 0) as count,
      coalesce(sum(case when day <= ${dayBefore} then ingreso - gasto end), 0) as before,
      coalesce(sum(case when day >= ${from} then ingreso end), 0) as ingresos,
      coalesce(sum(case when day >= ${from} then gasto end), 0) as gastos
    from (
      select cast(m.movementdate as text) as day, 1 as count, case when m.kind = 'ingreso' then m."amountCents" else 0 end as ingreso,
        case when m.kind = 'gasto' then m."amountCents" else 0 end as gasto
      from petty_cash_movements m where m."fundId" = ${id} and m.movementdate <= ${to}
      union all
      select paymentdate, count, 0, "takenCents" from ${paid(sql`${fundingSourceId}`, sql`${openedOn}`, to)} paid
    ) sums`.execute(db);
  const { count, before, ingresos, gastos } = rows[0]!;
  const startCents = opened + before;
  const entries = count > 0 ? await readEntries(db, fund, { from, to }, startCents, most) : [];
  const first = entries[0];
  return {
    beforeCents: first ? first.balanceCents - signedCents(first) : startCents,
    entries,
    count,
    ingresosCents: ingresos,
    gastosCents: gastos,
    startCents,
    endCents: startCents + ingresos - gastos,
  };
}

interface Sums {
  count: number;
  before: Cents;
  ingresos: Cents;
  gastos: Cents;
}

/** What was paid from a source between two days, rolled up. */
const paid = (sourceId: RawBuilder<unknown>, from: RawBuilder<unknown>, to: PlainDate) =>
  rolledRows(
    'payment_source_sums',
    {},
    sql`"origenderecursoId" = ${sourceId} and paymentdate between ${from} and ${to}`,
  );

const fundColumns = sql`funds.id, funds."fundingSourceId", sources.origenderecursonombre, funds.responsable,
  funds."openedOn", funds."openingCents", funds.comments, funds."importId", funds."createdAt", funds.version`;

const signed = sql`case when m.kind = 'ingreso' then m."amountCents" else -m."amountCents" end`;

const signedCents = ({ kind, amountCents }: PettyCashEntry): Cents =>
  kind === 'ingreso' ? amountCents : -amountCents;

/** What goes in (above zero) and out until a day; `place` is the order within a day. */
const flow = ({ id, fundingSourceId, openedOn }: PettyCashFund, to: PlainDate) => sql`
  select m.movementdate as day, case when m.kind = 'ingreso' then 0 else 1 end as place, m.id, ${signed} as cents
  from petty_cash_movements m where m."fundId" = ${id} and m.movementdate <= ${to}
  union all
  select p.paymentdate, 2, p.id, -${takenBy('p')}
  from payments p where p."origenderecursoId" = ${fundingSourceId} and p.paymentdate between ${openedOn} and ${to}`;

type Line = Omit<PettyCashEntry, 'kind'> & {
  place: number;
  numfactura: string | null;
  suppliername: string | null;
};

async function readEntries(
  db: Db,
  fund: PettyCashFund,
  { from, to }: { from: PlainDate; to: PlainDate },
  startCents: Cents,
  most: number,
): Promise<PettyCashEntry[]> {
  const { rows } = await sql<Line>`
    select lines.id, lines.place, lines.day as date, m.concept, coalesce(m.comprobante, p.checknum) as comprobante,
      jobs.jobtitle, rubros.nombrerubro, invoices.numfactura, suppliers.suppliername,
      abs(lines.cents) as "amountCents", lines.balance + ${startCents} as "balanceCents"
    from (
      select flow.*, sum(cents) over (order by day, place, id rows unbounded preceding) as balance
      from (${flow(fund, to)}) flow where day >= ${from}
      order by day desc, place desc, id desc limit ${most}
    ) lines
    left join petty_cash_movements m on lines.place < 2 and m.id = lines.id
    left join payments p on lines.place = 2 and p.id = lines.id
    left join invoices on invoices.id = p."facturaproveedorId"
    left join suppliers on suppliers.id = invoices."supplierId"
    left join jobs on jobs.id = coalesce(m."jobId", invoices."jobId")
    left join rubros on rubros.id = coalesce(m."rubroId", invoices."rubroId")
    order by lines.day, lines.place, lines.id`.execute(db);
  return rows.map(({ place, numfactura, suppliername, ...line }) => ({
    ...line,
    kind: KINDS[place]!,
    concept:
      line.concept ??
      `Pago a ${suppliername}, ${numfactura ? `factura ${numfactura}` : 'factura sin número'}`,
  }));
}

const KINDS = ['ingreso', 'gasto', 'pago'] as const;
