import { type SqlBool, sql } from 'kysely';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { Instant } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { MailAccount } from '../../formats/mail-account.ts';
import { type Actor, queueAuditEntry } from '../audit/audit.ts';
import { deleteUnusedFiles } from '../files.ts';
import { lockRow } from '../stored-rows.ts';
import { type Mail, mailTexts as texts } from './mail.ts';
import { getMail } from './reading.ts';
import { type DeliveryOutcome, type DeliveryTimeouts, type OutgoingMail, sendMail } from './smtp.ts';

/** So many minutes pass from each failed try to the next one: there are five tries within a day. */
const RETRY_WAITS_MINUTES = [5, 55, 5 * 60, 18 * 60];

/** Longer than any delivery takes (smtp.ts): a claim that is older was left by a server that has stopped. */
const CLAIM_MS = 15 * 60_000;

interface Claim {
  id: number;
  claimedUntil: Instant;
}

interface DeliveryContext {
  /** the actor to record with what is written at that moment */
  actorAt(now: Date): Actor;
  now(): Date;
  signal: AbortSignal;
  limits?: DeliveryTimeouts;
}

/**
 * Sends the mails that are due, one after another. Each is claimed first, so that only one of several servers sends it,
 * and marked as handed over before its text goes out. After a crash, a mail with that mark may have been sent, so it is
 * not sent again automatically.
 */
export async function deliverDueMails(
  db: Db,
  account: MailAccount,
  { actorAt, now, signal, limits }: DeliveryContext,
): Promise<void> {
  while (!signal.aborted) {
    const claimed = await claimNextMail(db, actorAt(now()));
    if (!claimed) return;
    const outcome = await sendMail(account, claimed.mail, {
      handOver: () => markHandedOver(db, claimed.claim),
      signal,
      now: now(),
      limits,
    });
    await inTransaction(db, (trx) => storeDeliveryOutcome(trx, actorAt(now()), claimed.claim, outcome));
  }
}

export async function claimNextMail(
  db: Db,
  actor: Actor,
): Promise<{ claim: Claim; mail: OutgoingMail } | undefined> {
  const { at } = actor;
  const isDue = sql<SqlBool>`estado = 'espera' and coalesce("claimedUntil", proximo) <= ${at}`;
  // Nothing is written where no mail is due, since every write invalidates the cached answers of all pages.
  const due = await db.selectFrom('mails').select('id').where(isDue).limit(1).executeTakeFirst();
  if (!due) return undefined;
  const claimedUntil = new Date(Date.parse(at) + CLAIM_MS).toISOString();
  return inTransaction(db, async (trx) => {
    await releaseAbandonedClaims(trx, actor);
    const first = trx.selectFrom('mails').select('id').where(isDue).orderBy('proximo').orderBy('id').limit(1);
    const claimed = await trx
      .updateTable('mails')
      .set({ claimedUntil, intentos: sql`intentos + 1`, updatedAt: at })
      .where('id', '=', first)
      // PostgreSQL checks this again for a row that another server has claimed meanwhile.
      .where(isDue)
      .returning(['id', 'para', 'asunto', 'texto', 'filename', 'sha256', 'messageId'])
      .executeTakeFirst();
    if (!claimed) return undefined;
    const { id, sha256, ...letter } = claimed;
    const file = trx.selectFrom('files').select('bytes').where('sha256', '=', sha256);
    const { bytes: pdf } = await file.executeTakeFirstOrThrow();
    return { claim: { id, claimedUntil }, mail: { ...letter, pdf } };
  });
}

async function releaseAbandonedClaims(trx: Trx, actor: Actor): Promise<void> {
  const left = await trx
    .selectFrom('mails')
    .select(['id', 'claimedUntil', 'handedOver'])
    .where('estado', '=', 'espera')
    .where('claimedUntil', '<=', actor.at)
    .execute();
  for (const { id, claimedUntil, handedOver } of left) {
    const kind = handedOver ? 'unknown' : 'failed';
    await storeDeliveryOutcome(
      trx,
      actor,
      { id, claimedUntil: claimedUntil! },
      { kind, response: texts.interrupted },
    );
  }
}

