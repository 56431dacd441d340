import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { inTransaction } from '../../../../db/transaction.ts';
import { deleteCreditNote, restoreCreditNote } from '../../../../server/services/credit-notes/write.ts';
import { uuidOfNumber } from '../../../support/cfdi.ts';
import { createCfdiImporter } from '../../../support/cfdi-office.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { invoiceFileOf, noteFileOf, readDocumentRows } from '../../../support/replacing.ts';
import { importRows } from '../../../support/table-rows.ts';

const RFC = 'EKU9003173C9';
type Office = Awaited<ReturnType<typeof createCfdiImporter>>;

const AMOUNTS = { subtotal: '100.00', iva: '16.00', total: '116.00' };

describeEachDatabase('while a document that replaces it is being stored,', (fresh) => {
  /** Starts `other` while a transaction that stores the files is open. */
  async function during(own: Office, files: ReturnType<typeof noteFileOf>[], other: () => Promise<unknown>) {
    const loading = inTransaction(fresh.db, async (trx) => {
      await own.run(files, {}, trx);
      await delay(1000);
    });
    await delay(400);
    await other().catch(() => undefined);
    await loading;
    return readDocumentRows(own);
  }

  it('a credit note is not imported by a table', async () => {
    const own = await createCfdiImporter(fresh.db);
    const row = { rfc: RFC, numero: 'NC-50', uuid: uuidOfNumber(50), fecha: '2024-04-10', ...AMOUNTS };
    const { notes } = await during(own, [noteFileOf(51, 7, [50])], () =>
      importRows(fresh.db, own.actor, 'credit-notes', [row]),
    );
    expect(notes).toEqual([[51, 0]]);
  });

  it('a credit note is not restored', async () => {
    const own = await createCfdiImporter(fresh.db);
    await own.run([noteFileOf(50, 7)]);
    await deleteCreditNote(fresh.db, own.actor, 1);
    const { notes } = await during(own, [noteFileOf(51, 7, [50])], () =>
      restoreCreditNote(fresh.db, own.actor, 1),
    );
    expect(notes).toEqual([[51, 0]]);
  });

  it('an invoice is not imported by a table', async () => {
    const own = await createCfdiImporter(fresh.db);
    const { jobtitle } = await fresh.db.selectFrom('jobs').select('jobtitle').executeTakeFirstOrThrow();
    const row = { rfc: RFC, jobtitle, numfactura: 'A-1', uuid: uuidOfNumber(1), fechaemision: '2024-03-02' };
    for (const successor of [noteFileOf(50, 9, [1]), invoiceFileOf(2, [1])]) {
      const { invoices } = await during(own, [successor], () =>
        importRows(fresh.db, own.actor, 'invoices', [{ ...row, ...AMOUNTS }]),
      );
      expect(invoices.map(([n]) => n)).not.toContain(1);
    }
  });
});
