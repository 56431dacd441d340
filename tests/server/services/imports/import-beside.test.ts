import { beforeEach, describe, expect, it } from 'vitest';
import type { TableKind } from '../../../../server/formats/tables/table.ts';
import type { Actor } from '../../../../server/services/audit/audit.ts';
import { createRow, updateRow } from '../../../../server/services/catalogs/catalogs.ts';
import { checkDatabase } from '../../../../server/services/database/check.ts';
import { importTable } from '../../../../server/services/imports/import.ts';
import type { TableImportOptions } from '../../../../server/services/imports/run.ts';
import { createInvoice } from '../../../../server/services/invoices/invoices.ts';
import { createPayment } from '../../../../server/services/payments/payments.ts';
import { suppliers } from '../../../../shared/catalogs/suppliers.ts';
import { useFresh } from '../../../support/databases.ts';
import { addActor, addInvoice, addJob, addSupplier } from '../../../support/rows.ts';
import { parsedRows } from '../../../support/table-rows.ts';

/** On SQLite everybody waits for whoever writes; an import writes when it has nothing left to find out. */
describe('a table that is imported while others work (sqlite)', () => {
  const fresh = useFresh('sqlite');
  let actor: Actor;
  let ids: { supplierId: number; jobId: number };
  beforeEach(async () => {
    actor = await addActor(fresh.db);
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros' });
    ids = { supplierId, jobId: await addJob(fresh.db, { jobtitle: 'Torre' }) };
  });

  const invoiceRow = (numfactura: string) => ({
    suppliername: 'Aceros',
    jobtitle: 'Torre',
    numfactura,
    fechaemision: '2026-10-01',
    subtotal: '1000.00',
    iva: '160.00',
    total: '1160.00',
    tasa: '16',
  });

  /** Imports; each time that the rows have been compared with what is on file, somebody else does the next thing. */
  async function importBeside(
    kind: TableKind,
    rows: Record<string, string>[],
    others: readonly (() => Promise<unknown>)[],
    options: Partial<TableImportOptions> = {},
  ) {
    let judged = 0;
    const done: Promise<unknown>[] = [];
    let isOver = false;
    const whenDone: boolean[] = [];
    const result = await importTable(
      fresh.db,
      actor,
      kind,
      parsedRows(rows),
      { source: 'x.csv', sha256: 'a'.repeat(64), ...options },
      (step, fraction) => {
        if (step !== 'revisar' || fraction > 0) return;
        const other = others[judged++];
        if (other) done.push(other().then(() => whenDone.push(isOver)));
      },
    );
    isOver = true;
    await Promise.all(done);
    expect(whenDone).toEqual(whenDone.map(() => false)); // nobody waited for the import
    const problems = (await checkDatabase(fresh.db)).checks.flatMap((check) => check.problems);
    expect(problems).toEqual([]);
    return { judged, ...result };
  }

  const other = () => fresh.database.openAgain().db;
  const captureInvoice =
    (numfactura: string, supplierId = ids.supplierId) =>
    () =>
      createInvoice(other(), actor, {
        ...ids,
        supplierId,
        numfactura,
        fechaemision: '2026-10-01',
        subtotalCents: 100_000,
      });
  const numbers = async () =>
    (await fresh.db.selectFrom('invoices').select('numfactura').orderBy('id').execute()).map(
      (row) => row.numfactura,
    );

  it('lets them write while its rows are judged, and is judged once where that changes nothing', async () => {
    const elsewhere = await addSupplier(fresh.db, { suppliername: 'Cementos' });
    const rows = Array.from({ length: 30 }, (_, n) => invoiceRow(`A-${n}`));
    const result = await importBeside('invoices', rows, [captureInvoice('A-3', elsewhere)]);
    expect(result).toMatchObject({ judged: 1, created: 30, stored: true });
    expect(await numbers()).toHaveLength(31);
  });

  it('is judged again where somebody was faster with one of its invoices', async () => {
    const rows = [invoiceRow('A-1'), invoiceRow('A-2')];
    const result = await importBeside('invoices', rows, [captureInvoice('a 1')]);
    expect({ ...result, refused: [...result.refused] }).toMatchObject({
      judged: 2,
      created: 1,
      unchanged: 1,
      refused: [],
    });
    expect(await numbers()).toEqual(['a 1', 'A-2']);
  });

  it('is judged again where somebody has given its supplier other credit days', async () => {
    const change = () => updateRow(other(), actor, suppliers, ids.supplierId, { diascredito: 30 });
    const result = await importBeside('invoices', [invoiceRow('A-1')], [change]);
    expect(result).toMatchObject({ judged: 2, created: 1 });
    expect(await fresh.db.selectFrom('invoices').select('vence').execute()).toEqual([
      { vence: '2026-10-31' },
    ]);
  });

  it('stores nothing where what somebody did refuses a row', async () => {
    const invoiceId = await addInvoice(fresh.db, {
      ...ids,
      numfactura: 'A-1',
      subtotalCents: 100_000,
      ivaCents: 16_000,
    });
    const row = {
      suppliername: 'Aceros',
      numfactura: 'A-1',
      paymentdate: '2026-10-05',
      paymentamount: '1000.00',
      checknum: 'CH-1',
    };
    const pay = () => createPayment(other(), actor, { facturaproveedorId: invoiceId, amountCents: 50_000 });
    const result = await importBeside('payments', [row], [pay]);
    expect(result).toMatchObject({ judged: 2, created: 0, stored: false });
    expect(result.refused).toHaveLength(1);
    expect(await fresh.db.selectFrom('payments').select('amountCents').execute()).toEqual([
      { amountCents: 50_000 },
    ]);
    expect(await fresh.db.selectFrom('imports').select('id').execute()).toEqual([]);
  });

  it('adds no supplier that somebody has added meanwhile', async () => {
    const add = () =>
      createRow(other(), actor, suppliers, {
        suppliername: 'Maderas',
        suppliercontactperson: 'Ana',
        suppliercontactphone: '',
        suppliercontactemail: '',
      });
    const rows = [{ ...invoiceRow('A-1'), suppliername: 'Maderas' }];
    const result = await importBeside('invoices', rows, [add], { createMissing: true });
    expect(result).toMatchObject({ judged: 2, created: 1, missingCreated: {} });
    const named = await fresh.db
      .selectFrom('suppliers')
      .selectAll()
      .where('suppliername', '=', 'Maderas')
      .execute();
    expect(named).toHaveLength(1);
  });

  it('whose ground changes again and again is judged at last while others wait', async () => {
    const others = [1, 2, 3].map((n) => captureInvoice(`B-${n}`));
    const result = await importBeside('invoices', [invoiceRow('A-1')], others);
    expect(result).toMatchObject({ judged: 4, created: 1, stored: true });
    expect(await numbers()).toEqual(['B-1', 'B-2', 'B-3', 'A-1']);
  });

  it('leaves nothing behind where it is interrupted', async () => {
    const gone = new AbortController();
    const importing = importBeside('invoices', [invoiceRow('A-1')], [async () => gone.abort()], {
      signal: gone.signal,
    });
    await expect(importing).rejects.toMatchObject({ name: 'AbortError' });
    expect(await numbers()).toEqual([]);
    expect(await importBeside('invoices', [invoiceRow('A-1')], [])).toMatchObject({ created: 1 });
  });
});
