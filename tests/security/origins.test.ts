import { describe, expect, it } from 'vitest';
import { createTestApp } from '../support/app.ts';
import { useFresh } from '../support/databases.ts';

const OWN = 'http://saldo.test';
describe('T09 · a change by cookie', () => {
  const fresh = useFresh('sqlite');

  it.each([
    { origin: OWN },
    { origin: OWN, 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'same-origin' },
  ])('with %o is our own', async (headers) => {
    const { as } = createTestApp({ db: fresh.db });
    const ana = await as(1);
    ana.headers.delete('origin');
    expect(
      (await ana.post('/api/auth/signout', {}, { headers: new Headers(Object.entries(headers)) })).status,
    ).toBe(204);
  });

  it('must come from SALDO_URL where that is set, whatever Host says', async () => {
    const { as } = createTestApp({ db: fresh.db, config: { url: 'https://saldo.obras.mx' } });
    const ana = await as(1);
    for (const origin of [
      'http://saldo.obras.mx',
      'http://saldo.test',
      'https://saldo.obras.mx.evil.example',
    ]) {
      expect(
        (await ana.post('/api/auth/signout', {}, { headers: { origin, host: 'saldo.test' } })).status,
      ).toBe(403);
    }
    expect((await ana.post('/api/auth/signout')).status).toBe(204);
  });

  it('behind a trusted proxy comes from the scheme that the proxy names', async () => {
    const { as } = createTestApp({ db: fresh.db, config: { trustedProxies: 1 } });
    const ana = await as(1);
    const headers = { origin: 'https://saldo.test', 'x-forwarded-proto': 'https' };
    expect((await ana.post('/api/auth/signout', {}, { headers })).status).toBe(204);
  });

  it('from the scheme that a stranger names is refused', async () => {
    const { as } = createTestApp({ db: fresh.db });
    const ana = await as(1);
    const headers = { origin: 'https://saldo.test', 'x-forwarded-proto': 'https' };
    expect((await ana.post('/api/auth/signout', {}, { headers })).status).toBe(403);
  });
});

describe('T09 · a change by token', () => {
  const fresh = useFresh('sqlite');

  it('needs no Origin, as it comes from no browser', async () => {
    const { withToken } = createTestApp({ db: fresh.db });
    for (const headers of [new Headers(), new Headers({ origin: 'https://evil.example' })]) {
      const bot = await withToken(1);
      expect((await bot.post('/api/auth/signout', {}, { headers })).status).toBe(204);
    }
  });

  it('with a cookie beside it does', async () => {
    const { as } = createTestApp({ db: fresh.db });
    const ana = await as(1);
    const headers = { origin: 'https://evil.example', 'x-access-token': ana.token };
    expect((await ana.post('/api/auth/signout', {}, { headers })).status).toBe(403);
  });
});

describe('T09 · signing in', () => {
  const fresh = useFresh('sqlite');

  it('leaves no door to other sites by CORS', async () => {
    const { request } = createTestApp({ db: fresh.db });
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'PUT' };
    const answer = await request('/api/suppliers', { method: 'OPTIONS', headers });
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});
