import { sql } from 'kysely';
import {
  addDaysExpression,
  bankAmountExpression,
  hasDigitCondition,
  isOneOf,
  isOneOfTexts,
  lockRows,
} from '../../../db/expressions.ts';
import { decodeCursor, encodeCursor, type Page } from '../../../db/paging.ts';
import type { Db } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { addDays, daysBetween, type PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Cents } from '../../../shared/money.ts';
import {
  bankAmountOf,
  type DoublePayment,
  type DoublePaymentReason,
  type DoublePaymentState,
  doublePaymentTexts,
  type Payment,
  paymentPairKey,
} from '../../../shared/payments.ts';
import { createRefusal, throwIfRefused } from '../../../shared/refusal.ts';
import { cleanMotivo, fold, isWithinOneEdit } from '../../../shared/text.ts';
import { type Actor, queueAuditEntry } from '../audit/audit.ts';
import { readPayments } from './reading.ts';

/** Payments of one amount to a supplier, and cheques of one number, are compared up to this many days apart. */
const [AMOUNT_DAYS, CHEQUE_DAYS] = [15, 30];
/** If more payments share a number, it is hardly a cheque's, so each pairs only with the nearest earlier payment. */
const MAX_PAYMENTS_PER_CHEQUE = 20;
/** Equal invoices of a supplier are a rent if RENT_INVOICES in a row were each issued RENT_DAYS after the last. */
const [RENT_DAYS, RENT_INVOICES] = [{ from: 28, to: 31 }, 3];

interface DoublePair {
  /** the older one first */
  payments: readonly [number, number];
  reason: DoublePaymentReason;
  /** day and bank amount of the later one */
  day: PlainDate;
  cents: Cents;
}

interface EqualAmountPair {
  first: number;
  second: number;
  day: PlainDate;
  cents: Cents;
  supplierId: number;
  totalCents: Cents;
  otherTotalCents: Cents;
  numberKey: string;
  otherNumberKey: string;
  issued: PlainDate | null;
  otherIssued: PlainDate | null;
}

interface DoublePaymentSearch {
  /** pairs whose later payment is older are left out */
  since?: PlainDate;
  /** pairs whose earlier payment is newer may be left out */
  until?: PlainDate;
  ids?: readonly number[];
  /** pairs of other bank amounts, or of cheques of other numbers, are left out */
  amounts?: readonly Cents[];
  chequeNumbers?: readonly string[];
}

/** Newest first, including the pairs that somebody has dismissed with a reason. */
async function findDoublePayments(db: Db, search: DoublePaymentSearch = {}): Promise<DoublePair[]> {
  const found = await Promise.all([findEqualAmountPairs(db, search), findEqualChequePairs(db, search)]);
  const pairs: DoublePair[] = found.flat();
  // A pair that is found by amount and by cheque is listed once, by amount.
  const byPair = new Map(pairs.reverse().map((pair) => [paymentPairKey(pair.payments), pair]));
  return [...byPair.values()].sort(
    (one, other) => other.day.localeCompare(one.day) || other.payments[1] - one.payments[1],
  );
}

export interface DoublePaymentQuery {
  estado?: DoublePaymentState;
  limit?: number;
  cursor?: string;
}

/** `laterCents` sums the bank amounts of the later payments, each once: what was overpaid if all are double. */
export async function searchDoublePayments(
  db: Db,
  { estado = 'pendientes', limit, cursor }: DoublePaymentQuery,
): Promise<Page<DoublePayment> & { count: number; laterCents: Cents }> {
  const settled = await readDismissedPairs(db);
  const pairs = (await findDoublePayments(db)).filter(
    ({ payments }) => settled.has(pairKey(payments)) === (estado === 'revisados'),
  );
  const start = cursor === undefined ? 0 : Number(decodeCursor(cursor, { kind: 'number' }).value);
  const end = limit === undefined ? pairs.length : start + limit;
  const rows = await completePairs(db, pairs.slice(start, end), { start, settled });
  const next = end < pairs.length ? encodeCursor({ value: end, id: end }) : undefined;
  return { rows, cursor: next, count: pairs.length, laterCents: sumLaterOfEachPair(pairs) };
}

const sumLaterOfEachPair = (pairs: readonly DoublePair[]): Cents =>
  new Map(pairs.map(({ payments, cents }) => [payments[1], cents])).values().reduce((a, b) => a + b, 0);

