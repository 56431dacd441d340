import { z } from 'zod';
import type { Db } from '../../../db/schema.ts';
import type { Instant } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { type AuditFault, auditFaults, readAuditTail } from './audit.ts';

/** The audit trail's length and last hash at a moment: noted down elsewhere, it witnesses all the entries before. */
export interface Anchor {
  at: Instant;
  entries: number;
  hash: string;
}

export async function readAnchor(db: Db, at: Instant): Promise<Anchor> {
  const { lastId, lastHash } = await readAuditTail(db);
  return { at, entries: lastId, hash: lastHash };
}

/** As a file keeps it and an address is sent it: one JSON document on a line. */
export const anchorText = ({ at, entries, hash }: Anchor): string =>
  `${JSON.stringify({ at, entries, hash })}\n`;

const ANCHOR = z.strictObject({
  at: z.iso.datetime(),
  entries: z.int().min(0),
  hash: z.string().regex(/^([0-9a-f]{64})?$/),
});

/** The anchors of a file, a line each. @throws DomainError invalid, naming the first line that is none */
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
  /** how many agree with the trail */
  agreeing: number;
  /** the longest of them: up to there nobody has rewritten anything */
  last: Anchor | undefined;
  /** the shortest of those that do not agree, and the hash of that entry now; null: there is no such entry any more */
  departing: (Anchor & { now: string | null }) | undefined;
  /** where the chain breaks by itself */
  fault: AuditFault | undefined;
}

/** Compares the trail with what was noted down of it. A chain that was rewritten whole departs from the anchors. */
export async function checkAnchors(db: Db, anchors: readonly Anchor[]): Promise<AnchorCheck> {
  let [agreeing, last, departing]: [number, AnchorCheck['last'], AnchorCheck['departing']] = [
    0,
    undefined,
    undefined,
  ];
  for (const anchor of [...anchors].sort((a, b) => a.entries - b.entries)) {
    const now = await hashAt(db, anchor.entries);
    if (now === anchor.hash) {
      agreeing += 1;
      if (!departing) last = anchor;
    } else departing ??= { ...anchor, now };
  }
  for await (const fault of auditFaults(db)) return { agreeing, last, departing, fault };
  return { agreeing, last, departing, fault: undefined };
}

async function hashAt(db: Db, id: number): Promise<string | null> {
  if (id === 0) return '';
  const entry = await db.selectFrom('audit').select('hash').where('id', '=', id).executeTakeFirst();
  return entry?.hash ?? null;
}
