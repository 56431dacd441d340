import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';
import { abbreviateClabe, bankNameOf } from '../../../shared/banks.ts';
import { formatCount } from '../../../shared/counts.ts';
import { addDays, daysBetween, type Instant, type PlainDate, plainDateIn } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import { batchName } from '../../../shared/payment-batches.ts';
import { mayEnter } from '../../../shared/roles.ts';
import { pages } from '../../../shared/urls.ts';
import { isConfirmed, readLayouts } from '../bank-files/layouts.ts';
import type { TodayAndTimeZone } from '../invoices/reading.ts';
import { lineHeldCondition } from '../payment-batches/reading.ts';
import { committedExpression, lineUnpaidCondition } from '../payments/committed-amounts.ts';
import { unreimbursedCondition } from '../petty-cash/reading.ts';
import type { Settings } from '../settings/definitions.ts';
import { findUsersWithAccessToAccount } from '../signatures/second-person.ts';

export const SIGNATURE_KINDS = [
  'programacion',
  'reposicion',
  'apertura',
  'aumento',
  'cuenta',
  'plantilla',
] as const;

interface TaskOfKind<Kind> {
  kind: Kind;
  /** the id of the document or request, or the code of a bank's template */
  id: number | string;
  label: string;
  title: string;
  href: string;
  /** null if the task is about no amount */
  cents: Cents | null;
  /** the sum of the lines that checks hold back, which `cents` does not include */
  heldCents: Cents;
  /** the day on which it is to be paid; null if the task is about no amount */
  day: PlainDate | null;
  /** the moment of the document's last change */
  since: Instant;
}

export type AwaitedSignature = TaskOfKind<(typeof SIGNATURE_KINDS)[number]>;
export type Task = (AwaitedSignature | TaskOfKind<'pagar'>) & { waitingDays: number };

interface Signer {
  userId: number;
  roles: readonly number[];
}

/** Reads what this user may sign, longest waiting first. With `now`, leaves out what the user may sign only later. */
export async function readAwaitedSignatures(
  db: Db,
  { userId, roles }: Signer,
  settings: Settings,
  now?: Date,
): Promise<AwaitedSignature[]> {
  if (!mayEnter('trust', roles)) return [];
  const requiresSecondPerson = settings.autorizacion === 'otra';
  // Users sign neither their own documents nor, for some days, those of a person who had access to their account.
  const accountOwners = now
    ? await findUsersWithAccessToAccount(db, userId, settings, now.toISOString())
    : [];
  const involvedUsers = [userId, ...accountOwners];
  const found = await readBankAccountsToConfirm(db, involvedUsers, settings);
  if (mayEnter('approval', roles))
    found.push(
      ...(await readBatchesToSign(db, userId, involvedUsers, requiresSecondPerson)),
      ...(await readPettyCashRequests(db, involvedUsers, requiresSecondPerson)),
      ...(await readUnconfirmedBankLayouts(db, involvedUsers)),
    );
  return found.sort((a, b) => Date.parse(a.since) - Date.parse(b.since));
}

export async function readTasks(
  db: Db,
  signer: Signer,
  settings: Settings,
  { today, timeZone }: TodayAndTimeZone,
  now?: Date,
): Promise<Task[]> {
  const signatures = await readAwaitedSignatures(db, signer, settings, now);
  const toPay = mayEnter('approval', signer.roles)
    ? [...(await readBatchesToPay(db)), ...(await readUnpaidSumsOfPaidBatches(db, today))]
    : [];
  return [...signatures, ...toPay].map((task) => ({
    ...task,
    waitingDays: daysBetween(plainDateIn(new Date(task.since), timeZone), today),
  }));
}

async function readBatchesToSign(
  db: Db,
  userId: number,
  involvedUsers: readonly number[],
  requiresSecondPerson: boolean,
): Promise<AwaitedSignature[]> {
  const users = sql.join(involvedUsers);
  const isOwn = sql`"createdBy" in (${users}) or "editedBy" in (${users}) or exists (
    select 1 from payment_batch_editors e where e."batchId" = b.id and e."userId" in (${users}))`;
  const hasSigned = sql`exists (
    select 1 from payment_batch_signatures s where s."batchId" = b.id and s."userId" = ${userId})`;
  const batches = await readBatchesWithSums(
    db,
    sql`b.estado = 'borrador' and not ${hasSigned}
      and not ((${isOwn}) and ${requiresSecondPerson ? sql`true` : secondPersonRequiredCondition('payment-batches', sql`b.id`)})`,
  );
  return batches.map((batch) => ({
    kind: 'programacion',
    label: `Autorizar la programación ${batch.id}`,
    ...batch,
  }));
}

interface BatchSumsRow extends Pick<AwaitedSignature, 'heldCents' | 'since'> {
  id: number;
  cents: Cents;
  day: PlainDate;
}

