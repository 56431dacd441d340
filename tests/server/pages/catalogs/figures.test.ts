import { expect, it } from 'vitest';
import { inTransaction } from '../../../../db/transaction.ts';
import { applyCredit } from '../../../../server/services/credit-notes/write.ts';
import { addDays } from '../../../../shared/dates.ts';
import { createTestApp } from '../../../support/app.ts';
import { readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import {
  addActor,
  addCreditNote,
  addInvoice,
  addJob,
  addPayment,
  addSupplier,
  TODAY,
} from '../../../support/rows.ts';

const headings = (html: string) =>
  [...html.matchAll(/<th [^>]*>(.*?)<\/th>/g)].map(([, head]) => head!.replace(/<[^>]+>/g, ''));

describeOneDatabase('the money in lists', (fresh) => {
  it('is, for suppliers, the saldo, what is overdue and the next due day, each with its invoices', async () => {
    const { db } = fresh;
    const { userId } = await addActor(db);
    const supplierId = await addSupplier(db, { suppliername: 'Aceros' });
    await addSupplier(db, { suppliername: 'Nuevo' });
    const due = (days: number) => ({ supplierId, fechavencimiento: addDays(TODAY, days) });
    const late = await addInvoice(db, due(-3));
    await addInvoice(db, due(9));
    await addInvoice(db, due(0));
    const paid = await addInvoice(db, due(-90));
    await addPayment(db, { facturaproveedorId: late, amountCents: 160_50, userId });
    await addPayment(db, { facturaproveedorId: paid, amountCents: 1160_00, userId });
    const client = await createTestApp({ db }).as(1);
    const page = await readPage(client.get('/suppliers?sortfield=suppliername'));
    const first = ['ID', 'Nombre', 'Contacto', 'Teléfono', 'Correo'];
    expect(headings(page.decodedHtml)).toEqual([...first, 'Saldo', 'Vencido', 'Próx. vencimiento', 'Editar']);
    expect(page.rows.map((row) => row.slice(5, 8))).toEqual([
      ['$3,319.50', '$999.50', 'Fri, 20 Nov 2026'],
      ['–', '–', ''],
    ]);
    for (const [figure, count, pending] of [
      ['$3,319.50', '3', '3319.50'],
      ['$999.50', '1', '999.50'],
      ['Fri, 20 Nov 2026', '1', '1160.00'],
    ] as const) {
      const [address] = page.links(figure);
      const list = await client.get(`/api/facturaproveedores${address!.slice(address!.indexOf('?'))}`);
      expect(list.headers.get('x-total-count')).toBe(count);
      expect(list.headers.get('x-sum-pending')).toBe(pending);
    }
    const [answered] = (await (await client.get('/api/suppliers')).json()) as object[];
    expect(answered).not.toHaveProperty('figures');
  });

  it('is, for a supplier, as of now, whatever is dated later, on its page and in the lists that it leads to', async () => {
    const { db } = fresh;
    const { userId } = await addActor(db);
    const supplierId = await addSupplier(db, { suppliername: 'Aceros' });
    const due = (days: number) => ({ supplierId, fechavencimiento: addDays(TODAY, days) });
    await addInvoice(db, due(-3));
    await addInvoice(db, { ...due(5), fechaemision: addDays(TODAY, 1) });
    const paidLater = await addInvoice(db, due(9));
    await addPayment(db, {
      ...{ facturaproveedorId: paidLater, amountCents: 1160_00, userId },
      paymentdate: addDays(TODAY, 2),
    });
    const client = await createTestApp({ db }).as(1);
    const totalOf = async (address: string | undefined) => {
      const list = await client.get(`/api/facturaproveedores${address!.slice(address!.indexOf('?'))}`);
      return [list.headers.get('x-total-count'), list.headers.get('x-sum-pending')];
    };
    const list = await readPage(client.get('/suppliers'));
    expect(list.rows[0]!.slice(5, 8)).toEqual(['$2,320.00', '$1,160.00', 'Wed, 25 Nov 2026']);
    expect(await totalOf(list.links('$2,320.00')[0])).toEqual(['2', '2320.00']);
    expect(await totalOf(list.links('$1,160.00')[0])).toEqual(['1', '1160.00']);
    expect(await totalOf(list.links('Wed, 25 Nov 2026')[0])).toEqual(['1', '1160.00']);
    const page = await readPage(client.get(`/editsupplierpage/${supplierId}`));
    expect(page.facts.Saldo).toBe('$2,320.00');
    expect(await totalOf(page.links('$2,320.00')[0])).toEqual(['2', '2320.00']);
  });

  it('is, for obras, the cost without IVA, less credit notes, and what is owed', async () => {
    const { db } = fresh;
    const actor = await addActor(db);
    const supplierId = await addSupplier(db);
    const [plain, credited] = [await addJob(db, { jobtitle: 'A' }), await addJob(db, { jobtitle: 'B' })];
    await addJob(db, { jobtitle: 'C' });
    const invoice = await addInvoice(db, { supplierId, jobId: plain, fechaemision: TODAY });
    await addPayment(db, { facturaproveedorId: invoice, amountCents: 160_00, userId: actor.userId });
    const invoiceId = await addInvoice(db, { supplierId, jobId: credited });
    const creditNoteId = await addCreditNote(db, {
      ...{ supplierId, userId: actor.userId },
      ...{ totalCents: 116_00, ivaCents: 16_00 },
    });
    await inTransaction(db, (trx) =>
      applyCredit(trx, actor, { creditNoteId, invoiceId, amountCents: 116_00 }),
    );
    const client = await createTestApp({ db }).as(1);
    const page = await readPage(client.get('/jobs?sortfield=jobtitle'));
    const first = ['ID', 'Nombre', 'Descripción', 'Inicio', 'Término'];
    expect(headings(page.decodedHtml)).toEqual([...first, 'Costo sin IVA', 'Por pagar', 'Editar']);
    expect(page.rows.map((row) => row.slice(5, 7))).toEqual([
      ['$1,000.00', '$1,000.00'],
      ['$900.00Facturas $1,000.00− Notas de crédito $100.00', '$1,044.00'],
      ['–', '–'],
    ]);
    const [cost] = page.links('$1,000.00');
    expect(cost).toBe(`/invoices?jobId=${plain}`);
    expect((await readPage(client.get(cost!))).facts).toMatchObject({ 'Costo sin IVA': '$1,000.00' });
    const [notes] = page.links('$100.00');
    expect((await readPage(client.get(notes!))).rows).toHaveLength(1);
  });
});
