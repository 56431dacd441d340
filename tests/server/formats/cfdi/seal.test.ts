import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCfdiAndCheckSeal } from '../../../../server/formats/cfdi/document.ts';
import { buildSealedCfdi, CERTIFICATE, createCertificate, VALID_SEAL } from '../../../support/sealed-cfdi.ts';

const sealOf = (text: string) => readCfdiAndCheckSeal(Buffer.from(text)).sello;

describe('the seal of a CFDI', () => {
  it('fits its content, whatever the order and blanks of its attributes', () => {
    expect(sealOf(buildSealedCfdi())).toBe('coincide');
    expect(sealOf(buildSealedCfdi().replace('Constructora', ' Constructora\n'))).toBe('coincide');
  });

  it('does not fit once a value or a line of it is another, or is gone', () => {
    for (const [value, other] of [
      [' Total="1154.00"', ' Total="1164.00"'],
      ['Obra &quot;norte&quot;', 'Obra'],
      ['Rfc="IVD920810GU2"', 'Rfc="XAXX010101000"'],
      ['<cfdi:CuentaPredial Numero="123"/>', ''],
      ['ImpLocRetenido="5 al millar"', 'ImpLocRetenido="ISH"'],
      [' Serie="F"', ''],
    ] as const) {
      const edited = buildSealedCfdi().replace(value, other);
      expect(edited).not.toBe(buildSealedCfdi());
      expect(sealOf(edited)).toBe('alterado');
    }
    expect(
      sealOf(buildSealedCfdi({ seal: VALID_SEAL.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')) })),
    ).toBe('alterado');
  });

  it('is not judged where something of it is not known', () => {
    const edited = (parts: Parameters<typeof buildSealedCfdi>[0]) =>
      buildSealedCfdi(parts).replace('1154.00', '1164.00');
    const other = '<x:Donatarias xmlns:x="http://www.sat.gob.mx/donat" version="1.1"/>';
    expect(sealOf(edited({ complement: other }))).toBe('coincide');
    expect(sealOf(edited({ more: ' Nuevo="1"' }))).toBe('coincide');
    expect(sealOf(edited({ certificate: '' }))).toBe('coincide');
    expect(sealOf(edited({ certificate: CERTIFICATE.slice(0, 160) }))).toBe('coincide');
    expect(sealOf(edited({ certificate: createCertificate('IVD920810GU2') }))).toBe('coincide');
    expect(sealOf(edited({}).replace(`SelloCFD="${VALID_SEAL}"`, 'SelloCFD="x"'))).toBe('difiere');
  });
});

const folder = resolve(import.meta.dirname, '../../../../../shared/data/cfdi');

it.skipIf(!existsSync(folder))('public documents that nobody edited have the seal of their content', () => {
  const rows = readFileSync(join(folder, 'MANIFEST.tsv'), 'utf8').trim().split('\n').slice(1);
  const genuine = rows.flatMap((row) => {
    const [file = ''] = row.split('\t');
    const text = readFileSync(join(folder, file)).toString();
    const isSealed = /\sSello="[^"]{300,}"/.test(text) && /\sCertificado="[^"]{1000,}"/.test(text);
    return isSealed && !row.includes('sello ya no verifica') ? [{ file, text }] : [];
  });
  expect(genuine.filter(({ text }) => sealOf(text) === 'alterado').map(({ file }) => file)).toEqual([]);
  const edited = genuine.map(({ text }) => text.replace(/(\sLugarExpedicion=")\d/, '$1'));
  expect(edited.filter((text) => sealOf(text) === 'alterado').length).toBeGreaterThanOrEqual(14);
});