/** Sums what is still to be paid: the bank may have paid, or returned, some lines already. */
async function readBatchesWithSums<More = unknown>(db: Db, where: RawBuilder<unknown>, moreColumns = sql``) {
  const { rows } = await sql<BatchSumsRow & More>`
    select b.id, b.fecha as day, b."updatedAt" as since, ${sumOpenLines(unheldLineCondition(db))} as cents,
      ${sumOpenLines(lineHeldCondition(db, 'l'))} as "heldCents" ${moreColumns}
    from payment_batches b where ${where} order by b.fecha, b.id`.execute(db);
  return rows.map(toBatchTask);
}

const toBatchTask = <Row extends BatchSumsRow>(row: Row) => ({
  ...row,
  title: batchName(row.id),
  href: pages.paymentBatch(row.id),
});

const unheldLineCondition = (db: Db) => sql`not ${lineHeldCondition(db, 'l')}`;

const sumOpenLines = (condition: RawBuilder<unknown>) => sql`(select coalesce(sum(l."amountCents"), 0)
  from payment_batch_lines l where l."batchId" = b.id and ${lineUnpaidCondition('l')} and ${condition})`;

/** Reads what signed batches wait for: what the bank has not got yet comes before what the bank is to pay. */
async function readBatchesToPay(db: Db): Promise<TaskOfKind<'pagar'>[]> {
  const unsent = sql`l."sentAt" is null and ${unheldLineCondition(db)}`;
  const hasAccount = sql`exists (select 1 from supplier_accounts a
    where a."supplierId" = l."supplierId" and a."trustedBy" is not null)`;
  const batches = await readBatchesWithSums<Record<'totalCents' | 'unsentCents' | 'sendableCents', Cents>>(
    db,
    sql`b.estado in ('autorizada', 'enviada')`,
    sql`, ${sumOpenLines(unsent)} as "unsentCents", ${sumOpenLines(sql`${unsent} and ${hasAccount}`)} as "sendableCents",
      (select sum(l."amountCents") from payment_batch_lines l where l."batchId" = b.id) as "totalCents"`,
  );
  return batches.map(({ totalCents, unsentCents, sendableCents, ...batch }) => {
    const { title, cents, heldCents } = batch;
    if (cents > 0 && unsentCents === 0)
      return { kind: 'pagar', ...batch, label: `${title}: falta que el banco la pague` };
    const act = sendableCents > 0 ? 'Mandar al banco' : 'Pagar';
    const what = unsentCents + heldCents < totalCents ? 'lo que falta de la' : 'la';
    return { kind: 'pagar', ...batch, cents: unsentCents, label: `${act} ${what} ${title.toLowerCase()}` };
  });
}

/** Older batches do not ask for it: what they left is found among the overdue invoices. */
const UNPAID_SHOWN_DAYS = 31;

/**
 * Reads what paid batches of the last days left unpaid, as far as it is still owed and in no open batch. The order of
 * the joins is fixed: from the open invoices, SQLite would look up a hundred times as many lines.
 */
async function readUnpaidSumsOfPaidBatches(db: Db, today: PlainDate): Promise<TaskOfKind<'pagar'>[]> {
  const { rows } = await sql<Omit<BatchSumsRow, 'heldCents'> & { count: number }>`
    select id, fecha as day, "updatedAt" as since, count(*) as count, sum(cents) as cents
    from (select b.id, b.fecha, b."updatedAt",
        invoices."totalCents" - invoices."paidCents" - ${committedExpression()} as cents
      from payment_batches b
      cross join payment_batch_lines l
      cross join invoices
      where b.estado = 'pagada' and b.fecha >= ${addDays(today, -UNPAID_SHOWN_DAYS)} and l."batchId" = b.id
        and (l."refusedAt" is not null or not exists (select 1 from payments p where p.id = l."paymentId"))
        and invoices.id = l."invoiceId" and invoices."totalCents" > invoices."paidCents"
        and not exists (select 1 from payment_batch_lines later
          where later."invoiceId" = l."invoiceId" and later.id > l.id)) rests
    where cents > 0 group by id, fecha, "updatedAt" order by fecha, id`.execute(db);
  return rows.map(({ count, ...row }) => ({
    kind: 'pagar',
    ...toBatchTask({ ...row, heldCents: 0 }),
    label: `${batchName(row.id)}: ${count === 1 ? 'quedó una factura' : `quedaron ${formatCount(count)} facturas`} sin pagar`,
  }));
}

const PETTY_CASH_REQUEST_LABELS = {
  reposicion: 'Reponer',
  apertura: 'Autorizar la apertura de',
  aumento: 'Autorizar más dinero para',
} as const;

