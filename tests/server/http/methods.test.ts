import { describe, expect, it } from 'vitest';
import { createTestApp } from '../../support/app.ts';
import { useFreshDatabase } from '../../support/databases.ts';
import { readPage } from '../../support/page.ts';
import { addInvoice, addPayment } from '../../support/rows.ts';

describe('an address that is known with another method', () => {
  const fresh = useFreshDatabase('sqlite');

  it.each([
    ['POST', '/api/suppliers/1', 'GET, HEAD, PUT, DELETE'],
    ['PATCH', '/api/suppliers/1/', 'GET, HEAD, PUT, DELETE'],
    ['GET', '/api/suppliers/newsupplier', 'POST'],
    ['OPTIONS', '/api/auth/signout', 'POST'],
    ['POST', '/estado-cuenta/1', 'GET, HEAD'],
    ['PUT', '/invoices', 'GET, HEAD'],
  ])('answers %s %s with 405 and the methods that it accepts', async (method, path, allowed) => {
    const client = await createTestApp({ db: fresh.db }).as([1, 3]);
    const answer = await client.send(path, { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allowed]);
    if (path.startsWith('/api/'))
      expect(await answer.json()).toEqual({
        message: `Esta dirección solo admite ${allowed}.`,
        code: 'method_not_allowed',
      });
  });

  it('that is known with no method is 404, and names no method to those without the right', async () => {
    const test = createTestApp({ db: fresh.db });
    const client = await test.as([1, 3]);
    expect((await client.post('/api/suppliers/1/nada')).status).toBe(404);
    const visitor = await test.visitor().get('/api/suppliers/newsupplier');
    expect([visitor.status, visitor.headers.get('allow')]).toEqual([401, null]);
  });

  it('that posts a form leads, after a refusal, to the page of the form', async () => {
    const client = await createTestApp({ db: fresh.db }).as([1, 3]);
    const id = await addInvoice(fresh.db);
    await addPayment(fresh.db, { facturaproveedorId: id, amountCents: 100, userId: client.user.id });
    const address = `/editinvoicepage/${id}/eliminar`;
    const refused = await client.form(address, { version: 1 });
    expect(refused.status).toBe(409);
    const again = await client.get(address);
    expect([again.status, again.headers.get('location')]).toEqual([303, `/editinvoicepage/${id}`]);
    expect((await readPage(client.follow(again))).status).toBe(200);
    expect((await client.get('/notificaciones/posponer')).headers.get('location')).toBe('/notificaciones');
  });
});

describe('a body that is declared as something else than JSON', () => {
  const fresh = useFreshDatabase('sqlite');

  it.each(['text/plain;charset=UTF-8', 'application/x-www-form-urlencoded', 'application/jsonp', ''])(
    'is not read if declared as %j',
    async (type) => {
      const client = await createTestApp({ db: fresh.db }).withToken([1, 3]);
      const headers = { 'content-type': type };
      const answer = await client.post('/api/rubros/newrubro', '{"nombrerubro":"Acero"}', { headers });
      expect([answer.status, await answer.json()]).toEqual([
        415,
        { message: 'El cuerpo se espera como application/json.', code: 'unsupported_media_type' },
      ]);
    },
  );

  it.each(['application/json', 'Application/JSON; charset=utf-8', 'application/vnd.saldo+json'])(
    'is read if declared as %j',
    async (type) => {
      const client = await createTestApp({ db: fresh.db }).withToken([1, 3]);
      const headers = { 'content-type': type };
      const answer = await client.post('/api/rubros/newrubro', '{"nombrerubro":"Acero"}', { headers });
      expect(answer.status).toBe(201);
    },
  );
});
