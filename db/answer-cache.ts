import { versionOf } from './open.ts';
import type { Db } from './schema.ts';

/** Answers kept for one state of a database; the least recently used goes. */
const KEPT = 200;

interface CachedAnswers {
  version: number;
  answers: Map<string, unknown>;
}

const memories = new WeakMap<Db, CachedAnswers>();

/**
 * What `read` answered, for as long as nothing at all was written to the database. SQLite says so itself: the
 * reader's data_version changes with every commit of any other connection, our own writer's and those of other
 * processes included (sqlite.org/pragma.html#pragma_data_version). It is looked at before reading, so an answer
 * is never older than the version that it is kept under. PostgreSQL has nothing of the kind: there, and inside
 * a transaction, which sees what nobody else does, everything is read anew.
 * @param key all that the answer depends on beside the database
 */
export async function cachedAnswer<T>(db: Db, key: string, read: () => Promise<T>): Promise<T> {
  const version = db.isTransaction ? undefined : versionOf(db);
  if (version === undefined) return read();
  let memory = memories.get(db);
  if (memory?.version !== version) {
    memory = { version, answers: new Map() };
    memories.set(db, memory);
  }
  const { answers } = memory;
  if (answers.has(key)) return answers.get(key) as T;
  const answer = await read();
  answers.set(key, answer);
  if (answers.size > KEPT) answers.delete(answers.keys().next().value!);
  return answer;
}
