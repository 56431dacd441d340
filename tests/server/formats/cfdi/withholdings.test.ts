import { describe, expect, it } from 'vitest';
import { readCfdi } from '../../../../server/formats/cfdi/document.ts';
import { readCfdiInvoice } from '../../../../server/formats/cfdi/invoices.ts';
import { assessWithholdings, type WithholdingKind } from '../../../../server/formats/cfdi/withholdings.ts';
import { bytesOf } from '../../../support/cfdi.ts';
import { OWN_RFC } from '../../../support/metadata.ts';
import { buildTaxedCfdi, type TaxedCfdi } from '../../../support/taxed-cfdi.ts';

const PERSON = 'GARA800101AB1';
const SERVICES = '80101500';

type Case = [
  title: string,
  cfdi: Partial<TaxedCfdi>,
  found: [WithholdingKind, base: number, withheld: number, expected: number][],
];

const document = (part: Partial<TaxedCfdi>) =>
  readCfdi(bytesOf(buildTaxedCfdi({ n: 1, rfc: PERSON, lines: [{ of: 16, cents: 1_000_000 }], ...part })));

describe('what a document of 10,000 pesos withholds, and has to withhold', () => {
  it.each<Case>([
    [
      'honorarios: 10 % of ISR, and two thirds of the IVA',
      { regimen: '612', clave: SERVICES, isr: 100_000, iva: 106_667 },
      [
        ['honorarios', 1_000_000, 100_000, 100_000],
        ['iva', 1_000_000, 106_667, 106_667],
      ],
    ],
    [
      'honorarios that withhold nothing',
      { regimen: '612', clave: SERVICES },
      [
        ['honorarios', 1_000_000, 0, 100_000],
        ['iva', 1_000_000, 0, 106_667],
      ],
    ],
    [
      'honorarios told by their ISR alone',
      { regimen: '612', isr: 100_000 },
      [
        ['honorarios', 1_000_000, 100_000, 100_000],
        ['iva', 1_000_000, 0, 106_667],
      ],
    ],
    ['what a person of that regime sells', { regimen: '612' }, []],
    ['an advance, which may be for anything', { regimen: '612', clave: '84111506' }, []],
    [
      'rent',
      { regimen: '606', isr: 100_000, iva: 106_667 },
      [
        ['arrendamiento', 1_000_000, 100_000, 100_000],
        ['iva', 1_000_000, 106_667, 106_667],
      ],
    ],
    [
      'rent without IVA',
      { regimen: '606', isr: 100_000, lines: [{ of: 'exento', cents: 1_000_000 }] },
      [['arrendamiento', 1_000_000, 100_000, 100_000]],
    ],
    ['RESICO: 1.25 %', { regimen: '626', isr: 12_500 }, [['resico', 1_000_000, 12_500, 12_500]]],
    ['RESICO that withholds nothing', { regimen: '626' }, [['resico', 1_000_000, 0, 12_500]]],
    [
      'RESICO of a profession',
      { regimen: '626', clave: SERVICES, isr: 12_500, iva: 106_667 },
      [
        ['resico', 1_000_000, 12_500, 12_500],
        ['iva', 1_000_000, 106_667, 106_667],
      ],
    ],
    [
      'freight of a company: 4 %',
      { rfc: 'FLE010203AB4', clave: '78101802', iva: 40_000 },
      [['flete', 1_000_000, 40_000, 40_000]],
    ],
    [
      'freight of a person in RESICO',
      { regimen: '626', clave: '78101800', isr: 12_500, iva: 40_000 },
      [
        ['resico', 1_000_000, 12_500, 12_500],
        ['flete', 1_000_000, 40_000, 40_000],
      ],
    ],
    ['transport that is no freight', { rfc: 'FLE010203AB4', clave: '78101807' }, []],
    ['a company, also of RESICO', { rfc: 'ACE010203AB4', regimen: '626', clave: SERVICES }, []],
    [
      'a company that withholds all the same',
      { rfc: 'ACE010203AB4', isr: 100_000, iva: 60_000 },
      [
        ['sin_regla', 1_000_000, 100_000, 0],
        ['sin_regla', 1_000_000, 60_000, 0],
      ],
    ],
    ['the public', { rfc: 'XAXX010101000', regimen: '626' }, []],
  ])('%s', (_title, cfdi, found) => {
    expect(
      assessWithholdings(document(cfdi)).map(({ tipo, baseCents, retenidoCents, esperadoCents }) => [
        ...[tipo, baseCents, retenidoCents, esperadoCents],
      ]),
    ).toEqual(found);
  });

  const warnings = (part: Partial<TaxedCfdi>, ownRfc = OWN_RFC) =>
    readCfdiInvoice(document(part), { baseCurrency: 'MXN', ownRfc })
      .warnings.map(String)
      .filter((text) => text.includes('pedir CFDI corregido'));

  it('is told where it differs by more than a peso', () => {
    expect(warnings({ regimen: '626' })).toEqual([
      'RESICO sin retención 1.25 %: $125.00; retener al pagar o pedir CFDI corregido.',
    ]);
    expect(warnings({ regimen: '626', isr: 12_400 })).toEqual([]);
    expect(warnings({ regimen: '626', isr: 12_399 })).toEqual([
      'RESICO 1.25 %: el CFDI retiene $123.99 y corresponden $125.00; retener al pagar o pedir CFDI corregido.',
    ]);
    expect(warnings({ regimen: '626', isr: 100_000 })).toEqual([
      'RESICO 1.25 %: el CFDI retiene $1,000.00 y corresponden $125.00; pedir CFDI corregido.',
    ]);
    expect(warnings({ rfc: 'ACE010203AB4', isr: 100_000 })).toEqual([
      'Retención que no corresponde: el CFDI retiene $1,000.00; pedir CFDI corregido.',
    ]);
    expect(warnings({ regimen: '612', clave: SERVICES })).toHaveLength(2);
    expect(
      warnings({ regimen: '626', extraParts: { root: { Moneda: 'USD', TipoCambio: '18.5' } } })[0],
    ).toContain('$125.00 USD');
  });

  it('is told to a company alone, of its own invoices', () => {
    expect(warnings({ regimen: '626' }, '')).toEqual([]);
    expect(warnings({ regimen: '626' }, 'OTR010203AB4')).toEqual([]);
    const receptor = { Rfc: 'GODE561231GR8', Nombre: 'Persona' };
    expect(warnings({ regimen: '626', extraParts: { receptor } }, 'GODE561231GR8')).toEqual([]);
    const note = { root: { TipoDeComprobante: 'E' } };
    expect(warnings({ regimen: '626', extraParts: note })).toEqual([]);
  });
});
