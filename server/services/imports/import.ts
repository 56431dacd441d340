import { isViolation, LostRaceError } from '../../../db/errors.ts';
import type { Db } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { ParsedRowIterable } from '../../formats/tables/parse-rows.ts';
import type { TableImportResult, TableKind } from '../../formats/tables/table.ts';
import type { Actor } from '../audit/audit.ts';
import { importBudgets } from './budgets.ts';
import { importEntries } from './catalogs.ts';
import { importCreditNotes } from './credit-notes.ts';
import {
  createProgress,
  importRaceError,
  type TableImportOptions,
  type TableProgressListener,
} from './import-run.ts';
import { importInvoices } from './invoices.ts';
import { importPayments } from './payments.ts';
import { importFunds } from './petty-cash-funds.ts';
import { importMovements } from './petty-cash-movements.ts';
import { References } from './references.ts';
import { importAccounts } from './supplier-accounts.ts';

/**
 * Stores all rows or none, unless refused rows are skipped. Reports every refused row, not only the first.
 * @throws the signal's reason where it was aborted; DomainError busy, forbidden (budgets), conflict (a row referred to
 * is gone)
 */
export async function importTable(
  db: Db,
  actor: Actor,
  kind: TableKind,
  rows: ParsedRowIterable,
  options: TableImportOptions,
  onProgress: TableProgressListener = () => {},
): Promise<TableImportResult> {
  const progress = createProgress(options.signal, onProgress);
  await progress.pause();
  const references = new References(options.createMissing, options.set);
  const { storeOnce = (write) => inTransaction(db, write) } = options;
  const importer = IMPORTERS[kind] ?? importEntries;
  return importer({
    ...{ db, actor, kind, rows, options, references, progress },
    storeOnce: (write) => storeOnce((trx) => write(trx).catch(rethrowAsLostRace)),
  });
}

/** A kind without an importer is a catalog. */
const IMPORTERS: Partial<Record<TableKind, typeof importPayments>> = {
  invoices: importInvoices,
  payments: importPayments,
  'credit-notes': importCreditNotes,
  budgets: importBudgets,
  cuentas: importAccounts,
  cajas: importFunds,
  'movimientos-caja': importMovements,
};

/** If somebody else stored the same UUID or RFC first, makes the transaction run again, which then finds that row. */
function rethrowAsLostRace(error: unknown): never {
  if (!isViolation(error, 'unique')) throw error;
  throw new LostRaceError(importRaceError(), error);
}
