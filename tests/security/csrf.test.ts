import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTestApp } from '../support/app.ts';
import { useFreshDatabase } from '../support/databases.ts';
import { readAllTables } from '../support/every-row.ts';
import { buildPdf } from '../support/files.ts';
import { IS_LONG_LANE } from '../support/proofs.ts';
import { addUser } from '../support/rows.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { addSmallCompany } from '../support/small-company.ts';
import { isChange, routesOf } from './routes.ts';
import { HASH, PASSWORD, serve } from './servers.ts';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const EVIL = 'https://evil.example';

/** Headers of requests that another site can make a browser send with the user's cookie. */
const VECTORS: Record<string, Record<string, string>> = {
  'JSON from a foreign Origin': { origin: EVIL, 'content-type': JSON_TYPE },
  'JSON from Origin null': { origin: 'null', 'content-type': JSON_TYPE },
  'JSON without Origin': { 'content-type': JSON_TYPE },
  'a form from a foreign Origin': { origin: EVIL, 'content-type': FORM_TYPE },
  'a form from Origin null': { origin: 'null', 'content-type': FORM_TYPE },
  'a form without Origin': { 'content-type': FORM_TYPE },
  'a form with files': { origin: EVIL, 'content-type': 'multipart/form-data; boundary=x' },
  'text/plain from a foreign Origin': { origin: EVIL, 'content-type': 'text/plain' },
  'text/plain without Origin': { 'content-type': 'text/plain' },
  'no content type from a foreign Origin': { origin: EVIL },
  'a foreign Origin that also says same-origin': {
    origin: EVIL,
    'sec-fetch-site': 'same-origin',
    'content-type': JSON_TYPE,
  },
  'an Origin that begins like ours': { origin: 'http://saldo.test.evil.example', 'content-type': JSON_TYPE },
  'our host on another port': { origin: 'http://saldo.test:8080', 'content-type': FORM_TYPE },
  'our host by another scheme': { origin: 'https://saldo.test', 'content-type': FORM_TYPE },
  'an empty Origin': { origin: '', 'content-type': FORM_TYPE },
  'Sec-Fetch-Site none alone': { 'sec-fetch-site': 'none', 'content-type': FORM_TYPE },
  'Sec-Fetch-Site cross-site alone': { 'sec-fetch-site': 'cross-site', 'content-type': FORM_TYPE },
  'Sec-Fetch-Site same-site alone': { 'sec-fetch-site': 'same-site', 'content-type': FORM_TYPE },
};

describe('a change that another site makes a browser send', () => {
  const fresh = useFreshDatabase('sqlite');

  it('T09 · is refused on every route, and no row differs afterwards', async () => {
    const test = createTestApp({ db: fresh.db });
    const user = await addUser(fresh.db, { roles: [1, 2, 3, 4, 5, 6], password: HASH });
    await addSmallCompany(fresh.db);
    const ana = await test.as(user);
    ana.headers.delete('origin');
    const before = await readAllTables(fresh.db, 'user_preferences');
    const routes = routesOf(test).filter(isChange);
    expect(routes.length).toBeGreaterThan(50);
    const vectors = Object.entries(VECTORS);
    for (const [index, { method, path }] of routes.entries()) {
      // In `npm test` each route gets a third of the vectors; all are used within three routes.
      for (const [name, headers] of vectors.filter((_, nth) => IS_LONG_LANE || nth % 3 === index % 3)) {
        const body = method === 'DELETE' ? undefined : bodyOf(headers['content-type']);
        const answer = await ana.send(`${path}?confirm=all`, { method, headers, body });
        const text = await answer.text();
        expect(answer.status, `${method} ${path}, ${name}`).toBe(403);
        expect(text, `${method} ${path}, ${name}`).toContain('La solicitud viene de otro sitio.');
        expect(answer.headers.getSetCookie(), `${method} ${path}, ${name}`).toEqual([]);
      }
    }
    expect(await readAllTables(fresh.db, 'user_preferences')).toEqual(before);
    process.stdout.write(
      `T09: ${routes.length} routes × ${IS_LONG_LANE ? vectors.length : vectors.length / 3} of ${vectors.length} vectors refused\n`,
    );
    // A request from our own origin is not refused.
    const own = { origin: 'http://saldo.test', 'content-type': JSON_TYPE };
    const made = await ana.send('/api/rubros/newrubro', { method: 'POST', headers: own, body: RUBRO });
    expect(made.status).toBe(201);
    expect(await readAllTables(fresh.db, 'user_preferences')).not.toEqual(before);
  });

  it('T09 · does not get in by CORS, by overriding the method, or by GET', async () => {
    const test = createTestApp({ db: fresh.db });
    const user = await addUser(fresh.db, { roles: [1, 2, 3, 4, 5, 6] });
    await addSmallCompany(fresh.db);
    const ana = await test.as(user);
    const before = await readAllTables(fresh.db, 'user_preferences');
    for (const [index, { method, path }] of routesOf(test).entries()) {
      const headers = { origin: EVIL, 'access-control-request-method': method };
      const preflight = await test.request(path, { method: 'OPTIONS', headers });
      const allowed = [...preflight.headers.keys()].filter((name) => name.startsWith('access-control'));
      expect(allowed, path).toEqual([]);
      const names = ['DELETE', 'PUT', 'POST'];
      for (const named of IS_LONG_LANE ? names : [names[index % 3]!]) {
        const tunnel = { 'x-http-method-override': named, 'x-method-override': named };
        await ana.get(`${path}?_method=${named}&confirm=all`, { headers: tunnel });
      }
    }
    expect(await readAllTables(fresh.db, 'user_preferences')).toEqual(before);
  });
});

