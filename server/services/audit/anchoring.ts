import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { fileReason } from '../../../db/explain.ts';
import type { Db } from '../../../db/schema.ts';
import type { Instant, PlainDate } from '../../../shared/dates.ts';
import { type Anchor, anchorText, readAnchor } from './anchors.ts';

/** Where anchors go: appended to a file, or sent to an address. */
type AnchorPlace = { file: string } | { url: string };

/** How long an address may take to answer. */
const PATIENCE_MS = 10_000;
/** What failed is tried again after this, and what somebody began and never ended. */
const AGAIN_MS = 3_300_000;

/**
 * Notes down elsewhere how the audit trail ends, once a day whatever the number of servers and starts.
 * @returns undefined where today's is done, or another server does it
 */
export async function anchorDaily(
  db: Db,
  place: AnchorPlace,
  { now, today }: { now: Date; today: PlainDate },
): Promise<{ anchor: Anchor; problem: string | null } | undefined> {
  const anchor = await claim(db, now, today);
  if (!anchor) return undefined;
  const problem = await putAnchor(place, anchor);
  const done = { sent: problem === null ? 1 : 0, problem };
  await db.updateTable('audit_anchors').set(done).where('day', '=', today).execute();
  return { anchor, problem };
}

/** Today's row is this server's: nobody else has begun, or what they began has failed or was given up. */
async function claim(db: Db, now: Date, today: PlainDate): Promise<Anchor | undefined> {
  const anchor = await readAnchor(db, now.toISOString());
  const values = { ...anchor, sent: 0, problem: null };
  const claimed = await db
    .insertInto('audit_anchors')
    .values({ day: today, ...values })
    .onConflict((conflict) =>
      conflict
        .column('day')
        .doUpdateSet(values)
        .where('audit_anchors.sent', '=', 0)
        .where('audit_anchors.at', '<', new Date(now.getTime() - AGAIN_MS).toISOString()),
    )
    .returning('day')
    .executeTakeFirst();
  return claimed && anchor;
}

/** @returns why it could not be put there, or null */
export async function putAnchor(place: AnchorPlace, anchor: Anchor): Promise<string | null> {
  try {
    if ('file' in place) append(place.file, anchorText(anchor));
    else await send(place.url, anchorText(anchor));
    return null;
  } catch (error) {
    return fileReason(error);
  }
}

function append(file: string, text: string): void {
  const opened = openSync(file, 'a', 0o600);
  try {
    writeSync(opened, text);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

/** Nothing goes there but the anchor, and nothing of the answer is read but whether it was taken. */
async function send(url: string, body: string): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch((error: unknown) => {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    throw new Error(isLate ? 'no contestó a tiempo' : `no se pudo enviar (${reasonOf(error)})`);
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`contestó ${answer.status}`);
}

/** What fetch has to say is in its cause. */
const reasonOf = (error: unknown): string => {
  const { cause = error } = error as { cause?: unknown };
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String((cause as Error).message);
};

/** What became of the last one. */
export async function lastAnchoring(
  db: Db,
): Promise<{ at: Instant; sent: boolean; problem: string | null } | undefined> {
  const last = await db
    .selectFrom('audit_anchors')
    .select(['at', 'sent', 'problem'])
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last && { ...last, sent: last.sent === 1 };
}
