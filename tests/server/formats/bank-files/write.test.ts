import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  type BankLayout,
  BUILT_IN_LAYOUTS,
  formatLayout,
} from '../../../../server/formats/bank-files/layout.ts';
import {
  acceptsTransfer,
  type BankOrder,
  type Transfer,
  writeBankFile,
} from '../../../../server/formats/bank-files/write.ts';
import { parseLayout } from '../../../../server/services/bank-files/layout-shape.ts';
import { parseMoney } from '../../../../shared/money.ts';
import { clabeOf } from '../../../support/accounts.ts';

const layoutNamed = (name: string): BankLayout =>
  BUILT_IN_LAYOUTS.find(({ plantilla }) => plantilla === name)!;

const transfer = (part: Partial<Transfer> = {}): Transfer => ({
  suppliername: 'Aceros Ñandú, S.A. de C.V.',
  rfc: 'ANA010203AB9',
  email: 'cobranza@ñandú-aceros.mx',
  clabe: '072180004643051248',
  titular: 'Aceros Ñandú, S.A. de C.V.',
  amountCents: 123_456_789,
  referencia: '12003',
  concepto: 'PAGO A-1045 B/22',
  ...part,
});

const orderOf = (bank: string, ...transfers: Transfer[]): BankOrder => ({
  clabe: clabeOf(bank, 464305124),
  rfc: 'CVA980101AB1',
  fecha: '2026-11-27',
  transfers,
});

const lineOf = (name: string, bank: string, one: Transfer): string => {
  const { text } = writeBankFile(layoutNamed(name), orderOf(bank, one));
  expect(text.endsWith('\r\n')).toBe(true);
  return text.slice(0, -2);
};

describe('a file is written for', () => {
  test('BBVA to its own accounts', () => {
    const own = transfer({ clabe: clabeOf('012', 1_234_567_890) });
    const line = lineOf('bbva-mismo-banco', '012', own);
    expect(line).toBe(
      [
        '000000001234567890',
        '000000000464305124',
        'MXP',
        '0000001234567.89',
        'PAGO A1045 B 22'.padEnd(30),
      ].join(''),
    );
    expect(line).toHaveLength(85);
  });

  test('BBVA to other banks', () => {
    const line = lineOf('bbva-spei', '012', transfer());
    expect(line).toBe(
      [
        '072180004643051248',
        '000000000464305124',
        'MXP',
        '0000001234567.89',
        'ACEROS NANDU SA DE CV'.padEnd(30),
        '40',
        '072',
        'PAGO A1045 B 22'.padEnd(30),
        '0012003',
        'H',
      ].join(''),
    );
    expect(line).toHaveLength(128);
  });

  test('Banorte, to its own accounts and to other banks', () => {
    const cells = (one: Transfer) => lineOf('banorte', '072', one).split('\t');
    expect(cells(transfer({ clabe: clabeOf('072', 1_234_567_890) }))).toEqual([
      '02',
      'ANA010203AB9',
      '0464305124',
      '1234567890',
      '1234567.89',
      '12003',
      'PAGO A1045 B 22',
      'CVA980101AB1',
      '0',
      '',
      'X',
      '0',
    ]);
    const other = clabeOf('012', 7);
    expect(cells(transfer({ clabe: other, rfc: null }))).toEqual([
      '04',
      '',
      '0464305124',
      other,
      '1234567.89',
      '12003',
      'PAGO A1045 B 22',
      'CVA980101AB1',
      '0',
      '',
      'ACEROS NANDU SA DE CV',
      '0',
    ]);
  });

  test('Santander to its own accounts', () => {
    const own = transfer({ clabe: clabeOf('014', 65_501_234_567) });
    expect(lineOf('santander-mismo-banco', '014', own)).toBe(
      [
        'LTX07',
        '00464305124'.padEnd(18),
        '65501234567'.padEnd(20),
        '000000000123456789',
        'PAGO A1045 B 22'.padEnd(40),
        '27112026',
        'cobranza@nandu-aceros.mx'.padEnd(40),
      ].join(''),
    );
  });

  test('Santander to other banks', () => {
    const line = lineOf('santander-spei', '014', transfer());
    expect(line).toBe(
      [
        'LTX05',
        '00464305124'.padEnd(18),
        '072180004643051248'.padEnd(20),
        '00072',
        'ACEROS NANDU SA DE CV'.padEnd(40),
        '0000',
        '000000000123456789',
        '01001',
        'PAGO A1045 B 22'.padEnd(40),
        '0012003',
        'cobranza@nandu-aceros.mx'.padEnd(40),
      ].join(''),
    );
    expect(line).toHaveLength(202);
  });

  test('any bank as CSV, from a source whose account is unknown', () => {
    const formula = transfer({ suppliername: '=1+1', titular: 'O"Brien', amountCents: 5 });
    const { text } = writeBankFile(layoutNamed('csv'), { ...orderOf('012', transfer(), formula), clabe: '' });
    expect(text.split('\r\n')).toEqual([
      'Proveedor,RFC,Banco,CLABE,Titular,Importe,Referencia,Concepto,Fecha,Correo',
      '"Aceros Ñandú, S.A. de C.V.",ANA010203AB9,Banorte,072180004643051248,"Aceros Ñandú, S.A. de C.V.",1234567.89,12003,PAGO A-1045 B/22,2026-11-27,cobranza@ñandú-aceros.mx',
      `'=1+1,ANA010203AB9,Banorte,072180004643051248,"O""Brien",0.05,12003,PAGO A-1045 B/22,2026-11-27,cobranza@ñandú-aceros.mx`,
      '',
    ]);
  });
});

