import { versionOf } from './open.ts';
import type { Db } from './schema.ts';

/** Answers kept for one state of a database, and bytes of those that are made already; the oldest goes. */
const KEPT = 200;
const KEPT_BYTES = 8_000_000;

interface CachedAnswers {
  version: number;
  answers: Map<string, unknown>;
  bytes: number;
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
    memory = { version, answers: new Map(), bytes: 0 };
    memories.set(db, memory);
  }
  if (memory.answers.has(key)) return memory.answers.get(key) as T;
  const answer = await read();
  keep(memory, key, answer);
  return answer;
}

function keep(memory: CachedAnswers, key: string, answer: unknown): void {
  const { answers } = memory;
  if (answers.has(key)) return; // asked for twice at once
  if (Array.isArray(answer) && answer.length === 0) return; // anybody can ask for what there is not
  answers.set(key, answer);
  memory.bytes += bytesOf(answer);
  for (const [oldest, former] of answers) {
    if (answers.size <= KEPT && memory.bytes <= KEPT_BYTES) return;
    answers.delete(oldest);
    memory.bytes -= bytesOf(former);
  }
}

/** Of what is sent as it is, alone or among the members of an answer. */
function bytesOf(answer: unknown): number {
  if (answer instanceof Uint8Array) return answer.byteLength;
  if (typeof answer !== 'object' || answer === null) return 0;
  const parts = Object.values(answer).filter((part) => part instanceof Uint8Array);
  return parts.reduce((sum, part) => sum + part.byteLength, 0);
}
