import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readIsolated } from '../../../server/formats/reading/isolated-reader.ts';
import { projectRoot } from '../../../server/root.ts';
import { buildPdf, buildWebp } from '../../support/files.ts';
import { buildPng, buildPngOfQrCode, SAMPLE_JPEG } from '../../support/pictures.ts';

const TEXT =
  'https://verificacfdi.facturaelectronica.sat.gob.mx/default.aspx?id=04BF2854-FE7D-4377-9196-71248F060ABB&re=EKU9003173C9&rr=CACX7605101P8&tt=459.36&fe=5tSZhA==';

const read = (bytes: Uint8Array) => readIsolated('code', { name: 'foto', bytes });

describe('a photo that is sent without script', () => {
  it.each([0, 2, 3, 4, 6])('shows its code as a PNG of colour type %i', async (colour) => {
    expect(await read(buildPngOfQrCode(TEXT, { colour }))).toBe(TEXT);
  });

  it('shows its code as a JPEG, on tilted paper', async () => {
    expect(await read(readFileSync(join(projectRoot, 'tests/server/formats/photo-code.jpg')))).toBe(TEXT);
  });

  it('shows none where there is none', async () => {
    expect(await read(buildPng(200, 200, { colour: 2, noise: true }))).toBeUndefined();
    expect(await read(SAMPLE_JPEG)).toBeUndefined();
  });

  it('is refused if it is another file, is damaged, or has more pixels than any camera takes', async () => {
    for (const bytes of [buildPdf(), buildWebp()])
      await expect(read(bytes)).rejects.toThrow('guárdala como JPEG');
    const damaged = Buffer.from(buildPngOfQrCode(TEXT));
    damaged[60]! ^= 1;
    await expect(read(damaged)).rejects.toThrow('La foto está dañada: toma otra.');
    await expect(read(buildPng(9000, 9000, { colour: 0 }))).rejects.toThrow('pasa de 50 millones de pixeles');
    const enormous = Buffer.from(SAMPLE_JPEG);
    enormous.writeUInt32BE(0xffffffff, enormous.indexOf(Buffer.from('ffc0', 'hex')) + 5);
    await expect(read(enormous)).rejects.toThrow('pasa de 50 millones de pixeles');
  });
});
