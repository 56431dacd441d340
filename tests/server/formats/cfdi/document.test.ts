import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DECIMAL_ONE, parseDecimal } from '../../../../server/formats/cfdi/attribute-values.ts';
import { readCfdi } from '../../../../server/formats/cfdi/document.ts';
import { DomainError } from '../../../../shared/errors.ts';
import {
  buildCfdi,
  buildConcepto,
  buildConceptos,
  buildImpuestos,
  buildLocalTaxes,
  buildRetencion,
  buildStamp,
  buildTraslado,
  bytesOf,
  type CfdiParts,
  SAMPLE_UUID,
} from '../../../support/cfdi.ts';
import { INVISIBLE_CHARACTERS, insertCharacter } from '../../../support/invisible.ts';

const read = (parts: CfdiParts = {}) => readCfdi(bytesOf(buildCfdi(parts)));
const RFC = 'EKU9003173C9';
const OTHER = '11111111-2222-4333-8444-555555555555';

function refusalOf(xml: string): { code: string; message: string } {
  try {
    readCfdi(bytesOf(xml));
  } catch (error) {
    if (error instanceof DomainError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('was read');
}

const amountOf = (text: string) => parseDecimal(text)!;

describe('a CFDI', () => {
  it('of each version is read in the same way', () => {
    for (const version of ['3.3', '4.0'] as const) {
      expect(read({ version })).toMatchObject({
        version,
        matchesNamespace: true,
        kind: 'I',
        serie: 'A',
        folio: '0012',
        uuid: SAMPLE_UUID,
        fecha: '2024-03-05',
        emisor: { rfc: 'EKU9003173C9', nombre: 'Escuela Kemper' },
        receptor: { rfc: 'IVD920810GU2', nombre: 'Innovación' },
        moneda: 'MXN',
        subtotal: amountOf('1000'),
        total: amountOf('1160'),
        metodoPago: 'PPD',
        conceptos: [{ descripcion: 'Cemento gris', importe: amountOf('1000') }],
      });
    }
  });

  it('of version 3.2 has lower-case initials, words for kinds and currencies, and taxes by name and percentage', () => {
    const document = read({
      version: '3.2',
      root: { Moneda: 'Pesos', CondicionesDePago: 'Contado', metodoDePago: 'EFECTIVO' },
      conceptos: '<{p}Conceptos><{p}Concepto descripcion="Cemento" importe="1000"/></{p}Conceptos>',
      impuestos: buildImpuestos(
        '<{p}Traslado impuesto="IVA" tasa="16.00" importe="160.00"/>',
        '<{p}Retencion impuesto="ISR" importe="0.00"/>',
      ),
    });
    expect(document).toMatchObject({
      kind: 'I',
      moneda: 'MXN',
      metodoPago: '',
      traslados: [{ tax: 'IVA', rate: amountOf('0.16'), amount: amountOf('160') }],
      retenciones: [{ tax: 'ISR' }],
      conceptos: [{ descripcion: 'Cemento' }],
    });
  });

  it('of version 3.2 may omit its currency or write it as a word', () => {
    const currency = (Moneda?: string) => read({ version: '3.2', root: { Moneda } }).moneda;
    for (const word of [undefined, 'PESOS', 'Peso Mexicano', 'M.N.', 'MXP', 'mxn', 'Moneda Nacional']) {
      expect(currency(word)).toBe('MXN');
    }
    expect(currency('Dólares')).toBe('USD');
    expect(currency('Dólar Americano')).toBe('USD');
    expect(currency('EUR')).toBe('EUR');
    expect(currency('Yenes')).toBe('YENES');
    expect(currency('€')).toBe('EUR');
    expect(currency('$')).toBe('MXN');
  });

  it('is known by its namespace, whatever prefix it uses', () => {
    for (const prefix of ['', 'ns0', 'cfdi33'])
      expect(read({ prefix })).toMatchObject({ uuid: SAMPLE_UUID, folio: '0012' });
  });

  it('may have schemaLocation in any form', () => {
    const location = ' http://www.sat.gob.mx/cfd/4\n http://localhost/a.xsd  odd ';
    const root = { 'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance', 'xsi:schemaLocation': location };
    expect(read({ root })).toMatchObject({ uuid: SAMPLE_UUID });
  });

  it('may state another version than its namespace', () => {
    expect(read({ version: '4.0', uri: 'http://www.sat.gob.mx/cfd/3' })).toMatchObject({
      version: '4.0',
      matchesNamespace: false,
    });
    expect(read({ version: '3.3', uri: 'http://www.sat.gob.mx/cfd/4' }).matchesNamespace).toBe(false);
  });

  it('has its values trimmed, on one line, without invisible characters', () => {
    const document = read({
      root: { Serie: ' FAC  2024 ', Folio: '&#10;00056', Fecha: ' 2023-12-31T23:59:59', Total: ' 1160.00 ' },
      emisor: {
        Rfc: ' l&amp;o950913msa&#xA;',
        Nombre: 'LUCES &amp;\n &quot;OBRAS&quot;&#xA;&#xA0; 🏗 &lt;b&gt;&#x202E;',
      },
      receptor: { Rfc: 'iañl750210963 ', Nombre: '' },
    });
    expect(document).toMatchObject({
      serie: 'FAC 2024',
      folio: '00056',
      fecha: '2023-12-31',
      emisor: { rfc: 'L&O950913MSA', nombre: 'LUCES & "OBRAS" 🏗 <b>' },
      receptor: { rfc: 'IAÑL750210963', nombre: '' },
      total: amountOf('1160'),
    });
  });
});

describe('the UUID', () => {
  const related = `<{p}CfdiRelacionados TipoRelacion="04"><{p}CfdiRelacionado UUID="${OTHER.toLowerCase()}"/></{p}CfdiRelacionados>`;

  it('is that of the stamp, in capitals, and not that of a related document, an addenda or a payment', () => {
    const decoy = `<d:Pago xmlns:d="urn:d" UUID="${OTHER}">${buildStamp(OTHER)}</d:Pago>`;
    const document = read({
      uuid: SAMPLE_UUID.toLowerCase(),
      relacionados: related,
      complemento: decoy,
      addenda: buildStamp(OTHER),
    });
    expect(document.uuid).toBe(SAMPLE_UUID);
    expect(document.relacionados).toEqual([{ tipo: '04', uuids: [OTHER] }]);
  });

  it('is found in the second Complemento, and next to a second stamp', () => {
    const xml = buildCfdi().replace(
      '<cfdi:Complemento>',
      '<cfdi:Complemento></cfdi:Complemento><cfdi:Complemento>',
    );
    expect(readCfdi(bytesOf(xml)).uuid).toBe(SAMPLE_UUID);
    expect(read({ complemento: buildStamp('') }).uuid).toBe(SAMPLE_UUID);
    expect(read({ complemento: buildStamp(SAMPLE_UUID) }).uuid).toBe(SAMPLE_UUID);
  });

  it('is missing without a stamp, or if the stamp has none', () => {
    expect(read({ uuid: null }).uuid).toBeNull();
    expect(read({ uuid: null, addenda: buildStamp(OTHER), relacionados: related }).uuid).toBeNull();
    expect(read({ uuid: 'no-es-uuid' }).uuid).toBeNull();
  });
});

describe('taxes', () => {
  const nested = buildConceptos(
    buildConcepto(
      '400.00',
      buildImpuestos(buildTraslado('002', '0.160000', '64.004000'), buildRetencion('001', '40.00')),
    ),
    buildConcepto('600.00', buildImpuestos(buildTraslado('002', '0.160000', '96.004000'))),
  );

  it('are those of the document, not added to those of its concepts', () => {
    const document = read({ conceptos: nested });
    expect(document.traslados).toMatchObject([{ tax: 'IVA', amount: amountOf('160') }]);
    // The document lists no withholdings, so those of its concepts count.
    expect(document.retenciones).toMatchObject([{ tax: 'ISR', amount: amountOf('40') }]);
  });

  it('come from the concepts if the document itself has none', () => {
    const document = read({ conceptos: nested, impuestos: '' });
    expect(document.traslados.map(({ amount }) => amount)).toEqual([amountOf('64.004'), amountOf('96.004')]);
  });

  it('inside addenda and complements do not belong to the document', () => {
    const decoy =
      '<d:Impuestos xmlns:d="http://www.sat.gob.mx/cfd/4"><d:Retenciones><d:Retencion Impuesto="001" Importe="9"/></d:Retenciones></d:Impuestos>';
    expect(read({ complemento: decoy, addenda: decoy })).toMatchObject({
      retenciones: [],
      traslados: [{ tax: 'IVA' }],
    });
  });

  it('that are exempt, by unit, or of another kind are distinguished', () => {
    const exempt = '<{p}Traslado Base="1" Impuesto="002" TipoFactor="Exento"/>';
    const perUnit =
      '<{p}Traslado Base="859" Impuesto="003" TipoFactor="Cuota" TasaOCuota="6.455500" Importe="5545.27"/>';
    const document = read({
      impuestos: buildImpuestos(exempt + perUnit + buildTraslado('001', '0.16', '1')),
      conceptos: buildConceptos(buildConcepto('1', buildImpuestos(exempt))),
    });
    expect(document.traslados).toEqual([
      { tax: 'IVA', rate: 0n, isExempt: true, base: DECIMAL_ONE, amount: 0n },
      { tax: 'IEPS', rate: null, isExempt: false, base: amountOf('859'), amount: amountOf('5545.27') },
      { tax: 'ISR', rate: amountOf('0.16'), isExempt: false, base: null, amount: DECIMAL_ONE },
    ]);
    expect(document.hasExemptConcepts).toBe(true);
  });

  it('of local kind are the sum of their complements, or their totals if none is listed', () => {
    const items =
      '<implocal:TrasladosLocales Importe="27.43"/><implocal:RetencionesLocales Importe="5.00"/><implocal:RetencionesLocales Importe="2.50"/>';
    const complemento =
      buildLocalTaxes(items) + buildLocalTaxes('', 'TotaldeTraslados="1.00" TotaldeRetenciones="0"');
    expect(read({ complemento }).localTaxes).toEqual({
      traslados: amountOf('28.43'),
      retenciones: amountOf('7.50'),
    });
  });
});

describe('a document that is no invoice', () => {
  it('is read as what it is', () => {
    for (const kind of ['E', 'P', 'N', 'T'])
      expect(read({ root: { TipoDeComprobante: kind } }).kind).toBe(kind);
    expect(read({ version: '3.2', root: { TipoDeComprobante: 'egreso' } }).kind).toBe('E');
    expect(read({ version: '3.2', root: { TipoDeComprobante: 'Traslado' } }).kind).toBe('T');
  });

  it('may lack amounts and RFCs as a payment or transfer', () => {
    const root = { TipoDeComprobante: 'P', SubTotal: '0', Total: undefined, Moneda: 'XXX' };
    expect(read({ root, emisor: { Rfc: '' }, receptor: {} })).toMatchObject({
      kind: 'P',
      total: 0n,
      emisor: { rfc: '' },
    });
  });

  it('is payroll if it is a payroll of 3.2, not a credit note', () => {
    const complemento = '<n:Nomina xmlns:n="http://www.sat.gob.mx/nomina12"/>';
    expect(read({ version: '3.2', root: { TipoDeComprobante: 'egreso' }, complemento }).kind).toBe('N');
  });
});

describe('a file that is no CFDI is refused and named:', () => {
  it.each([
    ['<Acuse Fecha="2024-05-01"/>', 'not_cfdi', /acuse/],
    [
      '<retenciones:Retenciones xmlns:retenciones="http://www.sat.gob.mx/esquemas/retencionpago/2" Version="2.0"/>',
      'not_cfdi',
      /constancia de retenciones/,
    ],
    [
      `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${buildCfdi({ declaration: '' })}</s:Body></s:Envelope>`,
      'not_cfdi',
      /sobre SOAP/,
    ],
    [`<Respuesta>${buildCfdi({ declaration: '' })}</Respuesta>`, 'not_cfdi', /dentro de «Respuesta»/],
    ['<Comprobante Version="4.0"/>', 'not_cfdi', /no es del SAT/],
    ['<Comprobante xmlns="http://www.sat.gob.mx/cfd/2" version="2.2"/>', 'not_cfdi', /CFD anterior/],
    ['<cfdi:Emisor xmlns:cfdi="http://www.sat.gob.mx/cfd/4"/>', 'not_cfdi', /«Emisor»/],
    ['<rss/>', 'not_cfdi', /«rss»/],
    ['<c:Comprobante xmlns:c="http://www.sat.gob.mx/cfd/3" version="3.0"/>', 'unsupported_version', /«3.0»/],
    ['<c:Comprobante xmlns:c="http://www.sat.gob.mx/cfd/4"/>', 'unsupported_version', /sin versión/],
    [buildCfdi({ root: { SubTotal: undefined, Total: '' } }), 'missing_attributes', /SubTotal, Total/],
    [buildCfdi({ root: { Moneda: undefined } }), 'missing_attributes', /Moneda/],
    [buildCfdi({ root: { TipoDeComprobante: undefined } }), 'missing_attributes', /TipoDeComprobante/],
    [buildCfdi({ emisor: { Nombre: 'X' } }), 'missing_attributes', /RFC del emisor/],
    [buildCfdi({ version: '3.2', root: { Total: undefined } }), 'missing_attributes', /: total/],
    [
      buildCfdi({ root: { Total: undefined, total: '1160.00' } }),
      'lowercase_attributes',
      /minúsculas.*total/,
    ],
    [buildCfdi({ version: '3.3', emisor: { rfc: 'EKU9003173C9' } }), 'lowercase_attributes', /rfc/],
    [buildCfdi({ root: { descuento: '10' } }), 'lowercase_attributes', /descuento/],
    [buildCfdi({ root: { TipoDeComprobante: 'X' } }), 'bad_value', /TipoDeComprobante/],
    [buildCfdi({ root: { Fecha: '31/12/2023' } }), 'bad_value', /Fecha/],
    [buildCfdi({ root: { Fecha: '2023-02-30T00:00:00' } }), 'bad_value', /Fecha/],
    [buildCfdi({ root: { Total: '1,160.00' } }), 'bad_value', /Total/],
    [buildCfdi({ root: { Total: 'NaN' } }), 'bad_value', /Total/],
    [buildCfdi({ impuestos: buildImpuestos(buildTraslado('002', '-0.16', '1')) }), 'bad_value', /TasaOCuota/],
  ])('%.90s', (xml, code, message) => {
    const refusal = refusalOf(xml);
    expect(refusal.message).toMatch(message);
    expect(refusal.code).toBe(code);
  });
});

describe('an invisible character', () => {
  it.each([...INVISIBLE_CHARACTERS, ['space', ' '] as const, ['en dash', '–'] as const])(
    'makes no other issuer, receiver or document: %s',
    (_name, character) => {
      const variants = insertCharacter(RFC, character).entries();
      for (const [index, Rfc] of variants) {
        const uuid = insertCharacter(SAMPLE_UUID, character)[index]!;
        const found = read({
          uuid,
          emisor: { Rfc, Nombre: 'Escuela Kemper' },
          receptor: { Rfc, Nombre: 'X' },
          relacionados: `<{p}CfdiRelacionados TipoRelacion="04"><{p}CfdiRelacionado UUID="${uuid}"/></{p}CfdiRelacionados>`,
        });
        expect(found).toMatchObject({ uuid: SAMPLE_UUID, emisor: { rfc: RFC }, receptor: { rfc: RFC } });
        expect(found.relacionados).toEqual([{ tipo: '04', uuids: [SAMPLE_UUID] }]);
      }
    },
  );

  it.each(INVISIBLE_CHARACTERS)('makes no other name, number or amount: %s', (_name, character) => {
    const [before, within, behind] = insertCharacter('Escuela', character);
    const found = read({
      emisor: { Rfc: RFC, Nombre: `${before} ${within} ${behind}` },
      root: { Serie: `A${character}`, Folio: `00${character}12`, Total: `${character}1160.00` },
    });
    expect(found).toMatchObject({ serie: 'A', folio: '0012', total: 1160n * DECIMAL_ONE });
    expect(found.emisor.nombre).toBe('Escuela Escuela Escuela');
  });
});

describe('the day of a CFDI', () => {
  it.each([
    ['2026-11-20T23:59:59', '2026-11-20'],
    ['2026-11-20T02:30:00Z', '2026-11-19'],
    ['2026-11-20T02:30:00.123Z', '2026-11-19'],
    ['2026-11-20T23:30:00-07:00', '2026-11-21'],
    ['2026-11-20T00:00:00Z', '2026-11-20'],
  ])('written as %s is %s', (Fecha, day) => {
    expect(read({ root: { Fecha } }).fecha).toBe(day);
  });

  it('is refused in another century', () => {
    expect(refusalOf(buildCfdi({ root: { Fecha: '1926-11-20T09:00:00' } }))).toEqual({
      code: 'bad_value',
      message: 'Fecha: 1926-11-20 está fuera de 2000 a 2099.',
    });
  });
});

describe('decimals', () => {
  it('are exact to six places and more', () => {
    expect(parseDecimal('6334.860000')).toBe((633486n * DECIMAL_ONE) / 100n);
    expect(parseDecimal('0.000001')).toBe(DECIMAL_ONE / 1_000_000n);
    expect(parseDecimal('9007199254740993.01')! - parseDecimal('9007199254740993')!).toBe(DECIMAL_ONE / 100n);
    expect(parseDecimal('-.5')).toBe(-DECIMAL_ONE / 2n);
    expect(parseDecimal('+2269400.')).toBe(2269400n * DECIMAL_ONE);
  });

  it('are refused if they are not plain numbers', () => {
    for (const text of ['', '.', '-', '1e5', '1,5', '$1', '0x10', 'Infinity', '1 2', '--1', '9'.repeat(30)]) {
      expect(parseDecimal(text)).toBeUndefined();
    }
  });

  it('with any two parts are read back as written', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 17n), fc.nat(999_999), (whole, part) => {
        const text = `${whole}.${String(part).padStart(6, '0')}`;
        expect(parseDecimal(text)).toBe(whole * DECIMAL_ONE + (BigInt(part) * DECIMAL_ONE) / 1_000_000n);
      }),
    );
  });
});