it('a text that is too long is cut with a remark, a figure never', () => {
  const titular = 'Construcciones y Edificaciones Íñiguez Hermanos';
  const order = orderOf('012', transfer({ titular, suppliername: 'Íñiguez' }));
  const { text, cuts } = writeBankFile(layoutNamed('bbva-spei'), order);
  expect(text.slice(55, 85)).toBe('CONSTRUCCIONES Y EDIFICACIONES');
  expect(cuts).toEqual([
    'Íñiguez, titular: «CONSTRUCCIONES Y EDIFICACIONES INIGUEZ HERMANOS» quedó como «CONSTRUCCIONES Y EDIFICACIONES».',
  ]);
  const wide = transfer({ clabe: clabeOf('072', 65_501_234_567) });
  expect(() => writeBankFile(layoutNamed('banorte'), orderOf('072', wide))).toThrow(
    '«abono» no cabe en 10 lugares: 65501234567.',
  );
  const { campos } = layoutNamed('bbva-spei');
  const narrow = campos.map((field) => (field.origen === 'importe' ? { ...field, ancho: 8 } : field));
  expect(() =>
    writeBankFile({ ...layoutNamed('bbva-spei'), campos: narrow }, orderOf('012', transfer())),
  ).toThrow('«importe» no cabe en 8 lugares: 1234567.89.');
  expect(() => writeBankFile(layoutNamed('bbva-spei'), { ...order, clabe: '' })).toThrow('no tiene CLABE');
});

