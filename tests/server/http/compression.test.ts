import { randomBytes } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { accepts, compresses } from '../../../server/http/compression.ts';
import type { AppEnv } from '../../../server/http/session.ts';
import { listening } from '../../security/listening.ts';
import { ask } from '../../support/http.ts';

const LONG = 'Concretos del Norte, S.A. de C.V.\n'.repeat(100);
const GZIP = { 'accept-encoding': 'gzip, deflate' };
const BROTLI = { 'accept-encoding': 'gzip, deflate, br' };

const app = new Hono<AppEnv>();
app.use(compresses);
app.get('/long', (c) => c.text(LONG, 200, { ETag: '"uno"' }));
app.get('/json', (c) => c.json({ rows: LONG }));
app.get('/short', (c) => c.text('corto'));
app.get('/pdf', (c) => c.body(LONG, 200, { 'Content-Type': 'application/pdf' }));
app.get('/packed', (c) => c.body(LONG, 200, { 'Content-Type': 'text/css', 'Content-Encoding': 'br' }));
app.get('/fixed', (c) => c.text(LONG, 200, { 'Cache-Control': 'private, no-transform' }));
app.get('/vary', (c) => c.text(LONG, 200, { Vary: 'Accept' }));
app.get('/none', (c) => c.body(null, 204));
app.get('/cookies', (c) => {
  c.header('Set-Cookie', 'a=1', { append: true });
  c.header('Set-Cookie', 'b=2', { append: true });
  return c.html(LONG, 422);
});

describe('a long text', () => {
  it.each([
    ['/long', GZIP, 'gzip', gunzipSync],
    ['/json', GZIP, 'gzip', gunzipSync],
    ['/long', BROTLI, 'br', brotliDecompressSync],
    ['/json', { 'accept-encoding': 'br' }, 'br', brotliDecompressSync],
    ['/json', { 'accept-encoding': 'br;q=0, *' }, 'gzip', gunzipSync],
  ])('is packed for who takes it (%s, %j)', async (path, headers, coding, unpack) => {
    const plain = await app.request(path);
    const packed = await app.request(path, { headers });
    expect(packed.headers.get('content-encoding')).toBe(coding);
    const bytes = Buffer.from(await packed.arrayBuffer());
    expect(packed.headers.get('content-length')).toBe(String(bytes.length));
    expect(unpack(bytes).toString()).toBe(await plain.text());
    expect(packed.headers.get('content-type')).toBe(plain.headers.get('content-type'));
    expect(packed.headers.get('etag')).toBe(plain.headers.get('etag'));
  });

  it.each([undefined, '', 'identity', 'zstd', 'gzip;q=0', 'br;q=0.000', 'gzip; q=0.0, br;q=0, *', '*;q=0'])(
    'is left as it is for who does not take it, and caches are told (%s)',
    async (value) => {
      const headers: Record<string, string> = value === undefined ? {} : { 'accept-encoding': value };
      const answer = await app.request('/long', { headers });
      expect(answer.headers.get('content-encoding')).toBeNull();
      expect(answer.headers.get('vary')).toBe('Accept-Encoding');
      expect(await answer.text()).toBe(LONG);
    },
  );

  it.each([
    [GZIP, gunzipSync],
    [BROTLI, brotliDecompressSync],
  ])('asked for again it is what it is now (%j)', async (headers, unpack) => {
    let text = '';
    const changing = new Hono<AppEnv>().use(compresses).get('/', (c) => c.text(text));
    const ask = async () =>
      unpack(Buffer.from(await (await changing.request('/', { headers })).arrayBuffer()));
    for (text of [LONG, LONG, LONG.replaceAll('C', 'K'), LONG]) expect((await ask()).toString()).toBe(text);
  });

  it('keeps its status, its cookies and what it varies by', async () => {
    const answer = await app.request('/cookies', { headers: GZIP });
    expect(answer.status).toBe(422);
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect((await app.request('/vary', { headers: GZIP })).headers.get('vary')).toBe(
      'Accept, Accept-Encoding',
    );
  });
});

describe('not packed', () => {
  it.each([
    ['a short text', '/short', 'corto'],
    ['what is no text', '/pdf', LONG],
    ['what must not be changed', '/fixed', LONG],
    ['what has no body', '/none', ''],
  ])('is %s', async (_what, path, body) => {
    const answer = await app.request(path, { headers: GZIP });
    expect(answer.headers.get('content-encoding')).toBeNull();
    expect(await answer.text()).toBe(body);
  });

  it('is what is packed already', async () => {
    const answer = await app.request('/packed', { headers: GZIP });
    expect(answer.headers.get('content-encoding')).toBe('br');
    expect(await answer.text()).toBe(LONG);
  });
});

describe('over a socket', () => {
  it('HEAD has the headers of GET and no body', async () => {
    const { url } = await listening(app.fetch);
    for (const headers of [GZIP, {}]) {
      const get = await ask(`${url}/long`, { headers });
      const head = await ask(`${url}/long`, { method: 'HEAD', headers });
      expect(head.body).toBe('');
      for (const name of ['content-encoding', 'vary', 'content-type', 'etag'])
        expect({ [name]: head.headers[name] }).toEqual({ [name]: get.headers[name] });
      if (headers === GZIP) expect(head.headers['content-length']).toBe(get.headers['content-length']);
    }
  });

  it('what is made as it is sent is packed as it is sent, and is not asked for after HEAD', async () => {
    const streaming = new Hono<AppEnv>();
    streaming.use(compresses);
    let made = 0;
    let isCancelled = false;
    streaming.get('/', (c) =>
      c.body(
        new ReadableStream(
          {
            async pull(controller) {
              await new Promise((resolve) => setImmediate(resolve));
              if (++made > 300) controller.close();
              else
                controller.enqueue(
                  new TextEncoder().encode(`${made},${randomBytes(32 * 1024).toString('hex')}\r\n`),
                );
            },
            cancel() {
              isCancelled = true;
            },
          },
          { highWaterMark: 0 },
        ),
        200,
        { 'Content-Type': 'text/csv; charset=utf-8' },
      ),
    );
    const { url } = await listening(streaming.fetch);
    const answer = await fetch(url, { headers: BROTLI });
    const reader = answer.body!.getReader();
    await reader.read();
    expect(made).toBeLessThan(300); // something has come before all of it was made
    let text = '';
    for (let part = await reader.read(); !part.done; part = await reader.read())
      text += new TextDecoder().decode(part.value);
    expect(text.endsWith('\r\n')).toBe(true);
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(answer.headers.get('content-length')).toBeNull();
    made = 0;
    const plain = await fetch(url, { headers: { 'accept-encoding': 'br' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
    await plain.body?.cancel();
    made = 0;
    const head = await ask(url, { method: 'HEAD', headers: GZIP });
    expect(head.headers['content-encoding']).toBe('gzip');
    expect(made).toBeLessThan(300);
    expect(isCancelled).toBe(true);
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
  ])('«%s» takes gzip: %s', (header, isTaken) => {
    expect(accepts(header, 'gzip')).toBe(isTaken);
  });
});
