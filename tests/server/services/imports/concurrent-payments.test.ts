import { beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '../../../../server/services/audit/audit.ts';
import { importTable } from '../../../../server/services/imports/import.ts';
import { createPayment } from '../../../../server/services/payments/payments.ts';
import { addBatch } from '../../../support/batches.ts';
import { useFreshDatabase } from '../../../support/databases.ts';
import { createPaymentRow } from '../../../support/import-rows.ts';
import { findDatabaseProblems } from '../../../support/problems.ts';
import { addActor, addInvoice, addJob, addSupplier } from '../../../support/rows.ts';
import { readRow } from '../../../support/stored.ts';
import { createParsedRows } from '../../../support/table-rows.ts';

/** Only payments of the same invoices wait for the import. */
describe('payments that are imported while others pay the same invoices (postgres)', () => {
  const fresh = useFreshDatabase('postgres');
  let actor: Actor;
  let ids: { supplierId: number; jobId: number };
  beforeEach(async () => {
    actor = await addActor(fresh.db);
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros' });
    ids = { supplierId, jobId: await addJob(fresh.db, { jobtitle: 'Torre' }) };
  });

  /** Imports a payment of 100.00 for each of two invoices; when it reaches `step`, `act` changes the first one. */
  async function importBeside(step: 'revisar' | 'guardar', act: (first: number) => unknown) {
    const [first] = [
      await addInvoice(fresh.db, { ...ids, numfactura: 'A-0', subtotalCents: 100_000, ivaCents: 16_000 }),
      await addInvoice(fresh.db, { ...ids, numfactura: 'A-1', subtotalCents: 100_000, ivaCents: 16_000 }),
    ];
    let acting: unknown;
    const result = await importTable(
      fresh.db,
      actor,
      'payments',
      createParsedRows([createPaymentRow('A-0'), createPaymentRow('A-1')]),
      { source: 'x.csv', sha256: 'a'.repeat(64) },
      async (seen) => {
        if (seen !== step || acting) return;
        acting = act(first!);
        // Once the import has locked the invoices, waiting for `act` here would be a deadlock.
        if (step === 'revisar') await acting;
      },
    );
    await acting;
    const { paidCents } = await readRow(fresh.db, 'invoices', { id: first! }, ['paidCents']);
    expect(await findDatabaseProblems(fresh.db)).toEqual([]);
    return { ...result, paidCents };
  }

  it.each(['revisar', 'guardar'] as const)(
    'are stored before or after theirs (%s), and each sees what is left',
    async (step) => {
      const pay = (facturaproveedorId: number) =>
        createPayment(fresh.database.openAgain().db, actor, { facturaproveedorId, amountCents: 500 });
      expect(await importBeside(step, pay)).toMatchObject({
        created: 2,
        stored: true,
        paidCents: 10_500,
      });
    },
  );

  it('are refused if a batch that pays them is sent meanwhile', async () => {
    const send = (first: number) =>
      addBatch(fresh.database.openAgain().db, { estado: 'enviada', invoiceIds: [first] });
    const result = await importBeside('revisar', send);
    expect(result).toMatchObject({ stored: false, paidCents: 0 });
    expect([...result.refused][0]).toMatchObject({ reason: expect.stringContaining('enviada al banco') });
  });
});
