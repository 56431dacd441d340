import Database from 'better-sqlite3';
import { sql } from 'kysely';
import type { Fault } from './integrity.ts';
import { getMigrationsNamed, MIGRATIONS_TABLE_SQL, readAppliedMigrations } from './migrate.ts';
import type { Migration } from './migrations/migration.ts';
import { dialectOf } from './open.ts';
import type { Db } from './schema.ts';

interface SchemaObject {
  type: string;
  name: string;
  /** the definition as the database stores it; null where it stores none, or not in a fixed form */
  sql: string | null;
}

/** A missing or disabled index or trigger leaves a rule unenforced, and an additional one may do anything. */
export async function findSchemaFaults(db: Db): Promise<Fault[]> {
  const list = getMigrationsNamed(await readAppliedMigrations(db));
  const isPostgres = dialectOf(db) === 'postgres';
  const expected = isPostgres
    ? (await derivePostgresObjects(list)).filter(({ type }) => type === 'index' || type === 'trigger')
    : await buildSqliteObjects(list);
  const { rows: found } = await sql
    .raw<SchemaObject>(isPostgres ? POSTGRES_OBJECTS_QUERY : SQLITE_OBJECTS_QUERY)
    .execute(db);
  const actual = new Map(found.map((one) => [one.name, one]));
  const expectedNames = new Set(expected.map(({ name }) => name));
  // An administrator of PostgreSQL may have added indexes.
  const isUnexpected = ({ type, name }: SchemaObject) =>
    !expectedNames.has(name) && !(type === 'index' && isPostgres);
  return [
    ...expected.flatMap((one) => {
      const actualObject = actual.get(one.name);
      if (!actualObject) return [createFault(one, (what) => `falta ${what}`)];
      return actualObject.sql === one.sql ? [] : [createFault(one, (what) => `${what} no es como debe`)];
    }),
    ...found.filter(isUnexpected).map((one) => createFault(one, (what) => `${what} está de más`)),
  ];
}

const OBJECT_NOUNS: Readonly<Record<string, string>> = {
  table: 'la tabla',
  index: 'el índice',
  trigger: 'el disparador',
  function: 'la función',
  view: 'la vista',
};

const createFault = ({ type, name }: SchemaObject, describe: (what: string) => string): Fault => ({
  table: type === 'table' ? name : 'database',
  id: null,
  problem: describe(`${OBJECT_NOUNS[type] ?? type} ${name}`),
});

/** Cached for good, since migrations never change. */
const objectsByLastMigration = new Map<string | undefined, SchemaObject[]>();

async function buildSqliteObjects(list: readonly Migration[]): Promise<SchemaObject[]> {
  const last = list.at(-1)?.name;
  const built = objectsByLastMigration.get(last);
  if (built) return built;
  const database = new Database(':memory:');
  try {
    database.exec(MIGRATIONS_TABLE_SQL);
    const run = async (statement: string) => void database.exec(statement);
    for (const { up } of list) await up(run, 'sqlite');
    const objects = database.prepare(SQLITE_OBJECTS_QUERY).all() as SchemaObject[];
    objectsByLastMigration.set(last, objects);
    return objects;
  } finally {
    database.close();
  }
}

const SQLITE_OBJECTS_QUERY = `select type, name, sql from main.sqlite_master
  where name not like 'sqlite\\_%' escape '\\' order by name`;

/** Leaves out invalid indexes and disabled triggers, so that they count as missing. */
const POSTGRES_OBJECTS_QUERY = `
  select 'index' as type, relname as name, null as sql from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = current_schema()::regnamespace and indisvalid
      and not exists (select 1 from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))
  union all select 'trigger', tgname, null from pg_trigger join pg_class on pg_class.oid = tgrelid
    where relnamespace = current_schema()::regnamespace and not tgisinternal and tgenabled <> 'D'
  order by 2`;

/** Derives from the migrations' statements which objects exist after them; dropped functions stay in the list. */
export async function derivePostgresObjects(list: readonly Migration[]): Promise<SchemaObject[]> {
  const objects = new Map<string, SchemaObject>();
  const recordStatement = async (statement: string) => {
    const [, verb = '', type = '', name = ''] = DDL_PATTERN.exec(statement) ?? [];
    // A trigger and its function may have one name.
    const key = `${type.toLowerCase()} ${name}`;
    if (/create/i.test(verb)) objects.set(key, { type: type.toLowerCase(), name, sql: null });
    else if (!/function/i.test(type)) objects.delete(key);
  };
  await recordStatement(MIGRATIONS_TABLE_SQL);
  for (const { up } of list) await up(recordStatement, 'postgres');
  return [...objects.values()];
}

const DDL_PATTERN =
  /^\s*(CREATE|DROP)\s+(?:OR\s+REPLACE\s+|UNIQUE\s+)?(TABLE|INDEX|TRIGGER|FUNCTION)\s+(?:IF\s+(?:NOT\s+)?EXISTS\s+)?"?(\w+)/i;
