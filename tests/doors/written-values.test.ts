import { expect, it } from 'vitest';
import type { Db } from '../../db/schema.ts';
import type { TableKind } from '../../server/formats/tables/table.ts';
import { importTable } from '../../server/services/imports/import.ts';
import { pages } from '../../shared/urls.ts';
import { runSaldo } from '../support/cli.ts';
import { INVISIBLE_TEXT } from '../support/invisible.ts';
import { readPage } from '../support/page.ts';
import { addFund } from '../support/petty-cash.ts';
import { describeEachInLongLane } from '../support/proofs.ts';
import { tableInWords } from '../support/remarks.ts';
import { addJob, addSupplier } from '../support/rows.ts';
import { importText } from '../support/tables.ts';
import { type Clients, type DoorResponse, responseOfApi, signIn } from './doors.ts';

/**
 * An invalid value is refused while it is read, before any rule, by every door with the same sentence (except the
 * label) and code.
 */
type Send = (fixture: Clients, value: string) => Promise<DoorResponse>;

const post =
  (path: string, bodyOf: (value: string) => object): Send =>
  ({ script }, value) =>
    responseOfApi(script.post(path, bodyOf(value)));

const form =
  (path: string, bodyOf: (value: string) => Record<string, string>): Send =>
  async ({ browser }, value) => {
    const { alerts } = await readPage(browser.form(path, bodyOf(value)));
    return { refused: alerts.find((one) => one.startsWith('error: '))?.slice('error: '.length) };
  };

const table =
  (kind: TableKind, headings: string, cellsOf: (value: string) => string): Send =>
  async ({ db, by }, value) => {
    const rows = await importText(kind, `${headings}\r\n${cellsOf(value)}\r\n`);
    const options = { dryRun: true, createMissing: true, source: 'x.csv', sha256: 'a'.repeat(64) };
    const [refused] = tableInWords(await importTable(db, by, kind, rows, options)).refused;
    return { refused: refused?.reason, code: refused?.code };
  };

const INVOICE = { supplierId: '1', jobId: '1', subtotal: '100' };
const EXPENSE = { tipo: 'gasto', concepto: 'Clavos', importe: '10' };
const SUPPLIER = { suppliername: 'Uno', suppliercontactperson: 'Ana' };

const DAYS: Readonly<Record<string, Send>> = {
  'an invoice by the API': post('/api/facturaproveedores/newfacturaproveedor', (fechaemision) => ({
    ...INVOICE,
    fechaemision,
  })),
  'an invoice by its form': form(pages.newInvoice, (fecharecepcion) => ({ ...INVOICE, fecharecepcion })),
  'an invoice by a table': table(
    'invoices',
    'Proveedor,Obra,Subtotal,Vencimiento',
    (day) => `Uno,Torre,100,${day}`,
  ),
  'a payment by the API': post('/api/payments/newpayment', (paymentdate) => ({
    facturaproveedorId: 1,
    paymentamount: 1,
    paymentdate,
  })),
  'a payment by its form': form(pages.newPayment, (paymentdate) => ({
    ...{ facturaproveedorId: '1', paymentamount: '1' },
    paymentdate,
  })),
  'a payment by a table': table(
    'payments',
    'Proveedor,Factura,Cantidad pagada,Fecha de pago',
    (day) => `Uno,A-1,100,${day}`,
  ),
  'an obra by the API': post('/api/jobs/newjob', (jobstartdate) => ({
    jobtitle: 'T',
    clientId: 1,
    jobstartdate,
  })),
  'an obra by its form': form('/new-job', (jobduedate) => ({ jobtitle: 'T', clientId: '1', jobduedate })),
  'an obra by a table': table('jobs', 'Nombre,Cliente,Fecha de inicio', (day) => `Torre,Inmobiliaria,${day}`),
  'a batch by the API': post('/api/programaciones/', (fecha) => ({
    ...{ fecha, origenderecursoId: 1 },
    partidas: [{ facturaproveedorId: 1 }],
  })),
  'an expense by the API': post('/api/cajachica/1/movimientos', (fecha) => ({ ...EXPENSE, fecha })),
  'an expense by a table': table(
    'movimientos-caja',
    'Caja,Fecha,Concepto,Importe',
    (day) => `Obra,${day},Clavos,10`,
  ),
};

/** Only doors for programs return an error code. */
const expectRefused = (response: DoorResponse, sentence: RegExp, code: string) => {
  expect(response.refused).toMatch(sentence);
  if ('code' in response) expect(response.code).toBe(code);
};

