import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { acceptsCoding } from '../../../server/http/send.ts';
import { createTestApp } from '../../support/app.ts';
import { useFreshDatabase } from '../../support/databases.ts';

describe('a page', () => {
  const fresh = useFreshDatabase('sqlite');

  it('asks browsers over https to use https for a year, and is cached by nobody', async () => {
    const headersAt = async (url?: string) =>
      (await createTestApp({ db: fresh.db, config: { url } }).visitor().get('/login')).headers;
    const secure = await headersAt('https://saldo.obras.mx');
    expect(secure.get('strict-transport-security')).toMatch(/^max-age=31536000\b/);
    const plain = await headersAt();
    expect(plain.get('strict-transport-security')).toBeNull();
    expect(plain.get('cache-control')).toContain('no-store');
  });
});

describe('/readyz', () => {
  const fresh = useFreshDatabase('sqlite');

  it('answers no if the schema is not that of this program', async () => {
    const { request } = createTestApp({ db: fresh.db });
    expect((await request('/readyz')).status).toBe(200);
    await fresh.db.deleteFrom('schema_migrations').execute();
    expect((await request('/readyz')).status).toBe(503);
    await sql`DROP TABLE schema_migrations`.execute(fresh.db);
    expect((await request('/readyz')).status).toBe(503);
    expect((await request('/healthz')).status).toBe(200);
  });
});

describe('a page', () => {
  const fresh = useFreshDatabase('sqlite');

  it('is compressed for clients that accept it, and tells caches so', async () => {
    const { visitor } = createTestApp({ db: fresh.db });
    const plain = await visitor().get('/login');
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(plain.headers.get('vary')).toContain('Accept-Encoding');
    const { length } = await plain.text();
    for (const [accepted, coding, unpack] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip, deflate', 'gzip', gunzipSync],
    ] as const) {
      const packed = await visitor().get('/login', { headers: { 'accept-encoding': accepted } });
      expect(packed.headers.get('content-encoding')).toBe(coding);
      expect(unpack(Buffer.from(await packed.arrayBuffer())).toString().length).toBe(length);
    }
  });
});

describe('Accept-Encoding', () => {
  it.each([
    ['gzip', true],
    ['br, gzip;q=0.5', true],
    ['GZIP', true],
    ['*', true],
    ['gzip;q=0, *', false],
    ['br', false],
    ['', false],
    ['xgzip', false],
  ])('«%s» accepts an asset as gzip: %s', (header, isTaken) => {
    expect(acceptsCoding(header, 'gzip')).toBe(isTaken);
  });
});