describe.runIf(IS_LONG_LANE)('in a real browser', () => {
  const fresh = useFreshDatabase('sqlite');
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('T09 · changes nothing from a page on another port of the same machine, even though the cookie is sent', async () => {
    const user = await addUser(fresh.db, { roles: [1, 3], password: HASH });
    const server = await serve(fresh.database);
    const evil = createServer((_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><title>Premio</title><p>Premio</p>');
    });
    await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
    const context = await browser.newContext();
    try {
      const page = await context.newPage();
      await page.goto(`${server.url}/login`);
      await page.getByLabel('Correo').fill(user.username);
      await page.getByLabel('Contraseña').fill(PASSWORD);
      await page.getByRole('button', { name: 'Ingresar' }).click();
      await page.waitForURL('**/empezar');
      const before = await readAllTables(fresh.db, 'sessions', 'user_preferences');

      const { port } = evil.address() as AddressInfo;
      const cookies: Promise<string | undefined>[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST')
          cookies.push(request.allHeaders().then((headers) => headers.cookie?.split('=')[0]));
      });
      for (const [path, enctype] of [
        ['/logout', 'application/x-www-form-urlencoded'],
        ['/new-rubro', 'application/x-www-form-urlencoded'],
        ['/new-rubro', 'multipart/form-data'],
        ['/api/rubros/newrubro', 'text/plain'],
      ] as const) {
        await page.goto(`http://127.0.0.1:${port}/`);
        await page.evaluate(
          ({ action, type }) => {
            const form = document.createElement('form');
            Object.assign(form, { method: 'post', action, enctype: type });
            // As text/plain this makes {"nombrerubro":"ajeno","x":"="}.
            form.innerHTML = `<input name='nombrerubro' value='ajeno'><input name='{"nombrerubro":"ajeno","x":"' value='"}'>`;
            document.body.append(form);
            form.submit();
          },
          { action: server.url + path, type: enctype },
        );
        await page.waitForURL(`${server.url}${path}`);
      }
      await page.goto(`http://127.0.0.1:${port}/`);
      await page.evaluate(async (base) => {
        const ask = (path: string, init: RequestInit) =>
          fetch(base + path, { credentials: 'include', mode: 'no-cors', ...init }).catch(() => {});
        await ask('/logout', { method: 'POST' });
        await ask('/api/auth/signout', { method: 'POST', body: '{}' });
        await ask('/api/rubros/newrubro', { method: 'POST', body: '{"nombrerubro":"ajeno"}' });
        navigator.sendBeacon(`${base}/api/rubros/newrubro`, '{"nombrerubro":"ajeno"}');
      }, server.url);
      // The browser hides such answers from the page, so the test reads the server's log.
      const answers = () =>
        server
          .output()
          .split('\n')
          .filter((line) => line.includes('"method":"POST"') && !line.includes('"path":"/login"'))
          .map((line) => JSON.parse(line).status);
      await expect.poll(() => answers().length).toBe(8);
      expect(answers()).toEqual(Array(8).fill(403));
      expect((await Promise.all(cookies)).slice(0, 4)).toEqual(Array(4).fill('saldo'));
      expect(await readAllTables(fresh.db, 'sessions', 'user_preferences')).toEqual(before);
      await page.goto(`${server.url}/invoices`);
      expect(new URL(page.url()).pathname).toBe('/invoices');
    } finally {
      await context.close();
      evil.close();
      await server.stop();
    }
  });
});

const RUBRO = JSON.stringify({ nombrerubro: 'Acero', descripcionrubro: '' });

function bodyOf(type = 'text/plain'): string {
  const fields = { id: '1', name: 'x', nombrerubro: 'x', active: 'false', password: 'teja de barro 7' };
  if (type === FORM_TYPE) return new URLSearchParams(fields).toString();
  if (!type.startsWith('multipart/')) return JSON.stringify(fields);
  const parts = Object.entries(fields).map(
    ([name, value]) => `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  // The names of all file fields.
  for (const name of ['file', 'xml', 'pdf'])
    parts.push(
      `--x\r\ncontent-disposition: form-data; name="${name}"; filename="a.pdf"\r\n\r\n${buildPdf()}\r\n`,
    );
  return `${parts.join('')}--x--\r\n`;
}
