import { expect, it } from 'vitest';
import type { Db } from '../../../db/schema.ts';
import { changeSetting } from '../../../server/services/settings/settings.ts';
import { createTestApp } from '../../support/app.ts';
import { addBatch } from '../../support/batches.ts';
import { addMail } from '../../support/mails.ts';
import { readPdf } from '../../support/pdf.ts';
import { describeOneDatabase } from '../../support/proofs.ts';
import { addInvoice, addPayment, addSupplier, createActor, TODAY } from '../../support/rows.ts';

interface Entry {
  id: number;
  para: string;
  asunto: string;
  supplierId: number;
}

const documentsOf = async (db: Db) => {
  const rows = await db
    .selectFrom('mails')
    .innerJoin('files', 'files.sha256', 'mails.sha256')
    .select(['filename', 'bytes'])
    .orderBy('mails.id')
    .execute();
  return Promise.all(
    rows.map(async ({ filename, bytes }) => {
      const { pages } = await readPdf(Buffer.from(bytes));
      return { filename, text: pages.flatMap(({ texts }) => texts).join(' ') };
    }),
  );
};

async function paidBatch(db: Db, addresses: readonly string[]) {
  const invoiceIds = [];
  for (const [index, suppliercontactemail] of addresses.entries()) {
    const supplierId = await addSupplier(db, { suppliername: `Proveedora ${index}`, suppliercontactemail });
    invoiceIds.push(await addInvoice(db, { supplierId, numfactura: `F-${index}` }));
  }
  return addBatch(db, { estado: 'pagada', invoiceIds });
}

