import { sql } from 'kysely';
import { dialectOf } from '../open.ts';
import type { Db } from '../schema.ts';

export interface PortableTable {
  name: string;
  /** The columns are in the order of the table's definition, which is the same on both databases. */
  columns: { name: string; isText: boolean; isBytes: boolean }[];
  keyColumns: string[];
  references: { column: string; target: string; to: string }[];
  lastId: number | null;
}

/** Lists each table after those that it refers to. Leaves out tables that triggers build, such as search indexes. */
export async function readTableDefinitions(db: Db): Promise<PortableTable[]> {
  const { columns, references, numbers } = await (dialectOf(db) === 'postgres'
    ? readPostgresSystemCatalog
    : readSqliteSystemCatalog)(db);
  const tables = [...Map.groupBy(columns, ({ name }) => name)].map(([name, tableColumns]): PortableTable => {
    const keys = tableColumns.filter(({ place }) => place).sort((a, b) => a.place! - b.place!);
    return {
      name,
      columns: tableColumns.map(({ column, type }) => ({
        name: column,
        isText: /^text$/i.test(type),
        isBytes: /^(blob|bytea)$/i.test(type),
      })),
      keyColumns: keys.map(({ column }) => column),
      references: references.filter((one) => one.name === name),
      lastId: numbers.find((one) => one.name === name)?.last ?? null,
    };
  });
  return sortByReference(tables);
}

interface SystemCatalog {
  /** in the order of the definition; `place` is the position in the primary key, from 1 */
  columns: readonly { name: string; column: string; type: string; place: number | null }[];
  references: readonly ({ name: string } & PortableTable['references'][number])[];
  numbers: readonly { name: string; last: number }[];
}

const TRIGGER_FILLED_TABLES = sql.join(['day_sums', 'payments_without_receipt'].map(sql.lit));

async function readSqliteSystemCatalog(db: Db): Promise<SystemCatalog> {
  const tables = sql`pragma_table_list t
    where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite\\_%' escape '\\'
      and t.name not in (${TRIGGER_FILLED_TABLES})`;
  const { rows: columns } = await sql<SystemCatalog['columns'][number]>`
    select o.name as name, c.name as "column", c.type as type, c.pk as place
    from (select t.name from ${tables}) o, pragma_table_info(o.name) c order by o.name, c.cid`.execute(db);
  const { rows: references } = await sql<SystemCatalog['references'][number]>`
    select o.name as name, k."from" as "column", k."table" as target, k."to" as "to"
    from (select t.name from ${tables}) o, pragma_foreign_key_list(o.name) k`.execute(db);
  const { rows: numbers } = await sql<SystemCatalog['numbers'][number]>`
    select m.name as name, coalesce(s.seq, 0) as last from sqlite_master m left join sqlite_sequence s on s.name = m.name
    where m.type = 'table' and m.sql like '%AUTOINCREMENT%'`.execute(db);
  return { columns, references, numbers };
}

async function readPostgresSystemCatalog(db: Db): Promise<SystemCatalog> {
  const { rows: columns } = await sql<SystemCatalog['columns'][number] & { sequence: string | null }>`
    select tables.relname as name, columns.attname as column, format_type(columns.atttypid, null) as type,
      array_position(keys.conkey, columns.attnum) as place,
      case when columns.attidentity <> '' then
        pg_get_serial_sequence(quote_ident(tables.relname), columns.attname) end as sequence
    from pg_class tables
    join pg_attribute columns on columns.attrelid = tables.oid and columns.attnum > 0 and not columns.attisdropped
    left join pg_constraint keys on keys.conrelid = tables.oid and keys.contype = 'p'
    where tables.relnamespace = current_schema()::regnamespace and tables.relkind in ('r', 'p')
      and tables.relname not in (${TRIGGER_FILLED_TABLES})
    order by tables.relname, columns.attnum`.execute(db);
  const { rows: references } = await sql<SystemCatalog['references'][number]>`
    select conrelid::regclass::text as name, columns.attname as column, confrelid::regclass::text as target,
      others.attname as "to"
    from pg_constraint, pg_attribute columns, pg_attribute others
    where contype = 'f' and connamespace = current_schema()::regnamespace
      and columns.attrelid = conrelid and columns.attnum = conkey[1]
      and others.attrelid = confrelid and others.attnum = confkey[1]`.execute(db);
  const numbers: { name: string; last: number }[] = [];
  for (const { name, sequence } of columns) {
    if (!sequence) continue;
    const { rows } = await sql<{ last: number }>`
      select case when is_called then last_value else 0 end as last from ${sql.raw(sequence)}`.execute(db);
    numbers.push({ name, last: rows[0]!.last });
  }
  return { columns, references, numbers };
}

function sortByReference(tables: readonly PortableTable[]): PortableTable[] {
  const remaining = [...tables].sort((a, b) => (a.name < b.name ? -1 : 1));
  const ordered: PortableTable[] = [];
  while (remaining.length > 0) {
    const next = remaining.findIndex(({ name, references }) =>
      references.every(({ target }) => target === name || ordered.some((one) => one.name === target)),
    );
    if (next < 0)
      throw new Error(`tables that refer to each other: ${remaining.map(({ name }) => name).join(', ')}`);
    ordered.push(...remaining.splice(next, 1));
  }
  return ordered;
}
