import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { fileOf } from '../../../db/open.ts';
import type { Db } from '../../../db/schema.ts';

/** The end of the audit trail, as it was noted beside a database file. */
interface TrailMark {
  at: string;
  entries: number;
  hash: string;
}

/** Beside the database: who puts another file in its place, or loses its log, leaves this. */
const markOf = (file: string) => `${file}-trail`;

/** More than a mark is long, so that each covers the one before. */
const MARK_BYTES = 256;

/**
 * Notes how far the trail has come, before whoever changed something is answered; a database that is no file looks
 * after itself. In place and without waiting for the disk: it outlives a process that is killed, for some 20
 * millionths of a second.
 */
export function noteTrail(db: Db, mark: TrailMark): void {
  const file = fileOf(db);
  if (!file) return;
  try {
    const opened = openSync(markOf(file), constants.O_WRONLY | constants.O_CREAT, 0o600);
    try {
      writeSync(opened, `${JSON.stringify(mark).padEnd(MARK_BYTES - 1)}\n`, 0);
    } finally {
      closeSync(opened);
    }
  } catch {
    // It is a witness, not the books: on a full disk the former one stays.
  }
}

/** Entries were written that the trail does not have. */
export interface Missing extends TrailMark {
  /** the last entry that there is */
  found: number;
}

/** @returns what is noted beside it and is not in it; undefined where all is there, or nothing was noted */
export async function findMissing(db: Db): Promise<Missing | undefined> {
  const file = fileOf(db);
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
    return JSON.parse(readFileSync(markOf(file), 'utf8')) as TrailMark;
  } catch {
    return undefined;
  }
}
