import { type RawBuilder, sql } from 'kysely';
import { bankAmountExpression } from '../../../db/expressions.ts';
import { tableHasAtMostRows } from '../../../db/paging.ts';
import type { Db } from '../../../db/schema.ts';
import {
  addDays,
  daysBetween,
  describeDaysUntil,
  formatDate,
  formatLongDate,
  formatMoment,
  type PlainDate,
  plainDateIn,
  startOfNextDay,
} from '../../../shared/dates.ts';
import { dueThisWeekFilter, ESTIMATED_MARK } from '../../../shared/invoices-due.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import { lastOverdueDay, sumDueBetween } from '../../../shared/overdue.ts';
import { lastPaymentDayWithRepDue } from '../../../shared/payments.ts';
import { listLastMonths } from '../../../shared/periods.ts';
import { mayEnter } from '../../../shared/roles.ts';
import { pages, withQuery } from '../../../shared/urls.ts';
import { describeEntry, originLabel } from '../audit/entry-descriptions.ts';
import { type AuditEntry, parseEntry } from '../audit/reading.ts';
import { formatMonthAndYear } from '../balances/closing-tasks.ts';
import { summarizeOpenMovements } from '../bank-statements/reading.ts';
import type { LastClosedDay } from '../closing/closing.ts';
import { readLastBackup } from '../database/last-backup.ts';
import { countCancelledInvoices } from '../fiscal/cross-check.ts';
import { fiscalPaths } from '../fiscal/labels.ts';
import { summarizeDefinitivos } from '../fiscal/list-69b.ts';
import { type OpenDaySum, sumOpenByDueDay } from '../invoices/open-sums.ts';
import { buildInvoiceQuery, type TodayAndTimeZone } from '../invoices/reading.ts';
import { summarizeDoublePayments } from '../payments/double-payments.ts';
import { buildPaymentQuery } from '../payments/reading.ts';
import { sumAwaitedVouchers } from '../petty-cash/searching.ts';
import { isSettingKey, type Settings, weakensSetting } from '../settings/definitions.ts';
import type { Notice } from './notice.ts';

/** @param includesSlow also reads notices that take too long in a large firm for the bell, which every page shows */
export async function readNotices(
  db: Db,
  roles: readonly number[],
  settings: Settings,
  day: TodayAndTimeZone,
  { includesSlow: includesSlowNotices = false } = {},
): Promise<readonly Notice[]> {
  const open = await sumOpenByDueDay(db);
  const notices = await Promise.all([
    mayEnter('trust', roles) ? readControlNotices(db, roles, day) : [],
    createDueNotices(open, day),
    mayEnter('fiscal', roles) ? readFiscalNotices(db, day.today) : [],
    readInvoiceAndPaymentNotices(db, day, open, { includesSlow: includesSlowNotices }),
    mayEnter('approval', roles) ? readBankMovementNotice(db) : [],
    mayEnter('admin', roles) ? readBackupAndClosingNotices(db, settings, day) : [],
  ]);
  return notices.flat();
}

export function createDueNotices(
  openDaySums: readonly OpenDaySum[],
  { today }: Pick<TodayAndTimeZone, 'today'>,
): readonly Notice[] {
  const week = dueThisWeekFilter(today);
  const estimated = openDaySums.filter((one) => one.estimated);
  const kinds = [
    {
      key: 'vencidas',
      tone: 'danger',
      nouns: ['factura vencida', 'facturas vencidas'],
      within: [null, lastOverdueDay(today)],
      query: { status: 'vencida' },
    },
    {
      key: 'esta-semana',
      tone: 'warn',
      nouns: ['factura vence esta semana', 'facturas vencen esta semana'],
      within: [week.venceDesde, week.venceHasta],
      query: week,
    },
  ] as const;
  return kinds.flatMap(({ key, tone, nouns: [one, many], within: [from, to], query }) => {
    const { count, sumCents } = sumDueBetween(openDaySums, from, to);
    if (count === 0) return [];
    const mark = sumDueBetween(estimated, from, to).count > 0 ? ESTIMATED_MARK : '';
    const label = `${countText(count, one, many)} por ${formatMoney(sumCents)}${mark}`;
    const href = withQuery(pages.invoices, { ...query, sortfield: 'fechavencimiento' });
    return [{ key, label, statesSums: true, href, tone, count }];
  });
}

