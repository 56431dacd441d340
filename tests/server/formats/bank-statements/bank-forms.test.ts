import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BankStatementMovement,
  readMovements,
} from '../../../../server/formats/bank-statements/movements.ts';
import { readSantanderTable } from '../../../../server/formats/bank-statements/santander.ts';
import { readTableBytes } from '../../../support/tables.ts';

interface StatedMovement {
  fecha: string;
  /** negative for money that leaves */
  cents: number;
  referencia: string;
  concepto: string;
}

const plain = (cents: number) => (Math.abs(cents) / 100).toFixed(2);
const grouped = (cents: number) => plain(cents).replace(/\B(?=(\d{3})+\.)/g, ',');
const inTwoColumns = ({ cents }: StatedMovement, text: (cents: number) => string, none = '') =>
  (cents < 0 ? [text(cents), none] : [none, text(cents)]) as [string, string];
const quoted = (cells: readonly string[]) => cells.map((cell) => `"${cell}"`).join(',');
const dmy = (fecha: string, mark: string) => fecha.split('-').reverse().join(mark);
const latin1 = (lines: readonly string[]) => Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1');
const MONTHS = 'ENE FEB MAR ABR MAY JUN JUL AGO SEP OCT NOV DIC'.split(' ');

/** A line of Santander's text file; the variant with a key before the text writes the month before the day. */
const fixedWidth = ({ fecha, cents, referencia, concepto }: StatedMovement, key: string): string => {
  const [year, month, day] = fecha.split('-') as [string, string, string];
  const amount = String(Math.abs(cents)).padStart(14, '0');
  const start = `65509990001     ${key ? month + day : day + month}${year}12260981${key}${'PAGO SPEI'.padEnd(40)}`;
  const money = `${cents < 0 ? '-' : '+'}${amount}${'1'.padStart(14, '0')}`;
  const payee = `${'BANCO DOS'.padEnd(40)}${'002180009990001232'.padEnd(20)}${'MUÑOZ SA DE CV'.padEnd(40)}`;
  return `${start}${money}${referencia.padStart(8, '0')}${concepto.padEnd(90)}${payee}`.padEnd(
    key ? 630 : 581,
  );
};

/** Writes a statement in each bank's own form. */
const FORMS: Record<string, (all: readonly StatedMovement[]) => Buffer> = {
  BBVA: (all) =>
    latin1([
      'Día\tConcepto / Referencia\tcargo\tAbono\tSaldo',
      ...all.map((one) =>
        [
          dmy(one.fecha, '-'),
          `${one.concepto} / ${one.referencia}`,
          ...inTwoColumns(one, grouped),
          '1.00',
        ].join('\t'),
      ),
    ]),
  Banorte: (all) =>
    Buffer.from(
      [
        '﻿"CUENTA","FECHA DE OPERACIÓN","FECHA","REFERENCIA","DESCRIPCIÓN","DEPÓSITOS","RETIROS","SALDO","MOVIMIENTO"',
        ...all.map((one, index) => {
          const [out, into] = inTwoColumns(one, (cents) => `$${grouped(cents)}`, '-');
          const day = dmy(one.fecha, '/');
          const cells = [
            "'0601599001",
            day,
            day,
            one.referencia,
            one.concepto,
            into,
            out!,
            '$1.00',
            `${index}`,
          ];
          return quoted(cells);
        }),
      ].join('\n'),
    ),
  'Santander, CSV': (all) =>
    latin1([
      'Cuenta,Fecha,Hora,Sucursal,Descripcion,Cargo/Abono,Importe,Saldo,Referencia,Concepto,Clave de Rastreo',
      ...all.map((one) =>
        [
          ...[
            "'65509990001",
            `'${dmy(one.fecha, '')}'`,
            '12:26',
            "'0981'",
            'SPEI',
            one.cents < 0 ? '-' : '+',
          ],
          ...[plain(one.cents), '1.00', one.referencia, one.concepto, ''],
        ].join(','),
      ),
    ]),
  'Santander, Chequeras': (all) =>
    latin1([
      'Usuario: X',
      'Cuenta: 65509990001,Total de cargos: 5.00',
      'Fecha,Hora,Sucursal,Descripcion,Importe Cargo,Importe Abono,Saldo,Referencia,Concepto',
      ...all.map((one) =>
        [
          `'${dmy(one.fecha, '')}','12:26','0981',SPEI`,
          ...inTwoColumns(one, plain),
          `1.00,${one.referencia},${one.concepto}`,
        ].join(','),
      ),
    ]),
  'Santander, TXT': (all) => latin1(all.map((one) => fixedWidth(one, ''))),
  'Santander, TXT of Enlace': (all) => latin1(all.map((one) => fixedWidth(one, '0213'))),
  Banamex: (all) =>
    latin1([
      ...['Cuenta: 7001 9990001 Cheques Moneda Nacional', '', 'Detalle de Movimientos - Depósitos y Retiros'],
      'Fecha,Descripción,Depósitos,Retiros,Saldo',
      ...all.map((one) => {
        const [out, into] = inTwoColumns(one, (cents) => `" ${grouped(cents)} "`);
        const day = dmy(one.fecha, '-').replace(/-20(..)$/, '-$1');
        return `${day},"${one.concepto} Referencia: ${one.referencia}",${into},${out}," 1.00 "`;
      }),
    ]),
  HSBC: (all) =>
    latin1([
      'Número de cuenta,Referencia bancaria,Descripción,Fecha valor,Importe de crédito,Importe del débito,Saldo,Fecha del apunte',
      ...all.map((one) => {
        const [out, into] = inTwoColumns(one, grouped);
        const day = dmy(one.fecha, '/');
        return quoted([
          '4066730177',
          `'${one.referencia}`,
          one.concepto,
          '31/12/2026',
          into,
          out && `-${out}`,
          '1.00',
          day,
        ]);
      }),
    ]),
  'letters and the month by name': (all) =>
    latin1([
      'Fecha;Concepto;Referencia;Importe;D/C',
      ...all.map(({ fecha, cents, referencia, concepto }) => {
        const [year, month, day] = fecha.split('-');
        const when = `${day}${MONTHS[Number(month) - 1]}${year}`;
        return `${when};${concepto};${referencia};${plain(cents)};${cents < 0 ? 'D' : 'C'}`;
      }),
    ]),
};

