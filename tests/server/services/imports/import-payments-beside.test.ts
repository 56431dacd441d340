import { beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '../../../../server/services/audit/audit.ts';
import { importTable } from '../../../../server/services/imports/import.ts';
import { createPayment } from '../../../../server/services/payments/payments.ts';
import { addBatch } from '../../../support/batches.ts';
import { useFresh } from '../../../support/databases.ts';
import { paymentRow, problemsOf } from '../../../support/import-rows.ts';
import { addActor, addInvoice, addJob, addSupplier } from '../../../support/rows.ts';
import { parsedRows } from '../../../support/table-rows.ts';

/** There an import is one transaction: nobody waits for it but those who pay the same invoices, and they for its end alone. */
describe('payments that are imported while others pay the same invoices (postgres)', () => {
  const fresh = useFresh('postgres');
  let actor: Actor;
  let ids: { supplierId: number; jobId: number };
  beforeEach(async () => {
    actor = await addActor(fresh.db);
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros' });
    ids = { supplierId, jobId: await addJob(fresh.db, { jobtitle: 'Torre' }) };
  });

  /** Imports 100.00 for each of two invoices; as soon as `step` is seen, something is done of the first one. */
  async function importBeside(step: 'revisar' | 'guardar', act: (first: number) => unknown) {
    const [first] = [
      await addInvoice(fresh.db, { ...ids, numfactura: 'A-0', subtotalCents: 100_000, ivaCents: 16_000 }),
      await addInvoice(fresh.db, { ...ids, numfactura: 'A-1', subtotalCents: 100_000, ivaCents: 16_000 }),
    ];
    let isPaid = false;
    let judged = 0;
    const result = await importTable(
      fresh.db,
      actor,
      'payments',
      parsedRows([paymentRow('A-0'), paymentRow('A-1')]),
      { source: 'x.csv', sha256: 'a'.repeat(64) },
      async (seen, fraction) => {
        if (seen === 'revisar' && fraction === 0) judged += 1;
        if (seen !== step || isPaid) return;
        isPaid = true;
        // It does not wait for the import, which would wait for it here.
        await act(first!);
      },
    );
    const { paidCents } = await fresh.db
      .selectFrom('invoices')
      .select('paidCents')
      .where('id', '=', first!)
      .executeTakeFirstOrThrow();
    expect(await problemsOf(fresh.db)).toEqual([]);
    return { ...result, judged, paidCents };
  }

  it.each(['revisar', 'guardar'] as const)('let them pay (%s), and are judged anew', async (step) => {
    const pay = (facturaproveedorId: number) =>
      createPayment(fresh.database.openAgain().db, actor, { facturaproveedorId, amountCents: 500 });
    expect(await importBeside(step, pay)).toMatchObject({
      judged: 2,
      created: 2,
      stored: true,
      paidCents: 10_500,
    });
  });

  it('are refused where a batch that pays them is sent meanwhile', async () => {
    const send = (first: number) =>
      addBatch(fresh.database.openAgain().db, { estado: 'enviada', invoiceIds: [first] });
    const result = await importBeside('revisar', send);
    expect(result).toMatchObject({ judged: 2, stored: false, paidCents: 0 });
    expect([...result.refused][0]).toMatchObject({ reason: expect.stringContaining('enviada al banco') });
  });
});
