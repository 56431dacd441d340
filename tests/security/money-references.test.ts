import { expect, it } from 'vitest';
import { isViolation } from '../../db/errors.ts';
import type { Db } from '../../db/schema.ts';
import { createRow, deleteRow } from '../../server/services/catalogs/row-changes.ts';
import { checkDatabase } from '../../server/services/database/check.ts';
import { createInvoice } from '../../server/services/invoices/invoices.ts';
import { createPayment } from '../../server/services/payments/payments.ts';
import { createMovement } from '../../server/services/petty-cash/movements.ts';
import { catalogs } from '../../shared/catalogs/all.ts';
import { suppliers } from '../../shared/catalogs/suppliers.ts';
import { createTestApp } from '../support/app.ts';
import { describeEachDatabase } from '../support/databases.ts';
import { readAllTables } from '../support/every-row.ts';
import { addFund, createExpenseValues } from '../support/petty-cash.ts';
import { chooseRunCount } from '../support/proofs.ts';
import {
  addActor,
  addClient,
  addFundingSource,
  addInvoice,
  addJob,
  addRubro,
  addSupplier,
} from '../support/rows.ts';

const RACES = chooseRunCount(8, 200);

describeEachDatabase('a row that others refer to', (fresh) => {
  it('T38 · is not deleted, by API or page, and the refusal names what uses it', async () => {
    const { db } = fresh;
    const rows = await addReferences(db);
    const client = await createTestApp({ db }).as([1, 3]);
    const before = await readAllTables(db, 'sessions');
    const pagesOf = Object.fromEntries(catalogs.map(({ paths }) => [paths.api, paths.edit]));
    for (const [api, id, says] of [
      ['/api/suppliers', rows.supplier, 'una factura lo usa'],
      ['/api/jobs', rows.job, 'una factura la usa'],
      ['/api/jobs', rows.cashJob, 'un movimiento de caja chica la usa'],
      ['/api/rubros', rows.rubro, 'una factura lo usa'],
      ['/api/rubros', rows.cashRubro, 'un movimiento de caja chica lo usa'],
      ['/api/clients', rows.client, '2 obras lo usan'],
      ['/api/origenderecurso', rows.source, 'un pago lo usa'],
      ['/api/origenderecurso', rows.cashSource, 'una caja chica lo usa'],
      ['/api/facturaproveedores', rows.invoice, 'tiene un pago'],
    ] as const) {
      const refused = await client.delete(`${api}/${id}`);
      expect([refused.status, await refused.json()], `${api}/${id}`).toEqual([
        409,
        { code: 'in_use', message: expect.stringContaining(says) },
      ]);
      const page = `${pagesOf[api] ?? '/editinvoicepage'}/${id}/eliminar`;
      const shown = await client.form(page);
      expect(shown.status, page).toBe(409);
      expect(await shown.text(), page).toContain(says);
    }
    const fund = await client.form(`/caja-chica/${rows.fund}/eliminar`);
    expect([fund.status, await fund.text()]).toEqual([409, expect.stringContaining('tiene 2 movimientos')]);
    expect(await readAllTables(db, 'sessions')).toEqual(before);
  });

  it('T38 · is not deleted together with its whole list either', async () => {
    const { db } = fresh;
    await addReferences(db);
    const client = await createTestApp({ db }).as([1, 3]);
    const before = await readAllTables(db, 'sessions');
    for (const path of [...catalogs.map(({ paths }) => paths.api), '/api/facturaproveedores']) {
      const refused = await client.delete(`${path}?confirm=all`);
      expect([refused.status, await refused.json()], path).toEqual([
        409,
        expect.objectContaining({ code: 'in_use' }),
      ]);
    }
    expect(await readAllTables(db, 'sessions')).toEqual(before);
  });

  it('T38 · remains even if somebody bypasses the application', async () => {
    const { db } = fresh;
    const rows = await addReferences(db);
    const before = await readAllTables(db, 'sessions');
    for (const [table, id] of [
      ['suppliers', rows.supplier],
      ['jobs', rows.cashJob],
      ['rubros', rows.cashRubro],
      ['clients', rows.client],
      ['funding_sources', rows.cashSource],
      ['invoices', rows.invoice],
      ['petty_cash_funds', rows.fund],
      ['users', rows.user],
    ] as const) {
      const deletion = db.deleteFrom(table).where('id', '=', id).execute();
      const refused = await deletion.then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(isViolation(refused, 'reference'), table).toBe(true);
    }
    expect(await readAllTables(db, 'sessions')).toEqual(before);
  });

  it(`T38 · exists for whoever began to use it while it was being deleted, in ${RACES} races`, async () => {
    const { db } = fresh;
    const other = fresh.database.openAgain().db;
    const ana = await addActor(db);
    const jobId = await addJob(db);
    let deleted = 0;
    for (let race = 0; race < RACES; race++) {
      const draft = { suppliername: `Proveedor ${race}`, suppliercontactperson: 'Eva' };
      const { row } = await createRow(db, ana, suppliers, draft);
      const use = () => createInvoice(db, ana, { supplierId: row.id, jobId, subtotalCents: 100 });
      const remove = () => deleteRow(other, ana, suppliers, row.id);
      // Either may come first.
      const [used, removed] = await (race % 2
        ? Promise.allSettled([use(), remove()])
        : Promise.allSettled([remove(), use()]).then(([second, first]) => [first, second] as const));
      expect([used.status, removed.status].sort(), `race ${race}`).toEqual(['fulfilled', 'rejected']);
      const refused = used.status === 'rejected' ? used : removed;
      const reason: unknown = refused.status === 'rejected' && refused.reason;
      expect(reason, `race ${race}`).toMatchObject({ kind: expect.stringMatching(/^(conflict|invalid)$/) });
      if (removed.status === 'fulfilled') deleted++;
    }
    const left = await db.selectFrom('suppliers').select('id').execute();
    expect(left.length).toBe(RACES - deleted);
    const { checks } = await checkDatabase(db);
    expect(checks.flatMap(({ problems }) => problems)).toEqual([]);
  });
});

/** Stores a row in each list to which only one other row refers. */
async function addReferences(db: Db) {
  const ana = await addActor(db);
  const client = await addClient(db);
  const [job, cashJob] = [await addJob(db, { clientId: client }), await addJob(db, { clientId: client })];
  const [rubro, cashRubro] = [await addRubro(db), await addRubro(db)];
  const [source, cashSource] = [await addFundingSource(db), await addFundingSource(db)];
  const supplier = await addSupplier(db);
  const invoice = await addInvoice(db, { supplierId: supplier, jobId: job, rubroId: rubro });
  await createPayment(db, ana, { facturaproveedorId: invoice, origenderecursoId: source, amountCents: 1 });
  const fund = await addFund(db, { origenderecursoId: cashSource });
  await createMovement(db, ana, fund.id, createExpenseValues({ jobId: cashJob, rubroId: cashRubro }));
  const ids = { client, job, cashJob, rubro, cashRubro, source, cashSource, supplier, invoice };
  return { ...ids, fund: fund.id, user: ana.userId };
}
