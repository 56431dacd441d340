import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { databasePathOf } from '../../../db/open.ts';
import type { Db } from '../../../db/schema.ts';

interface TrailMark {
  at: string;
  entries: number;
  hash: string;
}

/** The mark has a file of its own, so that it survives if the database is replaced or loses its write-ahead log. */
const markFilePath = (file: string) => `${file}-trail`;

/** Longer than any mark: marks are padded to this length, so that each overwrites all of the previous one. */
const MARK_BYTES = 256;

/**
 * Records the trail's length before the response to a change is sent; only for databases that are files. Writing takes
 * some 20 µs, because it overwrites the old mark and does not wait for the disk. The mark survives a killed process.
 */
export function writeTrailMark(db: Db, mark: TrailMark): void {
  const file = databasePathOf(db);
  if (!file) return;
  try {
    const descriptor = openSync(markFilePath(file), constants.O_WRONLY | constants.O_CREAT, 0o600);
    try {
      writeSync(descriptor, `${JSON.stringify(mark).padEnd(MARK_BYTES - 1)}\n`, 0);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // The mark only helps to notice a loss: on a full disk the previous one stays.
  }
}

export interface TrailLoss extends TrailMark {
  found: number;
}

/** @returns the mark if the audit trail lacks its entry; undefined if the trail has it, or if there is no mark */
export async function findTrailLoss(db: Db): Promise<TrailLoss | undefined> {
  const file = databasePathOf(db);
  const mark = file && readMark(file);
  if (!mark || mark.entries === 0) return undefined;
  const same = await db
    .selectFrom('audit')
    .select('id')
    .where('id', '=', mark.entries)
    .where('hash', '=', mark.hash)
    .executeTakeFirst();
  if (same) return undefined;
  const { lastId } = await db.selectFrom('audit_tail').select('lastId').executeTakeFirstOrThrow();
  return { ...mark, found: lastId };
}

function readMark(file: string): TrailMark | undefined {
  try {
    return JSON.parse(readFileSync(markFilePath(file), 'utf8')) as TrailMark;
  } catch {
    return undefined;
  }
}
