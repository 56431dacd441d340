import { describe, expect, it } from 'vitest';
import { readIsolated } from '../../server/formats/reading/isolated-reader.ts';
import { buildCfdi } from '../support/cfdi.ts';
import { timeLimitFactor } from '../support/patience.ts';

const sound = buildCfdi();
const body = sound.slice(sound.indexOf('<cfdi:'));
const doctype = (declared: string) => `<?xml version="1.0"?><!DOCTYPE c [${declared}]>${body}`;
const laughs = Array.from({ length: 10 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('');

const HOSTILE: [name: string, bytes: string | Buffer, message: RegExp][] = [
  ['a billion laughs', doctype(`<!ENTITY l0 "ja">${laughs}`), /DOCTYPE/],
  ['a quadratic blow-up', doctype(`<!ENTITY a "${'x'.repeat(500_000)}">`), /DOCTYPE/],
  ['an external entity', doctype('<!ENTITY x SYSTEM "file:///etc/passwd">'), /DOCTYPE/],
  ['a million numeric entities', `<a b="${'&#65;'.repeat(1_000_000)}"/>`, /pasa de 2 MB/],
  ['400,000 numeric entities', `<a b="${'&#65;'.repeat(400_000)}"/>`, /./],
  ['200,000 levels', '<a>'.repeat(200_000), /niveles/],
  ['a document cut off', sound.slice(0, -200), /mal formado/],
  ['an attribute twice', sound.replace(' Folio=', ' Folio="1" Folio='), /repite un atributo/],
];

describe('T23 · XML that is a bomb', () => {
  it.each(HOSTILE)('%s is refused in time, with a message', async (_, content, message) => {
    const started = performance.now();
    const reading = await readIsolated('cfdi', { name: 'a.xml', bytes: Buffer.from(content) });
    expect(performance.now() - started).toBeLessThan(5000 * timeLimitFactor());
    expect('refused' in reading && reading.refused).toMatch(message);
    expect('refused' in reading && reading.refused).toMatch(/^(?!.*falla del programa)\p{Lu}.*\.$/su);
  });

  it('in UTF-16 are read correctly, too', async () => {
    const utf16 = Buffer.from(`\ufeff${sound.replace('UTF-8', 'UTF-16')}`, 'utf16le');
    const reading = await readIsolated('cfdi', { name: 'a.xml', bytes: utf16 });
    expect(reading).toMatchObject({ issued: { draft: { totalCents: 116000 } } });
  });
});