it('500 transfers with any names and amounts are read again from the layout alone, and add up', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 });
  const one = fc.record({
    account: fc.integer({ min: 1, max: 9_999_999_999 }),
    bank: fc.constantFrom('012', '072', '014', '646'),
    amountCents: fc.integer({ min: 1, max: 999_999_999_999 }),
    titular: text,
    concepto: text,
    referencia: fc.integer({ min: 1, max: 9_999_999 }),
  });
  const many = fc.array(one, { minLength: 500, maxLength: 500 });
  const layouts = BUILT_IN_LAYOUTS.filter(({ separador }) => separador === '');
  fc.assert(
    fc.property(many, (drawn) => {
      const transfers = drawn.map(({ account, bank, referencia, ...rest }) =>
        transfer({ ...rest, clabe: clabeOf(bank, account), referencia: String(referencia) }),
      );
      for (const layout of layouts) {
        const order = orderOf(layout.banco!, ...transfers);
        const taken = transfers.filter((each) => acceptsTransfer(layout, order, each));
        const { text: file } = writeBankFile(layout, { ...order, transfers: taken });
        expect(file).toMatch(/^[\x20-\x7e\r\n]*$/);
        const rows = readFixedWidths(layout, file);
        expect(rows).toHaveLength(taken.length);
        const cents = rows.map((row) => centsIn(layout, row.importe!));
        expect(cents).toEqual(taken.map(({ amountCents }) => amountCents));
        const accounts = rows.map((row) => row.abono!.trim().replace(/^0+/, ''));
        expect(accounts).toEqual(
          taken.map(({ clabe }) =>
            (layout.destino === 'otro' ? clabe : clabe.slice(6, 17)).replace(/^0+/, ''),
          ),
        );
      }
      // Every transfer is in exactly one of a bank's files.
      for (const bank of ['012', '014']) {
        const order = orderOf(bank);
        const own = layouts.filter(({ banco }) => banco === bank);
        for (const each of transfers)
          expect(own.filter((layout) => acceptsTransfer(layout, order, each))).toHaveLength(1);
      }
    }),
    { numRuns: 3 },
  );
});

/** Reads a file by the widths of its fields alone. */
function readFixedWidths({ campos }: BankLayout, file: string): Record<string, string>[] {
  return file
    .split('\r\n')
    .slice(0, -1)
    .map((line) => {
      const row: Record<string, string> = {};
      let at = 0;
      for (const { campo, ancho = 0 } of campos) {
        row[campo] = line.slice(at, at + ancho);
        at += ancho;
      }
      expect(line).toHaveLength(at);
      return row;
    });
}

const centsIn = ({ campos }: BankLayout, text: string): number =>
  campos.some(({ origen }) => origen === 'importe.centavos')
    ? Number(text)
    : parseMoney(text.replace(/^0+(?=\d)/, ''), 'importe');

describe('a layout', () => {
  it.each(BUILT_IN_LAYOUTS.map((layout) => [layout.plantilla, layout] as const))(
    '%s is valid, and unchanged after an administrator has edited its text',
    (_, layout) => {
      expect(parseLayout(formatLayout(layout))).toEqual(layout);
    },
  );

  const changed = (change: (layout: Record<string, unknown>) => void): string => {
    const layout = structuredClone(layoutNamed('bbva-spei')) as unknown as Record<string, unknown>;
    change(layout);
    return JSON.stringify(layout);
  };
  const field = (change: object) =>
    changed((layout) => Object.assign((layout.campos as object[])[1]!, change));

  it.each([
    ['no es un archivo JSON', '{ "plantilla": '],
    ['Plantilla, banco: tiene signos que no van ahí', changed((one) => Object.assign(one, { banco: '12' }))],
    ['Plantilla, plantilla: tiene signos', changed((one) => Object.assign(one, { plantilla: '../x' }))],
    ['Plantilla, campos › 2 › origen: no es uno de los valores', field({ origen: 'otro' })],
    ['Plantilla, campos › 2: tiene un dato que no existe (tamaño)', field({ tamaño: 3 })],
    ['Plantilla, campos › 2 › valor: va con el origen «constante»', field({ valor: '1' })],
    [
      'Plantilla, campos › 2 › valor: no cabe en su ancho',
      field({ origen: 'constante', valor: '1234', ancho: 3 }),
    ],
    ['Plantilla, campos › 2 › ancho: falta, en «cargo»', field({ ancho: undefined, relleno: undefined })],
    ['Plantilla, encabezado: pide un separador', changed((one) => Object.assign(one, { encabezado: true }))],
    [
      'ningún campo es del importe',
      changed((one) => Object.assign(one, { campos: [{ campo: 'a', origen: 'abono.clabe', ancho: 18 }] })),
    ],
    ['Plantilla, campos: falta', changed((one) => Object.assign(one, { campos: undefined }))],
  ])('shows what is wrong with it, and where: %s', (message, text) => {
    expect(() => parseLayout(text)).toThrow(message);
  });
});
