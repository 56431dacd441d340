import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { z } from 'zod';
import { fileErrorReason } from '../../../db/explain-errors.ts';
import type { Db } from '../../../db/schema.ts';
import type { Instant, PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { type AuditFault, findAuditFaults, readAuditTail } from './audit.ts';

/** If an anchor is stored outside the database, it proves that the trail's first `entries` entries were not changed. */
export interface Anchor {
  at: Instant;
  entries: number;
  hash: string;
}

export async function buildCurrentAnchor(db: Db, at: Instant): Promise<Anchor> {
  const { lastId, lastHash } = await readAuditTail(db);
  return { at, entries: lastId, hash: lastHash };
}

export const formatAnchor = ({ at, entries, hash }: Anchor): string =>
  `${JSON.stringify({ at, entries, hash })}\n`;

const anchorSchema = z.strictObject({
  at: z.iso.datetime(),
  entries: z.int().min(0),
  hash: z.string().regex(/^([0-9a-f]{64})?$/),
});

/** @throws DomainError invalid, naming the first line that is not an anchor */
export function parseAnchors(text: string): Anchor[] {
  const lines = text.split('\n').map((line) => line.trim());
  const anchors = lines.flatMap((line, index) => {
    if (line === '') return [];
    const parsed = anchorSchema.safeParse(tryParseJson(line));
    if (!parsed.success) throw badAnchorError(`El renglón ${index + 1} no es un ancla de la bitácora.`);
    return [parsed.data];
  });
  if (anchors.length === 0) throw badAnchorError('El archivo no tiene ninguna ancla de la bitácora.');
  return anchors;
}

const badAnchorError = (message: string) => new DomainError('invalid', message, { code: 'bad_anchor' });

function tryParseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

export interface AnchorsCheckResult {
  matching: number;
  /** the matching anchor with the most entries: up to there the trail is unchanged */
  last: Anchor | undefined;
  /**
   * the mismatching anchor with the fewest entries; `now`: the hash that the trail has at that length today, null if
   * the trail is shorter
   */
  mismatch: (Anchor & { now: string | null }) | undefined;
  fault: AuditFault | undefined;
}

/** A chain that was rewritten from end to end is consistent, but no longer matches its anchors. */
export async function checkAnchors(db: Db, anchors: readonly Anchor[]): Promise<AnchorsCheckResult> {
  const check: AnchorsCheckResult = { matching: 0, last: undefined, mismatch: undefined, fault: undefined };
  for (const anchor of anchors.toSorted((a, b) => a.entries - b.entries)) {
    const now = await readEntryHash(db, anchor.entries);
    if (now !== anchor.hash) check.mismatch ??= { ...anchor, now };
    else {
      check.matching += 1;
      if (!check.mismatch) check.last = anchor;
    }
  }
  for await (const fault of findAuditFaults(db)) return { ...check, fault };
  return check;
}

async function readEntryHash(db: Db, id: number): Promise<string | null> {
  if (id === 0) return '';
  const entry = await db.selectFrom('audit').select('hash').where('id', '=', id).executeTakeFirst();
  return entry?.hash ?? null;
}

type AnchorTarget = { file: string } | { url: string };

const TIMEOUT_MS = 10_000;
const RETRY_AFTER_MS = 3_300_000;

/** @returns undefined if today's anchor is stored, or if any server tried to store it less than RETRY_AFTER_MS ago */
export async function writeDailyAnchor(
  db: Db,
  target: AnchorTarget,
  { now, today }: { now: Date; today: PlainDate },
): Promise<{ anchor: Anchor; problem: string | null } | undefined> {
  const anchor = await claimTodaysAnchor(db, now, today);
  if (!anchor) return undefined;
  const problem = await writeAnchor(target, anchor);
  const outcome = { sent: problem === null ? 1 : 0, problem };
  await db.updateTable('audit_anchors').set(outcome).where('day', '=', today).execute();
  return { anchor, problem };
}

async function claimTodaysAnchor(db: Db, now: Date, today: PlainDate): Promise<Anchor | undefined> {
  const anchor = await buildCurrentAnchor(db, now.toISOString());
  const values = { ...anchor, sent: 0, problem: null };
  const claimed = await db
    .insertInto('audit_anchors')
    .values({ day: today, ...values })
    .onConflict((conflict) =>
      conflict
        .column('day')
        .doUpdateSet(values)
        .where('audit_anchors.sent', '=', 0)
        .where('audit_anchors.at', '<', new Date(now.getTime() - RETRY_AFTER_MS).toISOString()),
    )
    .returning('day')
    .executeTakeFirst();
  return claimed && anchor;
}

/** @returns why the anchor could not be stored, or null */
export async function writeAnchor(target: AnchorTarget, anchor: Anchor): Promise<string | null> {
  try {
    if ('file' in target) appendToFile(target.file, formatAnchor(anchor));
    else await postAnchor(target.url, formatAnchor(anchor));
    return null;
  } catch (error) {
    return fileErrorReason(error);
  }
}

function appendToFile(file: string, text: string): void {
  const descriptor = openSync(file, 'a', 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

async function postAnchor(url: string, body: string): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    const isTimeout = error instanceof Error && error.name === 'TimeoutError';
    throw new Error(isTimeout ? 'no contestó a tiempo' : `no se pudo enviar (${describeFetchError(error)})`);
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`contestó ${response.status}`);
}

/** `fetch` reports the reason as the `cause` of its error. */
const describeFetchError = (error: unknown): string => {
  const { cause = error } = error as { cause?: unknown };
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String((cause as Error).message);
};

export async function readAnchorNotice(db: Db): Promise<string | undefined> {
  const last = await db
    .selectFrom('audit_anchors')
    .select(['at', 'problem'])
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!last || last.problem === null) return undefined;
  return `El ancla de la bitácora no se pudo anotar (${last.at}): ${last.problem}. Revisa SALDO_ANCHOR.`;
}
