import { describe, expect, it } from 'vitest';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { addBatch } from '../../../support/batches.ts';
import { useFreshDatabase } from '../../../support/databases.ts';
import { addMail } from '../../../support/mails.ts';
import { addInvoice, addPayment, addSupplier, addUser, TODAY } from '../../../support/rows.ts';

const pageOf = async (client: TestClient, path: string) => (await client.get(path)).text();

describe('letters on pages', () => {
  const fresh = useFreshDatabase('sqlite');

  it('are read before they are sent, and their key sends one press once', async () => {
    const { db } = fresh;
    const client = await createTestApp({ db }).as(2);
    const supplierId = await addSupplier(db, { suppliername: 'Aceros', suppliercontactemail: 'a@b.mx' });
    const statement = await pageOf(client, `/estado-cuenta/${supplierId}?desde=2026-11-01`);
    const href = `/estado-cuenta/${supplierId}/enviar?desde=2026-11-01`;
    expect(statement).toContain(`href="${href}"`);
    const page = await pageOf(client, href);
    for (const text of ['value="a@b.mx"', 'Estado de cuenta del', 'Adjunto su estado de cuenta'])
      expect(page).toContain(text);
    const [, idempotencyKey = ''] = /name="idempotencyKey" value="([^"]+)"/.exec(page)!;
    const form = { para: 'otra@b.mx', desde: '2026-11-01', idempotencyKey };
    const sent = [
      await client.form(href.replace(/\?.*/, ''), form),
      await client.form(href.replace(/\?.*/, ''), form),
    ];
    expect(sent.map(({ status, headers }) => [status, headers.get('location')])).toEqual([
      [303, `/estado-cuenta/${supplierId}?desde=2026-11-01`],
      [303, `/estado-cuenta/${supplierId}?desde=2026-11-01`],
    ]);
    const mails = await db.selectFrom('mails').select(['para', 'asunto']).execute();
    expect(mails).toEqual([
      { para: 'otra@b.mx', asunto: expect.stringContaining('del domingo 1 de noviembre') },
    ]);
    const supplier = await pageOf(client, `/editsupplierpage/${supplierId}`);
    expect(supplier).toContain('otra@b.mx');
    expect(supplier).toContain(`/correos?supplierId=${supplierId}`);
  });

  it('open the mail program where the server sends none, and for roles that send none', async () => {
    const { db } = fresh;
    const facturaproveedorId = await addInvoice(db);
    const id = await addPayment(db, { facturaproveedorId, amountCents: 100, userId: (await addUser(db)).id });
    const off = createTestApp({ db, config: { mail: undefined } });
    for (const client of [await off.as(2), await createTestApp({ db }).as(4)]) {
      const page = await pageOf(client, `/editpaymentpage/${id}`);
      expect(page).toContain('href="mailto:a@b.mx?');
      expect(page).not.toContain('aviso/enviar');
    }
    expect(await pageOf(await createTestApp({ db }).as(2), `/editpaymentpage/${id}`)).toContain(
      `href="/editpaymentpage/${id}/aviso/enviar"`,
    );
  });

  it('show the very document that is sent', async () => {
    const { db } = fresh;
    const client = await createTestApp({ db }).as(2);
    const [supplierId, { id: userId }] = [await addSupplier(db), await addUser(db)];
    const pay = async () =>
      addPayment(db, { facturaproveedorId: await addInvoice(db, { supplierId }), amountCents: 100, userId });
    const [id] = [await pay(), await pay()];
    const address = `/editpaymentpage/${id}/aviso/enviar`;
    expect(await pageOf(client, address)).toContain(`href="/editpaymentpage/${id}/aviso.pdf"`);
    expect(await pageOf(client, `${address}?dia=true`)).toContain(
      `href="/estado-cuenta/${supplierId}/aviso.pdf?fecha=${TODAY}"`,
    );
  });

  it('of a batch name who has no address, and leave them out where that is ticked', async () => {
    const { db } = fresh;
    const client = await createTestApp({ db }).as(1);
    const bare = await addSupplier(db, { suppliername: 'Sin Buzón', suppliercontactemail: '' });
    const invoiceIds = [await addInvoice(db), await addInvoice(db, { supplierId: bare })];
    const { id } = await addBatch(db, { estado: 'pagada', invoiceIds });
    expect(await pageOf(client, `/programaciones/${id}`)).toContain(`/programaciones/${id}/avisos/enviar`);
    const path = `/programaciones/${id}/avisos/enviar`;
    const refused = await client.form(path, {});
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain('Sin una dirección de correo: Sin Buzón.');
    const sent = await client.form(path, { omitir: 'true' });
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `/programaciones/${id}`]);
    expect(await db.selectFrom('mails').select('para').execute()).toEqual([{ para: 'a@b.mx' }]);
  });

  it('are listed with what became of them, and tried again by a button', async () => {
    const { db } = fresh;
    const client = await createTestApp({ db }).as(3);
    const id = await addMail(db);
    const change = { estado: 'fallo', proximo: null, respuesta: '550 buzón inexistente' } as const;
    await db.updateTable('mails').set(change).execute();
    const list = await pageOf(client, '/correos');
    expect(list).toContain('No salió');
    expect(list).toContain('550 buzón inexistente');
    await db.updateTable('mails').set({ respuesta: '550 5.1.1 User unknown' }).execute();
    const unknown = await pageOf(client, '/correos');
    expect(unknown).toMatch(
      /title="550 5\.1\.1 User unknown">.*La dirección no existe\..*href="\/editsupplierpage\/\d+"/,
    );
    const pressed = await client.form(`/correos/${id}/reintentar`, {});
    expect([pressed.status, pressed.headers.get('location')]).toEqual([303, '/correos']);
    expect(await pageOf(client, '/correos')).toContain('En espera');
  });
});
