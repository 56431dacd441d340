import { sql } from 'kysely';
import { dialectOf } from '../open.ts';
import type { Db } from '../schema.ts';

export interface PortableTable {
  name: string;
  /** in the order of the table's definition, alike on both databases */
  columns: { name: string; isText: boolean; isBytes: boolean }[];
  /** names of the primary key's columns: what the rows are ordered by */
  key: string[];
  /** columns that refer to a row of another table, and that one's column */
  references: { column: string; target: string; to: string }[];
  /** the last number given to a row, also to one deleted since; null where rows are not numbered */
  lastId: number | null;
}

/**
 * The tables of a database as they are, whatever migrations it has, each after those that it refers to.
 * Search indexes (virtual tables) and sums by day are none: triggers make them from the others.
 */
export async function readTables(db: Db): Promise<PortableTable[]> {
  const tables = await (dialectOf(db) === 'postgres' ? readPostgres(db) : readSqlite(db));
  return inOrder(tables);
}

async function readSqlite(db: Db): Promise<PortableTable[]> {
  const { rows: names } = await sql<{ name: string }>`
    select name from pragma_table_list
    where schema = 'main' and type = 'table' and name not like 'sqlite\\_%' escape '\\' and name <> 'day_sums'`.execute(
    db,
  );
  const { rows: numbers } = await sql<{ name: string; seq: number }>`
    select name, seq from sqlite_sequence`.execute(db);
  const { rows: numbered } = await sql<{ name: string }>`
    select name from sqlite_master where type = 'table' and sql like '%AUTOINCREMENT%'`.execute(db);
  const tables: PortableTable[] = [];
  for (const { name } of names) {
    const { rows: columns } = await sql<{ name: string; type: string; pk: number }>`
      select name, type, pk from pragma_table_info(${name}) order by cid`.execute(db);
    const { rows: references } = await sql<PortableTable['references'][number]>`
      select "from" as "column", "table" as target, "to" from pragma_foreign_key_list(${name})`.execute(db);
    tables.push({
      name,
      columns: columns.map(({ name: column, type }) => ({
        name: column,
        isText: type === 'TEXT',
        isBytes: type === 'BLOB',
      })),
      key: columns
        .filter(({ pk }) => pk > 0)
        .sort((a, b) => a.pk - b.pk)
        .map((column) => column.name),
      references,
      lastId: numbered.some((one) => one.name === name)
        ? (numbers.find((one) => one.name === name)?.seq ?? 0)
        : null,
    });
  }
  return tables;
}

async function readPostgres(db: Db): Promise<PortableTable[]> {
  const { rows: columns } = await sql<{
    name: string;
    column: string;
    type: string;
    sequence: string | null;
  }>`
    select tables.relname as name, columns.attname as column, format_type(columns.atttypid, null) as type,
      case when columns.attidentity <> '' then
        pg_get_serial_sequence(quote_ident(tables.relname), columns.attname) end as sequence
    from pg_class tables
    join pg_attribute columns on columns.attrelid = tables.oid and columns.attnum > 0 and not columns.attisdropped
    where tables.relnamespace = current_schema()::regnamespace and tables.relkind in ('r', 'p')
    order by tables.relname, columns.attnum`.execute(db);
  const { rows: keys } = await sql<{ name: string; column: string }>`
    select conrelid::regclass::text as name, columns.attname as column
    from pg_constraint, unnest(conkey) with ordinality as part (number, place), pg_attribute columns
    where contype = 'p' and connamespace = current_schema()::regnamespace
      and columns.attrelid = conrelid and columns.attnum = part.number
    order by part.place`.execute(db);
  const { rows: references } = await sql<{ name: string } & PortableTable['references'][number]>`
    select conrelid::regclass::text as name, columns.attname as column, confrelid::regclass::text as target,
      others.attname as "to"
    from pg_constraint, pg_attribute columns, pg_attribute others
    where contype = 'f' and connamespace = current_schema()::regnamespace
      and columns.attrelid = conrelid and columns.attnum = conkey[1]
      and others.attrelid = confrelid and others.attnum = confkey[1]`.execute(db);
  const tables: PortableTable[] = [];
  for (const name of new Set(columns.map((column) => column.name))) {
    const own = columns.filter((column) => column.name === name);
    const sequence = own.find((column) => column.sequence)?.sequence;
    tables.push({
      name,
      columns: own.map(({ column, type }) => ({
        name: column,
        isText: type === 'text',
        isBytes: type === 'bytea',
      })),
      key: keys.filter((key) => key.name === name).map((key) => key.column),
      references: references.filter((one) => one.name === name),
      lastId: sequence ? await lastOf(db, sequence) : null,
    });
  }
  return tables;
}

async function lastOf(db: Db, sequence: string): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    select case when is_called then last_value else 0 end as last from ${sql.raw(sequence)}`.execute(db);
  return rows[0]!.last;
}

/** By name, but never before a table that it refers to. @throws where tables refer to each other in a ring */
function inOrder(tables: readonly PortableTable[]): PortableTable[] {
  const left = [...tables].sort((a, b) => (a.name < b.name ? -1 : 1));
  const ordered: PortableTable[] = [];
  while (left.length > 0) {
    const next = left.findIndex(({ name, references }) =>
      references.every(({ target }) => target === name || ordered.some((one) => one.name === target)),
    );
    if (next < 0)
      throw new Error(`tables that refer to each other: ${left.map(({ name }) => name).join(', ')}`);
    ordered.push(...left.splice(next, 1));
  }
  return ordered;
}