/** @param pair the two ids, such as "12-34" @throws DomainError not-found where they are no possible double payment */
export async function getDoublePayment(db: Db, pair: string): Promise<DoublePayment> {
  const pairs = await findDoublePayments(db, { ids: parsePairName(pair) });
  const [found] = await completePairs(db, pairs, { start: 0, settled: await readDismissedPairs(db) });
  if (!found) throw new DomainError('not-found', doublePaymentTexts.unknown);
  return found;
}

/** @throws DomainError not-found where `pair` is not two ids */
function parsePairName(pair: string): number[] {
  if (!/^\d{1,15}-\d{1,15}$/.test(pair)) throw new DomainError('not-found', doublePaymentTexts.unknown);
  return pair.split('-').map(Number);
}

/**
 * Stores the reason why the two payments are not one payment made twice.
 * @throws DomainError not-found; invalid without a reason; conflict `double_settled` where somebody was faster
 */
export async function dismissDoublePayment(db: Db, actor: Actor, pair: string): Promise<DoublePayment> {
  const motivo = cleanMotivo(actor.motivo);
  if (!motivo) throwIfRefused(createRefusal(doublePaymentTexts.empty, 'motivo'));
  return inTransaction(db, async (trx) => {
    await lockRows(trx, 'payments', parsePairName(pair));
    const { motivo: former, username, payments } = await getDoublePayment(trx, pair);
    if (former !== null)
      throw new DomainError('conflict', doublePaymentTexts.alreadySettled(username ?? '', former), {
        code: 'double_settled',
      });
    const [paymentId, otherPaymentId] = [payments[0].id, payments[1].id];
    const { id } = await trx
      .insertInto('double_payments')
      .values({ paymentId, otherPaymentId, motivo: motivo!, userId: actor.userId, createdAt: actor.at })
      .returning('id')
      .executeTakeFirstOrThrow();
    queueAuditEntry(trx, actor, {
      action: 'create',
      entity: 'double-payments',
      entityId: id,
      after: { paymentId, otherPaymentId },
    });
    return getDoublePayment(trx, pair);
  });
}

/** Puts the ids in ascending order. A pair's name puts the older payment first, which changes if the dates do. */
const pairKey = ([one, other]: readonly [number, number]) =>
  paymentPairKey([Math.min(one, other), Math.max(one, other)]);

type DismissalsByPair = ReadonlyMap<string, Pick<DoublePayment, 'motivo' | 'username' | 'settledAt'>>;

async function readDismissedPairs(db: Db): Promise<DismissalsByPair> {
  const rows = await db
    .selectFrom('double_payments')
    .leftJoin('users', 'users.id', 'double_payments.userId')
    .select(['paymentId', 'otherPaymentId', 'motivo', 'username', 'double_payments.createdAt as settledAt'])
    .execute();
  return new Map(
    rows.map(({ paymentId, otherPaymentId, ...word }) => [pairKey([paymentId, otherPaymentId]), word]),
  );
}

async function completePairs(
  db: Db,
  pairs: readonly DoublePair[],
  { start, settled }: { start: number; settled: DismissalsByPair },
): Promise<DoublePayment[]> {
  const ids = [...new Set(pairs.flatMap(({ payments }) => payments))];
  const payments = new Map((await readPayments(db, ids)).map((payment) => [payment.id, payment]));
  return pairs.map(({ payments: [first, second], reason }, index) => {
    const pair = paymentPairKey([first, second]);
    const word = settled.get(pairKey([first, second])) ?? { motivo: null, username: null, settledAt: null };
    return {
      id: start + index + 1,
      pair,
      payments: [payments.get(first)!, payments.get(second)!],
      reason,
      ...word,
    };
  });
}

/** @returns by payment id, the newest pair that the payment is in and that nobody has dismissed, such as "12-34" */
export async function readOpenPairNames(
  db: Db,
  payments: readonly Payment[],
): Promise<ReadonlyMap<number, string>> {
  if (payments.length === 0) return new Map();
  const days = payments.map(({ paymentdate }) => paymentdate).sort();
  const pairs = await findOpenPairs(db, {
    since: days[0],
    until: days.at(-1),
    amounts: payments.map(bankAmountOf),
    chequeNumbers: payments.map(({ checknum }) => fold(checknum)),
  });
  return new Map(
    pairs.reverse().flatMap(({ payments: ids }) => ids.map((id) => [id, paymentPairKey(ids)] as const)),
  );
}

