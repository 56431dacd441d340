import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { type Dialect, PostgresDialect } from 'kysely';
import type { ClientBase, ClientConfig, CustomTypesConfig, Pool, PoolClient, QueryResult } from 'pg';
import { DomainError } from '../shared/errors.ts';
import { errorCodeOf } from './errors.ts';
import { isOutage } from './explain-errors.ts';

const INT8_TYPE_OID = 20;
const DATE_TYPE_OID = 1082;
const TIMESTAMP_TYPE_OID = 1114;
const NUMERIC_TYPE_OID = 1700;

/** Parses bigint and sums as numbers, and dates and moments as the text that SQLite stores. */
const typeParsers: Record<number, (text: string) => unknown> = {
  [INT8_TYPE_OID]: toSafeNumber,
  [NUMERIC_TYPE_OID]: toSafeNumber,
  [DATE_TYPE_OID]: (text) => text,
  // A Date would take ten times as long, which is felt in long lists.
  [TIMESTAMP_TYPE_OID]: (text) =>
    `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, 23).padEnd(3, '0')}Z`,
};

const SESSION_SETTINGS = {
  lock_timeout: '15s',
  idle_in_transaction_session_timeout: '60s',
  // Just-in-time compilation takes longer than any of our queries.
  jit: 'off',
  // Pages are in memory or on a disk with fast seeks, so PostgreSQL's default of 4 is too high.
  random_page_cost: '1.1',
};

/** `answerMs` exceeds lock_timeout, so that the server's error about an unavailable lock comes first. */
const CONNECT_AND_ANSWER_TIMEOUTS = { connectMs: 4000, answerMs: 20_000 };

/** The duration of these queries depends on the number of rows, so `answerMs` does not apply. */
const UNBOUNDED_SQL_PATTERN = /^\s*(create|alter|drop|analyze|vacuum|reindex)\b/i;

/**
 * A connection that breaks, or does not answer in time, fails only its own query and is not reused. If the address
 * names several servers, a new connection tries them in turn, beginning with the last one that accepted writes, like
 * libpq's target_session_attrs=primary.
 * @throws DomainError invalid where the address is not valid
 */
export function postgresDialect(
  url: string,
  { connectMs, answerMs } = CONNECT_AND_ANSWER_TIMEOUTS,
  maxConnections = 10,
): { dialect: Dialect; pool: Pool } {
  // Loaded on demand: commands on a SQLite file start faster without it.
  const pg = createRequire(import.meta.url)('pg') as typeof import('pg');
  const servers = splitServerUrls(url);
  let current = 0;
  class CurrentServerClient extends pg.Client {
    constructor(config?: ClientConfig) {
      super({ ...config, connectionString: servers[current], connectionTimeoutMillis: connectMs });
      // A broken connection fails its running query; an "error" event without a listener would end the process.
      this.on('error', () => {});
    }
  }
  const pool = new pg.Pool({
    Client: CurrentServerClient,
    max: maxConnections,
    // The pool's limit for connecting includes the wait for a free connection.
    connectionTimeoutMillis: 2.5 * connectMs,
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    onConnect: (client) => requirePrimary(client, connectMs),
    options: Object.entries(SESSION_SETTINGS)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        (format !== 'binary' && typeParsers[oid]) || pg.types.getTypeParser(oid, format as 'text'),
    } as CustomTypesConfig,
  });
  pool.on('error', () => {});
  const bounded = new WeakMap<PoolClient, BoundedClient>();
  pool.on('connect', (client) => bounded.set(client, wrapClientWithTimeout(client, answerMs)));
  const connect = async (): Promise<BoundedClient> => {
    let failure: unknown;
    for (const _ of servers) {
      const tried = current;
      try {
        return bounded.get(await pool.connect())!;
      } catch (error) {
        if (!isOutage(error)) throw error;
        // The error of an unreachable server says more than that of a standby.
        if (!failure || errorCodeOf(failure) === STANDBY_ERROR_CODE) failure = error;
        if (current === tried) current = (tried + 1) % servers.length;
      }
    }
    throw failure;
  };
  const readTogether = createSharedReader(connect);
  const failoverPool = {
    connect: async () => new LazyClient(connect, readTogether) as unknown as PoolClient,
    end: () => pool.end(),
    options: pool.options,
  };
  return { dialect: new PostgresDialect({ pool: failoverPool }), pool };
}

const STANDBY_ERROR_CODE = 'SALDO_STANDBY';

