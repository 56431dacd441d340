import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import { mayEnter } from '../../../shared/roles.ts';
import { pages } from '../../../shared/urls.ts';
import { isLineHeld } from '../payment-batches/reading.ts';
import { isNotReplenished } from '../petty-cash/reading.ts';
import type { Settings } from '../settings/definitions.ts';
import { findUsersToWaitFor } from '../signatures/second-person.ts';

export interface Task {
  kind: 'autorizar' | 'pagar' | 'reponer';
  label: string;
  href: string;
  cents: Cents;
  /** the amount that it leaves out */
  heldCents: Cents;
  day: PlainDate;
  /** the user has signed it: it is shown until it is paid, and waits for others */
  isSigned: boolean;
}

/** Nobody does more at one sitting; the lists have all. */
const MAX_TASKS = 20;

/** Every page of an approver asks for these. @param now leaves out what the user may sign only later */
export async function readTasks(
  db: Db,
  { userId, roles }: { userId: number; roles: readonly number[] },
  settings: Settings,
  now?: Date,
): Promise<Task[]> {
  if (!mayEnter('approval', roles)) return [];
  const requiresSecondPerson = settings.autorizacion === 'otra';
  // Users sign neither their own documents nor, for some days, those of a person who had access to their account.
  const accountOwners = now ? await findUsersToWaitFor(db, userId, settings, now.toISOString()) : [];
  const involvedUsers = [userId, ...accountOwners];
  return [
    ...(await readBatchTasks(db, userId, involvedUsers, requiresSecondPerson)),
    ...(await readReplenishmentTasks(db, involvedUsers, requiresSecondPerson)),
  ];
}

interface BatchRow {
  id: number;
  estado: string;
  signed: SqlBool;
}

async function readBatchTasks(
  db: Db,
  userId: number,
  involvedUsers: readonly number[],
  requiresSecondPerson: boolean,
): Promise<Task[]> {
  const users = sql.join(involvedUsers);
  const isOwn = sql`"createdBy" in (${users}) or "editedBy" in (${users}) or exists (
    select 1 from payment_batch_editors e where e."batchId" = b.id and e."userId" in (${users}))`;
  const hasSigned = sql`exists (
    select 1 from payment_batch_signatures s where s."batchId" = b.id and s."userId" = ${userId})`;
  const sumOf = (isHeld: boolean) => sql`(select coalesce(sum(l."amountCents"), 0) from payment_batch_lines l
    where l."batchId" = b.id and ${isHeld ? sql`` : sql`not`} ${isLineHeld(db, 'l')})`;
  const { rows } = await sql<Pick<Task, 'cents' | 'heldCents' | 'day'> & BatchRow>`
    select b.id, b.estado, b.fecha as day, ${sumOf(false)} as cents, ${sumOf(true)} as "heldCents",
      ${hasSigned} as signed
    from payment_batches b
    where b.estado in ('autorizada', 'enviada') or (b.estado = 'borrador' and not ${hasSigned}
      and not ((${isOwn}) and ${requiresSecondPerson ? sql`true` : hasRequiredSecondPerson('payment-batches', sql`b.id`)}))
    order by b.fecha, b.id limit ${MAX_TASKS}`.execute(db);
  return rows.map(({ id, estado, signed, ...amounts }) => {
    const step = { href: pages.paymentBatch(id), ...amounts, isSigned: Boolean(signed) };
    if (estado === 'borrador')
      return { kind: 'autorizar', label: `Autorizar la programación ${id}`, ...step };
    return { kind: 'pagar', label: `Pagar la programación ${id}`, ...step };
  });
}

/** Users who spent of a fund, hold it or requested its money do not give it back alone (petty-cash/requests.ts). */
async function readReplenishmentTasks(
  db: Db,
  involvedUsers: readonly number[],
  requiresSecondPerson: boolean,
): Promise<Task[]> {
  const users = sql.join(involvedUsers);
  const hasSpent = sql.join(
    involvedUsers.map((id) => sql`',' || m."spentBy" || ',' like ${`%,${id},%`}`),
    sql` or `,
  );
  const isOwn = sql`f."responsableId" in (${users}) or r."requestedBy" in (${users}) or r."holderId" in (${users})
    or exists (select 1 from petty_cash_movements m where m."fundId" = f.id and ${isNotReplenished}
      and case m."spentBy" when '' then m."userId" in (${users}) else ${hasSpent} end)`;
  const { rows } = await sql<{ id: number; name: string; day: PlainDate; cents: Cents }>`
    select r.id, f.nombre as name, r.fecha as day, coalesce(r."ownCents", (select sum(m."importeCents")
      from petty_cash_movements m where m."replenishmentId" = r.id and m.tipo = 'gasto'), 0) as cents
    from petty_cash_replenishments r join petty_cash_funds f on f.id = r."fundId"
    where r."ownMovementId" is null and not exists (select 1 from petty_cash_movements given
      where given."replenishmentId" = r.id and given.tipo = 'reposicion')
      and not ((${isOwn}) is true and ${requiresSecondPerson ? sql`true` : hasRequiredSecondPerson('petty-cash-replenishments', sql`r.id`)})
    order by r.fecha, r.id limit ${MAX_TASKS}`.execute(db);
  return rows.map(({ id, name, ...amounts }) => ({
    kind: 'reponer',
    label: `Reponer ${name}`,
    href: pages.pettyCashReplenishment(id),
    ...{ ...amounts, heldCents: 0, isSigned: false },
  }));
}

/** A second person was required at some time since the document began, so its author may not sign it. */
const hasRequiredSecondPerson = (entity: string, id: RawBuilder<unknown>) => sql`exists (select 1 from audit s
  where s.entity = 'settings' and s."entityId" = 'autorizacion' and s.id > (select min(a.id) from audit a
    where a.entity = ${entity} and a."entityId" = cast(${id} as text)))`;
