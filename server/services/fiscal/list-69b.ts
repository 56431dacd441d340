import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { insertRows, valuesTable } from '../../../db/bulk.ts';
import { bankAmountExpression, isOneOf, isOneOfTexts, lockAdvisoryKey } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { formatCount, joinFirst } from '../../../shared/counts.ts';
import { addWorkdays, formatLongDate, mondayOf, type PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Cents } from '../../../shared/money.ts';
import { readIsolated } from '../../formats/reading/isolated-reader.ts';
import {
  badListError,
  type List69b,
  type ListedTaxpayer,
  MAX_LIST_MB,
  SITUATIONS,
  type Situation,
} from '../../formats/sat/list-69b.ts';
import { requireArea } from '../area-access.ts';
import { type Actor, queueAuditEntry } from '../audit/audit.ts';
import { toSafeFilename } from '../files.ts';

/** A shorter file is a part of the list, or another list of the SAT. */
const MIN_ROWS = 5_000;
const MAX_READING_SECONDS = 20;

export interface ListedSupplier {
  supplierId: number;
  suppliername: string;
  rfc: string;
  situacion: Situation;
  presunto: PlainDate | null;
  definitivo: PlainDate | null;
  cuenta: number;
  pagadoCents: Cents;
}

export interface ListedPayment extends Omit<ListedSupplier, 'cuenta'> {
  id: number;
  fecha: PlainDate;
  numfactura: string;
  uuid: string | null;
  /**
   * the supplier's situation on the day of the payment: by the days on which the SAT published it, else by the lists of
   * that day or earlier; null: not on the list
   */
  alPagar: Situation | null;
}

export interface List69bReport {
  /** null: no list was imported yet */
  corte: PlainDate | null;
  filas: number;
  proveedores: ListedSupplier[];
  pagos: ListedPayment[];
  pagadoCents: Cents;
}

export const missingListFileError = (): DomainError =>
  new DomainError('invalid', MISSING_FILE_MESSAGE, { fields: { file: MISSING_FILE_MESSAGE } });

const MISSING_FILE_MESSAGE = 'Elige el archivo de la lista.';

/** @throws DomainError forbidden, invalid bad_list, conflict old_list, too-large, busy */
export async function importList69b(
  db: Db,
  actor: Actor,
  { filename, bytes }: { filename: string; bytes: Uint8Array },
  { signal, maxSeconds = MAX_READING_SECONDS }: { signal?: AbortSignal; maxSeconds?: number } = {},
): Promise<List69bReport & { warnings: string[] }> {
  requireArea(actor, 'fiscal');
  if (bytes.length > MAX_LIST_MB * 1024 * 1024)
    throw new DomainError('too-large', `El archivo pasa de ${MAX_LIST_MB} MB.`);
  const name = toSafeFilename(filename);
  const list = await readIsolated(
    'list69b',
    { name, bytes },
    { userId: actor.userId, signal, seconds: maxSeconds },
  );
  if (list.filas < MIN_ROWS)
    throw badListError(
      `Trae ${formatCount(list.filas)} renglones, y la lista completa pasa de ${formatCount(MIN_ROWS)}.`,
    );
  await storeList69b(
    db,
    actor,
    { filename: name, sha256: createHash('sha256').update(bytes).digest('hex') },
    list,
  );
  const { unreadLines } = list;
  const warnings =
    unreadLines.length > 0
      ? [
          `No se entiende el RFC de ${formatCount(unreadLines.length)} renglones: líneas ${joinFirst(unreadLines, 5)}.`,
        ]
      : [];
  return { ...(await readList69bReport(db)), warnings };
}

/** Replaces the whole list. Rows of suppliers that left it, or whose situation changed, are kept as history. */
export async function storeList69b(
  db: Db,
  actor: Actor,
  file: { filename: string; sha256: string },
  { corte, filas, rows }: Omit<List69b, 'unreadLines'>,
): Promise<void> {
  if (corte > actor.today) throw badListError(`Su corte, el ${formatLongDate(corte)}, todavía no llega.`);
  await inTransaction(db, async (trx) => {
    await lockAdvisoryKey(trx, 'sat:69b');
    const before = await readCutDate(trx);
    if (before !== null && corte <= before)
      throw new DomainError(
        'conflict',
        `Ya está cargada la lista del ${formatLongDate(before)}; esta es del ${formatLongDate(corte)}.`,
        { code: 'old_list' },
      );
    const known = await trx
      .selectFrom('sat_69b')
      .selectAll()
      .where('vistoHasta', '=', before ?? corte)
      .execute();
    const knownByRfc = new Map(known.map((row) => [row.rfc, row]));
    const added = rows.filter(({ rfc, situacion }) => knownByRfc.get(rfc)?.situacion !== situacion);
    const kept = rows.filter(({ rfc, situacion }) => knownByRfc.get(rfc)?.situacion === situacion);
    const values = kept.map(({ rfc: r, presunto: p, definitivo: d }) => ({ r, p, d }));
    if (values.length > 0)
      await sql`update sat_69b set "vistoHasta" = ${corte}, presunto = w.p, definitivo = w.d
        from ${valuesTable(trx, { r: 'text', p: 'date', d: 'date' }, values)} as w
        where sat_69b.rfc = w.r and sat_69b."vistoHasta" = ${before}`.execute(trx);
    await insertRows(
      trx,
      'sat_69b',
      added.map((row) => ({ ...row, vistoDesde: corte, vistoHasta: corte })),
    );
    const { id } = await trx
      .insertInto('sat_69b_loads')
      .values({ ...file, corte, filas, userId: actor.userId || null, createdAt: actor.at })
      .returning('id')
      .executeTakeFirstOrThrow();
    const after = { archivo: file.filename, sha256: file.sha256, corte, filas, cambiados: added.length };
    queueAuditEntry(trx, actor, { action: 'import', entity: 'sat-69b', entityId: id, after });
  });
}

