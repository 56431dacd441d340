import { createRequire } from 'node:module';
import { type Dialect, PostgresDialect } from 'kysely';
import type { ClientBase, ClientConfig, CustomTypesConfig, Pool, PoolClient } from 'pg';
import { isOutage } from './explain.ts';
import { Primary } from './postgres-primary.ts';
import { serversOf } from './postgres-servers.ts';
import { cut, isAtWork, pidOf, streamOf, watchQueries } from './postgres-watch.ts';

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

/** How long an answer may take before the server is asked whether it is still at work on it, in ms. */
const SILENCE_MS = 2500;

/** How long a connection that cannot be had lets others wonder whether another server would have one, in ms. */
const WONDER_MS = 1000;

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
 * A pool that outlives its server: a connection that breaks fails its own query alone, one that leads nowhere is
 * given up, and where the address names several servers it follows the primary.
 * @param silenceMs how long an answer may take before somebody asks after it
 * @param connections at the most
 * @throws DomainError invalid where the address is none
 */
export function postgresDialect(
  url: string,
  silenceMs = SILENCE_MS,
  connections = 10,
): { dialect: Dialect; pool: Pool } {
  // Only now: a command on a database file is quicker without it.
  const pg = createRequire(import.meta.url)('pg') as typeof import('pg');
  const looking = (server: string) => new pg.Client({ ...limits(silenceMs), connectionString: server });
  const moving = () => {
    for (const [client, server] of servers) if (server !== primary.server) streamOf(client).destroy(moved());
  };
  const primary = new Primary(serversOf(url), looking, moving);
  /** of each connection, where it leads */
  const servers = new Map<ClientBase, string>();
  class ToPrimary extends pg.Client {
    constructor(config?: ClientConfig) {
      const { server } = primary;
      super({ ...config, connectionString: server, connectionTimeoutMillis: 1.5 * silenceMs });
      servers.set(this, server);
      this.once('end', () => servers.delete(this));
    }
  }
  const pool = new pg.Pool({
    Client: ToPrimary,
    max: connections,
    // A lost server must be noticed, and a forgotten lock must not hold everybody for ever.
    connectionTimeoutMillis: 4 * silenceMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    onConnect: (client) =>
      primary.verify(client, servers.get(client)!, silenceMs).catch((error) => {
        cut(client); // or its end would wait for the other end's
        throw error;
      }),
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
  /** when those that wait for work were opened */
  const idle = new Map<ClientBase, number>();
  const opened = new WeakMap<ClientBase, number>();
  pool.on('acquire', (client) => idle.delete(client));
  pool.on('release', (_error, client) => idle.set(client, opened.get(client)!));
  pool.on('remove', (client) => idle.delete(client));
  // Where one leads nowhere, so do those from before it: each would have to find out by itself.
  const onSilence = (since: number) => {
    for (const [client, at] of idle) if (at < since) cut(client);
  };
  pool.on('connect', (client) => {
    client.on('error', () => {});
    opened.set(client, performance.now());
    const server = servers.get(client)!;
    const isStill = () => {
      if (primary.hasOthers) void primary.look();
      return isAtWork(looking(server), pidOf(client));
    };
    watched.set(client, watchQueries(client, { silenceMs, isAtWork: isStill, onSilence }));
  });
  const connect = async () => watched.get(await pool.connect())!;
  const watchedPool = {
    connect: () => lend(() => (primary.hasOthers ? following(primary, connect) : connect())),
    end: () => pool.end(),
    options: pool.options,
  };
  return { dialect: new PostgresDialect({ pool: watchedPool }), pool };
}

/** Where no connection comes, another server may have become the primary. */
async function following(primary: Primary, connect: () => Promise<PoolClient>): Promise<PoolClient> {
  const wondering = setTimeout(() => void primary.look(), WONDER_MS);
  try {
    return await connect();
  } catch (error) {
    if (!isOutage(error) || !(await primary.look())) throw error;
    return await connect();
  } finally {
    clearTimeout(wondering);
  }
}

/** What changes nothing by itself, so that it may be asked again. */
const HARMLESS = /^\s*(begin|start transaction|select)\b/i;

/**
 * A connection for some work. It may have broken before the work began: its first statement, where that changes
 * nothing, is asked again over another one.
 */
async function lend(connect: () => Promise<PoolClient>): Promise<PoolClient> {
  let client: PoolClient | undefined = await connect();
  let isFirst = true;
  const lent = {
    async query(text: string, values: unknown[]) {
      const mayRepeat = isFirst && HARMLESS.test(text);
      isFirst = false;
      try {
        return await client!.query(text, values);
      } catch (error) {
        if (!mayRepeat || !isOutage(error)) throw error;
        client!.release(true);
        client = undefined; // what is no longer there cannot be given back again
        client = await connect();
        return await client.query(text, values);
      }
    },
    release: (discard?: boolean) => client?.release(discard),
    get processID() {
      return client && (client as unknown as { processID: number }).processID;
    },
  };
  return lent as unknown as PoolClient;
}

const limits = (ms: number) => ({ connectionTimeoutMillis: ms, query_timeout: ms });

const moved = () => Object.assign(new Error('another server is the primary'), { code: 'ECONNRESET' });

function toSafeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`a number beyond the safe integers: ${text}`);
  return value;
}
