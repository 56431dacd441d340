import { createRequire } from 'node:module';
import { type Dialect, PostgresDialect } from 'kysely';
import type { CustomTypesConfig, Pool } from 'pg';

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

export function postgresDialect(connectionString: string): { dialect: Dialect; pool: Pool } {
  // Only now: a command on a database file is quicker without it.
  const pg = createRequire(import.meta.url)('pg') as typeof import('pg');
  const pool = new pg.Pool({
    connectionString,
    max: 10,
    // A lost server must be noticed, and a forgotten lock must not hold everybody for ever.
    connectionTimeoutMillis: 10_000,
    options: '-c lock_timeout=15s -c idle_in_transaction_session_timeout=60s',
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        (format !== 'binary' && parsers[oid]) || pg.types.getTypeParser(oid, format as 'text'),
    } as CustomTypesConfig,
  });
  // An idle connection that the server closed is replaced at the next query; without a listener it would end us.
  pool.on('error', () => {});
  return { dialect: new PostgresDialect({ pool }), pool };
}

function toSafeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`a number beyond the safe integers: ${text}`);
  return value;
}