/** Leaves out the pairs that somebody has dismissed. */
async function findOpenPairs(db: Db, search: DoublePaymentSearch): Promise<DoublePair[]> {
  const [settled, pairs] = await Promise.all([readDismissedPairs(db), findDoublePayments(db, search)]);
  return pairs.filter(({ payments }) => !settled.has(pairKey(payments)));
}

/** @param since the earliest day of a pair's later payment */
export async function summarizeDoublePayments(db: Db, since: PlainDate) {
  const open = await findOpenPairs(db, { since });
  const newest = { day: open[0]?.day ?? '', id: open[0]?.payments[1] ?? 0 };
  return { count: open.length, laterCents: sumLaterOfEachPair(open), newest };
}

async function findEqualAmountPairs(db: Db, search: DoublePaymentSearch): Promise<DoublePair[]> {
  const { rows } = await sql<EqualAmountPair>`
    with amounts as materialized (
      select p.id, p.paymentdate, p."facturaproveedorId", ${bankAmountExpression('p')} as cents from payments p
      where p.kind = 'pago' ${searchCondition(db, search, AMOUNT_DAYS)}
        ${search.amounts ? sql`and ${bankAmountExpression('p')} in (${sql.join(search.amounts)})` : sql``}),
    paid as materialized (
      select p.id, p.paymentdate, p."facturaproveedorId", p.cents, i."supplierId", i."totalCents", i."numfacturaKey",
        i.fechaemision
      from amounts p join invoices i on i.id = p."facturaproveedorId"
      where p.cents in (select cents from amounts group by cents having count(*) > 1))
    select a.id as first, b.id as second, cast(b.paymentdate as text) as day, b.cents, a."supplierId",
      a."totalCents", b."totalCents" as "otherTotalCents", a."numfacturaKey" as "numberKey",
      b."numfacturaKey" as "otherNumberKey", cast(a.fechaemision as text) as issued,
      cast(b.fechaemision as text) as "otherIssued"
    from paid a join paid b on b."supplierId" = a."supplierId" and b.cents = a.cents
      and b.paymentdate between a.paymentdate and ${addDaysExpression(db, sql`a.paymentdate`, sql`${AMOUNT_DAYS}`)}
      and (b.paymentdate > a.paymentdate or b.id > a.id)
      and b."facturaproveedorId" <> a."facturaproveedorId"
    where ${search.since ? sql`b.paymentdate >= ${search.since}` : sql`true`}`.execute(db);
  const alike = rows.filter(
    (row) =>
      row.totalCents === row.otherTotalCents ||
      // Missing numbers do not count as equal.
      (row.numberKey !== '' &&
        row.otherNumberKey !== '' &&
        isWithinOneEdit(row.numberKey, row.otherNumberKey)),
  );
  const rents = await readRentKeys(db, alike);
  return alike
    .filter((row) => !isRentPair(row, rents))
    .map(({ first, second, day, cents }) => ({ payments: [first, second], reason: 'importe', day, cents }));
}

