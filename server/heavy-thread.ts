import { setPriority } from 'node:os';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from '../db/open.ts';
import { inSnapshot } from '../db/transaction.ts';
import { createHeavyApp, type HeavyEnvironment } from './app.ts';
import type { Config } from './config.ts';
import type { HeavyAnswer, HeavyOrder, HeavyReply, HeavyRequest } from './http/heavy-messages.ts';
import { createLog } from './http/log.ts';
import { projectRoot } from './root.ts';
import { createdRows } from './services/audit/created-rows.ts';
import { createAuth } from './services/session/auth.ts';

/**
 * A thread that makes the answers to heavy requests, one at a time (see http/heavy-threads.ts). The one that answers
 * everybody goes first where processors are few: on Linux a thread has a priority of its own.
 */
if (process.platform === 'linux') {
  try {
    setPriority(10);
  } catch {
    // Where the system does not let it, all have the same.
  }
}

const config = workerData as Config;
const log = createLog(config.logLevel);
const database = openDatabase(config.databaseUrl, { root: projectRoot, create: false, connections: 3 });
const app = createHeavyApp({
  db: database.db,
  auth: createAuth(database.db, { secret: config.secret, baseURL: config.url ?? 'http://localhost' }),
  config,
  log,
  now: () => new Date(),
  development: false,
});

parentPort?.on('message', async (order: HeavyOrder) => {
  if (order !== 'stop') return answer(order.request, order.port);
  await database.close();
  process.exit();
});

async function answer(request: HeavyRequest, port: MessagePort): Promise<void> {
  const say = (words: HeavyAnswer, moved: ArrayBuffer[] = []) => port.postMessage(words, moved);
  const gone = new AbortController();
  const room = new Room();
  port.on('message', (reply: HeavyReply) => {
    if (reply === 'gone') gone.abort();
    room.add();
  });
  const before = new Map(createdRows());
  const send = async (db: HeavyEnvironment['db']) => {
    const { url, method, headers, body, asker } = request;
    const around: HeavyEnvironment = { db, asker };
    const asked = new Request(url, { method, headers, body, signal: gone.signal });
    const response = await app.fetch(asked, around);
    say({ status: response.status, headers: [...response.headers], event: around.event });
    for await (const part of response.body ?? []) {
      await room.take();
      if (gone.signal.aborted) return;
      const chunk = new Uint8Array(part); // what it is a part of may be somebody else's as well
      say({ chunk }, [chunk.buffer]);
    }
  };
  try {
    await (request.kind === 'import' || request.kind === 'backup'
      ? send(database.db)
      : inSnapshot(database.db, send));
    const created = [...createdRows()].map(([entity, rows]): [string, number] => [
      entity,
      rows - (before.get(entity) ?? 0),
    ]);
    say({ created });
  } catch (error) {
    if (!gone.signal.aborted) log.error({ err: error, id: request.asker.requestId }, 'an answer broke off');
    say({ failed: String(error) });
  }
}

/** How many parts the other side has room for. */
class Room {
  #free = 0;
  #wake: (() => void) | undefined;

  add(): void {
    this.#free++;
    this.#wake?.();
  }

  async take(): Promise<void> {
    while (this.#free === 0)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    this.#free--;
  }
}
