import Database from 'better-sqlite3';
import { sql } from 'kysely';
import type { Fault } from './integrity.ts';
import { appliedMigrations, migrationsNamed, VERSION_TABLE } from './migrate.ts';
import type { Migration } from './migrations/migration.ts';
import { dialectOf } from './open.ts';
import type { Db } from './schema.ts';

interface SchemaObject {
  type: string;
  name: string;
  /** the definition as the database keeps it; null: it keeps none, or not in one form */
  sql: string | null;
}

/** A missing or disabled index or trigger takes a rule with it, and an extra one does what nobody knows. */
export async function findOtherSchema(db: Db): Promise<Fault[]> {
  const list = migrationsNamed(await appliedMigrations(db));
  const isPostgres = dialectOf(db) === 'postgres';
  const expected = isPostgres ? (await madeOnPostgres(list)).filter(isWatched) : await madeInMemory(list);
  const { rows: found } = await sql.raw<SchemaObject>(isPostgres ? OF_POSTGRES : OF_SQLITE).execute(db);
  const there = new Map(found.map((one) => [one.name, one]));
  const known = new Set(expected.map(({ name }) => name));
  // An administrator of PostgreSQL may have reasons for an index of their own.
  const isOdd = ({ type, name }: SchemaObject) => !known.has(name) && !(type === 'index' && isPostgres);
  return [
    ...expected.flatMap((one) => {
      const own = there.get(one.name);
      if (!own) return [faultOf(one, (what) => `falta ${what}`)];
      return own.sql === one.sql ? [] : [faultOf(one, (what) => `${what} no es como debe`)];
    }),
    ...found.filter(isOdd).map((one) => faultOf(one, (what) => `${what} está de más`)),
  ];
}

const NOUNS: Readonly<Record<string, string>> = {
  table: 'la tabla',
  index: 'el índice',
  trigger: 'el disparador',
  function: 'la función',
  view: 'la vista',
};

const faultOf = ({ type, name }: SchemaObject, say: (what: string) => string): Fault => ({
  table: type === 'table' ? name : 'database',
  id: null,
  problem: say(`${NOUNS[type] ?? type} ${name}`),
});

async function madeInMemory(list: readonly Migration[]): Promise<SchemaObject[]> {
  const database = new Database(':memory:');
  try {
    database.exec(VERSION_TABLE);
    const run = async (statement: string) => void database.exec(statement);
    for (const { up } of list) await up(run, 'sqlite');
    return database.prepare(OF_SQLITE).all() as SchemaObject[];
  } finally {
    database.close();
  }
}

const OF_SQLITE = `select type, name, sql from main.sqlite_master
  where name not like 'sqlite\\_%' escape '\\' order by name`;

/** An invalid index and a disabled trigger are left out. */
const OF_POSTGRES = `
  select 'index' as type, relname as name, null as sql from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = current_schema()::regnamespace and indisvalid
      and not exists (select 1 from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))
  union all select 'trigger', tgname, null from pg_trigger join pg_class on pg_class.oid = tgrelid
    where relnamespace = current_schema()::regnamespace and not tgisinternal and tgenabled <> 'D'
  order by 2`;

const isWatched = ({ type }: SchemaObject): boolean => type === 'index' || type === 'trigger';

/** Derives from the migrations' statements what they leave; dropped functions are kept. */
export async function madeOnPostgres(list: readonly Migration[]): Promise<SchemaObject[]> {
  const made = new Map<string, SchemaObject>();
  const note = async (statement: string) => {
    const [, verb = '', type = '', name = ''] = MAKES.exec(statement) ?? [];
    if (/create/i.test(verb)) made.set(name, { type: type.toLowerCase(), name, sql: null });
    else if (!/function/i.test(type)) made.delete(name);
  };
  await note(VERSION_TABLE);
  for (const { up } of list) await up(note, 'postgres');
  return [...made.values()];
}

const MAKES =
  /^\s*(CREATE|DROP)\s+(?:OR\s+REPLACE\s+|UNIQUE\s+)?(TABLE|INDEX|TRIGGER|FUNCTION)\s+(?:IF\s+(?:NOT\s+)?EXISTS\s+)?"?(\w+)/i;
