import { beforeEach } from 'vitest';
import type { Db } from '../../db/schema.ts';
import type { TableKind } from '../../server/formats/tables/table.ts';
import type { Actor } from '../../server/services/audit/audit.ts';
import { importTable } from '../../server/services/imports/import.ts';
import type { TableImportOptions } from '../../server/services/imports/import-run.ts';
import { useFreshDatabase } from './databases.ts';
import { addActor, addJob, addSupplier } from './rows.ts';
import { createParsedRows } from './table-rows.ts';

export function useImports() {
  const fresh = useFreshDatabase('sqlite');
  let actor: Actor;
  let ids: { supplierId: number; jobId: number };
  beforeEach(async () => {
    actor = await addActor(fresh.db);
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros' });
    ids = { supplierId, jobId: await addJob(fresh.db, { jobtitle: 'Torre' }) };
  });

  /** `concurrently` runs each time that the rows have been checked, before any of them is stored. */
  async function importIn(
    kind: TableKind,
    rows: Record<string, string>[],
    concurrently: (time: number) => unknown = () => {},
    options: Partial<TableImportOptions> = {},
  ) {
    let checks = 0;
    let handled = 0;
    const result = await importTable(
      fresh.db,
      actor,
      kind,
      createParsedRows(rows),
      { source: 'x.csv', sha256: 'a'.repeat(64), ...options },
      async (step, fraction) => {
        if (step === 'revisar' && fraction === 0) checks += 1;
        if (step !== 'guardar' || handled === checks) return;
        handled = checks;
        await concurrently(checks);
      },
    );
    return { ...result, judged: checks };
  }

  return {
    fresh,
    importIn,
    get actor() {
      return actor;
    },
    get ids() {
      return ids;
    },
    other: () => fresh.database.openAgain().db,
  };
}

/** After an import that stored nothing, only the next ids may differ. */
export const readImportedContent = async (db: Db) => ({
  invoices: await db.selectFrom('invoices').selectAll().orderBy('id').execute(),
  payments: await db.selectFrom('payments').selectAll().orderBy('id').execute(),
  suppliers: await db.selectFrom('suppliers').selectAll().orderBy('id').execute(),
  imports: await db.selectFrom('imports').selectAll().execute(),
  entries: await db.selectFrom('audit').select('id').where('action', '=', 'import').execute(),
});

export const countRows = async (db: Db, table: 'invoices' | 'payments' | 'imports') =>
  (await db.selectFrom(table).select('id').execute()).length;

export const createInvoiceRow = (numfactura: string, suppliername = 'Aceros') => ({
  suppliername,
  jobtitle: 'Torre',
  numfactura,
  fechaemision: '2026-10-01',
  subtotal: '1000.00',
  iva: '160.00',
  total: '1160.00',
  tasa: '16',
});

export const createPaymentRow = (numfactura: string, paymentamount = '100.00') => ({
  suppliername: 'Aceros',
  numfactura,
  paymentdate: '2026-10-05',
  paymentamount,
  checknum: `CH-${numfactura}`,
});

export const createNumberedRows = <T>(count: number, row: (name: string) => T): T[] =>
  Array.from({ length: count }, (_, n) => row(`A-${n}`));
