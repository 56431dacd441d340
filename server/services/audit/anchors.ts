import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { z } from 'zod';
import { fileReason } from '../../../db/explain.ts';
import type { Db } from '../../../db/schema.ts';
import type { Instant, PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { type AuditFault, auditFaults, readAuditTail } from './audit.ts';

/** The audit trail's length and last hash at a moment: noted down elsewhere, it vouches for all entries before it. */
export interface Anchor {
  at: Instant;
  entries: number;
  hash: string;
}

export async function readAnchor(db: Db, at: Instant): Promise<Anchor> {
  const { lastId, lastHash } = await readAuditTail(db);
  return { at, entries: lastId, hash: lastHash };
}

export const anchorText = ({ at, entries, hash }: Anchor): string =>
  `${JSON.stringify({ at, entries, hash })}\n`;

const ANCHOR = z.strictObject({
  at: z.iso.datetime(),
  entries: z.int().min(0),
  hash: z.string().regex(/^([0-9a-f]{64})?$/),
});

/** Parses a file of anchors, one per line. @throws DomainError invalid, naming the first line that is none */
export function parseAnchors(text: string): Anchor[] {
  const lines = text.split('\n').map((line) => line.trim());
  const anchors = lines.flatMap((line, index) => {
    if (line === '') return [];
    const parsed = ANCHOR.safeParse(jsonOf(line));
    if (!parsed.success) throw noAnchor(`El renglón ${index + 1} no es un ancla de la bitácora.`);
    return [parsed.data];
  });
  if (anchors.length === 0) throw noAnchor('El archivo no tiene ninguna ancla de la bitácora.');
  return anchors;
}

const noAnchor = (message: string) => new DomainError('invalid', message, { code: 'bad_anchor' });

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

export interface AnchorCheck {
  agreeing: number;
  /** the longest of these: up to there nobody has rewritten anything */
  last: Anchor | undefined;
  /** the shortest that does not agree, with the hash of its entry now; null where there is no such entry any more */
  departing: (Anchor & { now: string | null }) | undefined;
  /** where the chain itself is broken */
  fault: AuditFault | undefined;
}

/** Compares the trail with its anchors. A chain that was rewritten whole departs from them. */
export async function checkAnchors(db: Db, anchors: readonly Anchor[]): Promise<AnchorCheck> {
  const check: AnchorCheck = { agreeing: 0, last: undefined, departing: undefined, fault: undefined };
  for (const anchor of anchors.toSorted((a, b) => a.entries - b.entries)) {
    const now = await hashAt(db, anchor.entries);
    if (now !== anchor.hash) check.departing ??= { ...anchor, now };
    else {
      check.agreeing += 1;
      if (!check.departing) check.last = anchor;
    }
  }
  for await (const fault of auditFaults(db)) return { ...check, fault };
  return check;
}

async function hashAt(db: Db, id: number): Promise<string | null> {
  if (id === 0) return '';
  const entry = await db.selectFrom('audit').select('hash').where('id', '=', id).executeTakeFirst();
  return entry?.hash ?? null;
}

type AnchorPlace = { file: string } | { url: string };

const PATIENCE_MS = 10_000;
/** An anchor that failed, or was begun and never finished, is tried again after this time. */
const AGAIN_MS = 3_300_000;

/**
 * Notes down elsewhere how the audit trail ends, once a day however many servers and starts there are.
 * @returns undefined where today's is done, or another server is doing it
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

/** Claims today's row for this server, unless another one has begun and neither failed nor given up. */
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

/** Sends nothing but the anchor, and reads nothing of the answer but whether it was taken. */
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

/** fetch gives the reason as its error's cause. */
const reasonOf = (error: unknown): string => {
  const { cause = error } = error as { cause?: unknown };
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String((cause as Error).message);
};

export async function anchorNotice(db: Db): Promise<string | undefined> {
  const last = await db
    .selectFrom('audit_anchors')
    .select(['at', 'problem'])
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!last || last.problem === null) return undefined;
  return `El ancla de la bitácora no se pudo anotar (${last.at}): ${last.problem}. Revisa SALDO_ANCHOR.`;
}