/** @throws an error that counts as an outage (explain-errors.ts) where the server is a standby */
async function requirePrimary(client: ClientBase, atMostMs: number): Promise<void> {
  const query = { text: 'select pg_is_in_recovery() as standby', query_timeout: atMostMs };
  const { rows } = await client.query<{ standby: boolean }>(query);
  if (!rows[0]!.standby) return;
  const { host, port } = client as unknown as { host: string; port: number };
  const place = `${host}:${port}`;
  throw Object.assign(new Error(`${place} is a standby`), { code: STANDBY_ERROR_CODE, place });
}

const READ_PATTERN = /^\s*(select|with)\b/i;

/** How many queries' plans a connection keeps; each plan takes some ten kilobytes. */
const MAX_PREPARED_STATEMENTS = 300;

/** Only reads. One that selects all columns of a table is excluded: it would fail after a migration adds another. */
export const mayBePrepared = (text: string): boolean =>
  READ_PATTERN.test(text) && !/select \*(?! from \()|\.\*/i.test(text);

/**
 * PostgreSQL parses named statements, and after some runs plans them, only once for each connection (PREPARE); doing it
 * every time takes longer than most of them run.
 */
function createQueryNamer(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known || names.size === MAX_PREPARED_STATEMENTS) return known;
    if (mayBePrepared(text)) names.set(text, `saldo_${names.size}`);
    return names.get(text);
  };
}

interface BoundedClient {
  query(text: string, values: unknown[]): Promise<QueryResult>;
  release(discard?: boolean): void;
}

/** Closes the connection if a query is not answered in time, so that the query fails. */
function wrapClientWithTimeout(client: PoolClient, answerMs: number): BoundedClient {
  const nameOf = createQueryNamer();
  // pg's types lack a connection's stream.
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.on('timeout', () => {
    stream.destroy(Object.assign(new Error('PostgreSQL gives no answer'), { code: 'ETIMEDOUT' }));
  });
  let running = 0;
  return {
    async query(text, values) {
      if (running++ === 0) {
        stream.setTimeout(UNBOUNDED_SQL_PATTERN.test(text) ? 0 : answerMs);
        // Queries of one tick are sent in one write.
        stream.cork();
        process.nextTick(() => stream.uncork());
      }
      try {
        return await client.query({ name: nameOf(text), text, values });
      } finally {
        if (--running === 0) stream.setTimeout(0);
      }
    },
    release: (discard) => client.release(discard),
  };
}

/** Takes a connection for itself only from the first query that is not a lone read, such as BEGIN. */
class LazyClient {
  readonly #connect: () => Promise<BoundedClient>;
  readonly #readTogether: BoundedClient['query'];
  #own?: BoundedClient;

  constructor(connect: () => Promise<BoundedClient>, readTogether: BoundedClient['query']) {
    this.#connect = connect;
    this.#readTogether = readTogether;
  }

  async query(text: string, values: unknown[]): Promise<QueryResult> {
    if (!this.#own && READ_PATTERN.test(text)) return this.#readTogether(text, values);
    this.#own ??= await this.#connect();
    return this.#own.query(text, values);
  }

  release(discard?: boolean): void {
    this.#own?.release(discard);
  }
}

/** Sends the reads of one tick on one connection, since each write, and each wait, takes longer than most reads. */
function createSharedReader(connect: () => Promise<BoundedClient>): BoundedClient['query'] {
  let gathering: { client: Promise<BoundedClient>; unanswered: number } | undefined;
  return async (text, values) => {
    gathering ??= { client: connect().finally(() => (gathering = undefined)), unanswered: 0 };
    const batch = gathering;
    batch.unanswered++;
    const client = await batch.client;
    try {
      return await client.query(text, values);
    } finally {
      if (--batch.unanswered === 0) client.release();
    }
  };
}

/** postgres://user:password@host:port,host:port/database?… */
const DATABASE_URL_PATTERN = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)([/?#].*)?$/;

const HOST_PATTERN = /^(\[[\da-f:.]+\]|[^\s:,[\]]+)(:\d{1,5})?$/i;

/** The address may name several servers: the primary and its possible replacements. @throws DomainError invalid */
export function splitServerUrls(url: string): string[] {
  const [, before, hosts = '', rest = ''] = DATABASE_URL_PATTERN.exec(url) ?? [];
  const servers = hosts.split(',').map((host) => `${before}${host}${rest}`);
  // A single host may be missing: then it is this machine, or PGHOST.
  const areValidHosts = hosts === '' || hosts.split(',').every((host) => HOST_PATTERN.test(host));
  if (before === undefined || !areValidHosts || !servers.every((server) => URL.canParse(server))) {
    const message =
      'DATABASE_URL: se espera postgres://usuario:contraseña@servidor:puerto/base, con varios servidores separados por comas si los hay.';
    throw new DomainError('invalid', message, { code: 'bad_configuration' });
  }
  return servers;
}

function toSafeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`a number beyond the safe integers: ${text}`);
  return value;
}
