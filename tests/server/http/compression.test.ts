import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { accepts } from '../../../server/shell/assets.ts';
import { createTestApp } from '../../support/app.ts';
import { useFresh } from '../../support/databases.ts';

describe('a page', () => {
  const fresh = useFresh('sqlite');

  it('comes compressed for whoever takes it, and caches are told', async () => {
    const { visitor } = createTestApp({ db: fresh.db });
    const plain = await visitor().get('/login');
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(plain.headers.get('vary')).toContain('Accept-Encoding');
    const packed = await visitor().get('/login', { headers: { 'accept-encoding': 'gzip, deflate, br' } });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    const text = gunzipSync(Buffer.from(await packed.arrayBuffer())).toString();
    expect(text.length).toBe((await plain.text()).length);
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
  ])('«%s» takes an asset as gzip: %s', (header, isTaken) => {
    expect(accepts(header, 'gzip')).toBe(isTaken);
  });
});
