import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { lockAdvisoryKey } from '../../../../db/expressions.ts';
import type { Db } from '../../../../db/schema.ts';
import { inTransaction } from '../../../../db/transaction.ts';
import { writeBudgets } from '../../../../server/services/budgets/write.ts';
import { checkDatabase } from '../../../../server/services/database/check.ts';
import { importCfdi } from '../../../../server/services/documents/import.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { lockRow } from '../../../../server/services/stored-rows.ts';
import { uuidOfNumber } from '../../../support/cfdi.ts';
import { buildCreditNoteFile, buildInvoiceFile, buildReceiptFile } from '../../../support/cfdi-office.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { addActor, addFundingSource, addInvoice, addJob, addSupplier } from '../../../support/rows.ts';

const RFC = 'EKU9003173C9';

/** Invoices, each with a credit note and a receipt of a part. */
const chains = (to: number) =>
  Array.from({ length: to }, (_, n) => n).flatMap((n) => [
    buildInvoiceFile(n, { root: { Fecha: `20${10 + (n % 15)}-01-01T00:00:00` } }),
    buildCreditNoteFile(1000 + n, [n]),
    buildReceiptFile(2000 + n, { doctos: [{ amount: '500.00', of: uuidOfNumber(n) }] }),
  ]);

const tables = [
  ...(['suppliers', 'invoices', 'cfdi_documents', 'attachments'] as const),
  ...(['credit_notes', 'payment_receipts', 'payment_receipt_lines', 'payments'] as const),
];

async function counts(db: Db): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const table of tables) found[table] = (await db.selectFrom(table).selectAll().execute()).length;
  return found;
}

const sound = async (db: Db) =>
  (await checkDatabase(db)).checks.filter(({ problems }) => problems.length > 0).map(({ name }) => name);

describeEachDatabase('imports of the same CFDI at once', (fresh) => {
  const prepare = async () => ({
    actor: await addActor(fresh.db, { origin: 'cli' }),
    jobId: await addJob(fresh.db, { jobtitle: 'Torre' }),
    fundingSourceId: await addFundingSource(fresh.db, { origenderecursonombre: 'Banco' }),
  });

  it('store each document, payment and supplier once, and none fails', async () => {
    const { actor, ...to } = await prepare();
    const files = chains(12);
    const handles = [fresh.db, fresh.database.openAgain().db, fresh.database.openAgain().db];
    const results = await Promise.all(
      handles.map((db, index) => {
        const own = index === 1 ? [...files].reverse() : files;
        return importCfdi(db, actor, own, { ...to, createSuppliers: true, filesPerPart: 5 + index });
      }),
    );
    const sum = (name: 'created' | 'refused' | 'suppliersCreated') =>
      results.reduce((total, result) => total + result[name], 0);
    expect([sum('created'), sum('refused'), sum('suppliersCreated')]).toEqual([36, 0, 1]);
    expect(await counts(fresh.db)).toEqual({
      suppliers: 1,
      invoices: 12,
      cfdi_documents: 12,
      attachments: 12,
      credit_notes: 12,
      payment_receipts: 12,
      payment_receipt_lines: 12,
      payments: 24,
    });
    expect(await sound(fresh.db)).toEqual([]);
  });

  it('run again, inside whatever transaction they are part of, if somebody else took a UUID or an RFC', async () => {
    const { actor, jobId } = await prepare();
    const supplierId = await addSupplier(fresh.db, { rfc: RFC });
    const other = fresh.database.openAgain().db;
    let runs = 0;
    let running: Promise<string[]> | undefined;
    await inTransaction(other, async (trx) => {
      await addInvoice(trx, {
        supplierId,
        jobId,
        numfactura: 'A-1',
        fechaemision: '2024-03-05',
        uuid: uuidOfNumber(1),
      });
      await addSupplier(trx, { rfc: 'URE180429TM6', suppliername: 'Urbanos' });
      running = inTransaction(fresh.db, async (own) => {
        runs += 1;
        const files = [
          buildInvoiceFile(1),
          buildInvoiceFile(2, { emisor: { Rfc: 'URE180429TM6', Nombre: 'Urbanos' } }),
        ];
        const result = await importCfdi(own, actor, files, { jobId, createSuppliers: true });
        return result.files.map(({ outcome }) => outcome);
      });
      for (let turn = 0; turn < 200; turn++) await trx.selectFrom('imports').select('id').execute();
    });
    expect(await running).toEqual(['unchanged', 'created']);
    if (fresh.dialect === 'postgres') expect(runs).toBeGreaterThan(1);
    expect(await counts(fresh.db)).toMatchObject({ suppliers: 2, invoices: 2 });
  });

  it('wait for their turn longer than anybody waits for a lock', async () => {
    if (fresh.dialect === 'sqlite') return; // its wait is a constant
    const actor = await addActor(fresh.db);
    const jobId = await addJob(fresh.db);
    await sql`set lock_timeout = '80ms'`.execute(fresh.db);
    const other = fresh.database.openAgain().db;
    let running: ReturnType<typeof importCfdi> | undefined;
    await inTransaction(other, async (trx) => {
      await lockAdvisoryKey(trx, 'import:cfdi');
      running = importCfdi(fresh.db, actor, [buildInvoiceFile(1)], { jobId, createSuppliers: true });
      await sql`select pg_sleep(0.18)`.execute(trx);
    });
    expect(await running).toMatchObject({ created: 1 });
  });

  it('lock the invoices that documents name before any budget, like whoever changes an invoice', async () => {
    if (fresh.dialect === 'sqlite') return; // one writes at a time
    const { actor, jobId } = await prepare();
    const supplierId = await addSupplier(fresh.db, { rfc: RFC });
    const of = { supplierId, jobId };
    const invoiceId = await addInvoice(fresh.db, {
      ...of,
      numfactura: 'X-1',
      fechaemision: '2020-01-01',
      uuid: uuidOfNumber(7),
    });
    await changeSetting(fresh.db, { ...actor, roles: [1, 2, 3] }, 'presupuesto', 'impedir');
    const budget = { jobId, rubroId: null, presupuestoCents: 100_000_000, motivo: 'Contrato' };
    await writeBudgets(fresh.db, { ...actor, roles: [1, 2] }, [budget]);
    const watching = fresh.database.openAgain().db;
    const waits = sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    let running: ReturnType<typeof importCfdi> | undefined;
    await inTransaction(fresh.database.openAgain().db, async (trx) => {
      await lockRow(trx, 'invoices', invoiceId);
      running ??= importCfdi(fresh.db, actor, [buildInvoiceFile(1), buildCreditNoteFile(1007, [7])], {
        jobId,
        createSuppliers: true,
      });
      while ((await waits.execute(watching)).rows[0]!.n === 0);
      const free = await sql`
        select pg_try_advisory_xact_lock(hashtextextended(${`budget:${jobId}`}, 0)) as free`.execute(trx);
      expect(free.rows).toEqual([{ free: true }]);
    });
    expect(await running).toMatchObject({ created: 2, refused: 0 });
  });
});
