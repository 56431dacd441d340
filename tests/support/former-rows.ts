import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import { addJob, addSupplier, NOW } from './rows.ts';

/** A row of a table as it was at an earlier version: with these columns alone. */
export async function addFormerRow(
  db: Db,
  table: string,
  row: Readonly<Record<string, string | number | null>>,
): Promise<number> {
  const columns = sql.join(Object.keys(row).map((name) => sql.ref(name)));
  const values = sql.join(Object.values(row));
  const { rows } = await sql<{ id: number }>`
    insert into ${sql.table(table)} (${columns}) values (${values}) returning *`.execute(db);
  return rows[0]!.id;
}

/** An invoice of the first version, which every later one has the columns of. */
export const addFormerInvoice = async (
  db: Db,
  more: Readonly<Record<string, string | number>> = {},
): Promise<number> =>
  addFormerRow(db, 'invoices', {
    supplierId: await addSupplier(db),
    jobId: await addJob(db),
    numfactura: 'A-1',
    numfacturaFold: 'a-1',
    numfacturaKey: 'a1',
    subtotalCents: 1000,
    ivaCents: 160,
    totalCents: 1160,
    comments: '',
    createdAt: NOW,
    updatedAt: NOW,
    ...more,
  });