const [CONTROL_NOTICE_DAYS, MAX_CONTROL_NOTICES] = [7, 20];

/** Signatures by accounts that somebody else had access to, and weakened controls, newest first. */
async function readControlNotices(
  db: Db,
  roles: readonly number[],
  { today, timeZone }: TodayAndTimeZone,
): Promise<Notice[]> {
  const rows = await db
    .selectFrom('audit')
    .select(['id', 'at', 'userId', 'username', 'origin', 'action', 'entity', 'entityId', 'before', 'after'])
    .where('at', '>=', startOfNextDay(addDays(today, -CONTROL_NOTICE_DAYS - 1), timeZone))
    .where(({ or, eb }) => or([eb('action', '=', 'sign'), eb('entity', '=', 'settings')]))
    .where('userId', 'is not', null)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const notices = rows.map(parseEntry).flatMap((entry): Notice[] => {
    const isSignature = entry.action === 'sign';
    if (!isSignature && !entryWeakensControl(entry)) return [];
    const { id, at, username, origin } = entry;
    const moment = new Date(at);
    const author = origin.startsWith('cli') ? `${username} (${originLabel(origin)})` : username;
    const { text, href: where = pages.accounts } = describeEntry(entry);
    const href = isSignature || mayEnter('admin', roles) ? where : pages.notices;
    const label = `${formatMoment(moment, timeZone)}: ${author} ${text}`;
    const newest = { day: plainDateIn(moment, timeZone), id };
    return [{ key: isSignature ? 'firmas' : 'controles', label, href, tone: 'danger', count: 0, newest }];
  });
  return [...new Map(notices.map((one) => [one.label, one])).values()].slice(0, MAX_CONTROL_NOTICES);
}

const entryWeakensControl = ({ entityId, before, after }: AuditEntry): boolean =>
  isSettingKey(entityId!) && weakensSetting(entityId, String(before?.value), String(after?.value));

const countText = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

async function readBackupAndClosingNotices(
  db: Db,
  settings: Settings,
  day: TodayAndTimeZone,
): Promise<Notice[]> {
  const notices = await Promise.all([
    readBackupNotice(db, Number(settings['respaldo.dias']), day),
    readClosingNotice(db, settings.cierre, day),
  ]);
  return notices.filter((one) => one !== undefined);
}

const CLOSING_DUE_DAY = 5;

async function readClosingNotice(
  db: Db,
  closing: LastClosedDay,
  day: TodayAndTimeZone,
): Promise<Notice | undefined> {
  const [month] = listLastMonths(day.today, 2);
  if (!month || month.to <= closing || Number(day.today.slice(8)) <= CLOSING_DUE_DAY) return undefined;
  const [any] = await buildInvoiceQuery(db, { fechaemisionHasta: month.to }, day)
    .select('invoices.id')
    .limit(1)
    .execute();
  if (!any) return undefined;
  const newest = { day: month.to, id: 0 };
  const href = withQuery(pages.closing, { mes: month.from.slice(0, 7) });
  return {
    key: 'cierre',
    label: `Falta cerrar ${formatMonthAndYear(month)}`,
    href,
    tone: 'warn',
    count: 0,
    newest,
  };
}

async function readBackupNotice(
  db: Db,
  days: number,
  { today, timeZone }: TodayAndTimeZone,
): Promise<Notice | undefined> {
  const last = await readLastBackup(db);
  const at = last?.at ?? (await readFirstAuditMoment(db));
  if (at === undefined) return undefined;
  const day = plainDateIn(new Date(at), timeZone);
  const age = daysBetween(day, today);
  if (age <= days) return undefined;
  const label = last ? `El último respaldo es de hace ${age} días` : 'Todavía no hay ningún respaldo';
  const newest = { day, id: last?.id ?? 0 };
  return { key: 'respaldo', label, href: pages.settingsOf('respaldos'), tone: 'warn', count: 0, newest };
}

