import type pg from 'pg';

/** Dead rows stay in the files, since nothing vacuums them: beyond these limits a new database is cheaper. */
const MAX_USES = 40;
const MAX_BYTES = 4 * 1024 ** 2;

/** A migrated database that tests use one after another: to empty it takes a tenth of what it takes to copy one. */
export interface EmptiedDatabase {
  readonly url: string;
  readonly name: string;
  /** @returns 'busy' while a test's connection is still being closed, 'changed' if it differs by more than its rows */
  empty(): Promise<'emptied' | 'busy' | 'changed'>;
  close(): Promise<void>;
}

/** @param client is connected to a database that was just copied from the template, and to nothing else */
export async function watchDatabase(name: string, url: string, client: pg.Client): Promise<EmptiedDatabase> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`,
  );
  const filled = tables.map(
    (table) => `case when exists (select from ${table.name}) then '${table.name}' end`,
  );
  const query = {
    name: 'state',
    text: `select ${SHAPE_SQL} as shape, array_remove(array[${filled.join(', ')}], null) as filled,
      (select sum(pg_relation_size(oid)) from pg_class
        where relkind = 'r' and relnamespace = 'public'::regnamespace)::int as bytes,
      (select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid())::int
        as others,
      (select count(*) from pg_sequences where last_value is not null)::int as "usedSequences"`,
  };
  const readState = async () => (await client.query<State>(query)).rows[0]!;
  await client.query("set session_replication_role = replica; set lock_timeout = '5s'");
  const original = await readState();
  if (original.usedSequences > 0) throw new Error('the template has used its sequences');
  const initialRows: { table: string; rows: string }[] = [];
  for (const table of original.filled) {
    const { rows } = await client.query(`select json_agg(t) as rows from ${table} t`);
    initialRows.push({ table, rows: client.escapeLiteral(JSON.stringify(rows[0].rows)) });
  }
  let uses = 0;
  let closed: Promise<void> | undefined;
  return {
    url,
    name,
    async empty() {
      const state = await readState().catch(() => undefined);
      if (!state || state.shape !== original.shape || state.bytes > MAX_BYTES || uses >= MAX_USES)
        return 'changed';
      if (state.others > 0) return 'busy';
      uses++;
      await client.query(
        [
          'begin',
          ...state.filled.map((table) => `delete from ${table}`),
          ...initialRows.map(
            ({ table, rows }) =>
              `insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, ${rows})`,
          ),
          `select setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
            from pg_sequences where last_value is not null`,
          'commit',
        ].join(';\n'),
      );
      return 'emptied';
    },
    close: () => (closed ??= client.end()),
  };
}

interface State {
  shape: string;
  filled: string[];
  bytes: number;
  others: number;
  usedSequences: number;
}

/** A text that changes with each change of the schema, of the planner's statistics or of the database's settings. */
const SHAPE_SQL = `concat_ws(' ', ${[
  ...['pg_class', 'pg_proc'].map((catalog) => `${catalog} where oid >= 16384`),
  ...['pg_constraint', 'pg_trigger', 'pg_index', 'pg_rewrite', 'pg_extension'],
  'pg_attribute where attrelid >= 16384',
  'pg_statistic where starelid >= 16384',
  'pg_db_role_setting where setdatabase = (select oid from pg_database where datname = current_database())',
]
  .map((rows) => `(select concat(count(*), '/', max(xmin::text::bigint)) from ${rows})`)
  .join(', ')})`;
