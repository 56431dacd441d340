import { expect, it } from 'vitest';
import type { Db } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { attachFile } from '../../../server/services/attachments.ts';
import { getRow } from '../../../server/services/catalogs/reading.ts';
import { deleteRow, restoreRow } from '../../../server/services/catalogs/row-changes.ts';
import { checkDatabase } from '../../../server/services/database/check.ts';
import { importCfdi } from '../../../server/services/documents/import.ts';
import { deleteInvoice, restoreInvoice } from '../../../server/services/invoices/invoices.ts';
import { getInvoice } from '../../../server/services/invoices/reading.ts';
import { catalogs } from '../../../shared/catalogs/all.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { rubros } from '../../../shared/catalogs/rubros.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { buildCfdi, buildReceipt, bytesOf, SAMPLE_UUID } from '../../support/cfdi.ts';
import { buildPdf } from '../../support/files.ts';
import { describeOneDatabase } from '../../support/proofs.ts';
import {
  addActor,
  addClient,
  addFundingSource,
  addInvoice,
  addJob,
  addRubro,
  addSupplier,
} from '../../support/rows.ts';
import { readRow } from '../../support/stored.ts';

const RFC = 'EKU9003173C9';
const ADDERS = [addSupplier, addClient, addJob, addRubro, addFundingSource];

