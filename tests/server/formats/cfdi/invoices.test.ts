import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CfdiReadOptions } from '../../../../server/formats/cfdi/document.ts';
import { readCfdi } from '../../../../server/formats/cfdi/document.ts';
import { readFigures } from '../../../../server/formats/cfdi/figures.ts';
import { readCfdiInvoice } from '../../../../server/formats/cfdi/invoices.ts';
import { DomainError } from '../../../../shared/errors.ts';
import { toDecimalText } from '../../../../shared/money.ts';
import {
  buildCfdi,
  buildConcepto,
  buildConceptos,
  buildImpuestos,
  buildLocalTaxes,
  buildRetencion,
  buildTraslado,
  bytesOf,
  type CfdiParts,
  IVA_16,
  SAMPLE_UUID,
} from '../../../support/cfdi.ts';

const draft = (parts: CfdiParts = {}, options: Partial<CfdiReadOptions> = {}) =>
  readCfdiInvoice(readCfdi(bytesOf(buildCfdi(parts))), { baseCurrency: 'MXN', ...options });

function refusalOf(parts: CfdiParts, options: Partial<CfdiReadOptions> = {}): DomainError {
  try {
    draft(parts, options);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('was read');
}

const amounts = (SubTotal: string, Total: string, more: Record<string, string> = {}) => ({
  SubTotal,
  Total,
  ...more,
});
const iva = (importe: string, tasa = '0.160000') => buildImpuestos(buildTraslado('002', tasa, importe));

describe('a plain CFDI', () => {
  it('becomes an invoice field by field, without a warning', () => {
    expect(draft({}, { ownRfc: 'IVD920810GU2' })).toEqual({
      draft: {
        numfactura: 'A-0012',
        fechaemision: '2024-03-05',
        subtotalCents: 100_000,
        rate: 160_000,
        ivaCents: 16_000,
        otrosimpuestosCents: 0,
        retencionesCents: 0,
        retenciones: { ivaCents: 0, isrCents: 0, iepsCents: 0, localCents: 0, otroCents: 0 },
        totalCents: 116_000,
        comments: 'Cemento gris',
        uuid: SAMPLE_UUID,
        moneda: null,
        tipocambio: null,
        metodoPago: 'PPD',
        formCase: 'DIRECTO',
      },
      figures: expect.objectContaining({ totalCents: 116_000, expectedCents: 116_000 }),
      warnings: [],
    });
  });

  it('keeps the day of its date in every time zone', () => {
    expect(draft({ root: { Fecha: '2023-12-31T23:59:59' } }).draft.fechaemision).toBe('2023-12-31');
  });

  it('is numbered by the parts that it has, else by its UUID, else not at all', () => {
    const numberOf = (Serie?: string, Folio?: string, uuid?: null) =>
      draft({ root: { Serie, Folio }, uuid }).draft.numfactura;
    expect(numberOf('FAC 2024', '00056')).toBe('FAC 2024-00056');
    expect(numberOf(undefined, '123ABC')).toBe('123ABC');
    expect(numberOf('H', ' ')).toBe('H');
    expect(numberOf()).toBe(SAMPLE_UUID);
    expect(numberOf(undefined, undefined, null)).toBe('');
  });

  it('has a number of at most 100 characters, with a remark if it was cut', () => {
    const { draft: invoice, warnings } = draft({ root: { Folio: '🏗'.repeat(300) } });
    expect([...invoice.numfactura]).toHaveLength(100);
    expect(warnings).toEqual(['El número de factura se recortó a 100 caracteres.']);
    expect(draft({ root: { Serie: 'S'.repeat(25), Folio: 'F'.repeat(40) } }).warnings).toEqual([]);
  });

  it('has a summary of its concepts as its comment', () => {
    const many = buildConceptos(
      ...['Uno', 'Dos', 'Dos', 'x'.repeat(500), 'Cuatro', 'Cinco'].map((name) =>
        buildConcepto('1', '', name),
      ),
    );
    expect(draft({ conceptos: many }).draft.comments).toBe(`Uno; Dos; ${'x'.repeat(79)}…; y 2 conceptos más`);
    expect(draft({ conceptos: buildConceptos() }).draft.comments).toBe('');
  });

  it('may be of version 3.2, with a remark', () => {
    const impuestos = buildImpuestos('<{p}Traslado impuesto="IVA" tasa="16.00" importe="160.00"/>');
    const { draft: invoice, warnings } = draft({ version: '3.2', root: { Moneda: 'Pesos' }, impuestos });
    expect(invoice).toMatchObject({ rate: 160_000, ivaCents: 16_000, totalCents: 116_000, metodoPago: '' });
    expect(warnings).toEqual([expect.stringContaining('3.2')]);
  });
});

describe('amounts', () => {
  it('are those of the document: an IVA that is off by cents stays, with a warning', () => {
    const { draft: invoice, warnings } = draft({ root: amounts('68.97', '80.00'), impuestos: iva('11.03') });
    expect(invoice).toMatchObject({
      subtotalCents: 6897,
      ivaCents: 1103,
      totalCents: 8000,
      rate: 160_000,
      formCase: 'CENTAVOS_IVA',
    });
    expect(warnings).toEqual(['El IVA, $11.03, difiere por centavos del 16 % del subtotal.']);
  });

  it('may have no decimals, two or six', () => {
    const root = amounts('6334.860000', '7348.440000');
    expect(draft({ root, impuestos: iva('1013.58') }).draft).toMatchObject({
      subtotalCents: 633_486,
      totalCents: 734_844,
    });
    expect(
      draft({ root: amounts('2269400', '2632504'), impuestos: iva('363104.0000') }).draft.totalCents,
    ).toBe(263_250_400);
  });

  it('have the discount deducted from the subtotal', () => {
    const root = amounts('3824.15', '3327.01', { Descuento: '956.04' });
    expect(draft({ root, impuestos: iva('458.90') })).toMatchObject({
      draft: {
        subtotalCents: 286_811,
        ivaCents: 45_890,
        otrosimpuestosCents: 0,
        formCase: 'DIRECTO_DESCUENTO',
      },
      warnings: [],
    });
    expect(draft({ root: { Descuento: '0.00' } }).draft.formCase).toBe('DIRECTO');
  });

  it('of a fully discounted document are 0, with a remark', () => {
    const root = amounts('692.88', '0.00', { Descuento: '692.88' });
    const { draft: invoice, warnings } = draft({ root, impuestos: iva('0', '0.000000') });
    expect(invoice).toMatchObject({ subtotalCents: 0, rate: 0, totalCents: 0 });
    expect(warnings).toEqual([expect.stringContaining('El total es cero')]);
  });

  it('come from the concepts, summed and then rounded, if the document has no taxes of its own', () => {
    const each = buildImpuestos(buildTraslado('002', '0.160000', '53.334000'));
    const root = amounts('1000.00', '1160.00');
    expect(
      draft({
        root,
        conceptos: buildConceptos(
          buildConcepto('333', each),
          buildConcepto('333', each),
          buildConcepto('334', each),
        ),
        impuestos: '',
      }).draft.ivaCents,
    ).toBe(16_000);
  });

  it('have separate withholdings: total = subtotal + IVA + others − withholdings', () => {
    const impuestos = buildImpuestos(
      buildTraslado('002', '0.160000', '2462.45'),
      buildRetencion('001', '1539.03') + buildRetencion('002', '1641.64') + buildRetencion('003', '0.10'),
    );
    const { draft: invoice, warnings } = draft({
      root: amounts('15390.30', '14661.98'),
      impuestos,
      complemento: buildLocalTaxes('<implocal:RetencionesLocales Importe="10.00"/>'),
    });
    expect(invoice).toMatchObject({
      otrosimpuestosCents: 0,
      retencionesCents: 319_077,
      retenciones: { ivaCents: 164_164, isrCents: 153_903, iepsCents: 10, localCents: 1000, otroCents: 0 },
      totalCents: 1_466_198,
      formCase: 'AJUSTE',
    });
    expect(warnings).toEqual([
      'Trae retenciones por $3,190.77 (IVA $1,641.64, ISR $1,539.03, IEPS $0.10, locales $10.00).',
    ]);
  });

  it('include IEPS, local taxes and a transferred ISR in the other taxes', () => {
    const ieps = '<{p}Traslado Impuesto="003" TipoFactor="Cuota" TasaOCuota="6.4555" Importe="16.90"/>';
    const impuestos = buildImpuestos(
      buildTraslado('002', '0.160000', '12.94') + ieps + buildTraslado('001', '0.10', '1.00'),
    );
    const { draft: invoice, warnings } = draft({
      root: amounts('64.00', '96.84'),
      impuestos,
      complemento: buildLocalTaxes('<implocal:TrasladosLocales Importe="2.00"/>'),
    });
    expect(invoice).toMatchObject({
      ivaCents: 1294,
      otrosimpuestosCents: 1990,
      rate: 160_000,
      formCase: 'AJUSTE',
    });
    expect(warnings).toEqual([
      expect.stringContaining('no es IVA ni IEPS'),
      'Trae otros impuestos por $19.90.',
    ]);
  });

  it('carry a remark if the IVA is on only a part of the subtotal', () => {
    expect(draft({ root: amounts('5368.58', '5956.15'), impuestos: iva('587.57') })).toMatchObject({
      draft: { rate: 160_000, ivaCents: 58_757, otrosimpuestosCents: 0, formCase: 'BASE_PARCIAL' },
      warnings: [expect.stringContaining('solo una parte')],
    });
  });
});

describe('the rate', () => {
  const rateOf = (...items: string[]) =>
    draft({ root: amounts('1000.00', '1160.00'), impuestos: buildImpuestos(items.join('')) }).draft.rate;
  const exempt = '<{p}Traslado Base="10" Impuesto="002" TipoFactor="Exento"/>';

  it('is the only one in the document, compared as a number', () => {
    expect(rateOf(buildTraslado('002', '0.160000', '100'), buildTraslado('002', '0.16', '60'))).toBe(160_000);
    expect(draft({ root: amounts('1000', '1080'), impuestos: iva('80', '0.08') }).draft.rate).toBe(80_000);
  });

  it('is 0 where IVA is 0 %, exempt or absent', () => {
    const plain = { root: amounts('1000', '1000') };
    for (const impuestos of [
      iva('0', '0.000000'),
      buildImpuestos(exempt),
      buildImpuestos(iva('0', '0.0') && exempt),
      '',
    ]) {
      expect(draft({ ...plain, impuestos })).toMatchObject({ draft: { rate: 0, ivaCents: 0 }, warnings: [] });
    }
  });

  it('is mixed with several rates, exempt counting as 0, even if only a concept shows it', () => {
    expect(
      rateOf(buildTraslado('002', '0.160000', '150'), buildTraslado('002', '0.080000', '10')),
    ).toBeNull();
    expect(rateOf(buildTraslado('002', '0.160000', '160'), buildTraslado('002', '0.000000', '0'))).toBeNull();
    expect(rateOf(buildTraslado('002', '0.160000', '160'), exempt)).toBeNull();
    const hidden = draft({
      conceptos: buildConceptos(buildConcepto('1000', IVA_16), buildConcepto('0', buildImpuestos(exempt))),
    });
    expect(hidden).toMatchObject({
      draft: { rate: null, formCase: 'TASA_MIXTA' },
      warnings: [expect.stringContaining('Mixta')],
    });
  });

  it('over 100 % cannot be stored, and is reported', () => {
    const {
      draft: invoice,
      figures,
      warnings,
    } = draft({ root: amounts('1000', '2600'), impuestos: iva('1600', '1.600000') });
    expect(invoice.rate).toBeNull();
    expect(figures.rate).toBe(1_600_000);
    expect(warnings).toEqual([expect.stringContaining('160 %')]);
  });
});

describe('a total that differs from the sum of its parts', () => {
  it('by a cent is accepted as it is, with a warning', () => {
    expect(draft({ root: { Total: '1160.01' } })).toMatchObject({
      draft: { totalCents: 116_001, otrosimpuestosCents: 1, formCase: 'CENTAVO' },
      warnings: [{ text: expect.stringContaining('$0.01'), code: 'total_mismatch' }],
    });
    expect(draft({ root: { Total: '1159.99' } }).draft).toMatchObject({
      otrosimpuestosCents: -1,
      formCase: 'CENTAVO',
    });
  });

  it('by more is refused, with both figures', () => {
    expect(draft({ root: { Total: '160.00' } }).mismatch).toBe(
      'El total del CFDI, $160.00, no cuadra con sus partes, que suman $1,160.00.',
    );
    expect(draft({ root: { Total: '1160.02' } }).mismatch).toBeDefined();
    expect(draft({ root: { Total: '1160.01' } }).mismatch).toBeUndefined();
  });

  it('counts the difference among the other taxes if somebody accepts it', () => {
    const { draft: invoice, warnings } = draft({ root: { Total: '160.00' } });
    expect(invoice).toMatchObject({
      subtotalCents: 100_000,
      ivaCents: 16_000,
      otrosimpuestosCents: -100_000,
      totalCents: 16_000,
    });
    expect(warnings).toEqual([
      { text: expect.stringContaining('difiere por -$1,000.00'), code: 'total_mismatch' },
    ]);
  });
});

describe('another currency', () => {
  const usd = (TipoCambio: string | undefined, more: CfdiParts = {}): CfdiParts => ({
    ...more,
    root: { Moneda: 'USD', TipoCambio, ...more.root },
  });

  it('is converted: total and IVA are rounded once each, the subtotal is the difference', () => {
    const {
      draft: invoice,
      figures,
      warnings,
    } = draft(usd('17.0761', { root: amounts('427251.36', '495611.58'), impuestos: iva('68360.22') }));
    // 495,611.58 × 17.0761 = 8,463,112.901…; 68,360.22 × 17.0761 = 1,167,325.952…
    expect(invoice).toMatchObject({
      totalCents: 846_311_290,
      ivaCents: 116_732_595,
      subtotalCents: 729_578_695,
      otrosimpuestosCents: 0,
    });
    expect(invoice).toMatchObject({ moneda: 'USD', tipocambio: '17.0761' });
    expect(figures).toMatchObject({
      subtotalCents: 42_725_136,
      ivaCents: 6_836_022,
      totalCents: 49_561_158,
    });
    expect(warnings).toEqual([expect.stringContaining('USD')]);
  });

  it('that equals the base currency needs no rate, and ignores one', () => {
    for (const TipoCambio of [undefined, '1', '1.0', '0']) {
      expect(draft({ root: { TipoCambio } }).draft).toMatchObject({ totalCents: 116_000 });
    }
    expect(draft({ root: { Moneda: 'USD' } }, { baseCurrency: 'USD' })).toMatchObject({ warnings: [] });
  });

  it('is refused without a rate, or with an absurd one, for that reason', () => {
    expect(refusalOf(usd(undefined))).toMatchObject({
      code: 'missing_exchange_rate',
      message: expect.stringContaining('USD'),
    });
    for (const rate of ['2378590.234907', '0', '-17', '1', 'diecisiete', '1e3', '0.058']) {
      expect(refusalOf(usd(rate)).code).toBe('absurd_exchange_rate');
    }
    expect(draft({ root: { Moneda: 'JPY', TipoCambio: '0.1234' } }).draft.totalCents).toBe(14_314);
  });

  it('is refused if the rate of the document, which is to pesos, cannot convert it', () => {
    expect(refusalOf({}, { baseCurrency: 'USD' }).code).toBe('unconvertible_currency');
    expect(refusalOf({ root: { Moneda: 'EUR', TipoCambio: '19.5' } }, { baseCurrency: 'USD' }).code).toBe(
      'unconvertible_currency',
    );
    expect(refusalOf({ root: { Moneda: 'XXX', TipoCambio: '1' } }).code).toBe('unconvertible_currency');
  });

  it('leaves the sum intact for any amounts and any rate', () => {
    const cents = fc.nat(50_000_000);
    fc.assert(
      fc.property(
        cents,
        cents,
        cents,
        cents,
        fc.integer({ min: 5_000_000, max: 100_000_000 }),
        (subtotal, tax, others, held, rate) => {
          const withheld = Math.min(held, subtotal);
          const total = subtotal + tax + others - withheld;
          const impuestos = buildImpuestos(
            buildTraslado('002', '0.16', toDecimalText(tax)) +
              buildTraslado('003', '0.1', toDecimalText(others)),
            buildRetencion('001', toDecimalText(withheld)),
          );
          const tipoCambio = `${Math.trunc(rate / 1e6)}.${String(rate % 1e6).padStart(6, '0')}`;
          const { draft: invoice } = draft(
            usd(tipoCambio, { root: amounts(toDecimalText(subtotal), toDecimalText(total)), impuestos }),
          );
          const { subtotalCents, ivaCents, otrosimpuestosCents, retencionesCents, totalCents } = invoice;
          expect(totalCents).toBe(subtotalCents + ivaCents + otrosimpuestosCents - retencionesCents);
          expect(Math.min(subtotalCents, ivaCents, retencionesCents, totalCents)).toBeGreaterThanOrEqual(0);
          expect(otrosimpuestosCents).toBeGreaterThanOrEqual(-3);
        },
      ),
    );
  });
});

describe('a warning is given for', () => {
  const warningsOf = (parts: CfdiParts, ownRfc = '') => draft(parts, { ownRfc }).warnings;

  it('a missing stamp, a version that does not match, a receiver that is not the company', () => {
    expect(warningsOf({ uuid: null })).toEqual([expect.stringContaining('No está timbrado')]);
    expect(warningsOf({ uuid: 'AAAAAAAA-1111-4222-8333-BBBBBBBBBBB' })).toEqual([
      'Su UUID, «AAAAAAAA-1111-4222-8333-BBBBBBBBBBB», no tiene la forma de un folio fiscal: cuenta como sin timbrar.',
    ]);
    expect(warningsOf({ uri: 'http://www.sat.gob.mx/cfd/3' })).toEqual([
      expect.stringContaining('espacio de nombres'),
    ]);
    const receptor = { Rfc: 'XAXX010101000', Nombre: 'PUBLICO EN GENERAL' };
    expect(warningsOf({ receptor }, 'IVD920810GU2')).toEqual([expect.stringContaining('XAXX010101000')]);
    expect(warningsOf({ receptor: {} }, 'IVD920810GU2')).toEqual([expect.stringContaining('sin RFC')]);
    expect(warningsOf({ receptor })).toEqual([]);
  });

  it('an issuer that is the company itself, generic or has no valid RFC', () => {
    expect(warningsOf({}, 'EKU9003173C9')).toContainEqual(expect.stringContaining('propia empresa'));
    expect(warningsOf({ emisor: { Rfc: 'XEXX010101000' } })).toEqual([expect.stringContaining('genérico')]);
    expect(warningsOf({ emisor: { Rfc: 'ABC123' } })).toEqual([expect.stringContaining('«ABC123»')]);
    for (const Rfc of ['L&amp;O950913MSA', 'IAÑL750210963'])
      expect(warningsOf({ emisor: { Rfc } })).toEqual([]);
  });
});

describe('a document that cannot be an invoice', () => {
  it('is refused in plain words: payments, payroll and transfers', () => {
    const words = { P: /pago/, N: /nómina/, T: /traslado/ };
    for (const [TipoDeComprobante, word] of Object.entries(words)) {
      expect(refusalOf({ root: { TipoDeComprobante } })).toMatchObject({
        code: 'not_invoice',
        message: expect.stringMatching(word),
      });
    }
    const note = readCfdi(bytesOf(buildCfdi({ root: { TipoDeComprobante: 'E' } })));
    expect(readFigures(note)).toMatchObject({ totalCents: 116_000, rate: 160_000 });
  });

  it('is refused with negative amounts, or amounts over the maximum', () => {
    expect(refusalOf({ root: amounts('-1000', '-1160'), impuestos: iva('-160') })).toMatchObject({
      code: 'bad_amount',
      message: expect.stringMatching(/negativo/),
    });
    expect(refusalOf({ root: amounts('100', '0', { Descuento: '200' }) }).code).toBe('bad_amount');
    expect(refusalOf({ root: amounts('10000000000', '10000000000'), impuestos: '' }).message).toMatch(
      /9,999,999,999\.99/,
    );
    expect(
      refusalOf({
        root: { ...amounts('900000000', '900000000'), Moneda: 'USD', TipoCambio: '20' },
        impuestos: '',
      }).code,
    ).toBe('bad_amount');
    expect(draft({ root: amounts('9999999999.99', '9999999999.99'), impuestos: '' }).draft.totalCents).toBe(
      999_999_999_999,
    );
  });
});

it('is either an invoice or refused after any random change', () => {
  const original = bytesOf(
    buildCfdi({ complemento: buildLocalTaxes('<implocal:TrasladosLocales Importe="0.00"/>') }),
  );
  const digit = fc.constantFrom(...'0123456789.-+ "<&AaIEP'.split('')).map((text) => text.charCodeAt(0));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(original.length - 1), digit), { minLength: 1, maxLength: 3 }),
      (changes) => {
        const bytes = Buffer.from(original);
        for (const [at, value] of changes) bytes[at] = value;
        try {
          const { draft: invoice } = readCfdiInvoice(readCfdi(bytes), { baseCurrency: 'MXN' });
          const { subtotalCents, ivaCents, otrosimpuestosCents, retencionesCents, totalCents } = invoice;
          expect(totalCents).toBe(subtotalCents + ivaCents + otrosimpuestosCents - retencionesCents);
        } catch (error) {
          expect(error).toBeInstanceOf(DomainError);
        }
      },
    ),
    { numRuns: 2000 },
  );
});