/** Compares each payment by cheque with earlier ones of the same number to other suppliers. */
async function findEqualChequePairs(db: Db, search: DoublePaymentSearch): Promise<DoublePair[]> {
  const { rows } = await sql<ChequePayment>`
    with cheques as materialized (
      select p.id, p.paymentdate, p."facturaproveedorId", ${bankAmountExpression('p')} as cents,
        p."origenderecursoId" as source, p."checknumFold" as number
      from payments p
      where p.kind = 'pago' and p."origenderecursoId" is not null and ${hasDigitCondition(db, sql`p."checknumFold"`)}
        ${searchCondition(db, search, CHEQUE_DAYS)}
        ${search.chequeNumbers ? sql`and ${isOneOfTexts(db, 'p.checknumFold', search.chequeNumbers)}` : sql``})
    select id, cast(paymentdate as text) as day, cents, "supplierId", concat(source, ' ', number) as cheque,
      (select l."batchId" from payment_batch_lines l where l."paymentId" = used.id) as "batchId"
    from (select p.id, p.paymentdate, p.cents, p.source, p.number, i."supplierId",
        min(i."supplierId") over cheque as "leastId", max(i."supplierId") over cheque as "mostId"
      from cheques p join invoices i on i.id = p."facturaproveedorId"
      where (source, number) in (select source, number from cheques group by source, number having count(*) > 1)
      window cheque as (partition by source, number)) used
    where "leastId" <> "mostId" order by paymentdate, id`.execute(db);
  return [...Map.groupBy(rows, ({ cheque }) => cheque).values()].flatMap((payments) =>
    payments.flatMap((payment, at): DoublePair[] => {
      if (search.since && payment.day < search.since) return [];
      const earlier = payments
        .slice(Math.max(0, at - MAX_PAYMENTS_PER_CHEQUE), at)
        .filter((one) => isDoubleCheque(one, payment))
        .slice(payments.length > MAX_PAYMENTS_PER_CHEQUE ? -1 : 0);
      const { day, cents } = payment;
      return earlier.map(({ id }) => ({ payments: [id, payment.id], reason: 'cheque', day, cents }));
    }),
  );
}

interface ChequePayment {
  id: number;
  day: PlainDate;
  cents: Cents;
  supplierId: number;
  /** A cheque is known by its number and funding source. */
  cheque: string;
  batchId: number | null;
}

/** Payments of one batch do not count, because a batch pays several suppliers with one reference. */
const isDoubleCheque = (one: ChequePayment, other: ChequePayment): boolean =>
  one.supplierId !== other.supplierId &&
  (one.batchId === null || one.batchId !== other.batchId) &&
  daysBetween(one.day, other.day) <= CHEQUE_DAYS;

/** @param days how many days there may be between the payments of a pair */
const searchCondition = (db: Db, { since, until, ids }: DoublePaymentSearch, days: number) =>
  sql`${since ? sql`and p.paymentdate >= ${addDays(since, -days)}` : sql``}
    ${until ? sql`and p.paymentdate <= ${addDays(until, days)}` : sql``}
    ${ids ? sql`and ${isOneOf(db, 'p.id', ids)}` : sql``}`;

const rentKey = (supplierId: number, cents: Cents) => `${supplierId} ${cents}`;

/** @returns keys (rentKey) of suppliers and totals that are invoiced month after month */
async function readRentKeys(db: Db, pairs: readonly EqualAmountPair[]): Promise<ReadonlySet<string>> {
  const rents = new Set<string>();
  const wanted = new Map(
    pairs
      .filter(({ totalCents, otherTotalCents }) => totalCents === otherTotalCents)
      .map((pair) => [rentKey(pair.supplierId, pair.totalCents), pair]),
  );
  for (const [key, { supplierId, totalCents }] of wanted) {
    const issued = await db
      .selectFrom('invoices')
      .select('fechaemision')
      .distinct()
      .where('supplierId', '=', supplierId)
      .where('totalCents', '=', totalCents)
      .where('fechaemision', 'is not', null)
      .orderBy('fechaemision')
      .execute();
    if (isMonthly(issued.map(({ fechaemision }) => fechaemision!))) rents.add(key);
  }
  return rents;
}

/** @param days in ascending order */
function isMonthly(days: readonly PlainDate[]): boolean {
  const lengths = new Map<PlainDate, number>();
  for (const day of days) {
    const before = days.filter((one) => isMonthApart(one, day)).map((one) => lengths.get(one) ?? 1);
    lengths.set(day, 1 + Math.max(0, ...before));
  }
  return Math.max(0, ...lengths.values()) >= RENT_INVOICES;
}

function isMonthApart(one: PlainDate, other: PlainDate): boolean {
  const days = daysBetween(one, other);
  return days >= RENT_DAYS.from && days <= RENT_DAYS.to;
}

/** Two invoices of the same month are not two rents, but may be one rent paid twice. */
const isRentPair = (
  { supplierId, totalCents, otherTotalCents, issued, otherIssued }: EqualAmountPair,
  rents: ReadonlySet<string>,
): boolean =>
  totalCents === otherTotalCents &&
  rents.has(rentKey(supplierId, totalCents)) &&
  issued !== null &&
  otherIssued !== null &&
  Math.abs(daysBetween(issued, otherIssued)) >= RENT_DAYS.from;
