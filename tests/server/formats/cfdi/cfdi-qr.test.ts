import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCfdiQr } from '../../../../server/formats/cfdi/cfdi-qr.ts';
import { MAX_CENTS, toDecimalText } from '../../../../shared/money.ts';

const ADDRESS = 'https://verificacfdi.facturaelectronica.sat.gob.mx/default.aspx';
const UUID = '04BF2854-FE7D-4377-9196-71248F060ABB';
const codeOf = (part: Record<string, string> = {}, address = ADDRESS) =>
  `${address}?${Object.entries({
    id: UUID,
    re: 'EKU9003173C9',
    rr: 'CACX7605101P8',
    tt: '459.36',
    fe: '5tSZhA==',
    ...part,
  })
    .map(([name, value]) => `${name}=${value}`)
    .join('&')}`;
const READ = { uuid: UUID, emisor: 'EKU9003173C9', receptor: 'CACX7605101P8', totalCents: 45_936 };

describe('the code printed on a CFDI', () => {
  it.each([
    codeOf(),
    ` ${codeOf()}\r\n`,
    codeOf({ tt: '0000000459.360000' }),
    codeOf({ id: UUID.toLowerCase(), re: 'eku9003173c9' }),
    codeOf({}, ADDRESS.replace('https', 'http').replace('default', 'Default')),
    codeOf({}, '').replace('&fe=5tSZhA==', ''),
    codeOf().replace('?id', '?&id'),
    `${ADDRESS}?re=EKU9003173C9&rr=CACX7605101P8&tt=459.36&id=${UUID}`,
    codeOf().replaceAll('&', '&amp;'),
  ])('states UUID, both RFC and the total: %s', (text) => {
    expect(parseCfdiQr(text)).toEqual(READ);
  });

  it.each(['L&O950913MSA', 'L%26O950913MSA', 'L&amp;O950913MSA'])('may name the issuer as %s', (re) => {
    expect(parseCfdiQr(codeOf({ re })).emisor).toBe('L&O950913MSA');
    expect(parseCfdiQr(codeOf({ re: 'IA%C3%91L750210963' })).emisor).toBe('IAÑL750210963');
  });

  it('states every amount that can be stored exactly to the cent, and refuses every other one', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: MAX_CENTS }),
        fc.integer({ min: 1, max: 9999 }),
        (cents, rest) => {
          const exact = toDecimalText(cents);
          expect(parseCfdiQr(codeOf({ tt: exact.padStart(18, '0') })).totalCents).toBe(cents);
          expect(() => parseCfdiQr(codeOf({ tt: exact + String(rest).padStart(4, '0') }))).toThrow(
            'Total del QR: máximo dos decimales.',
          );
        },
      ),
    );
    expect(() => parseCfdiQr(codeOf({ tt: '10000000000.00' }))).toThrow(
      'Total del QR: no puede pasar de $9,999,999,999.99.',
    );
    expect(() => parseCfdiQr(codeOf({ tt: '999999999999999999.000000' }))).toThrow('no puede pasar');
    expect(() => parseCfdiQr(codeOf({ tt: '0000000000.000000' }))).toThrow('es por cero, como un REP');
  });

  it.each([
    'https://ejemplo.mx/menu',
    codeOf({}, 'https://verificacfdi.facturaelectronica.sat.gob.mx.ejemplo.mx/default.aspx'),
    `https://ejemplo.mx/?u=${codeOf()}`,
    'WIFI:S:Saldo;;',
    '',
  ])('is not any other code: %s', (text) => {
    expect(() => parseCfdiQr(text)).toThrow('Ese QR no es el de un CFDI');
  });

  it.each([
    [{ id: 'no' }, 'el UUID'],
    [{ re: 'EKU' }, 'el RFC del emisor'],
    [{ rr: '' }, 'el RFC del receptor'],
    [{ rr: '%zz' }, 'el RFC del receptor'],
    [{ tt: '1,160.00' }, 'el total'],
    [{ tt: '-5.00' }, 'el total'],
    [{ tt: '1e5' }, 'el total'],
    [{ tt: '1234567890123456789.00' }, 'el total'],
    [{ tt: '1.0000000' }, 'el total'],
    [{ tt: '1.00&tt=2.00' }, 'el total'],
    [{ id: 'x', tt: 'x' }, 'el UUID, el total'],
  ])('is refused with what cannot be read: %o', (part, what) => {
    expect(() => parseCfdiQr(codeOf(part))).toThrow(
      `Al QR del CFDI no se le puede leer ${what}: captura el gasto a mano.`,
    );
  });
});
