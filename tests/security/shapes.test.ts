import { describe, expect, it } from 'vitest';
import { useFreshDatabase } from '../support/databases.ts';
import { timeLimitFactor } from '../support/patience.ts';
import { readRow } from '../support/stored.ts';
import { prepare, rowsOf } from './storing.ts';

/** Columns of rows that no request may set. */
const FOREIGN: Record<string, unknown> = {
  createdAt: '2001-01-01T00:00:00.000Z',
  updatedAt: '2001-01-01T00:00:00.000Z',
  deletedAt: '2001-01-01T00:00:00.000Z',
  importId: 1,
  paidCents: 100,
  totalCents: 1,
  amountCents: 1,
  ivaCents: 1,
  uuid: 'AAAAAAAA-1111-4222-8333-BBBBBBBBBBBB',
  metodopago: 'PUE',
  moneda: 'USD',
  tipocambio: 17.5,
  numfacturaKey: 'x',
  suppliernameFold: 'x',
  emailVerified: true,
  mustChangePassword: false,
  passwordExpiresAt: null,
  isAdmin: true,
  role: 3,
  name: 'Otro',
  status: 'pagada',
  constructor: { prototype: { admin: true } },
  prototype: { admin: true },
};

const SHAPES: unknown[] = [
  [],
  [1],
  ['a'],
  [['a']],
  {},
  { a: 1 },
  { $gt: '' },
  { toString: 'x' },
  { length: 1 },
];

describe('T19 · members that nobody may send', () => {
  const fresh = useFreshDatabase('sqlite');

  it('are refused by every route that stores something, and change no row', async () => {
    const { admin, routes } = await prepare(fresh.db);
    let sent = 0;
    for (const { method, path, body, table } of routes) {
      const before = await rowsOf(fresh.db, table);
      const own = { ...FOREIGN, ...(table === 'users' ? {} : { roles: [3] }) };
      for (const [name, value] of Object.entries(own)) {
        if (name in body) continue;
        const answer = await admin[method](path, { ...body, [name]: value });
        expect({ path, name, status: answer.status }).toEqual({ path, name, status: 400 });
        sent++;
      }
      expect(await rowsOf(fresh.db, table)).toEqual(before);
    }
    console.info(`T19: ${sent} foreign members on ${routes.length} routes, all refused`);
  });

  it('such as id, paid sum, IVA, total or userId count only if they equal what the server has', async () => {
    const { admin, routes, ids } = await prepare(fresh.db);
    const before = await rowsOf(fresh.db, 'invoices');
    const path = `/api/facturaproveedores/${ids.invoice}`;
    for (const change of [
      { id: ids.invoice + 1 },
      { totalamountpaid: 0 },
      { iva: 1, tasa: 16 },
      { total: 1 },
    ])
      expect({ change, ok: (await admin.put(path, change)).ok }).toEqual({ change, ok: false });
    for (const { method, path: at, table, body } of routes)
      if (method === 'put')
        expect({ at, table, status: (await admin.put(at, { ...body, id: 4711 })).status }).toEqual({
          at,
          table,
          status: 400,
        });
    expect(await rowsOf(fresh.db, 'invoices')).toEqual(before);
    const paid = await admin.post('/api/payments/newpayment', {
      facturaproveedorId: ids.invoice,
      paymentamount: 1,
      userId: 4711,
    });
    expect((await paid.json()).userId).toBe(admin.user.id);
    const form = {
      suppliername: 'Por forma',
      suppliercontactperson: 'Ana',
      suppliercontactphone: '1',
      suppliercontactemail: 'a@b.mx',
    };
    const posted = { ...form, id: 4711, createdAt: '2001-01-01', importId: 7, version: 99, roles: 3 };
    expect((await admin.form('/new-supplier', posted)).status).toBe(303);
    const stored = await readRow(fresh.db, 'suppliers', { suppliername: 'Por forma' });
    expect(stored).toMatchObject({ importId: null, version: 1 });
    expect(stored.id).not.toBe(4711);
    expect(stored.createdAt).not.toContain('2001');
  });
});

