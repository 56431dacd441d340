import { expect, it } from 'vitest';
import type { Actor } from '../../../../server/services/audit/audit.ts';
import { downloadFile, generateFileAndMarkSent } from '../../../../server/services/bank-files/files.ts';
import { updateRow } from '../../../../server/services/catalogs/row-changes.ts';
import { readTasks } from '../../../../server/services/notices/tasks.ts';
import { moveBatchBackOneStage, payBatch } from '../../../../server/services/payment-batches/paying.ts';
import { markBatchSent, signBatch } from '../../../../server/services/payment-batches/stages.ts';
import { deletePayment } from '../../../../server/services/payments/payments.ts';
import { readSettings } from '../../../../server/services/settings/settings.ts';
import { fundingSources } from '../../../../shared/catalogs/funding-sources.ts';
import { HOME_ZONE } from '../../../../shared/dates.ts';
import { addAccount, clabeOf } from '../../../support/accounts.ts';
import { createTestApp } from '../../../support/app.ts';
import { addBatch } from '../../../support/batches.ts';
import { readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addActor, addFundingSource, addInvoice, addPayment, DAY } from '../../../support/rows.ts';

describeOneDatabase('where the money of a batch is', (fresh) => {
  /** A draft that pays an invoice of a supplier with an account, and one of a supplier without any. */
  async function prepare() {
    const { db } = fresh;
    const [author, approver] = [await addActor(db, { roles: [6] }), await addActor(db, { roles: [1] })];
    const captured = { author: await addActor(db, { roles: [6], today: '2026-10-02' }), titular: 'Aceros' };
    const { supplierId } = await addAccount(db, { ...captured, clabe: clabeOf('072', 5) });
    const invoiceIds = [await addInvoice(db, { supplierId }), await addInvoice(db)] as const;
    const origenderecursoId = await addFundingSource(db);
    const clabe = clabeOf('012', 464305124);
    await updateRow(db, await addActor(db), fundingSources, origenderecursoId, { clabe });
    const { id } = await addBatch(db, { author, invoiceIds, origenderecursoId });
    return { db, id, approver, invoiceIds };
  }

  type Batch = Awaited<ReturnType<typeof prepare>>;
  const sign = ({ db, approver, id }: Batch) => signBatch(db, approver, id);
  const makeFile = async (batch: Batch) => {
    await sign(batch);
    return generateFileAndMarkSent(batch.db, batch.approver, batch.id, { layout: 'bbva-spei' });
  };
  const download = async (batch: Batch) => {
    const { file } = await makeFile(batch);
    await downloadFile(batch.db, batch.approver, { batchId: batch.id, fileId: file.id }, HOME_ZONE);
  };
  const markSent = async (batch: Batch) => {
    await sign(batch);
    await markBatchSent(batch.db, batch.approver, batch.id);
  };
  const pay = async (batch: Batch) => {
    await sign(batch);
    return (await payBatch(batch.db, batch.approver, batch.id)).payments;
  };

  interface Told {
    state: string;
    /** the batches whose name the two invoices show: `lote`, or that the bank has them */
    first?: 'lote' | 'banco';
    second?: 'lote' | 'banco';
    sections: string[];
    /** with N for the batch's number */
    task?: string;
    says?: string;
  }

  const CASES: [string, (batch: Batch) => Promise<unknown>, Told][] = [
    [
      'drafted',
      async () => undefined,
      {
        state: 'Borrador',
        first: 'lote',
        second: 'lote',
        sections: ['Por pagar'],
        task: 'Autorizar la programación N',
      },
    ],
    [
      'authorised',
      sign,
      {
        ...{ state: 'Autorizada', first: 'lote', second: 'lote', sections: ['Por pagar'] },
        ...{
          task: 'Mandar al banco la programación N',
          says: 'Falta el archivo «BBVA, a otros bancos (SPEI)»',
        },
      },
    ],
    [
      'sent by a file that nobody has downloaded',
      makeFile,
      {
        ...{ state: 'Por subir al banco', first: 'lote', second: 'lote', sections: ['Sin mandar al banco'] },
        ...{ task: 'Mandar al banco la programación N', says: 'Hizo el archivo' },
      },
    ],
    [
      'sent by a file with one of its two payments',
      download,
      {
        ...{ state: 'Enviada en parte', first: 'banco', second: 'lote' },
        sections: ['Sin mandar al banco', 'En el banco'],
        task: 'Pagar lo que falta de la programación N',
        says: 'Falta que el banco pague $1,160.00; $1,160.00 no va en sus archivos.',
      },
    ],
    [
      'sent by hand',
      markSent,
      {
        ...{ state: 'Enviada', first: 'banco', second: 'banco', sections: ['En el banco'] },
        ...{ task: 'Programación N: falta que el banco la pague', says: 'Falta que el banco la pague.' },
      },
    ],
    [
      'sent by a file that the bank has paid',
      async (batch) => {
        await download(batch);
        const [facturaproveedorId] = batch.invoiceIds;
        const { userId } = batch.approver;
        const paymentId = await addPayment(batch.db, { facturaproveedorId, amountCents: 116_000, userId });
        const lines = batch.db.updateTable('payment_batch_lines').set({ paymentId });
        await lines.where('invoiceId', '=', facturaproveedorId).execute();
      },
      {
        ...{
          state: 'Enviada y pagada en parte',
          second: 'lote',
          sections: ['Sin mandar al banco', 'Pagado'],
        },
        ...{
          task: 'Pagar lo que falta de la programación N',
          says: 'Falta pagar: $1,160.00 no va en sus archivos.',
        },
      },
    ],
    [
      'brought back to a draft after it was sent',
      async (batch) => {
        await markSent(batch);
        const other: Actor = { ...(await addActor(batch.db, { roles: [1] })), motivo: 'Equivocada' };
        await moveBatchBackOneStage(batch.db, other, batch.id);
        await makeFile(batch);
      },
      {
        ...{ state: 'Por subir al banco', first: 'lote', second: 'lote', sections: ['Sin mandar al banco'] },
        task: 'Mandar al banco la programación N',
      },
    ],
    [
      'paid, except for one payment that was deleted',
      async (batch) => {
        const [payment] = await pay(batch);
        await deletePayment(batch.db, batch.approver, payment!.id);
      },
      {
        ...{ state: 'Pagada en parte', sections: ['Sin pagar, de lo programado', 'Pagado'] },
        ...{ task: 'Programación N: quedó una factura sin pagar', says: 'Quedó sin pagar 1 factura' },
      },
    ],
    [
      'paid more than a month ago, except for one payment that was deleted',
      async (batch) => {
        const [payment] = await pay(batch);
        await deletePayment(batch.db, batch.approver, payment!.id);
        await batch.db.updateTable('payment_batches').set({ fecha: '2026-10-01' }).execute();
      },
      {
        ...{ state: 'Pagada en parte', sections: ['Sin pagar, de lo programado', 'Pagado'] },
        says: 'Quedó sin pagar 1 factura',
      },
    ],
    ['paid', pay, { state: 'Pagada', sections: ['Pagado'] }],
  ];

  it.each(CASES)('is told by every screen of one that is %s', async (_, bring, told) => {
    const batch = await prepare();
    const { db, id, invoiceIds } = batch;
    await bring(batch);
    const app = createTestApp({ db });
    const browser = await app.as(1);
    const marks = [told.first, told.second];
    const own = `/programaciones/${id}`;

    for (const [index, invoiceId] of invoiceIds.entries())
      for (const path of [`/editinvoicepage/${invoiceId}`, `/new-payment?facturaproveedorId=${invoiceId}`]) {
        const page = await readPage(browser.get(path));
        const expected = {
          banco: marks[index] === 'banco' ? [own] : [],
          lote: marks[index] === 'lote' ? [own] : [],
        };
        expect([path, page.links('En el banco'), page.links(`Programación ${id}`)]).toEqual([
          path,
          expected.banco,
          expected.lote,
        ]);
      }
    const countOf = (mark: string) => marks.filter((one) => one === mark).length;
    for (const path of ['/invoices', '/reporte-saldos']) {
      const page = await readPage(browser.get(path));
      const found = [page.links('En el banco').length, page.links(`Programación ${id}`).length];
      expect([path, ...found]).toEqual([path, countOf('banco'), countOf('lote')]);
    }
    for (const [index, invoiceId] of invoiceIds.entries()) {
      const { programaciones } = await (await browser.get(`/api/facturaproveedores/${invoiceId}`)).json();
      const inBank = marks[index] ? [marks[index] === 'banco'] : [];
      expect(programaciones.map((one: { enBanco: boolean }) => one.enBanco)).toEqual(inBank);
    }

    const page = await readPage(browser.get(own));
    const sections = [...page.decodedHtml.matchAll(/<section class="payees" aria-label="([^"]*)"/g)];
    expect(sections.map(([, heading]) => heading)).toEqual(told.sections);
    expect(page.decodedHtml).toContain(told.says ?? told.state);
    const list = await readPage(browser.get('/programaciones'));
    expect(list.rows.map((row) => row[2])).toEqual([told.state]);
    const other = await addActor(db, { roles: [1] });
    const tasks = (await readTasks(db, other, await readSettings(db), DAY)).map(({ label }) => label);
    expect(tasks).toEqual(told.task ? [told.task.replace('N', String(id))] : []);
    const sheet = await (await browser.get('/programaciones/export.csv')).text();
    expect(sheet).toContain(`,${told.state},`);
  });
});