async function open(db: Db): Promise<Clients> {
  const fixture = await signIn(db);
  await addSupplier(db, { suppliername: 'Proveedor' });
  await addJob(db, { jobtitle: 'Obra' });
  await addFund(db, { nombre: 'Obra' });
  return fixture;
}

describeEachInLongLane('a value that is wrong in itself', (fresh) => {
  it.each(Object.entries(DAYS))('is refused as a day of 1926 in %s', async (_door, send) => {
    const fixture = await open(fresh.db);
    expectRefused(
      await send(fixture, '1926-11-20'),
      /^.+: 1926-11-20 está fuera de 2000 a 2099\.$/,
      'bad_value',
    );
    expectRefused(
      await send(fixture, '2206-11-20'),
      /: 2206-11-20 está fuera de 2000 a 2099\.$/,
      'bad_value',
    );
  });

  it.each<[string, Send]>([
    [
      'the API',
      post('/api/facturaproveedores/newfacturaproveedor', (tasa) => ({ ...INVOICE, tasa: Number(tasa) })),
    ],
    ['the form', form(pages.newInvoice, (tasa) => ({ ...INVOICE, tasa }))],
    ['a table', table('invoices', 'Proveedor,Obra,Subtotal,Tasa', (rate) => `Uno,Torre,100,${rate}`)],
  ])('is refused as a rate out of range in %s', async (_door, send) => {
    const fixture = await open(fresh.db);
    for (const rate of ['-1', '-16', '101', '1000'])
      expectRefused(await send(fixture, rate), /^Tasa: debe estar entre 0 y 100\.$/, 'invalid');
    expectRefused(await send(fixture, '16.12345'), /^Tasa: máximo cuatro decimales\.$/, 'invalid');
  });

  it.each<[string, Send]>([
    ['the API', post('/api/suppliers/newsupplier', (days) => ({ ...SUPPLIER, diascredito: Number(days) }))],
    ['the form', form('/new-supplier', (diascredito) => ({ ...SUPPLIER, diascredito }))],
    ['a table', table('suppliers', 'Nombre,Contacto,Días de crédito', (days) => `Uno,Ana,${days}`)],
  ])('is refused as credit days out of range in %s', async (_door, send) => {
    const fixture = await open(fresh.db);
    for (const days of ['-1', '-30', '366', '4000'])
      expectRefused(await send(fixture, days), /^Días de crédito: debe estar entre 0 y 365\.$/, 'invalid');
  });

  it.each([
    ['tasa', '-1', 'Tasa: debe estar entre 0 y 100.'],
    ['diascredito', '-1', 'Se espera un entero de 0 a 365.'],
    ['cierre', '1926-11-20', '1926-11-20 está fuera de 2000 a 2099.'],
  ])('is refused on the terminal as the setting %s %s', async (key, value, sentence) => {
    const response = await runSaldo(fresh, ['settings', 'set', key, '--', value]);
    expect([response.code, response.log]).toEqual([1, `saldo: ${sentence}\n`]);
  });

  const LONGEST = 300;
  const concept = 'x'.repeat(LONGEST - 2);
  /** Each variant is stored as `concept`, one blank and a letter, 300 characters in all. */
  const asLong = [
    `${concept} y`,
    `  ${concept}   y  `,
    `${concept} \u00a0\u2007 y`,
    `${concept}\r\ny`,
    `${INVISIBLE_TEXT}${concept} ${INVISIBLE_TEXT}y${INVISIBLE_TEXT}`,
    `${'e\u0301'.repeat(LONGEST - 2)} y`,
    `${'😀'.repeat(LONGEST - 2)} y`,
  ];

  it.each<[string, (fundId: number) => Send]>([
    ['the API', (id) => post(`/api/cajachica/${id}/movimientos`, (concepto) => ({ ...EXPENSE, concepto }))],
    [
      'a table',
      () =>
        table('movimientos-caja', 'Caja,Fecha,Concepto,Importe', (text) => `Caja,2026-11-20,"${text}",10`),
    ],
  ])('is measured as a text after it was cleaned, in %s', async (_door, sendTo) => {
    const fixture = await signIn(fresh.db);
    const send = sendTo((await addFund(fresh.db, { nombre: 'Caja' })).id);
    for (const text of asLong) expect([text, (await send(fixture, text)).refused]).toEqual([text, undefined]);
    for (const text of asLong)
      expectRefused(await send(fixture, `${text}z`), /^Concepto: máximo 300 caracteres\.$/, 'invalid');
  });
});
