import { closeSync, fsyncSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { copySqliteDatabase } from '../../db/copies/copy.ts';
import { writePortable } from '../../db/copies/portable-writing.ts';
import { lockTables } from '../../db/expressions.ts';
import { dialectOf } from '../../db/open.ts';
import type { Db, Trx } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { PlainDate } from '../../shared/dates.ts';
import { DomainError } from '../../shared/errors.ts';
import { type Actor, queueAuditEntry } from './audit/audit.ts';
import { requireNotBankMatched } from './bank-matches.ts';
import { requireOpenPeriod } from './closing/closing.ts';
import { deleteUnusedFiles } from './files.ts';

export interface DatabaseWithFolder {
  db: Db;
  config: { dataFolder: string };
}

/** @throws DomainError conflict (bank_matched, closed_period), or where the copy could not be written */
export async function backUpAndDeleteAllPayments(at: DatabaseWithFolder, actor: Actor): Promise<void> {
  const requireDeletable = async (trx: Trx) => {
    await requireNotBankMatched(trx, 'paymentId');
    await requireAllInOpenPeriod(trx, actor, 'payments');
  };
  await inTransaction(at.db, requireDeletable);
  await deleteAllRowsWithCopy(at, actor, 'payments', async (trx) => {
    // Because of these locks, a payment that is captured meanwhile and the paid sum of its invoice are both stored
    // before the deletion, or both after it.
    await lockTables(trx, 'invoices', 'credit_notes', 'payments');
    await requireDeletable(trx);
    const rows = await trx.deleteFrom('payments').returningAll().execute();
    await trx.updateTable('invoices').set({ paidCents: 0 }).where('paidCents', '<>', 0).execute();
    await trx.updateTable('credit_notes').set({ appliedCents: 0 }).where('appliedCents', '<>', 0).execute();
    return rows;
  });
}

/** Deletes all invoices, or refuses if one is paid, planned in a batch, or of a closed period. */
export async function backUpAndDeleteAllInvoices(at: DatabaseWithFolder, actor: Actor): Promise<void> {
  await requireNonePaidOrPlanned(at.db); // here too, before a needless copy is written
  await inTransaction(at.db, (trx) => requireAllInOpenPeriod(trx, actor, 'invoices'));
  await deleteAllRowsWithCopy(at, actor, 'invoices', async (trx, copyRow) => {
    await lockTables(trx, 'invoices', 'payments');
    await requireNonePaidOrPlanned(trx);
    const documents = await trx.selectFrom('cfdi_documents').selectAll().execute();
    const attachments = await trx
      .selectFrom('attachments')
      .selectAll()
      .where('invoiceId', 'is not', null)
      .execute();
    await requireAllInOpenPeriod(trx, actor, 'invoices');
    const rows: object[] = await trx.deleteFrom('invoices').returningAll().execute();
    // On SQLite the copy of the database includes the files.
    if (dialectOf(trx) !== 'sqlite')
      for (const sha256 of new Set(attachments.map((one) => one.sha256)))
        copyRow(await readFileRow(trx, sha256));
    await deleteUnusedFiles(trx, 'all');
    return rows.concat(documents, attachments);
  });
}

const EARLIEST_DAY_EXPRESSIONS = {
  payments: sql<PlainDate | null>`min(paymentdate)`,
  invoices: sql<PlainDate | null>`min(coalesce(fechaemision, fechacaptura))`,
};

async function requireAllInOpenPeriod(
  trx: Trx,
  actor: Actor,
  table: keyof typeof EARLIEST_DAY_EXPRESSIONS,
): Promise<void> {
  const { first } = await trx
    .selectFrom(table)
    .select(EARLIEST_DAY_EXPRESSIONS[table].as('first'))
    .executeTakeFirstOrThrow();
  if (first !== null) await requireOpenPeriod(trx, actor, [first]);
}

async function readFileRow(trx: Trx, sha256: string): Promise<object> {
  const file = await trx
    .selectFrom('files')
    .selectAll()
    .where('sha256', '=', sha256)
    .executeTakeFirstOrThrow();
  return { ...file, bytes: Buffer.from(file.bytes).toString('base64') };
}

async function requireNonePaidOrPlanned(db: Db): Promise<void> {
  const paid = await db.selectFrom('payments').select('id').limit(1).executeTakeFirst();
  const planned = await db.selectFrom('payment_batch_lines').select('id').limit(1).executeTakeFirst();
  if (!paid && !planned) return;
  const what = paid ? 'pagos registrados' : 'programaciones de pagos';
  const message = `No se pueden eliminar las facturas: hay ${what}.`;
  throw new DomainError('conflict', message, { code: 'in_use' });
}

/**
 * Before the commit, the deleted rows are written to disk as JSON lines, next to a restorable copy of the database.
 * With `copyRow`, dependent rows that do not fit into memory are written one by one.
 */
export async function deleteAllRowsWithCopy(
  { db, config }: DatabaseWithFolder,
  actor: Actor,
  entity: string,
  deleteRows: (trx: Trx, copyRow: (row: object) => void) => Promise<object[]>,
): Promise<void> {
  const folder = join(config.dataFolder, 'backups');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = `antes-de-eliminar-${entity}-${actor.at.replace(/[^0-9]/g, '')}`;
  if (dialectOf(db) === 'sqlite') await copySqliteDatabase(db, join(folder, `${name}.db`));
  else await writePortable(db, join(folder, `${name}.zip`), actor.at);
  await inTransaction(db, async (trx) => {
    const fd = openSync(join(folder, `${name}.jsonl`), 'w', 0o600);
    const writeRowToBackup = (row: object) => void writeSync(fd, `${JSON.stringify(row)}\n`);
    try {
      const rows = await deleteRows(trx, writeRowToBackup);
      for (const row of rows) writeRowToBackup(row);
      fsyncSync(fd);
      queueAuditEntry(trx, actor, { action: 'delete', entity, before: { count: rows.length, copy: name } });
    } finally {
      closeSync(fd);
    }
  });
}