export async function readCutDate(db: Db): Promise<PlainDate | null> {
  const [last] = await db
    .selectFrom('sat_69b_loads')
    .select('corte')
    .orderBy('corte', 'desc')
    .limit(1)
    .execute();
  return last?.corte ?? null;
}

/** @returns by RFC what the last list says; RFCs that are not on it are absent */
export async function readSituations(db: Db, rfcs: readonly string[]) {
  const corte = rfcs.length > 0 ? await readCutDate(db) : null;
  if (corte === null) return new Map<string, never>();
  const rows = await db
    .selectFrom('sat_69b')
    .select(['rfc', 'situacion', 'presunto', 'definitivo'])
    .where(isOneOfTexts(db, 'rfc', rfcs))
    .where('vistoHasta', '=', corte)
    .execute();
  return new Map(rows.map((row) => [row.rfc, { ...row, corte }]));
}

export async function readSituation(
  db: Db,
  rfc: unknown,
): Promise<{ situacion: Situation; corte: PlainDate } | null> {
  const found = rfc ? (await readSituations(db, [String(rfc)])).get(String(rfc)) : undefined;
  return found ? { situacion: found.situacion, corte: found.corte } : null;
}

export async function readList69bReport(db: Db): Promise<List69bReport> {
  const load = await db
    .selectFrom('sat_69b_loads')
    .select(['corte', 'filas'])
    .orderBy('corte', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!load) return { corte: null, filas: 0, proveedores: [], pagos: [], pagadoCents: 0 };
  const { rows: listed } = await sql<Omit<ListedSupplier, 'cuenta' | 'pagadoCents'>>`
    select s.id as "supplierId", s.suppliername, s.rfc, l.situacion, l.presunto, l.definitivo
    from suppliers s join sat_69b l on l.rfc = s.rfc and l."vistoHasta" = ${load.corte}
    order by s."suppliernameFold", s.id`.execute(db);
  const ids = listed.map(({ supplierId }) => supplierId);
  const { rows: paid } = await sql<ListedPaymentRow>`
    select i."supplierId", p.id, p.paymentdate as fecha, i.numfactura, i.uuid, ${bankAmountExpression('p')} as "pagadoCents",
      (select h.situacion from sat_69b h join suppliers s on s.rfc = h.rfc where s.id = i."supplierId"
        and h."vistoDesde" <= p.paymentdate order by h."vistoDesde" desc limit 1) as visto
    from invoices i join payments p on p."facturaproveedorId" = i.id
    where ${isOneOf(db, 'i.supplierId', ids)} and p.kind = 'pago' order by p.paymentdate, p.id`.execute(db);
  const paidTo = Map.groupBy(paid, ({ supplierId }) => supplierId);
  const sum = (rows: readonly { pagadoCents: Cents }[]) =>
    rows.reduce((cents, one) => cents + one.pagadoCents, 0);
  const proveedores = SITUATIONS.flatMap((situacion) =>
    listed.filter((one) => one.situacion === situacion),
  ).map((one): ListedSupplier => {
    const own = paidTo.get(one.supplierId) ?? [];
    return { ...one, cuenta: own.length, pagadoCents: sum(own) };
  });
  const pagos = proveedores.flatMap(({ cuenta: _count, ...one }): ListedPayment[] =>
    one.situacion === 'definitivo'
      ? (paidTo.get(one.supplierId) ?? []).map(({ visto, ...own }) => ({
          ...{ ...one, ...own },
          alPagar: findSituationPublishedUpTo(one, own.fecha) ?? visto,
        }))
      : [],
  );
  return { ...load, proveedores, pagos, pagadoCents: sum(pagos) };
}

interface DefinitivosSummary {
  /** what the SAT expects to be proved or corrected, until `deadline` */
  payments: { count: number; cents: Cents };
  /** suppliers with open invoices */
  owed: { count: number; cents: Cents };
  deadline: PlainDate | null;
  /** It grows with each payment, each invoice and each supplier that becomes Definitivo, even one with older payments. */
  newest: { day: PlainDate; id: number };
}

