import { describe, expect, it } from 'vitest';
import { createTestApp } from '../support/app.ts';
import { buildCfdi, bytesOf } from '../support/cfdi.ts';
import { useFreshDatabase } from '../support/databases.ts';
import { timeLimitFactor } from '../support/patience.ts';
import { listening } from './listening.ts';

const KB = 1024;
const ROOT = 'xmlns:c="http://www.sat.gob.mx/cfd/4"';

/** XML that may harm its reader, just under the size limit where that matters. */
const BOMBS: Readonly<Record<string, Buffer>> = {
  'billion laughs': bytesOf(
    `<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ja">${Array.from({ length: 9 }, (_, n) => `<!ENTITY ${'bcdefghij'[n]} "${`&${'abcdefghi'[n]};`.repeat(10)}">`).join('')}]><c:Comprobante ${ROOT} Serie="&j;"/>`,
  ),
  'an external entity': bytesOf(
    `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><c:Comprobante ${ROOT} Serie="&a;"/>`,
  ),
  'a million character references': bytesOf(`<c:Comprobante ${ROOT} Serie="${'&#65;'.repeat(390_000)}"/>`),
  '200,000 levels': bytesOf(`<c:Comprobante ${ROOT}>${'<a>'.repeat(200_000)}`),
  '400,000 elements': bytesOf(`<c:Comprobante ${ROOT}>${'<a/>'.repeat(400_000)}</c:Comprobante>`),
  '200,000 attributes': bytesOf(
    `<c:Comprobante ${ROOT} ${Array.from({ length: 200_000 }, (_, n) => `a${n}=""`).join(' ')}/>`,
  ),
  '2 MB of names of one kind': bytesOf(`<${'a:'.repeat(1_000 * KB)}/>`),
  truncated: bytesOf(buildCfdi().slice(0, 400)),
  'a repeated attribute': bytesOf(`<c:Comprobante ${ROOT} Total="1" Total="2"/>`),
};

describe('T23 · a malicious XML', () => {
  const fresh = useFreshDatabase('sqlite');

  it('ends with a message within five seconds, and other users notice nothing', async () => {
    const test = createTestApp({ db: fresh.db, config: { logLevel: 'error' } });
    const client = await test.as(4);
    const other = await test.withToken(4);
    const { url } = await listening(test.app.fetch);
    const cookie = [...client.cookies].map((pair) => pair.join('=')).join('; ');
    const took: number[] = [];
    let isOver = false;
    const others = (async () => {
      while (!isOver) {
        const started = performance.now();
        const answer = await fetch(`${url}/api/suppliers`, {
          headers: { authorization: `Bearer ${other.token}` },
        });
        await answer.text();
        took.push(performance.now() - started);
      }
    })();
    const load = async (bytes: Buffer) => {
      const body = new FormData();
      body.append('xml', new Blob([new Uint8Array(bytes)]), 'a.xml');
      const started = performance.now();
      const answer = await fetch(`${url}/new-invoice/xml`, {
        method: 'POST',
        body,
        headers: { cookie, origin: url },
        redirect: 'manual',
      });
      return { answer, html: await answer.text(), ms: performance.now() - started };
    };
    const slowest: string[] = [];
    for (const [name, bytes] of Object.entries(BOMBS)) {
      const { answer, html, ms } = await load(bytes);
      slowest.push(`${name} ${answer.status} ${ms.toFixed(0)} ms`);
      expect([name, [413, 422].includes(answer.status)]).toEqual([name, true]);
      expect(html, name).toMatch(/class="field-error"[^>]*>.*\S/s);
      expect(html).not.toMatch(/root:|\bat \S+ \(/);
      expect(ms, name).toBeLessThan(5_000 + 500 * timeLimitFactor()); // the reading, and all around it
    }
    // Afterwards a valid file is still read.
    expect((await load(bytesOf(buildCfdi()))).answer.status).toBe(303);
    isOver = true;
    await others;
    const p99 = took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)]!;
    console.info(
      `T23 by the page: ${slowest.join('; ')}; ${took.length} other requests, p99 ${p99.toFixed(0)} ms`,
    );
    expect(p99).toBeLessThan(500 * timeLimitFactor());
  });
});