describeOneDatabase('restoring what was deleted', (fresh) => {
  it('brings back an invoice under its id, with its CFDI, its files and the receipt that names it', async () => {
    const { db } = fresh;
    const actor = await addActor(db);
    const jobId = await addJob(db);
    const files = [
      { name: 'f.xml', bytes: bytesOf(buildCfdi()) },
      {
        name: 'r.xml',
        bytes: bytesOf(
          buildReceipt({
            uuid: 'CCCCCCCC-1111-4222-8333-DDDDDDDDDDDD',
            doctos: [{ amount: '50.00', of: SAMPLE_UUID }],
          }),
        ),
      },
    ];
    const [first] = (await importCfdi(db, actor, files, { jobId, createSuppliers: true })).files;
    const id = first!.invoiceId!;
    await inTransaction(db, (trx) => attachFile(trx, actor, id, { filename: 'a.pdf', bytes: buildPdf() }));
    const rows = async () => ({
      invoices: await db.selectFrom('invoices').selectAll().execute(),
      documents: await db.selectFrom('cfdi_documents').selectAll().execute(),
      attachments: await db.selectFrom('attachments').selectAll().orderBy('id').execute(),
      lines: await db.selectFrom('payment_receipt_lines').selectAll().execute(),
    });
    const before = await rows();
    expect(before.attachments).toHaveLength(2);
    await deleteInvoice(db, actor, id);
    expect((await rows()).attachments).toEqual([]);
    const { warnings } = await restoreInvoice(db, actor, id);
    expect(warnings).toEqual([]);
    const after = await rows();
    const [was, is] = [before.invoices[0]!, after.invoices[0]!];
    expect(is).toEqual({ ...was, version: was.version + 1, updatedAt: is.updatedAt });
    expect({ ...after, invoices: [] }).toEqual({ ...before, invoices: [] });
    expect((await checkDatabase(db)).ok).toBe(true);
    await expect(restoreInvoice(db, actor, id)).rejects.toMatchObject({ code: 'not_deleted' });
    await expect(restoreInvoice(db, actor, 999)).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('is refused for an invoice that was captured again, or lacks what it refers to', async () => {
    const { db } = fresh;
    const actor = await addActor(db);
    const [supplierId, jobId] = [await addSupplier(db, { rfc: RFC }), await addJob(db)];
    const twins = [
      await addInvoice(db, { supplierId, jobId, numfactura: 'A-1' }),
      await addInvoice(db, { supplierId, jobId, numfactura: 'A-1' }),
    ];
    await deleteInvoice(db, actor, twins[1]!);
    // Both invoices were stored before the deletion, too.
    expect((await restoreInvoice(db, actor, twins[1]!)).invoice.numfactura).toBe('A-1');
    for (const id of twins) await deleteInvoice(db, actor, id);
    await addInvoice(db, { supplierId, jobId, numfactura: 'a 1' });
    await expect(restoreInvoice(db, actor, twins[0]!)).rejects.toMatchObject({ code: 'duplicate_invoice' });
    const stamped = await addInvoice(db, { supplierId, jobId, uuid: SAMPLE_UUID });
    await deleteInvoice(db, actor, stamped);
    await addInvoice(db, { supplierId, jobId, uuid: SAMPLE_UUID });
    await expect(restoreInvoice(db, actor, stamped)).rejects.toMatchObject({
      code: 'duplicate_invoice',
      message: expect.stringContaining('Su CFDI ya está en la factura'),
    });
    const elsewhere = await addJob(db);
    const orphan = await addInvoice(db, { supplierId, jobId: elsewhere });
    await deleteInvoice(db, actor, orphan);
    await deleteRow(db, actor, jobs, elsewhere);
    await expect(restoreInvoice(db, actor, orphan)).rejects.toMatchObject({
      message: `No existe la obra ${elsewhere}.`,
    });
  });

  it('brings back an invoice without its files, once those are deleted for good', async () => {
    const { db } = fresh;
    const actor = await addActor(db);
    const id = await addInvoice(db);
    const file = { filename: 'a.pdf', bytes: buildPdf() };
    await inTransaction(db, (trx) => attachFile(trx, actor, id, file));
    await deleteInvoice(db, actor, id);
    const muchLater = { ...actor, at: new Date(Date.parse(actor.at) + 31 * 24 * 3_600_000).toISOString() };
    await deleteInvoice(db, muchLater, await addInvoice(db));
    expect(await db.selectFrom('files').select('sha256').execute()).toEqual([]);
    const { warnings } = await restoreInvoice(db, muchLater, id);
    expect(warnings).toEqual(['Estos adjuntos ya no se conservan: a.pdf.']);
  });

  it('happens once if two users restore it in the same moment', async () => {
    const { db } = fresh;
    const actor = await addActor(db);
    const [invoiceId, rubroId] = [await addInvoice(db, { numfactura: '' }), await addRubro(db)];
    await deleteInvoice(db, actor, invoiceId);
    await deleteRow(db, actor, rubros, rubroId);
    const dbs = [fresh.database.openAgain().db, fresh.database.openAgain().db];
    for (const restore of [
      (one: Db): Promise<unknown> => restoreInvoice(one, actor, invoiceId),
      (one: Db): Promise<unknown> => restoreRow(one, actor, rubros, rubroId),
    ]) {
      const results = await Promise.allSettled(dbs.map(restore));
      expect(results.map((one) => ('reason' in one ? one.reason.code : one.status)).sort()).toEqual([
        'fulfilled',
        'not_deleted',
      ]);
    }
  });

  it.each(catalogs.map((catalog, index) => [catalog.noun, catalog, ADDERS[index]!] as const))(
    'brings back a row of %s unchanged',
    async (_noun, catalog, add) => {
      const { db } = fresh;
      const actor = await addActor(db);
      const id = await add(db);
      const before = await getRow(db, catalog, id);
      const origin = () => readRow(db, catalog.table as 'jobs', { id }, ['createdAt', 'importId']);
      const made = await origin();
      await expect(restoreRow(db, actor, catalog, id)).rejects.toMatchObject({ kind: 'not-found' });
      await deleteRow(db, actor, catalog, id);
      await restoreRow(db, { ...actor, at: '2027-01-02T18:00:00.000Z' }, catalog, id);
      expect(await getRow(db, catalog, id)).toEqual({ ...before, version: before.version + 1 });
      expect(await origin()).toEqual(made);
      await expect(restoreRow(db, actor, catalog, id)).rejects.toMatchObject({ code: 'not_deleted' });
      expect((await checkDatabase(db)).ok).toBe(true);
    },
  );

  it('is refused for a supplier whose RFC is another’s now, and for an obra without its client', async () => {
    const { db } = fresh;
    const actor = await addActor(db);
    const removedId = await addSupplier(db, { rfc: RFC });
    await deleteRow(db, actor, suppliers, removedId);
    await addSupplier(db, { rfc: RFC });
    await expect(restoreRow(db, actor, suppliers, removedId)).rejects.toMatchObject({ code: 'rfc_taken' });
    const jobId = await addJob(db);
    const { clientId } = (await getRow(db, jobs, jobId)) as unknown as { clientId: number };
    await deleteRow(db, actor, jobs, jobId);
    await deleteRow(db, actor, catalogs.find(({ noun }) => noun === 'clients')!, clientId);
    await expect(restoreRow(db, actor, jobs, jobId)).rejects.toMatchObject({
      kind: 'invalid',
      fields: { clientId: `No existe el cliente ${clientId}.` },
    });
    expect(await getInvoice(db, await addInvoice(db))).toBeDefined();
  });
});