/** @returns what was paid and is owed to suppliers that are Definitivo now; undefined if no supplier is */
export async function summarizeDefinitivos(
  db: Db,
  today: PlainDate,
): Promise<DefinitivosSummary | undefined> {
  const { rows: listed } = await sql<SituationAndDate & { supplierId: number; vistoDesde: PlainDate }>`
    select s.id as "supplierId", l.situacion, l.definitivo, l."vistoDesde"
    from suppliers s join sat_69b l on l.rfc = s.rfc and l.situacion = 'definitivo'
    where l."vistoHasta" = (select max(corte) from sat_69b_loads)`.execute(db);
  if (listed.length === 0) return undefined;
  const ids = listed.map(({ supplierId }) => supplierId);
  const { rows: payments } = await sql<CountRow>`
    select count(*) as count, coalesce(sum(${bankAmountExpression('p')}), 0) as cents,
      cast(max(p.paymentdate) as text) as day, max(p.id) as id
    from invoices i join payments p on p."facturaproveedorId" = i.id
    where ${isOneOf(db, 'i.supplierId', ids)} and p.kind = 'pago'`.execute(db);
  const { rows: owed } = await sql<Omit<CountRow, 'day'>>`
    select count(distinct "supplierId") as count, coalesce(sum("totalCents" - "paidCents"), 0) as cents,
      max(id) as id
    from invoices where ${isOneOf(db, 'supplierId', ids)} and "paidCents" < "totalCents"`.execute(db);
  const days = [payments[0]!.day ?? '', ...listed.map(({ vistoDesde }) => vistoDesde)];
  return {
    payments: toCountAndSum(payments[0]!),
    owed: toCountAndSum(owed[0]!),
    deadline: pickNextCorrectionDeadline(listed, today),
    newest: { day: days.sort().at(-1)!, id: (payments[0]!.id ?? 0) + (owed[0]!.id ?? 0) },
  };
}

interface CountRow {
  count: number;
  cents: Cents;
  day: PlainDate | null;
  id: number | null;
}

const toCountAndSum = ({ count, cents }: Pick<CountRow, 'count' | 'cents'>) => ({
  count: Number(count),
  cents: Number(cents),
});

interface ListedPaymentRow
  extends Pick<ListedPayment, 'supplierId' | 'id' | 'fecha' | 'numfactura' | 'uuid' | 'pagadoCents'> {
  visto: Situation | null;
}

/**
 * The term to prove the invoices of a supplier, or to correct the tax returns, from the day on which the SAT published
 * it as Definitivo (CFF 69-B). By CFF 12 it is in working days. The SAT's own vacations would lengthen it, but they
 * differ each year, so their days are counted.
 */
const WORKDAYS_TO_CORRECT = 30;

type SituationAndDate = Pick<ListedSupplier, 'situacion' | 'definitivo'>;

export const computeCorrectionDeadline = ({ definitivo, situacion }: SituationAndDate): PlainDate | null =>
  situacion === 'definitivo' && definitivo !== null
    ? addWorkdays(definitivo, WORKDAYS_TO_CORRECT, isTaxHoliday)
    : null;

/** Counts the suppliers that are Presunto, and sums what was paid to them. */
export function countAndSumPresuntos(suppliers: readonly ListedSupplier[]): { count: number; cents: Cents } {
  const presuntos = suppliers.filter(({ situacion }) => situacion === 'presunto');
  return { count: presuntos.length, cents: presuntos.reduce((sum, { pagadoCents }) => sum + pagadoCents, 0) };
}

/** @returns the suppliers' next deadline or, if all have passed, the last one; null: no supplier has a deadline */
export function pickNextCorrectionDeadline(
  suppliers: readonly SituationAndDate[],
  today: PlainDate,
): PlainDate | null {
  const days = suppliers.flatMap((supplier) => computeCorrectionDeadline(supplier) ?? []).sort();
  return days.find((day) => day >= today) ?? days.at(-1) ?? null;
}

/** The holidays of CFF 12, except the day on which the federal government changes, which is next 1 October 2030. */
function isTaxHoliday(day: PlainDate): boolean {
  const [month, dayOfMonth] = [day.slice(5, 7), Number(day.slice(8))];
  return (
    FIXED_HOLIDAYS.has(day.slice(5)) ||
    (mondayOf(day) === day && Math.ceil(dayOfMonth / 7) === HOLIDAY_MONDAYS[month])
  );
}

const FIXED_HOLIDAYS = new Set(['01-01', '05-01', '05-05', '09-16', '12-25']);

/** The months with a holiday on a Monday, and which of the month's Mondays it is. */
const HOLIDAY_MONDAYS: Readonly<Record<string, number>> = { '02': 1, '03': 3, '11': 3 };

const findSituationPublishedUpTo = (
  { definitivo, presunto }: Pick<ListedTaxpayer, 'definitivo' | 'presunto'>,
  day: PlainDate,
) => {
  if (definitivo !== null && definitivo <= day) return 'definitivo';
  return presunto !== null && presunto <= day ? 'presunto' : undefined;
};