const stated: fc.Arbitrary<StatedMovement> = fc.record({
  fecha: fc
    .date({ min: new Date('2026-01-01'), max: new Date('2026-12-30'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  cents: fc.oneof(fc.integer({ min: 1, max: 99_999_999_999 }), fc.integer({ min: -99_999_999_999, max: -1 })),
  referencia: fc.integer({ min: 1, max: 99_999_999 }).map(String),
  concepto: fc.constantFrom('PAGO OBRA', 'ESTIMACIÓN 3', 'TOTAL PLAY', 'SALDO FACTURA 12', 'PEÑA 5 DE MAYO'),
});

/** Always includes a movement in each direction whose day has only one reading. */
const statements = fc
  .array(stated, { maxLength: 12 })
  .map((all) => [
    { fecha: '2026-11-20', cents: -2_600_000, referencia: '777', concepto: 'PAGO OBRA' },
    ...all,
    { fecha: '2026-11-21', cents: 50_000, referencia: '778', concepto: 'PAGO OBRA' },
  ]);

const digits = ({ referencia, descripcion }: BankStatementMovement) =>
  (`${referencia} ${descripcion}`.match(/\d+/g) ?? []).map((one) => one.replace(/^0+/, ''));

describe.each(Object.keys(FORMS))('a statement as %s writes it', (name) => {
  it('yields each day, each amount with its direction, and its reference', async () => {
    await fc.assert(
      fc.asyncProperty(statements, async (all) => {
        const bytes = FORMS[name]!(all);
        const movements = readMovements(readSantanderTable(bytes) ?? (await readTableBytes(bytes)));
        expect(movements.map(({ fecha, amountCents }) => [fecha, amountCents])).toEqual(
          all.map(({ fecha, cents }) => [fecha, cents]),
        );
        for (const [index, one] of all.entries()) {
          expect(digits(movements[index]!)).toContain(one.referencia);
          expect(movements[index]!.descripcion).toContain(one.concepto);
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe("Santander's text file", () => {
  const one = { fecha: '2026-11-02', cents: -2_600_000, referencia: '900', concepto: 'PROV REF 0000000' };
  const read = (text: string) => readMovements(readSantanderTable(Buffer.from(text))!);

  it.each(['', '0213'])('is read in its parts, even if the ends of its lines were cut (key «%s»)', (key) => {
    const line = fixedWidth(one, key);
    const whole = `${line.slice(0, key ? 383 : 421).padEnd(key ? 383 : 421)}20261102400140AAA0000000000001PAGO`;
    expect(read(`${whole}\r\n\u001a`)).toEqual([
      {
        line: 1,
        fecha: '2026-11-02',
        amountCents: -2_600_000,
        referencia: expect.stringMatching(/^00000900 20261102400140AAA0000000000001/),
        descripcion: 'PAGO SPEI PROV REF 0000000 002180009990001232 MUÑOZ SA DE CV',
        saldoCents: 1,
      },
    ]);
    expect(read(line.trimEnd())).toMatchObject([{ fecha: '2026-11-02', amountCents: -2_600_000 }]);
  });

  it('is refused if a line differs from the others, or the order of days is impossible', () => {
    const line = fixedWidth(one, '');
    expect(() => read(`${line}\n${line.replace('-0000', '*0000')}`)).toThrow('Renglón 2: no tiene la forma');
    expect(() => read(`${line}\nTotal 26,000.00`)).toThrow('Renglón 2: no tiene la forma');
    expect(() => read(line.replace('02112026', '32112026'))).toThrow('Renglón 1, fecha «32/11/2026»');
    expect(() => read(`${line}\n${line.replace('65509990001', '65509990002')}`)).toThrow('varias cuentas');
  });

  it('is not mistaken for any other file', () => {
    for (const text of [
      '',
      'Fecha,Cargo,Abono\n',
      '6550999',
      fixedWidth(one, '').slice(0, 90).replace('2026', '    '),
    ])
      expect(readSantanderTable(Buffer.from(text))).toBeUndefined();
  });
});