const readFirstAuditMoment = async (db: Db): Promise<PlainDate | undefined> =>
  (await db.selectFrom('audit').select('at').orderBy('id').limit(1).executeTakeFirst())?.at;

/** If there are more open invoices or payments than this, the bell leaves a notice out: each row takes some 2 µs. */
const MAX_ROWS_FOR_BELL = 5_000;

export async function readInvoiceAndPaymentNotices(
  db: Db,
  day: TodayAndTimeZone,
  openDaySums: readonly OpenDaySum[],
  { includesSlow }: { includesSlow: boolean },
): Promise<Notice[]> {
  const comparesAll = includesSlow || sumDueBetween(openDaySums, null, null).count <= MAX_ROWS_FOR_BELL;
  const readsAll = includesSlow || (await tableHasAtMostRows(db, MAX_ROWS_FOR_BELL, 'payments'));
  const notices = await Promise.all([
    comparesAll ? readLookalikeNotice(db, day) : undefined,
    readsAll ? readPaymentReceiptNotice(db, day.today) : undefined,
    readDoublePaymentNotice(db, day.today),
    readPettyCashVoucherNotice(db, day.today),
  ]);
  return notices.filter((one) => one !== undefined);
}

/** Only unpaid invoices: once they are paid, nothing can be prevented. */
async function readLookalikeNotice(db: Db, day: TodayAndTimeZone): Promise<Notice | undefined> {
  const filter = { status: 'por-pagar', parecidas: 'si' } as const;
  const found = buildInvoiceQuery(db, filter, day);
  const pending = sql<Cents>`invoices."totalCents" - invoices."paidCents"`;
  const { count, newest, cents } = await countAndFindNewest(found, 'invoices', 'fechaemision', pending);
  if (count === 0) return undefined;
  const label = countText(
    count,
    'factura por pagar se parece a otra',
    'facturas por pagar se parecen a otra',
  );
  return {
    key: 'parecidas',
    label,
    href: withQuery(pages.invoices, filter),
    tone: 'warn',
    count,
    newest,
    cents,
  };
}

const DOUBLE_NOTICE_DAYS = 60;

export async function readDoublePaymentNotice(db: Db, today: PlainDate): Promise<Notice | undefined> {
  const {
    count,
    laterCents: cents,
    newest,
  } = await summarizeDoublePayments(db, addDays(today, -DOUBLE_NOTICE_DAYS));
  if (count === 0) return undefined;
  const label = countText(count, 'posible pago doble', 'posibles pagos dobles');
  return { key: 'dobles', label, cents, href: pages.doublePayments, tone: 'danger', count, newest };
}

async function readPaymentReceiptNotice(db: Db, today: PlainDate): Promise<Notice | undefined> {
  const until = lastPaymentDayWithRepDue(today);
  const found = buildPaymentQuery(db, { rep: 'sin', paymentdateHasta: until });
  const amount = bankAmountExpression('payments');
  const { count, newest, cents } = await countAndFindNewest(found, 'payments', 'paymentdate', amount);
  if (count === 0) return undefined;
  const payments = countText(count, 'pago espera', 'pagos esperan');
  const label = `${payments} un REP que ya venció, de hasta el ${formatLongDate(until)}`;
  const query = { rep: 'sin', paymentdateHasta: until, sortfield: 'paymentdate' };
  return { key: 'rep', label, href: withQuery(pages.payments, query), tone: 'warn', count, newest, cents };
}