/** If a second person is required, leaves out the user's requests, and funds that the user holds or spent from. */
async function readPettyCashRequests(
  db: Db,
  involvedUsers: readonly number[],
  requiresSecondPerson: boolean,
): Promise<AwaitedSignature[]> {
  const users = sql.join(involvedUsers);
  const hasSpent = sql.join(
    involvedUsers.map((id) => sql`',' || m."spentBy" || ',' like ${`%,${id},%`}`),
    sql` or `,
  );
  const isOwn = sql`f."responsableId" in (${users}) or r."requestedBy" in (${users}) or r."holderId" in (${users})
    or exists (select 1 from petty_cash_movements m where m."fundId" = f.id and ${unreimbursedCondition}
      and case m."spentBy" when '' then m."userId" in (${users}) else ${hasSpent} end)`;
  const { rows } = await sql<
    Pick<AwaitedSignature, 'title' | 'cents' | 'day' | 'since'> & {
      id: number;
      kind: keyof typeof PETTY_CASH_REQUEST_LABELS;
    }
  >`
    select r.id, f.nombre as title, r.fecha as day, r."updatedAt" as since,
      case when r.tipo is null then 'reposicion' when r.amplia = 1 or r.tipo <> 'apertura' then 'aumento' else 'apertura'
        end as kind, coalesce(r."ownCents", (select sum(m."importeCents")
      from petty_cash_movements m where m."replenishmentId" = r.id and m.tipo = 'gasto'), 0) as cents
    from petty_cash_replenishments r join petty_cash_funds f on f.id = r."fundId"
    where r."ownMovementId" is null and not exists (select 1 from petty_cash_movements given
      where given."replenishmentId" = r.id and given.tipo = 'reposicion')
      and not ((${isOwn}) is true and ${requiresSecondPerson ? sql`true` : secondPersonRequiredCondition('petty-cash-replenishments', sql`r.id`)})
    order by r.fecha, r.id`.execute(db);
  return rows.map((row) => ({
    label: `${PETTY_CASH_REQUEST_LABELS[row.kind]} ${row.title}`,
    href: pages.pettyCashReplenishment(row.id),
    heldCents: 0,
    ...row,
  }));
}

/** An account is confirmed by somebody who typed no part of it, even if `autorizacion` requires no second person. */
async function readBankAccountsToConfirm(
  db: Db,
  involvedUsers: readonly number[],
  settings: Settings,
): Promise<AwaitedSignature[]> {
  if (settings['semaforo.cuenta'] === 'ignorar') return [];
  const rows = await db
    .selectFrom('supplier_accounts as a')
    .innerJoin('suppliers', 'suppliers.id', 'a.supplierId')
    .select(['a.id', 'a.supplierId', 'a.clabe', 'a.updatedAt as since', 'suppliers.suppliername as title'])
    .where('a.trustedBy', 'is', null)
    .where('a.createdBy', 'not in', involvedUsers)
    .where('a.editedBy', 'not in', involvedUsers)
    .where(
      sql<SqlBool>`not exists (select 1 from supplier_account_editors e where e."accountId" = a.id and e.confirmed = 0
        and e."userId" in (${sql.join(involvedUsers)}))`,
    )
    .orderBy('a.id')
    .execute();
  return rows.map(({ supplierId, clabe, ...row }) => ({
    kind: 'cuenta',
    label: `Confirmar la cuenta ${bankNameOf(clabe)} ${abbreviateClabe(clabe)} de ${row.title}`,
    href: pages.accountsOfSupplier(supplierId),
    ...NO_AMOUNT,
    ...row,
  }));
}

async function readUnconfirmedBankLayouts(
  db: Db,
  involvedUsers: readonly number[],
): Promise<AwaitedSignature[]> {
  const layouts = await readLayouts(db);
  return layouts.flatMap((stored) => {
    const { customization, layout } = stored;
    if (
      !customization ||
      isConfirmed(stored) ||
      customization.authors.some((id) => involvedUsers.includes(id))
    )
      return [];
    return {
      kind: 'plantilla',
      id: layout.plantilla,
      title: layout.nombre,
      label: `Confirmar la plantilla «${layout.nombre}»`,
      href: pages.layoutToConfirm(layout.plantilla),
      since: customization.changedAt,
      ...NO_AMOUNT,
    };
  });
}

const NO_AMOUNT = { cents: null, heldCents: 0, day: null } as const;

/** Whether a second person was required at some time since the document began. Then its author may not sign it. */
const secondPersonRequiredCondition = (
  entity: string,
  id: RawBuilder<unknown>,
) => sql`exists (select 1 from audit s
  where s.entity = 'settings' and s."entityId" = 'autorizacion' and s.id > (select min(a.id) from audit a
    where a.entity = ${entity} and a."entityId" = cast(${id} as text)))`;
