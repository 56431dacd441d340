import type { Client, ClientBase, PoolClient } from 'pg';
import { isOutage } from './explain.ts';

/** So many statements are planned once, at the most: each connection keeps all of them. */
const MOST_PLANNED = 200;

const plannedOnce = new Map<string, string>();

/**
 * From now on each connection plans that statement once, which takes as long as running it. For one alone whose best
 * plan is the same whatever its parameters are.
 */
export function planOnce(text: string): void {
  if (plannedOnce.size < MOST_PLANNED && !plannedOnce.has(text))
    plannedOnce.set(text, `saldo_${plannedOnce.size}`);
}

interface Watching {
  silenceMs: number;
  isAtWork: () => Promise<boolean>;
  /** it was cut, which gave no sign since that moment: others may lead nowhere as well */
  onSilence: (since: number) => void;
}

/** Of one that gave no sign once, asked after again. */
const SOONER = 3;

/**
 * The same connection, whose queries are asked after where they stay without an answer: if nothing comes and the
 * server knows nothing of one or cannot be reached, twice in a row, the connection is cut, and with it the query fails.
 * What has broken is not used again.
 */
export function watchQueries(client: PoolClient, { silenceMs, isAtWork, onSilence }: Watching): PoolClient {
  let isBroken = false;
  const askAfter = (answer: Promise<unknown>) => {
    const began = performance.now();
    let isAnswered = false;
    let timer: NodeJS.Timeout;
    let heard = streamOf(client).bytesRead;
    let strikes = 0;
    const ask = async () => {
      const isLost = !(await isAtWork());
      if (isAnswered) return;
      // What the server has sent may still be on its way to a process that is busy.
      const { bytesRead } = streamOf(client);
      strikes = isLost && bytesRead === heard ? strikes + 1 : 0;
      heard = bytesRead;
      if (strikes === 2) {
        cut(client);
        onSilence(began);
      } else wait();
    };
    const wait = () => {
      timer = setTimeout(ask, strikes > 0 ? silenceMs / SOONER : silenceMs);
    };
    wait();
    return answer
      .catch((error) => {
        isBroken ||= isOutage(error);
        throw error;
      })
      .finally(() => {
        isAnswered = true;
        clearTimeout(timer);
      });
  };
  const own = {
    query: (text: string, values: unknown[]) =>
      askAfter(client.query({ name: plannedOnce.get(text), text, values })),
    release: (discard?: boolean) => client.release(discard || isBroken),
    processID: pidOf(client),
  };
  return own as unknown as PoolClient;
}

/** Ends a connection that leads nowhere: what waits for an answer of it fails. */
export const cut = (client: ClientBase): void => void streamOf(client).destroy(silence());

/** Whether the server still runs a statement for that connection; asked over a connection of its own. */
export async function isAtWork(client: Client, pid: number): Promise<boolean> {
  client.on('error', () => {});
  try {
    await client.connect();
    const text = "select 1 from pg_stat_activity where pid = $1 and state = 'active'";
    return (await client.query(text, [pid])).rows.length > 0;
  } catch {
    return false;
  } finally {
    void client.end().catch(() => {});
  }
}

const silence = () => Object.assign(new Error('PostgreSQL gives no answer'), { code: 'ETIMEDOUT' });
/** pg's types leave out the number of the server's process and the stream below a connection. */
export const pidOf = (client: ClientBase) => (client as unknown as { processID: number }).processID;
export const streamOf = (client: ClientBase) =>
  (client as unknown as { connection: { stream: import('node:net').Socket } }).connection.stream;