async function readBankMovementNotice(db: Db): Promise<Notice[]> {
  const { count, outCents, inCents, newest, firstId } = await summarizeOpenMovements(db);
  if (!newest || firstId === undefined) return [];
  const label = `${countText(count, 'movimiento', 'movimientos')} del banco sin resolver`;
  const detail = `salidas por ${formatMoney(outCents)} · entradas por ${formatMoney(inCents)}`;
  const href = pages.bankMovement(firstId);
  return [{ key: 'movimientos', label, detail, statesSums: true, href, tone: 'info', count, newest }];
}

async function readCancelledInvoiceNotice(db: Db): Promise<Notice[]> {
  const { count, paid, totalCents: cents, newest } = await countCancelledInvoices(db);
  if (count === 0) return [];
  const cancelled = countText(count, 'factura cancelada', 'facturas canceladas');
  const label = `${cancelled} en el SAT${paid > 0 ? `, ${paid < count ? `${paid} ` : ''}ya con pagos` : ''}`;
  return [{ key: 'cancelados', label, cents, href: fiscalPaths.cancelled, tone: 'danger', count, newest }];
}

const readFiscalNotices = async (db: Db, today: PlainDate): Promise<Notice[]> =>
  (await Promise.all([readDefinitivosNotice(db, today), readCancelledInvoiceNotice(db)])).flat();

/** As urgent as on the page Fiscal, with the same sum; without payments, it warns of what is still owed. */
async function readDefinitivosNotice(db: Db, today: PlainDate): Promise<Notice[]> {
  const found = await summarizeDefinitivos(db, today);
  if (!found || found.payments.count + found.owed.count === 0) return [];
  const { payments, owed, deadline, newest } = found;
  const common = { key: 'lista69b', href: fiscalPaths.list69b, tone: 'danger' } as const;
  const suppliers = countText(owed.count, 'proveedor Definitivo', 'proveedores Definitivos');
  const debt = `se le${owed.count === 1 ? '' : 's'} debe ${formatMoney(owed.cents)}`;
  if (payments.count === 0) {
    const label = `${suppliers} en la lista 69-B: ${debt}`;
    return [{ ...common, label, statesSums: true, count: owed.count, newest }];
  }
  const { count, cents } = payments;
  const label = `${countText(count, 'pago', 'pagos')} a Definitivos de la lista 69-B`;
  const term =
    deadline &&
    `${deadline < today ? 'el plazo terminó' : 'hasta'} el ${formatDate(deadline)}, ${describeDaysUntil(deadline, today)}`;
  const detail = [term, owed.count > 0 && `${suppliers}: ${debt}`].filter(Boolean).join(' · ');
  return [{ ...common, label, cents, count, newest, ...(detail && { detail }) }];
}

async function readPettyCashVoucherNotice(db: Db, today: PlainDate): Promise<Notice | undefined> {
  const { late } = await sumAwaitedVouchers(db, today);
  const { count, sumCents: cents, day, id } = late;
  if (count === 0) return undefined;
  const label = `${countText(count, 'gasto', 'gastos')} de caja chica sin comprobar a tiempo`;
  const href = withQuery(pages.pettyCashAwaited, { vencidos: 1 });
  return { key: 'comprobar', label, cents, href, tone: 'warn', count, newest: { day, id } };
}

interface CountableQuery {
  select(columns: unknown): { executeTakeFirstOrThrow(): Promise<unknown> };
}

async function countAndFindNewest(
  rows: CountableQuery,
  table: 'invoices' | 'payments',
  day: string,
  amount: RawBuilder<Cents>,
) {
  const found = await rows
    .select([
      sql<number>`count(*)`.as('count'),
      sql<PlainDate | null>`cast(max(${sql.ref(`${table}.${day}`)}) as text)`.as('day'),
      sql<number | null>`max(${sql.ref(`${table}.id`)})`.as('id'),
      sql<Cents>`coalesce(sum(${amount}), 0)`.as('cents'),
    ])
    .executeTakeFirstOrThrow();
  const row = found as { count: number; day: PlainDate | null; id: number | null; cents: Cents };
  return {
    count: row.count,
    cents: row.cents,
    newest: { day: row.day ?? '', id: row.id ?? 0 },
  };
}
