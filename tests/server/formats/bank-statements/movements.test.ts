import { expect, it } from 'vitest';
import { movementsOf } from '../../../../server/formats/bank-statements/movements.ts';
import { readBytes } from '../../../support/tables.ts';

const read = async (text: string) =>
  movementsOf((await readBytes(text)) as Parameters<typeof movementsOf>[0]);

it('reads charges and credits under the headings that banks use, days first', async () => {
  const text = [
    'Fecha Operación;Concepto;Referencia;Cargo;Abono;Saldo',
    '05/11/2026;SPEI ENVIADO BANORTE;0012003;"1,160.00";;50000.00',
    '06/11/2026;DEVOLUCION SPEI;12003;;1160.00;51160.00',
    '06/11/2026;SALDO;;;;51160.00',
  ].join('\n');
  expect(await read(text)).toEqual([
    {
      line: 2,
      fecha: '2026-11-05',
      amountCents: -116_000,
      referencia: '0012003',
      descripcion: 'SPEI ENVIADO BANORTE',
    },
    {
      line: 3,
      fecha: '2026-11-06',
      amountCents: 116_000,
      referencia: '12003',
      descripcion: 'DEVOLUCION SPEI',
    },
  ]);
});

it('reads one amount with its sign, or with a column that says which way it went', async () => {
  const signed = await read('Fecha,Descripción,Importe\n2026-11-05,PAGO,-5.00\n2026-11-05,DEPOSITO,7.00\n');
  expect(signed.map(({ amountCents }) => amountCents)).toEqual([-500, 700]);
  const named = await read(
    'Fecha,Descripción,Monto,Cargo/Abono\n5/11/2026,X,5.00,Cargo\n5/11/2026,Y,7.00,Abono\n',
  );
  expect(named.map(({ amountCents }) => amountCents)).toEqual([-500, 700]);
});

it.each([
  ['Ninguna columna es la fecha', 'Nombre,Importe\nAna,5.00\n'],
  ['Faltan las columnas de cargos y abonos', 'Fecha,Nombre\n05/11/2026,Ana\n'],
  ['Renglón 2, fecha «ayer»', 'Fecha,Concepto,Importe\nayer,X,5.00\n'],
  ['Renglón 2, importe «mucho»', 'Fecha,Concepto,Importe\n05/11/2026,X,mucho\n'],
  ['cargo y abono a la vez', 'Fecha,Concepto,Cargo,Abono\n05/11/2026,X,5.00,6.00\n'],
  ['ningún movimiento con importe', 'Fecha,Concepto,Cargo,Abono\n05/11/2026,SALDO,,\n'],
])('says what is wrong with another file: %s', async (message, text) => {
  await expect(read(text)).rejects.toThrow(message);
});
