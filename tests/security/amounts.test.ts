import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { dialectOf } from '../../db/open.ts';
import type { Db } from '../../db/schema.ts';
import { createTestApp, type TestClient } from '../support/app.ts';
import { addFund } from '../support/petty-cash.ts';
import { describeEachInLongLane, describeOneDatabase } from '../support/proofs.ts';
import { addInvoice, addJob, addSupplier, TODAY } from '../support/rows.ts';
import { readLastRow } from '../support/stored.ts';

/** Accepted amounts as JSON texts, and their cents. */
const ACCEPTED: Record<string, number> = {
  '1': 100,
  '5': 500,
  '0.01': 1,
  '0.1': 10,
  '0.10': 10,
  '1160.5': 116_050,
  '1160.50': 116_050,
  '1e3': 100_000,
  '1E+2': 10_000,
  '9999999999.99': 999_999_999_999,
  '"1"': 100,
  '"0.01"': 1,
  '".5"': 50,
  '"5."': 500,
  '"007"': 700,
  '"1.10"': 110,
  '"1.1000"': 110,
  '" 5"': 500,
  '"5 "': 500,
  '"\\u00a05"': 500,
  '"5\\n"': 500,
  '"$5"': 500,
  '"$ 5"': 500,
  '"1,000.00"': 100_000,
  '"1 000.00"': 100_000,
  '"$1,160.50"': 116_050,
  '"1,234,567.89"': 123_456_789,
  '"9,999,999,999.99"': 999_999_999_999,
};

/** JSON texts that every field of an amount refuses. */
const REFUSED_JSON: readonly string[] = [
  ...['true', 'false', '[]', '[5]', '["5"]', '{}', '{"$gt":0}', '{"valueOf":5}', '1e309', '-1e309', '1e-7'],
  ...['9007199254740992', '9007199254740993', '10000000000', '9999999999.999', '1e21'],
  ...['0.001', '1.005', '0.30000000000000004', '123456789012345680000', '-1', '-0.01', '-5.5'],
];

const REFUSED_TEXTS: readonly string[] = [
  ...['NaN', 'Infinity', '-Infinity', '1e309', '1e3', '0b1', '0o7', '1_000', '5n', 'abc', 'null5', 'true'],
  ...['1.005', '10000000000', '9007199254740992', '-5', '-$5', '5-', '5 0', '1  000', '1,16', '1,0000'],
  ...[',5', '5,', '1.2.3', '1,000,00', '1.000,50', '$', '$$5', '5$', '5%', '5 MXN', '٥', '５', '½', '1e'],
  ...['.', '-', '5;', "5'", '5\0'],
];

/** Operations, which forms compute and programs may not send. */
const REFUSED_OF_PROGRAMS: readonly string[] = ['0x10', '+5', '(5)', '--5'];

/** Only forms compute these. */
const OPERATIONS: Record<string, number> = {
  '1200*3+50': 365_000,
  '1,200*3+50': 365_000,
  '=100/3': 3333,
  '(1,000 + 250.50) / 2': 62_525,
  '$500×2': 100_000,
  '2*0.005': 1,
};

const INVOICE = ['subtotal', 'iva', 'otrosimpuestos', 'retenciones', 'total'] as const;

describeEachInLongLane('T32 · an amount', (fresh) => {
  it('sent to the API is accepted exactly as listed, and stored as an integer', async () => {
    const { bot, invoice, payment } = await prepare(fresh.db);
    let accepted = 0;
    for (const [json, cents] of Object.entries(ACCEPTED)) {
      const stored = await bot.post(
        '/api/facturaproveedores/newfacturaproveedor',
        invoice({ subtotal: json }),
      );
      // The largest subtotal leaves no room for its IVA.
      expect({ json, status: stored.status }).toEqual({ json, status: 201 });
      const { id } = await stored.json();
      expect(await storedOf(fresh.db, id)).toMatchObject({ subtotalCents: cents, type: 'integer' });
      const paid = await bot.post(
        '/api/payments/newpayment',
        payment({ facturaproveedorId: id, paymentamount: json }),
      );
      expect({ json, status: paid.status }).toEqual({ json, status: 201 });
      expect(await storedOf(fresh.db, id)).toMatchObject({ paidCents: cents, paymentType: 'integer' });
      for (const name of ['otrosimpuestos', 'retenciones'] as const) {
        const base = name === 'retenciones' ? '9999999999.99' : '1';
        const isTooMuch =
          name === 'otrosimpuestos' ? cents + 100 > 999_999_999_999 : cents >= 999_999_999_999;
        const answer = await bot.post(
          '/api/facturaproveedores/newfacturaproveedor',
          invoice({ subtotal: base, [name]: json }),
        );
        expect({ json, name, status: answer.status }).toEqual({ json, name, status: isTooMuch ? 422 : 201 });
      }
      accepted++;
    }
    console.info(`T32 API, ${dialectOf(fresh.db)}: ${accepted} written amounts accepted as listed`);
  });
});