describe('T20 · wrong types and names', () => {
  const fresh = useFreshDatabase('sqlite');

  it('are answered 400 for any member, on every route', async () => {
    const { admin, routes } = await prepare(fresh.db);
    let sent = 0;
    for (const { method, path, body, table } of routes) {
      const before = await rowsOf(fresh.db, table);
      for (const name of Object.keys(body)) {
        const isList = name === 'roles';
        for (const value of isList ? ['3', 3, {}, [[3]], [{}], [null]] : SHAPES) {
          const answer = await admin[method](path, { ...body, [name]: value });
          expect({ path, name, value, status: answer.status }).toEqual({ path, name, value, status: 400 });
          sent++;
        }
      }
      for (const text of [
        '[]',
        'null',
        '1',
        '"x"',
        'true',
        '[{}]',
        '{',
        '{"a":1,}',
        '',
        '\u0000',
        `${'['.repeat(60_000)}`,
      ])
        expect({ path, text: text.slice(0, 9), status: (await admin[method](path, text)).status }).toEqual({
          path,
          text: text.slice(0, 9),
          status: 400,
        });
      expect(await rowsOf(fresh.db, table)).toEqual(before);
    }
    expect(sent).toBeGreaterThan(100);
    console.info(`T20: ${sent} shapes on ${routes.length} routes, all 400`);
  });

  it('that reach for prototypes, or are sent twice, are answered 400 and leave nothing behind', async () => {
    const { admin, routes } = await prepare(fresh.db);
    for (const { method, path, body } of routes) {
      const inner = JSON.stringify(body).slice(1);
      const [name = ''] = Object.keys(body);
      for (const text of [
        `{"__proto__":{"x":1},${inner}`,
        `{"constructor":{"prototype":{"x":1}},${inner}`,
        `{"\\u005f_proto__":{"x":1},${inner}`,
        `{"${name}":"primero",${inner}`,
        `{"\\u00${name.charCodeAt(0).toString(16)}${name.slice(1)}":"primero",${inner}`,
      ]) {
        const answer = await admin[method](path, text);
        expect({ path, text, status: answer.status }).toEqual({ path, text, status: 400 });
        expect(({} as { x?: unknown }).x).toBeUndefined();
      }
    }
    const lines = (inner: string) =>
      admin.post('/api/programaciones', `{"fecha":"2026-11-27","partidas":[${inner}]}`);
    for (const twice of [
      '{"facturaproveedorId":1,"importe":1,"importe":999}',
      '{"facturaproveedorId":1,"importe":1},{"importe":1,"facturaproveedorId":2,"\\u0069mporte":999}',
      '{"facturaproveedorId":1,"x":{"importe":1},"importe":1,"importe":999}',
    ]) {
      const answer = await lines(twice);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ message: 'El campo «importe» viene más de una vez.' });
    }
    // Lines may have the same members, each line every member once.
    const once = await lines('{"facturaproveedorId":1,"importe":1},{"facturaproveedorId":2,"importe":1}');
    expect(JSON.stringify(await once.json())).not.toContain('más de una vez');
    for (const query of [
      '__proto__=1',
      '__proto__[x]=1',
      'constructor=1',
      'suppliername[]=a',
      'suppliername[a]=b',
      'suppliername=a&suppliername=b',
      'x=1',
      'id=1&id=2',
      'toString=1',
    ])
      for (const path of ['/api/suppliers', '/api/suppliers/search/'])
        expect({ query, status: (await admin.get(`${path}?${query}`)).status }).toEqual({
          query,
          status: 400,
        });
    for (const address of [
      '/api/suppliers/1?x=1',
      '/api/facturaproveedores/1?id=2',
      '/api/payments/pendingpayment?facturaproveedorid=1&x=2',
    ])
      expect({ address, status: (await admin.get(address)).status }).toEqual({ address, status: 400 });
    const count = (await rowsOf(fresh.db, 'payments')).length;
    for (const query of [
      'confirm=all&id=1',
      'confirm=all&confirm=all',
      'confirm=ALL',
      'confirm[]=all',
      'x=1',
    ])
      expect({ query, status: (await admin.delete(`/api/payments?${query}`)).status }).toEqual({
        query,
        status: 400,
      });
    expect((await rowsOf(fresh.db, 'payments')).length).toBe(count);
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  it('have no effect in a form: fields sent twice, too many fields or parts, files instead of texts', async () => {
    const { admin } = await prepare(fresh.db);
    const before = await rowsOf(fresh.db, 'suppliers');
    const post = (body: BodyInit, path = '/new-supplier') => admin.send(path, { method: 'POST', body });
    expect((await post(new URLSearchParams('suppliername=a&suppliername=b'))).status).toBe(400);
    expect((await post(new URLSearchParams('__proto__=1&constructor=2&suppliername='))).status).toBe(422);
    const many = new URLSearchParams(Array.from({ length: 201 }, (_, index) => [`campo${index}`, '']));
    expect((await post(many)).status).toBe(400);
    const parts = new FormData();
    for (let index = 0; index < 210; index++) parts.append(`parte${index}`, '');
    expect((await post(parts)).status).toBe(400);
    const started = performance.now();
    expect((await post(new URLSearchParams('a=b&'.repeat(60_000)))).status).toBe(400);
    expect((await post(new URLSearchParams('a=&'.repeat(80_000)))).status).toBe(400);
    expect(performance.now() - started).toBeLessThan(1000 * timeLimitFactor());
    const file = new FormData();
    file.append('suppliername', new Blob(['x']), 'x.txt');
    expect((await post(file)).status).toBe(422);
    expect((await post(new URLSearchParams({ suppliername: 'a\0b' }))).status).toBe(400);
    expect(await rowsOf(fresh.db, 'suppliers')).toEqual(before);
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });
});
