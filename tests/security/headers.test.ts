import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '../support/app.ts';
import { useFreshDatabase } from '../support/databases.ts';
import { enableQuickHashes } from '../support/quick-crypto.ts';
import { addUser } from '../support/rows.ts';
import { XSS } from './payloads.ts';
import { plant } from './planted.ts';

enableQuickHashes();

const CSP: Record<string, string> = {
  'default-src': "'self'",
  'script-src': "'self'",
  'style-src': "'self'",
  'style-src-attr': "'unsafe-inline'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
};

const OTHERS: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
};

describe('T12 · every route', () => {
  const fresh = useFreshDatabase('sqlite');

  it('answers with the policy and the other headers, whoever asks and whatever the result', async () => {
    const test = createTestApp({ db: fresh.db, config: { url: 'https://saldo.obras.mx' } });
    const user = await addUser(fresh.db, { roles: [1, 3] });
    await plant(fresh.db, await test.withToken(user), ['Texto']);
    const routes = [...new Set(test.app.routes.map(({ method, path }) => `${method} ${path}`))];
    const statuses: Record<number, number> = {};
    const ask = async (who: string, route: string) => {
      const [method = '', path = ''] = route.split(' ');
      // Each request has its own session, since some end it.
      const client = who === 'guest' ? test.visitor() : await test.as(user);
      const address = path.replace(/:\w+(\{[^/]*\})?\??/g, '1').replace(/\*$/, 'nada');
      const answer = await client.send(address, {
        method: method === 'ALL' ? 'GET' : method,
        body: ['GET', 'ALL', 'DELETE'].includes(method) ? undefined : '{}',
      });
      await answer.text();
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      expectHeaders(answer.headers, `${who} ${route} ${answer.status}`);
    };
    for (const route of routes) for (const who of ['guest', 'admin']) await ask(who, route);
    const worker = await test.as([2]);
    const answers = [
      ...['//x', '/%2e%2e/x', '/api/%00'].map((address) => worker.get(address)),
      ...['/invoices/export.csv', '/invoices/export.pdf'].map((address) => worker.get(address)),
      ...['/admin-users', '/api/users/search'].map((address) => worker.get(address)),
      worker.post('/api/suppliers/newsupplier', 'x'.repeat(300_000)),
      test.visitor().form('/login', { email: 'x'.repeat(20_000) }),
    ];
    for (const answer of await Promise.all(answers)) {
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      expectHeaders(answer.headers, `${answer.status}`);
    }
    const admin = await test.as(user);
    await sql`DROP TABLE sessions`.execute(fresh.db);
    for (const address of ['/invoices', '/api/suppliers', '/invoices/export.csv', '/login']) {
      const answer = await admin.get(address);
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      expectHeaders(answer.headers, `broken ${address} ${answer.status}`);
    }
    for (const status of [200, 303, 400, 401, 403, 404, 409, 413, 422, 500])
      expect(Object.keys(statuses)).toContain(String(status));
    console.info(
      `T12: ${routes.length} routes, answers by status ${JSON.stringify(statuses)}: all with the headers`,
    );
  });

  it('has, if it is a page, no inline script and no style of its own', async () => {
    const test = createTestApp({ db: fresh.db });
    const admin = await test.as([1, 3]);
    const pages = test.app.routes.filter(({ method, path }) => method === 'GET' && !/^\/api|[:*]/.test(path));
    let seen = 0;
    for (const { path } of pages) {
      const answer = await admin.get(path);
      if (!answer.headers.get('content-type')?.includes('text/html')) continue;
      const html = await answer.text();
      seen++;
      for (const [, attributes = '', content = ''] of html.matchAll(/<script([^>]*)>([^<]*)/g))
        expect({ path, src: /\bsrc="\//.test(attributes), content }).toEqual({
          path,
          src: true,
          content: '',
        });
      expect({ path, found: html.match(/<style|\son[a-z]+="|javascript:/g) }).toEqual({ path, found: null });
    }
    expect(seen).toBeGreaterThan(15);
  });
});

describe('T11 · the properties that a page passes to its script', () => {
  const fresh = useFreshDatabase('sqlite');

  it('are attributes, arrive unchanged, and add no script', async () => {
    const test = createTestApp({ db: fresh.db });
    const admin = await test.as([1, 3]);
    const scripts = async (html: string) => html.match(/<script/g)?.length;
    const before = await scripts(await (await admin.get('/suppliers')).text());
    for (const text of ['</script><script>', '\u2028\u2029', ...XSS]) {
      const html = await (
        await admin.get(`/suppliers?${new URLSearchParams({ suppliername: text })}`)
      ).text();
      expect({ text, scripts: await scripts(html) }).toEqual({ text, scripts: before });
      const [props = ''] = [...html.matchAll(/<is-land[^>]* props="([^"]*)"/g)].map(([, json]) => json);
      const { fields } = JSON.parse(unescaped(props)) as { fields: { name: string; value: string }[] };
      const { value } = fields.find(({ name }) => name === 'suppliername')!;
      expect(value).toBe(text.normalize('NFC').replace(/\s+/g, ' ').trim());
    }
    const { id } = await addUser(fresh.db, { username: '</script><script>"\u2028' });
    const named = await test.as({ id, username: '', email: '', roles: [1] });
    const html = await (await named.get('/suppliers')).text();
    const [, data = ''] = /<body data-user="([^"]*)"/.exec(html) ?? [];
    expect(JSON.parse(unescaped(data)).username).toBe('</script><script>"\u2028');
    expect(await scripts(html)).toBe(before);
  });
});

function expectHeaders(headers: Headers, what: string): void {
  const policy = headers.get('content-security-policy') ?? '';
  const directives = policy.split('; ').map((one) => [one.split(' ')[0], one.split(' ').slice(1).join(' ')]);
  expect({ what, ...Object.fromEntries(directives) }).toEqual({ what, ...CSP });
  for (const [name, value] of Object.entries(OTHERS))
    expect({ what, name, value: headers.get(name) }).toEqual({ what, name, value });
  expect(headers.get('cache-control') ?? '', what).toMatch(/no-store|max-age/);
  // Without a charset a browser has to guess the encoding, and may read another text.
  const type = headers.get('content-type') ?? '';
  if (/^text\/|[+/]xml\b/.test(type))
    expect({ what, type }).toEqual({ what, type: expect.stringMatching(/charset=utf-8$/i) });
  for (const name of ['server', 'x-powered-by', 'access-control-allow-origin'])
    expect({ what, name, value: headers.get(name) }).toEqual({ what, name, value: null });
}

const unescaped = (attribute: string) =>
  attribute
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
