import { createRequire } from 'node:module';
import { type Dialect, PostgresDialect } from 'kysely';
import type { Client, CustomTypesConfig, Pool, PoolClient } from 'pg';
import { isOutage } from './explain.ts';

/** PostgreSQL's type numbers (pg_type.oid) whose JavaScript form differs from what pg makes of them. */
const INT8 = 20;
const DATE = 1082;
const TIMESTAMP = 1114;
const NUMERIC = 1700;

/** bigint and sums arrive as numbers, dates and our moments as the same text that SQLite stores. */
const parsers: Record<number, (text: string) => unknown> = {
  [INT8]: toSafeNumber,
  [NUMERIC]: toSafeNumber,
  [DATE]: (text) => text,
  [TIMESTAMP]: (text) => new Date(`${text.replace(' ', 'T')}Z`).toISOString(),
};

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

/** How long an answer may take before the server is asked whether it is still at work on it, in ms. */
const SILENCE_MS = 5000;

/** Of each connection. */
const SETTINGS = {
  lock_timeout: '15s',
  idle_in_transaction_session_timeout: '60s',
  // Compiling a statement takes longer than any of ours.
  jit: 'off',
  // What is asked for is in memory, or on a disk that seeks no longer than it reads; PostgreSQL reckons with 4.
  random_page_cost: '1.1',
};

/**
 * A pool that outlives its server: a connection that breaks fails its own query alone, and one that leads nowhere is
 * given up.
 * @param silenceMs how long an answer may take before somebody asks after it
 * @param connections at the most
 */
export function postgresDialect(
  connectionString: string,
  silenceMs = SILENCE_MS,
  connections = 10,
): { dialect: Dialect; pool: Pool } {
  // Only now: a command on a database file is quicker without it.
  const pg = createRequire(import.meta.url)('pg') as typeof import('pg');
  const pool = new pg.Pool({
    connectionString,
    max: connections,
    // A lost server must be noticed, and a forgotten lock must not hold everybody for ever.
    connectionTimeoutMillis: 2 * silenceMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    options: Object.entries(SETTINGS)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        (format !== 'binary' && parsers[oid]) || pg.types.getTypeParser(oid, format as 'text'),
    } as CustomTypesConfig,
  });
  // Whoever has a query under way hears of a broken connection by it; without listeners it would end the process.
  pool.on('error', () => {});
  const watched = new WeakMap<PoolClient, PoolClient>();
  pool.on('connect', (client) => {
    client.on('error', () => {});
    const ask = () => isAtWork(new pg.Client({ ...limits(silenceMs), connectionString }), pidOf(client));
    watched.set(client, watchQueries(client, silenceMs, ask));
  });
  const watchedPool = {
    connect: async () => watched.get(await pool.connect())!,
    end: () => pool.end(),
    options: pool.options,
  };
  return { dialect: new PostgresDialect({ pool: watchedPool }), pool };
}

const limits = (ms: number) => ({ connectionTimeoutMillis: ms, query_timeout: ms });

/**
 * The same connection, whose queries are asked after where they stay without an answer: if nothing comes and the
 * server knows nothing of one or cannot be reached, twice in a row, the connection is cut, and with it the query fails.
 * What has broken is not used again.
 */
function watchQueries(client: PoolClient, silenceMs: number, isAtWork: () => Promise<boolean>): PoolClient {
  let isBroken = false;
  const askAfter = (answer: Promise<unknown>) => {
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
      if (strikes === 2) streamOf(client).destroy(silence());
      else wait();
    };
    const wait = () => {
      timer = setTimeout(ask, silenceMs);
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

/** Whether the server still runs a statement for that connection; asked over a connection of its own. */
async function isAtWork(client: Client, pid: number): Promise<boolean> {
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
const pidOf = (client: PoolClient) => (client as unknown as { processID: number }).processID;
const streamOf = (client: PoolClient) =>
  (client as unknown as { connection: { stream: import('node:net').Socket } }).connection.stream;

function toSafeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`a number beyond the safe integers: ${text}`);
  return value;
}
