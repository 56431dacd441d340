import { describe, expect, it } from 'vitest';
import { createTestApp } from '../support/app.ts';
import { useFreshDatabase } from '../support/databases.ts';

const OWN = 'http://saldo.test';
const PUBLIC = { url: 'https://saldo.obras.mx' };
const HTTPS = { origin: 'https://saldo.test', 'x-forwarded-proto': 'https' };

describe('T09 · a change', () => {
  const fresh = useFreshDatabase('sqlite');

  it.each<[what: string, config: object, headers: Record<string, string>, status: number]>([
    ['from our own Origin', {}, { origin: OWN }, 204],
    ['with both Origin and Sec-Fetch-Site', {}, { origin: OWN, 'sec-fetch-site': 'same-origin' }, 204],
    ['without Origin, from the same origin', {}, { 'sec-fetch-site': 'same-origin' }, 204],
    ['from SALDO_URL if that is set', PUBLIC, { origin: PUBLIC.url }, 204],
    ['from its host over http', PUBLIC, { origin: 'http://saldo.obras.mx' }, 403],
    ['from the host in its Host header', PUBLIC, { origin: OWN }, 403],
    ['from a host with the same beginning', PUBLIC, { origin: `${PUBLIC.url}.evil.example` }, 403],
    ['with the scheme that a trusted proxy states', { trustedProxies: 1 }, HTTPS, 204],
    ['with the scheme that a stranger states', {}, HTTPS, 403],
  ])('by cookie %s is accepted or refused as it should be', async (_, config, headers, status) => {
    const { app, as } = createTestApp({ db: fresh.db, config });
    const cookie = [...(await as(1)).cookies].map((pair) => pair.join('=')).join('; ');
    // The request's own host counts, whatever SALDO_URL says.
    const address = `${OWN}/api/auth/signout`;
    const sent = { ...headers, cookie, 'content-type': 'application/json' };
    expect((await app.request(address, { method: 'POST', headers: sent, body: '{}' })).status).toBe(status);
  });

  it('by token needs no Origin, since it comes from no browser, unless a cookie is sent too', async () => {
    const { as, withToken } = createTestApp({ db: fresh.db });
    const evil = { origin: 'https://evil.example' };
    for (const headers of [new Headers(), new Headers(evil)])
      expect((await (await withToken(1)).post('/api/auth/signout', {}, { headers })).status).toBe(204);
    const ana = await as(1);
    const headers = { ...evil, 'x-access-token': ana.token };
    expect((await ana.post('/api/auth/signout', {}, { headers })).status).toBe(403);
  });
});