/** @throws Error where another server has taken the mail over */
async function markHandedOver(db: Db, { id, claimedUntil }: Claim): Promise<void> {
  const marked = await inTransaction(db, (trx) =>
    trx
      .updateTable('mails')
      .set({ handedOver: 1 })
      .where('id', '=', id)
      .where('claimedUntil', '=', claimedUntil)
      .returning('id')
      .executeTakeFirst(),
  );
  if (!marked) throw new Error(`mail ${id} is no longer claimed by this server`);
}

export async function storeDeliveryOutcome(
  trx: Trx,
  actor: Actor,
  { id, claimedUntil }: Claim,
  { kind, response }: DeliveryOutcome,
): Promise<void> {
  await lockRow(trx, 'mails', id);
  const isClaimed = trx.selectFrom('mails').select('sha256').where('id', '=', id);
  const row = await isClaimed.where('claimedUntil', '=', claimedUntil).executeTakeFirst();
  if (!row) return;
  const before = await getMail(trx, id);
  const wait =
    kind === 'stopped' ? 0 : kind === 'failed' ? RETRY_WAITS_MINUTES[before.intentos - 1] : undefined;
  const proximo = wait === undefined ? null : new Date(Date.parse(actor.at) + wait * 60_000).toISOString();
  const change = {
    estado: kind === 'sent' ? 'enviado' : proximo ? 'espera' : 'fallo',
    respuesta: kind === 'unknown' ? texts.unknown : response || before.respuesta,
    proximo,
    intentos: before.intentos - (kind === 'stopped' ? 1 : 0),
    ...(kind === 'sent' && { sha256: null }),
  } as const;
  await updateMailState(trx, actor, before, change);
  // A PDF that was sent need not be kept: it can be made again from the books.
  if (kind === 'sent') await deleteUnusedFiles(trx, [row.sha256!]);
}

/** A try that leaves the state as it is gets no entry in the audit trail. */
async function updateMailState(
  trx: Trx,
  actor: Actor,
  before: Mail,
  change: object,
  isAsked = false,
): Promise<Mail> {
  const released = { claimedUntil: null, handedOver: 0, updatedAt: actor.at };
  await trx
    .updateTable('mails')
    .set({ ...released, ...change })
    .where('id', '=', before.id)
    .execute();
  const after = await getMail(trx, before.id);
  if (isAsked || after.estado !== before.estado)
    queueAuditEntry(trx, actor, { action: 'update', entity: 'mails', entityId: after.id, before, after });
  return after;
}

/** Makes one more try, even after the last automatic one. @throws DomainError not-found; conflict mail_sent */
export const retryMail = (db: Db, actor: Actor, id: number): Promise<Mail> =>
  inTransaction(db, async (trx) => {
    await lockRow(trx, 'mails', id);
    const before = await getMail(trx, id);
    if (before.estado === 'enviado')
      throw new DomainError('conflict', texts.sentAlready, { code: 'mail_sent' });
    const { claimedUntil } = await trx
      .selectFrom('mails')
      .select('claimedUntil')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return claimedUntil
      ? before
      : updateMailState(trx, actor, before, { estado: 'espera', proximo: actor.at }, true);
  });

/** A mail that waits in a restored database may have been sent after the backup was made. */
export async function failWaitingMails(trx: Trx, actor: Actor): Promise<void> {
  const waiting = await trx.selectFrom('mails').select('id').where('estado', '=', 'espera').execute();
  for (const { id } of waiting) {
    const before = await getMail(trx, id);
    await updateMailState(trx, actor, before, { estado: 'fallo', proximo: null, respuesta: texts.restored });
  }
}