describeOneDatabase('letters by API', (fresh) => {
  it('queue a statement with its PDF, and tell of it in the outbox and in the trail', async () => {
    const { db } = fresh;
    const client = await createTestApp({ db }).withToken(2);
    const supplierId = await addSupplier(db, { suppliername: 'Aceros', suppliercontactemail: 'a@b.mx' });
    await addInvoice(db, { supplierId, numfactura: 'A-1' });
    const sent = await client.post(`/api/suppliers/${supplierId}/statement/enviar`, {});
    expect(sent.status).toBe(202);
    const entries = await sent.json();
    expect(entries).toEqual([
      expect.objectContaining({ para: 'a@b.mx', estado: 'espera', intentos: 0, respuesta: null, supplierId }),
    ]);
    expect(await (await client.get('/api/correos/')).json()).toEqual(entries);
    const [document] = await documentsOf(db);
    expect(document!.filename).toBe(`Estado de cuenta Aceros ${TODAY}.pdf`);
    expect(document!.text).toContain('A-1');
    const entry = await db.selectFrom('audit').selectAll().where('entity', '=', 'mails').executeTakeFirst();
    expect(JSON.parse(entry!.after!)).toMatchObject({ para: 'a@b.mx', suppliername: 'Aceros' });
  });

  it('send what was true when the button was pressed', async () => {
    const { db } = fresh;
    const client = await createTestApp({ db }).withToken(2);
    const supplierId = await addSupplier(db);
    const invoiceId = await addInvoice(db, { supplierId, numfactura: 'A-1' });
    await client.post(`/api/suppliers/${supplierId}/statement/enviar`, { hasta: TODAY });
    await addPayment(db, { facturaproveedorId: invoiceId, amountCents: 50_000, userId: client.user.id });
    const [document] = await documentsOf(db);
    expect(document!.text).not.toContain('500.00');
  });

  it('send the advice of a payment, or of all of its day, to the address that is named', async () => {
    const { db } = fresh;
    const client = await createTestApp({ db }).withToken(3);
    const supplierId = await addSupplier(db, { suppliercontactemail: '' });
    const payments = [];
    const userId = client.user.id;
    for (const numfactura of ['A-1', 'B-2']) {
      const facturaproveedorId = await addInvoice(db, { supplierId, numfactura });
      payments.push(await addPayment(db, { facturaproveedorId, amountCents: 100, userId }));
    }
    const path = `/api/payments/${payments[0]}/aviso/enviar`;
    const para = 'cobranza@proveedor.mx';
    const [one] = (await (await client.post(path, { para })).json()) as Entry[];
    const [all] = (await (await client.post(path, { para, dia: true })).json()) as Entry[];
    expect([one!.para, all!.para]).toEqual([para, para]);
    const [only, both] = await documentsOf(db);
    expect(only!.text).not.toContain('B-2');
    expect(both!.text).toMatch(/A-1.*B-2/s);
  });

  it('name who has no address, and then write to nobody, unless these are left out', async () => {
    const { db } = fresh;
    const client = await createTestApp({ db }).withToken(1);
    const { id } = await paidBatch(db, ['a@b.mx', '', 'dos@b.mx, tres@b.mx', 'd@b.mx']);
    const path = `/api/programaciones/${id}/avisos/enviar`;
    const refused = await client.post(path, {});
    expect([refused.status, await refused.json()]).toEqual([
      422,
      expect.objectContaining({
        code: 'no_address',
        message: 'Sin una dirección de correo: Proveedora 1, Proveedora 2.',
      }),
    ]);
    expect(await db.selectFrom('mails').selectAll().execute()).toEqual([]);
    const sent = await client.post(path, { omitir: true });
    expect(sent.status).toBe(202);
    expect(((await sent.json()) as Entry[]).map(({ para }) => para)).toEqual(['a@b.mx', 'd@b.mx']);
  });

  it('advise of a batch only once it is paid', async () => {
    const { db } = fresh;
    const client = await createTestApp({ db }).withToken(1);
    const { id } = await addBatch(db, { estado: 'enviada' });
    const refused = await client.post(`/api/programaciones/${id}/avisos/enviar`, {});
    expect([refused.status, await refused.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'batch_state' }),
    ]);
  });

  it('are queued once for a key, even if the supplier has no address any more', async () => {
    const { db } = fresh;
    const client = await createTestApp({ db }).withToken(2);
    const supplierId = await addSupplier(db);
    client.headers.set('idempotency-key', 'una');
    const press = async () => (await client.post(`/api/suppliers/${supplierId}/statement/enviar`, {})).json();
    const [first, second] = await Promise.all([press(), press()]);
    await db.updateTable('suppliers').set({ suppliercontactemail: '' }).execute();
    expect([second, await press()]).toEqual([first, first]);
    expect(await db.selectFrom('mails').select('id').execute()).toHaveLength(1);
  });

  it('are refused to other roles, and to all without a mail server', async () => {
    const { db } = fresh;
    const id = await addMail(db);
    const paths = ['/api/suppliers/1/statement/enviar', `/api/correos/${id}/reintentar`];
    for (const path of paths) {
      const answers = await Promise.all([
        (await createTestApp({ db }).withToken(4)).post(path, {}),
        (await createTestApp({ db, config: { mail: undefined } }).withToken(1)).post(path, {}),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([403, 409]);
      expect(await answers[1]!.json()).toMatchObject({ code: 'mail_off' });
    }
    expect((await (await createTestApp({ db }).withToken(6)).get('/api/correos/')).status).toBe(403);
  });

  it('are tried again where they did not go, and not where they did', async () => {
    const { db } = fresh;
    const client = await createTestApp({ db }).withToken(2);
    const [failed, sent] = [await addMail(db), await addMail(db)];
    const done = { proximo: null, intentos: 5 };
    await db
      .updateTable('mails')
      .set({ ...done, estado: 'fallo' })
      .where('id', '=', failed)
      .execute();
    const gone = { ...done, estado: 'enviado', sha256: null } as const;
    await db.updateTable('mails').set(gone).where('id', '=', sent).execute();
    const again = await client.post(`/api/correos/${failed}/reintentar`, {});
    expect([again.status, await again.json()]).toEqual([
      200,
      expect.objectContaining({ estado: 'espera', intentos: 5, proximo: expect.any(String) }),
    ]);
    const refused = await client.post(`/api/correos/${sent}/reintentar`, {});
    expect([refused.status, await refused.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'mail_sent' }),
    ]);
    const waiting = (await (await client.get('/api/correos/?estado=espera')).json()) as Entry[];
    expect(waiting.map(({ id }) => id)).toEqual([failed]);
  });

  it('keep their supplier from being deleted', async () => {
    const { db } = fresh;
    const supplierId = await addSupplier(db);
    await addMail(db, { supplierId });
    await changeSetting(db, createActor({ roles: [3] }), 'empresa', 'Obras');
    const answer = await (await createTestApp({ db }).withToken(3)).delete(`/api/suppliers/${supplierId}`);
    expect([answer.status, await answer.json()]).toEqual([
      409,
      expect.objectContaining({ message: expect.stringContaining('un correo lo usa') }),
    ]);
  });
});
