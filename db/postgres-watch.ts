import type { Client, ClientBase, PoolClient } from 'pg';
import { codeOf } from './errors.ts';
import { isOutage } from './explain.ts';

interface Watching {
  silenceMs: number;
  isAtWork: () => Promise<boolean>;
  /** it was cut, which gave no sign since that moment: others may lead nowhere as well */
  onSilence: (since: number) => void;
}

/** One that gave no sign once is asked after sooner by so much, and each time that it is at work a little later. */
const SOONER = 10;
const LATER = 1.2;

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
    let pause = silenceMs;
    const ask = async () => {
      const isLost = !(await isAtWork());
      if (isAnswered) return;
      // What is at work behind a line that was cut will be done, and hold its locks, without anybody hearing of it.
      pause = isLost ? silenceMs / SOONER : Math.min(LATER * pause, silenceMs);
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
      timer = setTimeout(ask, pause);
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
    query: (text: string, values: unknown[]) => askAfter(client.query(text, values)),
    release: (discard?: boolean) => client.release(discard || isBroken),
    processID: pidOf(client),
  };
  return own as unknown as PoolClient;
}

/** Ends a connection that leads nowhere: what waits for an answer of it fails. */
export const cut = (client: ClientBase): void => void streamOf(client).destroy(silence());

/** Asks over a connection of its own, which is given up then. @param unless what a failure says; nothing by itself */
export async function askOnce<Answer>(
  client: Client,
  ask: (client: Client) => Promise<Answer>,
  unless: (error: unknown) => Answer | undefined = () => undefined,
): Promise<Answer | undefined> {
  client.on('error', () => {});
  try {
    await client.connect();
    return await ask(client);
  } catch (error) {
    return unless(error);
  } finally {
    void client.end().catch(() => {});
  }
}

/** PostgreSQL's code where it takes no more connections. */
const TOO_MANY = '53300';

/**
 * Whether the server still runs a statement for that connection; `client` is asked with. One that takes no more
 * connections is there, and may be at work.
 */
export async function isAtWork(client: Client, pid: number): Promise<boolean> {
  const text = "select 1 from pg_stat_activity where pid = $1 and state = 'active'";
  const ask = async () => (await client.query(text, [pid])).rows.length > 0;
  return (await askOnce(client, ask, (error) => codeOf(error) === TOO_MANY)) ?? false;
}

const silence = () => Object.assign(new Error('PostgreSQL gives no answer'), { code: 'ETIMEDOUT' });
/** pg's types leave out the number of the server's process and the stream below a connection. */
export const pidOf = (client: ClientBase) => (client as unknown as { processID: number }).processID;
export const streamOf = (client: ClientBase) =>
  (client as unknown as { connection: { stream: import('node:net').Socket } }).connection.stream;
