import { sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';
import { computeAging, type OwedInvoice } from '../../../shared/aging.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { formatForeign, formatImpliedRate, toForeignCents } from '../../../shared/foreign-amounts.ts';
import { isDueEstimated } from '../../../shared/invoices-due.ts';
import type { Cents } from '../../../shared/money.ts';
import type { RepState } from '../../../shared/payments.ts';
import { requireOrderedPeriod } from '../../../shared/periods.ts';
import { readInvoicesOpenAt } from '../balances/balances.ts';
import type { OpenInvoiceRow } from '../balances/report-layout.ts';
import { readAllNamesById } from '../by-name.ts';
import { sumUnappliedCreditNotes } from '../credit-notes/reading.ts';
import type { TodayAndTimeZone } from '../invoices/reading.ts';
import { paymentAwaitsReceiptCondition, paymentHasReceiptCondition } from '../payments/reading.ts';

export const STATEMENT_LINE_KINDS = ['factura', 'pago', 'credito', 'diferencia'] as const;
type StatementLineKind = (typeof STATEMENT_LINE_KINDS)[number];

export const STATEMENT_LINE_KIND_LABELS: Record<StatementLineKind, string> = {
  factura: 'Factura',
  pago: 'Pago',
  credito: 'Nota de crédito',
  diferencia: 'Diferencia cambiaria',
};

export interface StatementLine {
  /** the invoice's day, or the payment's, but never before that of its invoice */
  date: PlainDate;
  kind: StatementLineKind;
  id: number;
  invoiceId: number;
  numfactura: string;
  jobtitle: string;
  /** the UUID of the invoice or credit note */
  uuid: string | null;
  /** the number of the cheque or credit note */
  reference: string;
  /** whether the supplier's REP for the payment has come; null if none is due */
  rep: RepState | null;
  /** the invoice's currency; null: pesos */
  moneda: string | null;
  /** the invoice's rate; for an exchange difference, the rate at which the bank paid */
  tipocambio: string | null;
  foreignCents: Cents | null;
  /** what left the bank beyond what was settled, on a line of its own that changes no balance */
  exchangeCents: Cents | null;
  chargeCents: Cents;
  creditCents: Cents;
  balanceCents: Cents;
}

export interface SupplierStatementQuery {
  supplierId: number;
  desde?: PlainDate | null;
  hasta?: PlainDate | null;
}

export type SupplierStatement = Awaited<ReturnType<typeof readSupplierStatement>>;

/**
 * Estado de cuenta. Its closing balance equals the supplier's in Saldos por proveedor at the end of that day.
 * @param limit the number of lines, the last ones; all by default
 * @throws DomainError not-found; malformed where the period ends before it begins
 */
export async function readSupplierStatement(
  db: Db,
  { supplierId, desde, hasta }: SupplierStatementQuery,
  day: TodayAndTimeZone,
  limit = Infinity,
) {
  const from = desde ?? null;
  const to = hasta ?? day.today;
  if (from !== null) requireOrderedPeriod({ from, to });
  const supplier = await getSupplier(db, supplierId);
  const period = { supplierId, from: from ?? EARLIEST_DAY, to };
  const { movements, firstDay, chargeCents, creditCents, closingCents } = await sumMovements(db, period);
  const lines = await readLines(db, period, closingCents, limit);
  const owed = await completeOwedInvoices(db, await readInvoicesOpenAt(db, { supplierId }, to, day));
  return {
    supplier,
    /** null: from the beginning */
    from,
    to,
    openingCents: closingCents - chargeCents + creditCents,
    /** Lines are sorted by day; on the same day invoices come first. */
    lines: lines.flatMap(splitExchangeDifference),
    /** the movements of the period before those lines, and the day of its first one */
    omittedCount: movements - lines.length,
    firstDay,
    chargeCents,
    creditCents,
    closingCents,
    aging: computeAging(owed, to),
    /** the invoices that are open at the end of the period, by due day */
    owed,
    /** what is left of credit notes, which no balance includes */
    unappliedCents: (await sumUnappliedCreditNotes(db, { supplierId, corte: to, estado: 'con-saldo' }))
      .sumCents,
  };
}

/** Every stored date is later than this, in SQLite and in PostgreSQL. */
const EARLIEST_DAY: PlainDate = '0001-01-01';

/** @throws DomainError not-found */
export async function getSupplier(db: Db, id: number) {
  const supplier = await db
    .selectFrom('suppliers')
    .select(['id', 'suppliername', 'rfc', 'suppliercontactemail'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!supplier) throw new DomainError('not-found', `No existe el proveedor ${id}.`);
  return supplier;
}

interface SupplierPeriod {
  supplierId: number;
  from: PlainDate;
  to: PlainDate;
}

/**
 * A supplier's movements until a day. An invoice counts by its issue date, or without one by its capture, as in Saldos
 * por proveedor. A payment dated before its invoice counts on the invoice's day, so that no balance falls below zero.
 */
function buildMovementsQuery({ supplierId, to }: SupplierPeriod) {
  const day = sql`coalesce(invoices.fechaemision, invoices.fechacaptura)`;
  const paid = sql`case when payments.paymentdate < ${day} then ${day} else payments.paymentdate end`;
  return sql`(
    select ${day} as date, 0 as place, id, id as "invoiceId", "totalCents" as "chargeCents", 0 as "creditCents"
      from invoices where "supplierId" = ${supplierId} and ${day} <= ${to}
    union all
    select ${paid}, 1, payments.id, invoices.id, 0, payments."amountCents"
      from invoices cross join payments
      where "supplierId" = ${supplierId} and payments."facturaproveedorId" = invoices.id and ${paid} <= ${to}) movements`;
}

async function sumMovements(db: Db, period: SupplierPeriod) {
  const sumWithinPeriodExpression = (cents: 'chargeCents' | 'creditCents') =>
    sql`coalesce(sum(case when date >= ${period.from} then ${sql.ref(cents)} else 0 end), 0) as ${sql.ref(cents)}`;
  const dayWithinPeriodExpression = sql`case when date >= ${period.from} then date end`;
  const { rows } = await sql<
    Record<'chargeCents' | 'creditCents' | 'closingCents', Cents> & {
      movements: number;
      firstDay: PlainDate | null;
    }
  >`
    select ${sumWithinPeriodExpression('chargeCents')}, ${sumWithinPeriodExpression('creditCents')},
      count(${dayWithinPeriodExpression}) as movements, min(${dayWithinPeriodExpression}) as "firstDay",
      coalesce(sum("chargeCents" - "creditCents"), 0) as "closingCents" from ${buildMovementsQuery(period)}`.execute(
    db,
  );
  return rows[0]!;
}

async function readLines(
  db: Db,
  period: SupplierPeriod,
  closing: Cents,
  limit: number,
): Promise<StatementLineRow[]> {
  const { rows } = await sql<Omit<StatementLineRow, 'balanceCents'>>`
    select last.date, coalesce(payments.kind, 'factura') as kind, last.id, last."invoiceId",
      invoices.numfactura, jobs.jobtitle, case when last.place = 0 then invoices.uuid else credit_notes.uuid end as uuid,
      case when last.place = 0 then '' when payments.kind = 'credito' then coalesce(credit_notes.numero, '')
        else payments.checknum end as reference,
      case when last.place = 0 then null when ${paymentHasReceiptCondition} then 'con' when ${paymentAwaitsReceiptCondition} then 'sin' end as rep,
      invoices.moneda, invoices.tipocambio, payments."importemonedaCents" as "foreignPaidCents",
      case when payments.kind = 'pago' then payments."importebancoCents" end as "bankCents",
      last."chargeCents", last."creditCents"
    from (select * from ${buildMovementsQuery(period)} where date >= ${period.from}
        order by date desc, place desc, id desc ${limit === Infinity ? sql`` : sql`limit ${limit}`}) last
      join invoices on invoices.id = last."invoiceId" join jobs on jobs.id = invoices."jobId"
      left join payments on last.place = 1 and payments.id = last.id
      left join credit_notes on credit_notes.id = payments."creditNoteId"
    order by last.date desc, last.place desc, last.id desc`.execute(db);
  let balance = closing;
  const lines = rows.map((row) => {
    const balanceCents = balance;
    balance -= row.chargeCents - row.creditCents;
    return { ...row, balanceCents };
  });
  return lines.reverse();
}

interface StatementLineRow extends Omit<StatementLine, 'foreignCents' | 'exchangeCents'> {
  foreignPaidCents: Cents | null;
  bankCents: Cents | null;
}

/** A payment of a foreign invoice is followed by its exchange difference, which is owed to nobody. */
function splitExchangeDifference({
  foreignPaidCents,
  bankCents,
  ...read
}: StatementLineRow): StatementLine[] {
  const { tipocambio, chargeCents, creditCents } = read;
  if (tipocambio === null) return [{ ...read, foreignCents: null, exchangeCents: null }];
  const foreignCents = foreignPaidCents ?? toForeignCents(chargeCents + creditCents, tipocambio);
  const line = { ...read, foreignCents, exchangeCents: null };
  if (bankCents === null) return [line];
  const difference: StatementLine = {
    ...line,
    kind: 'diferencia',
    ...{ uuid: null, rep: null, chargeCents: 0, creditCents: 0 },
    // A payment of a few centavos may be less than a cent of the currency, which gives no rate.
    tipocambio: foreignCents > 0 ? formatImpliedRate(bankCents, foreignCents) : tipocambio,
    exchangeCents: bankCents - creditCents,
  };
  return [line, difference];
}

export const describeForeignLine = ({ moneda, tipocambio, foreignCents }: StatementLine): string | null =>
  moneda === null ? null : `${formatForeign(foreignCents!, moneda)} a ${Number(tipocambio)}`;

/** @returns them by due day */
export async function completeOwedInvoices(
  db: Db,
  openInvoices: readonly OpenInvoiceRow[],
): Promise<OwedInvoice[]> {
  const jobs = await readAllNamesById(db, 'jobs', 'jobtitle');
  return openInvoices
    .map(({ id, numfactura, jobId, vence, fechavencimiento, pendingCents }) => ({
      invoiceId: id,
      numfactura,
      jobtitle: jobs.get(jobId)!,
      vence,
      isEstimated: isDueEstimated({ fechavencimiento }),
      pendingCents,
    }))
    .sort((a, b) => (a.vence < b.vence ? -1 : a.vence > b.vence ? 1 : a.invoiceId - b.invoiceId));
}