describeOneDatabase('T32 · an amount', (fresh) => {
  it('that is invalid is refused by every field of the API, and nothing is stored', async () => {
    const { bot, invoice, payment, id } = await prepare(fresh.db);
    const before = await countOf(fresh.db);
    const texts = [...REFUSED_TEXTS, ...REFUSED_OF_PROGRAMS, ...Object.keys(OPERATIONS)];
    const refused = [...REFUSED_JSON, ...texts.map((text) => JSON.stringify(text))];
    for (const json of refused) {
      for (const name of INVOICE) {
        const body = invoice({ subtotal: '1000', [name]: json });
        const answer = await bot.post('/api/facturaproveedores/newfacturaproveedor', body);
        expect([400, 422], `${json} ${name}`).toContain(answer.status);
        const change = await bot.put(`/api/facturaproveedores/${id}`, `{"${name}":${json}}`);
        expect([400, 422], `${json} ${name}`).toContain(change.status);
      }
      const paid = await bot.post(
        '/api/payments/newpayment',
        payment({ facturaproveedorId: id, paymentamount: json }),
      );
      expect({ json, isRefused: [400, 422].includes(paid.status) }).toEqual({ json, isRefused: true });
      const total = await bot.put(`/api/facturaproveedores/${id}`, `{"totalamountpaid":${json}}`);
      expect({ json, isRefused: [400, 422].includes(total.status) }).toEqual({ json, isRefused: true });
    }
    expect(await countOf(fresh.db)).toEqual(before);
    console.info(`T32 API, ${dialectOf(fresh.db)}: ${refused.length} others refused by 7 fields`);
  });

  it('typed into a form is accepted in the same way, and may be an expression', async () => {
    const { as } = createTestApp({ db: fresh.db, config: { logLevel: 'error' } });
    const ana = await as([1]);
    const supplierId = await addSupplier(fresh.db);
    const jobId = await addJob(fresh.db);
    const texts = Object.entries(ACCEPTED).filter(([json]) => json.startsWith('"'));
    const typed = [
      ...texts.map(([json, cents]) => [JSON.parse(json) as string, cents] as const),
      ...Object.entries(OPERATIONS),
    ];
    let row = 0;
    for (const [text, cents] of typed) {
      const form = { supplierId, jobId, numfactura: `F-${row++}`, subtotal: text, tasa: '0' };
      const answer = await ana.form('/new-invoice', form);
      expect({ text, status: answer.status }).toEqual({ text, status: 303 });
      const last = await readLastRow(fresh.db, 'invoices', {}, ['id']);
      expect(await storedOf(fresh.db, last.id)).toMatchObject({ subtotalCents: cents, type: 'integer' });
      const paid = await ana.form('/new-payment', { facturaproveedorId: last.id, paymentamount: text });
      expect({ text, status: paid.status }).toEqual({ text, status: 303 });
      expect(await storedOf(fresh.db, last.id)).toMatchObject({ paidCents: cents, paymentType: 'integer' });
    }
    const ofAll = async () => (await addFund(fresh.db, { aperturaCents: 999_999_999_999 })).id;
    const movement = { tipo: 'devolucion', fecha: TODAY, concepto: 'Clavos' };
    for (const [text, cents] of typed) {
      const answer = await ana.form(`/caja-chica/${await ofAll()}/nuevo-movimiento`, {
        ...movement,
        importe: text,
      });
      expect({ text, status: answer.status }).toEqual({ text, status: 303 });
      expect(await lastMovement(fresh.db)).toEqual({ importeCents: cents, type: 'integer' });
    }
    const id = await addInvoice(fresh.db, { supplierId, jobId });
    const fund = await ofAll();
    const before = await countOf(fresh.db);
    for (const text of REFUSED_TEXTS) {
      const spent = await ana.form(`/caja-chica/${fund}/nuevo-movimiento`, { ...movement, importe: text });
      expect({ text, isRefused: [400, 422].includes(spent.status) }).toEqual({ text, isRefused: true });
      for (const name of ['subtotal', 'otrosimpuestos', 'retenciones']) {
        const form = { supplierId, jobId, subtotal: '1000', tasa: '16', [name]: text };
        const answer = await ana.form('/new-invoice', form);
        expect([400, 422], `${text} ${name}`).toContain(answer.status);
      }
      const paid = await ana.form('/new-payment', { facturaproveedorId: id, paymentamount: text });
      expect({ text, isRefused: [400, 422].includes(paid.status) }).toEqual({ text, isRefused: true });
    }
    expect(await countOf(fresh.db)).toEqual(before);
    console.info(
      `T32 forms, ${dialectOf(fresh.db)}: ${typed.length} accepted as listed, ${REFUSED_TEXTS.length} refused`,
    );
  });
});

