import type { KyselyPlugin } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '../../support/app.ts';
import { useFreshDatabase } from '../../support/databases.ts';
import { addSupplier } from '../../support/rows.ts';

describe('an error', () => {
  const fresh = useFreshDatabase('sqlite');

  /** The application on a database whose queries about suppliers fail this way. */
  const failing = (fail: () => never) => {
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => ('suppliername' in (result.rows[0] ?? {}) ? fail() : result),
    };
    return createTestApp({ db: fresh.db.withPlugin(plugin) });
  };

  it('is not reported if the client has gone', async () => {
    await addSupplier(fresh.db);
    const gone = new AbortController();
    const { as, loggedLines } = failing(() => {
      gone.abort();
      throw gone.signal.reason;
    });
    const answer = await (await as(1)).get('/api/suppliers', { signal: gone.signal });
    expect(answer.status).toBe(499);
    expect(loggedLines.join('')).not.toMatch(/stack|"level":"error"/);
    expect(loggedLines.map((line) => JSON.parse(line).event)).toContain('aborted');
  });

  it('about the database’s own file says what is wrong, and the log names the file', async () => {
    await addSupplier(fresh.db);
    const file = '/no/hay/saldo.db';
    const { as, loggedLines } = failing(() => {
      throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_SHMSIZE', file });
    });
    const answer = await (await as(1)).get('/api/suppliers');
    expect([answer.status, await answer.json()]).toEqual([
      503,
      {
        message: 'El servidor no puede usar uno de sus archivos: no existe. Avisa al administrador.',
        code: 'file_unusable',
      },
    ]);
    expect(loggedLines.join('')).toContain(`No se puede abrir la base de datos ${file}: no existe.`);
    expect(loggedLines.join('')).not.toContain('stack');
  });

  it('is a page if a page was requested, and JSON under /api', async () => {
    const { visitor } = createTestApp({ db: fresh.db });
    const page = await visitor().get('/nada');
    expect(await page.text()).toMatch(/^<!doctype html>.*No se encontró/s);
    expect(await (await visitor().get('/api/nada')).json()).toEqual({
      message: expect.any(String),
      code: 'not_found',
    });
  });
});

describe('a request that cannot be read', () => {
  const fresh = useFreshDatabase('sqlite');

  it.each([
    ...['', 'x', '{', '[]', 'null', '1', '"a"', '{"email":"a"', '\u0000'],
    ...[
      '{"email":["a"],"password":"x"}',
      '{"email":1,"password":"x"}',
      '{"email":"a\\u0000","password":"x"}',
    ],
    '{"email":"a","password":"x","roles":[3]}',
    '{"email":"a","password":"x","__proto__":{"admin":true}}',
    '{"email":"a","password":"x","constructor":{"prototype":{"admin":true}}}',
  ])('is refused, and changes nothing for later ones (%j)', async (body) => {
    const { visitor } = createTestApp({ db: fresh.db });
    const answer = await visitor().post('/api/auth/signin', body);
    expect([400, 422]).toContain(answer.status);
    expect(await answer.json()).toMatchObject({ message: expect.any(String) });
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
    expect(await fresh.db.selectFrom('signin_attempts').select('id').execute()).toEqual([]);
  });

  it('is refused if it exceeds 256 KB, announced or not', async () => {
    const { visitor } = createTestApp({ db: fresh.db });
    const big = JSON.stringify({ email: 'a', password: 'x'.repeat(256 * 1024) });
    const announced = await visitor().post('/api/auth/signin', big, {
      headers: { 'content-length': String(big.length) },
    });
    expect(announced.status).toBe(413);
    expect(await announced.json()).toEqual({ code: 'too_large', message: 'La solicitud pasa de 256 KB.' });
    const stream = new ReadableStream({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode('x'.repeat(50_000)));
      },
    });
    const init = { method: 'POST', body: stream, duplex: 'half' } as RequestInit;
    expect((await visitor().send('/api/auth/signin', init)).status).toBe(413);
    expect((await visitor().form('/login', { email: 'x'.repeat(300_000) })).status).toBe(413);
  });

  it.each([
    ['multipart/form-data; boundary=x', 'garbage'],
    ['multipart/form-data', 'garbage'],
    ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="email"\r\n\r\nabc'],
    ['application/x-www-form-urlencoded', '%E0%A4%A=%'],
    ['application/x-www-form-urlencoded', 'email=a&email=b'],
    ['application/x-www-form-urlencoded', '__proto__=1&constructor=2&email[]=x&email[a]=1'],
    ['text/plain', 'email=a'],
    ['application/octet-stream', '\u0001\u0002'],
  ])('causes no unexpected error as a form of type %s (%j)', async (type, body) => {
    const { visitor, loggedLines } = createTestApp({ db: fresh.db });
    const answer = await visitor().send('/login', {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });
    expect(answer.status, await answer.text()).toBeLessThan(500);
    expect(loggedLines.join('')).not.toContain('unexpected error');
  });

  it.each([
    '/login?next=%',
    '/login?next=%E0%A4%A',
    '/login?next=a&next=b',
    '/login?next[]=x',
    '/login?%00=%00',
  ])('causes no unexpected error in its query (%s)', async (path) => {
    const { visitor } = createTestApp({ db: fresh.db });
    expect((await visitor().get(path)).status).toBe(200);
  });
});
