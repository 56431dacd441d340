import Database from 'better-sqlite3';
import { sql } from 'kysely';
import type { TestDatabase } from './databases.ts';

/** The statements run without constraints, references or the lock on the audit trail, as with direct access. */
export async function damageDatabase(fresh: TestDatabase, ...statements: string[]): Promise<void> {
  if (fresh.dialect === 'postgres') {
    await sql.raw(DISABLE_POSTGRES_TRIGGERS_SQL).execute(fresh.db);
    for (const statement of statements) await sql.raw(statement).execute(fresh.db);
    return;
  }
  const database = new Database(fresh.database.file!);
  try {
    database.pragma('ignore_check_constraints = on');
    database.pragma('foreign_keys = off');
    for (const name of ['audit_no_update', 'audit_no_delete', 'audit_no_replace'])
      database.exec(`drop trigger if exists ${name}`);
    for (const name of ['invoices_uuid', 'suppliers_rfc']) database.exec(`drop index if exists ${name}`);
    for (const statement of statements) database.exec(statement);
  } finally {
    database.close();
  }
}

const DISABLE_POSTGRES_TRIGGERS_SQL = `do $$ declare one record; begin
  for one in select conrelid::regclass as "table", conname from pg_constraint
    where connamespace = 'public'::regnamespace and contype in ('c', 'u') and conname not like 'users%' loop
    execute format('alter table %s drop constraint %I', one."table", one.conname);
  end loop;
  for one in select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
    execute format('alter table %I disable trigger all', one.relname);
    -- The sums go on following whatever is done.
    if one.relname in ('invoices', 'payments') then
      execute format('alter table %I enable trigger user', one.relname);
    end if;
  end loop;
  drop index if exists invoices_uuid, suppliers_rfc;
end $$`;