describeEachInLongLane('T33 · IVA and total', (fresh) => {
  it('are refused if they are a cent off, and accepted if they equal what the server computes', async () => {
    const { bot, invoice, id } = await prepare(fresh.db);
    const before = await countOf(fresh.db);
    const create = (parts: object) =>
      bot.post(
        '/api/facturaproveedores/newfacturaproveedor',
        invoice({ subtotal: '1000', tasa: '16', ...parts }),
      );
    for (const parts of [
      { total: '1160.01' },
      { total: '1159.99' },
      { iva: '160.01' },
      { iva: '159.99' },
      { iva: '160.01', total: '1160.01' },
      { iva: '0', total: '1000' },
      { otrosimpuestos: '10', total: '1160' },
      { retenciones: '10', total: '1160' },
    ]) {
      expect({ parts, status: (await create(parts)).status }).toEqual({ parts, status: 422 });
      const change = await bot.put(
        `/api/facturaproveedores/${id}`,
        invoice({ subtotal: '1000', tasa: '16', ...parts }),
      );
      expect({ parts, status: change.status }).toEqual({ parts, status: 422 });
    }
    expect(await countOf(fresh.db)).toEqual(before);
    expect((await create({ iva: '160', total: '1160' })).status).toBe(201);
    expect((await create({ otrosimpuestos: '10', retenciones: '5', total: '1165' })).status).toBe(201);
  });
});

async function prepare(db: Db) {
  const { withToken } = createTestApp({ db, config: { logLevel: 'error' } });
  const bot: TestClient = await withToken([1]);
  const supplierId = await addSupplier(db);
  const jobId = await addJob(db);
  const id = await addInvoice(db, { supplierId, jobId });
  /** Builds JSON text by hand, so that a number is sent as it is written. */
  const json = (fields: object) =>
    `{${Object.entries(fields)
      .map(([name, value]) => `"${name}":${value}`)
      .join(',')}}`;
  return {
    bot,
    id,
    invoice: (parts: object) => json({ supplierId, jobId, tasa: 0, ...parts }),
    payment: json,
  };
}

function lastMovement(db: Db) {
  return db
    .selectFrom('petty_cash_movements')
    .select(['importeCents', typeOf(db, 'importeCents').as('type')])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

const typeOf = (db: Db, column: string) =>
  dialectOf(db) === 'sqlite'
    ? sql<string>`typeof(${sql.ref(column)})`
    : sql<string>`replace(pg_typeof(${sql.ref(column)})::text, 'bigint', 'integer')`;

async function storedOf(db: Db, id: number) {
  const invoice = await db
    .selectFrom('invoices')
    .select(['subtotalCents', 'paidCents'])
    .select(typeOf(db, 'subtotalCents').as('type'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const payment = await db
    .selectFrom('payments')
    .select(typeOf(db, 'amountCents').as('paymentType'))
    .where('facturaproveedorId', '=', id)
    .executeTakeFirst();
  return { ...invoice, ...payment };
}

async function countOf(db: Db) {
  const { invoices } = await db
    .selectFrom('invoices')
    .select(sql<string>`count(*) || ' ' || sum("totalCents") || ' ' || sum(version)`.as('invoices'))
    .executeTakeFirstOrThrow();
  const { payments } = await db
    .selectFrom('payments')
    .select(sql<number>`count(*)`.as('payments'))
    .executeTakeFirstOrThrow();
  const { movements } = await db
    .selectFrom('petty_cash_movements')
    .select(sql<number>`count(*)`.as('movements'))
    .executeTakeFirstOrThrow();
  return { invoices, payments: Number(payments), movements: Number(movements) };
}
