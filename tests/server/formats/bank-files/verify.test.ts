import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BankLayout, BUILT_IN_LAYOUTS } from '../../../../server/formats/bank-files/layout.ts';
import { requireFileMatchesOrder } from '../../../../server/formats/bank-files/verify.ts';
import {
  acceptsTransfer,
  type BankOrder,
  type Transfer,
  writeBankFile,
} from '../../../../server/formats/bank-files/write.ts';
import { clabeOf } from '../../../support/accounts.ts';

const transfer = (part: Partial<Transfer> = {}): Transfer => ({
  suppliername: 'Aceros Ñandú',
  rfc: 'ANA010203AB9',
  email: 'cobranza@nandu.mx',
  clabe: clabeOf('072', 4_643_051_248),
  titular: 'Aceros Ñandú, S.A. de C.V.',
  amountCents: 123_400,
  referencia: '12003',
  concepto: 'PAGO A-1045',
  ...part,
});

const orderOf = (bank: string, ...transfers: Transfer[]): BankOrder => ({
  clabe: clabeOf(bank, 464_305_124),
  rfc: 'CVA980101AB1',
  fecha: '2026-11-27',
  transfers,
});

const layoutNamed = (name: string): BankLayout =>
  BUILT_IN_LAYOUTS.find(({ plantilla }) => plantilla === name)!;

const bytesOf = (layout: BankLayout, order: BankOrder): Buffer =>
  Buffer.from(writeBankFile(layout, order).text);

const SPEI = layoutNamed('bbva-spei');
const ORDER = orderOf(
  '012',
  transfer(),
  transfer({ suppliername: 'Bloques', clabe: clabeOf('014', 7), amountCents: 5 }),
);

describe('a file for the bank, read back', () => {
  it('matches the order, whoever is paid by whichever layout of the program', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });
    const one = fc.record({
      clabe: fc
        .tuple(fc.constantFrom('012', '072', '014', '646'), fc.integer({ min: 1, max: 9_999_999_999 }))
        .map(([bank, account]) => clabeOf(bank, account)),
      amountCents: fc.integer({ min: 1, max: 999_999_999_999 }),
      // Stored texts have one line, and no blanks at the ends.
      titular: text.map((raw) => raw.replace(/[\s\p{C}]+/gu, ' ').trim() || 'X'),
      concepto: text.map((raw) => raw.replace(/[\s\p{C}]+/gu, ' ').trim()),
    });
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 30 }), (drawn) => {
        for (const layout of BUILT_IN_LAYOUTS) {
          const order = orderOf(layout.banco ?? '012');
          const transfers = drawn.map(transfer).filter((each) => acceptsTransfer(layout, order, each));
          const changed = { ...order, transfers };
          if (transfers.length > 0) requireFileMatchesOrder(layout, bytesOf(layout, changed), changed);
        }
      }),
      { numRuns: 60 },
    );
  });

  const replaceText = (from: string, to: string): Buffer => {
    const file = bytesOf(SPEI, ORDER).toString('latin1');
    expect(file).toContain(from);
    return Buffer.from(file.replace(from, to), 'latin1');
  };

  it.each([
    ['another account', transfer().clabe, clabeOf('646', 1)],
    ['one digit of an account', transfer().clabe, `${transfer().clabe.slice(0, -1)}x`],
    ['one cent more', '0000000001234.00', '0000000001234.01'],
    ['one cent less in the smallest amount', '0000000000000.05', '0000000000000.04'],
    ['another payee', 'ACEROS NANDU SA', 'ACEROS NANDO SA'],
    ['a line that is too short', 'PAGO A1045', 'PAGO A104'],
    ['a letter of two bytes', 'ACEROS NANDU SA DE CV', 'ACEROS ÑANDU SA DE C'],
  ])('is refused with %s', (_, from, to) => {
    expect(() => requireFileMatchesOrder(SPEI, replaceText(from, to), ORDER)).toThrow(
      'El archivo no pide lo que dice la programación',
    );
  });

  it('is refused with one transfer too many, one too few, two exchanged, or a missing end', () => {
    const lines = bytesOf(SPEI, ORDER).toString().split('\r\n').slice(0, -1);
    const fileOf = (...all: (string | undefined)[]) => Buffer.from(all.map((line) => `${line}\r\n`).join(''));
    requireFileMatchesOrder(SPEI, fileOf(...lines), ORDER);
    for (const file of [
      fileOf(lines[0]),
      fileOf(...lines, lines[1]),
      fileOf(lines[1], lines[0]),
      Buffer.from(lines.join('\r\n')),
    ])
      expect(() => requireFileMatchesOrder(SPEI, file, ORDER)).toThrow('El archivo no pide');
  });

  const filled = (origen: 'importe.centavos' | 'importe' | 'abono.cuenta'): [BankLayout, BankOrder] => {
    const layout = layoutNamed('santander-mismo-banco');
    const campos = layout.campos.map((field) =>
      field.origen.startsWith(origen.split('.')[0]!)
        ? { ...field, origen, ancho: 18, relleno: '0' as const, alinea: 'izquierda' as const }
        : field,
    );
    return [{ ...layout, campos }, orderOf('014', transfer({ clabe: clabeOf('014', 65_501_234_567) }))];
  };

  it.each(['importe.centavos', 'importe', 'abono.cuenta'] as const)(
    'is refused if zeros behind %s turn it into another number',
    (origen) => {
      const [layout, order] = filled(origen);
      expect(() => requireFileMatchesOrder(layout, bytesOf(layout, order), order)).toThrow(
        `«${origen.split('.')[0]}» se lee como`,
      );
    },
  );

  it('is refused if the CLABE lacks a digit', () => {
    const campos = SPEI.campos.map((field) =>
      field.origen === 'abono.clabe' ? { ...field, ancho: 17 } : field,
    );
    const order = orderOf('012', transfer({ clabe: clabeOf('072', 5) }));
    expect(() =>
      requireFileMatchesOrder({ ...SPEI, campos }, bytesOf({ ...SPEI, campos }, order), order),
    ).toThrow('«abono» se lee como');
  });

  it('is compared in Spanish: what was read and what was ordered', () => {
    expect(() =>
      requireFileMatchesOrder(SPEI, replaceText('0000000001234.00', '0000000001234.01'), ORDER),
    ).toThrow(
      'El archivo no pide lo que dice la programación: en la transferencia a Aceros Ñandú, «importe» se lee como «0000000001234.01» y son $1,234.00. No se generó; revisa la plantilla.',
    );
  });
});
