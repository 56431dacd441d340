import { closeSync, fsyncSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { copyDatabase } from '../../db/copy.ts';
import { lockTables } from '../../db/expressions.ts';
import { dialectOf } from '../../db/open.ts';
import type { Db, Trx } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { DomainError } from '../../shared/errors.ts';
import { type Actor, audit } from './audit.ts';

/** A database, and the data folder in whose `backups/` copies are kept. */
export interface WithFolder {
  db: Db;
  config: { dataFolder: string };
}

/**
 * Deletes every payment; the invoices are unpaid again.
 * @throws DomainError where the copy could not be kept: then nothing is deleted
 */
export async function deleteAllPayments(at: WithFolder, actor: Actor): Promise<void> {
  await deleteWhole(at, actor, 'payments', async (trx) => {
    // A payment that is being made must come before this or after it, with its invoice's paid sum.
    await lockTables(trx, 'invoices', 'payments');
    const rows = await trx.deleteFrom('payments').returningAll().execute();
    await trx.updateTable('invoices').set({ paidCents: 0 }).where('paidCents', '<>', 0).execute();
    return rows;
  });
}

/** Deletes every invoice, or none: one that was paid refuses the whole. */
export async function deleteAllInvoices(at: WithFolder, actor: Actor): Promise<void> {
  await requireNonePaid(at.db); // before a copy is made for nothing
  await deleteWhole(at, actor, 'invoices', async (trx) => {
    await lockTables(trx, 'invoices', 'payments');
    await requireNonePaid(trx);
    const documents = await trx.selectFrom('cfdi_documents').selectAll().execute();
    const rows: object[] = await trx.deleteFrom('invoices').returningAll().execute();
    return rows.concat(documents);
  });
}

async function requireNonePaid(db: Db): Promise<void> {
  const paid = await db.selectFrom('payments').select('facturaproveedorId').limit(1).executeTakeFirst();
  if (!paid) return;
  const message = 'No se pueden eliminar las facturas: hay pagos registrados.';
  throw new DomainError('conflict', message, { code: 'in_use' });
}

/**
 * Runs a deletion of a whole list. The deleted rows are on disk as JSON lines before the deletion is
 * committed, and where the database is a file, a copy of it as it was before. One audit entry says how many
 * there were and where the copy is.
 */
export async function deleteWhole(
  { db, config }: WithFolder,
  actor: Actor,
  entity: string,
  deleteRows: (trx: Trx) => Promise<object[]>,
): Promise<void> {
  const folder = join(config.dataFolder, 'backups');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = `antes-de-eliminar-${entity}-${actor.at.replace(/[^0-9]/g, '')}`;
  if (dialectOf(db) === 'sqlite') await copyDatabase(db, join(folder, `${name}.db`));
  await inTransaction(db, async (trx) => {
    const rows = await deleteRows(trx);
    writeLines(join(folder, `${name}.jsonl`), rows);
    audit(trx, actor, { action: 'delete', entity, before: { count: rows.length, copy: name } });
  });
}

function writeLines(file: string, rows: object[]): void {
  const fd = openSync(file, 'w', 0o600);
  try {
    for (const row of rows) writeSync(fd, `${JSON.stringify(row)}\n`);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
