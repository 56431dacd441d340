import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileOf } from '../../../db/open.ts';
import type { Db } from '../../../db/schema.ts';

/** How far the audit trail had come, as it was noted beside a database file. */
interface TrailMark {
  at: string;
  entries: number;
  hash: string;
}

/** Beside the database: who puts another file in its place, or loses its log, leaves this. */
const markOf = (file: string) => `${file}-trail`;

/** A commit is noted within so many ms; one more write for each would be felt. */
const NOTED_WITHIN_MS = 250;

const waiting = new Map<string, TrailMark>();
let timer: NodeJS.Timeout | undefined;

/** Notes soon how far the trail has come; a database that is no file looks after itself. */
export function noteTrail(db: Db, mark: TrailMark): void {
  const file = fileOf(db);
  if (!file) return;
  if (waiting.size === 0) {
    timer = setTimeout(writeMarks, NOTED_WITHIN_MS).unref();
    process.once('exit', writeMarks);
  }
  waiting.set(file, mark);
}

function writeMarks(): void {
  clearTimeout(timer);
  process.removeListener('exit', writeMarks);
  for (const [file, mark] of waiting) {
    const partial = `${markOf(file)}.${process.pid}`;
    try {
      writeFileSync(partial, `${JSON.stringify(mark)}\n`, { mode: 0o600 });
      renameSync(partial, markOf(file));
    } catch {
      // It is a witness, not the books: on a full disk the former one stays.
      rmSync(partial, { force: true });
    }
  }
  waiting.clear();
}

/** What is missing of a database: entries that were written, and that its trail does not have. */
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
