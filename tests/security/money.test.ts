import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../server/services/audit/audit.ts';
import { getRow } from '../../server/services/catalogs/reading.ts';
import { updateRow } from '../../server/services/catalogs/row-changes.ts';
import { checkDatabase } from '../../server/services/database/check.ts';
import { updateInvoice } from '../../server/services/invoices/invoices.ts';
import { getInvoice } from '../../server/services/invoices/reading.ts';
import { createPayment, updatePayment } from '../../server/services/payments/payments.ts';
import { getPayment } from '../../server/services/payments/reading.ts';
import { updateFund } from '../../server/services/petty-cash/funds.ts';
import { createMovement, updateMovement } from '../../server/services/petty-cash/movements.ts';
import { getFund, getMovement } from '../../server/services/petty-cash/reading.ts';
import { suppliers } from '../../shared/catalogs/suppliers.ts';
import { createTestApp } from '../support/app.ts';
import { describeEachDatabase, type TestDatabase } from '../support/databases.ts';
import { addFund, createExpenseValues } from '../support/petty-cash.ts';
import { chooseRunCount, describeInLongLane } from '../support/proofs.ts';
import { addActor, addInvoice, addJob, addPayment, addSupplier, addToken, addUser } from '../support/rows.ts';
import { type RunningServer, startServer } from '../support/server.ts';

const BEYOND = 'El total pagado no puede ser mayor que el total de la factura.';
const BELOW = 'El total no puede ser menor o igual a la suma de los pagos realizados.';
const CRASH = `--import ${join(import.meta.dirname, '../support/crash-before-answer.ts')}`;

/** The numbers of pairs for each of five kinds of rows, of races, and of attempted payments. */
const [PAIRS, RACES, ATTEMPTS] = [
  chooseRunCount(10, 200),
  chooseRunCount(60, 1000),
  chooseRunCount(400, 400, 10_000),
];

describeEachDatabase('money', (fresh) => {
  it('T34 · 50 equal requests at once, through two servers, pay once and get one answer', async () => {
    const { db } = fresh;
    const user = await addUser(db, { roles: [1, 3] });
    const facturaproveedorId = await addInvoice(db, {});
    const clients = await Promise.all(
      [db, fresh.database.openAgain().db].map((one) => createTestApp({ db: one }).as(user)),
    );
    const pay = (n: number, paymentamount: number) =>
      clients[n % 2]!.post(
        '/api/payments/newpayment',
        { facturaproveedorId, paymentamount },
        { headers: { 'idempotency-key': 'clic-doble' } },
      );
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => pay(n, 100)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1);
    expect(await stateOf(db)).toEqual({ payments: 1, paid: [10_000], entries: 1 });

    const other = await pay(0, 100.01);
    expect([other.status, await other.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'idempotency_key_reused' }),
    ]);
    expect(await stateOf(db)).toEqual({ payments: 1, paid: [10_000], entries: 1 });
  });

  it('T34 · a form that is sent 20 times, as by impatient clicks, pays once', async () => {
    const { db } = fresh;
    const client = await createTestApp({ db }).as([1]);
    const facturaproveedorId = await addInvoice(db, {});
    const form = { facturaproveedorId, paymentamount: '250', idempotencyKey: 'del-formulario' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.form('/new-payment', form)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
    expect(await stateOf(db)).toEqual({ payments: 1, paid: [25_000], entries: 1 });
  });

  it(`T36 · of two people who save the same version one is told, in ${5 * PAIRS} pairs`, async () => {
    const { db } = fresh;
    const connections = [db, fresh.database.openAgain().db] as const;
    const ana = await addActor(db);
    await inLanes(await editables(db, ana), async ({ edit, read }) => {
      for (let pair = 0; pair < PAIRS; pair++) {
        const { version } = await read(db);
        const texts = [`ana ${pair}`, `luis ${pair}`];
        const saves = await Promise.allSettled(
          connections.map((connection, n) => edit(connection, texts[n]!, version)),
        );
        const winner = saves.findIndex(({ status }) => status === 'fulfilled');
        const refusals = saves.flatMap((save) => (save.status === 'rejected' ? [save.reason] : []));
        expect(refusals, `pair ${pair}`).toEqual([expect.objectContaining({ kind: 'stale' })]);
        expect(JSON.stringify(refusals[0].extra.current)).toContain(texts[winner]);
        expect(await read(db)).toEqual({ version: version + 1, text: texts[winner] });
      }
    });
  });

  it(`T37 · a total that is lowered while a payment comes in never ends below what is paid, in ${RACES} races`, async () => {
    const { db } = fresh;
    const other = fresh.database.openAgain().db;
    const ana = await addActor(db);
    const [supplierId, jobId] = [await addSupplier(db), await addJob(db)];
    await inLanes([0, 1, 2, 3], async (lane) => {
      for (let race = lane; race < RACES; race += 4) {
        const facturaproveedorId = await addInvoice(db, { supplierId, jobId, numfactura: `R-${race}` });
        // The two alternate in order and in process.
        const isPaidFirst = race % 8 < 4;
        const [edits, pays] = isPaidFirst ? [db, other] : [other, db];
        // A payment runs more queries before it locks the invoice, so the edit waits for up to six queries.
        const lower = async () => {
          for (let look = 0; look < race % 7; look++) await getInvoice(edits, facturaproveedorId);
          return updateInvoice(edits, ana, facturaproveedorId, { subtotalCents: 50_000 });
        };
        const pay = () => createPayment(pays, ana, { facturaproveedorId, amountCents: 60_000 });
        // Only one of them fits: the invoice ends at 580.00 unpaid, or at 1,160.00 with 600.00 paid.
        const both = isPaidFirst ? [pay(), lower()] : [lower(), pay()];
        const results = await Promise.allSettled(both);
        const saved = results.filter(({ status }) => status === 'fulfilled');
        expect(saved, `race ${race}`).toHaveLength(1);
        // Refused by the rule; the database's CHECK would give no message for users.
        const messages = results.flatMap((one) => (one.status === 'rejected' ? [one.reason.message] : []));
        expect([BEYOND, BELOW], `race ${race}`).toContain(messages[0]);
      }
    });
    const { paid } = await stateOf(db);
    expect(new Set(paid)).toEqual(new Set([0, 60_000]));
    await expectSound(db);
  });
});

describeInLongLane('money, through servers,', (fresh) => {
  it('T34 · is paid once by a server that is killed between commit and answer, which says so when asked again', async () => {
    const { db } = fresh;
    const token = await addToken(db);
    const facturaproveedorId = await addInvoice(db, {});
    const pay = ({ url }: RunningServer) =>
      send(url, token, { facturaproveedorId, paymentamount: 300 }, { 'idempotency-key': 'reintento' });
    for (let crash = 1; crash <= chooseRunCount(1, 2); crash++) {
      const crashing = await serve(fresh, { NODE_OPTIONS: CRASH });
      const ended = once(crashing.process, 'exit');
      await expect(pay(crashing)).rejects.toThrow();
      expect(await ended).toEqual([null, 'SIGKILL']);
      // A repeated request whose answer is lost as well changes nothing either.
      expect(await stateOf(db)).toEqual({ payments: 1, paid: [30_000], entries: 1 });
    }
    const server = await serve(fresh);
    const [first, again] = [await pay(server), await pay(server)];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(await first.json()).toEqual(await again.json());
    expect(await stateOf(db)).toEqual({ payments: 1, paid: [30_000], entries: 1 });
  });

  it('T35 · paid through two of them adds up to what is owed and not a cent more', async () => {
    const { db } = fresh;
    const token = await addToken(db);
    const totals = [20_003, 20_005].map((cents) => cents * (ATTEMPTS / 400));
    const invoices: number[] = [];
    for (const totalCents of totals)
      invoices.push(await addInvoice(db, { subtotalCents: totalCents, tasa: 0, ivaCents: 0 }));
    const servers = await Promise.all([serve(fresh), serve(fresh)]);
    const refusals = new Set<string>();
    let accepted = 0;
    let next = 0;
    await Promise.all(
      Array.from({ length: 16 }, async (_, worker) => {
        for (let n = next++; n < ATTEMPTS; n = next++) {
          const cents = 300 + ((n * 7919) % 401);
          const answer = await send(servers[worker % 2]!.url, token, {
            facturaproveedorId: invoices[n % 2],
            paymentamount: cents / 100,
          });
          const { message } = (await answer.json()) as { message?: string };
          if (answer.status === 201) accepted += cents;
          else refusals.add(`${answer.status} ${message}`);
        }
      }),
    );
    expect([...refusals]).toEqual([`422 ${BEYOND}`]);
    const { paid, payments, entries } = await stateOf(db);
    expect(paid[0]! + paid[1]!).toBe(accepted);
    // Half the attempts, of 3 to 7 pesos each, leave no invoice with room for the smallest.
    for (const [n, cents] of paid.entries()) {
      expect(cents).toBeLessThanOrEqual(totals[n]!);
      expect(cents).toBeGreaterThan(totals[n]! - 300);
    }
    expect(entries).toBe(payments);
    await expectSound(db);
  });
});

const inLanes = <T>(lanes: readonly T[], work: (lane: T) => Promise<void>) => Promise.all(lanes.map(work));

interface Editable {
  edit(db: Db, text: string, version: number): Promise<unknown>;
  read(db: Db): Promise<{ version: number; text: string }>;
}

async function editables(db: Db, ana: Actor): Promise<Editable[]> {
  const invoice = await addInvoice(db, {});
  const payment = await addPayment(db, { facturaproveedorId: invoice, amountCents: 1, userId: ana.userId });
  const supplier = await addSupplier(db);
  const fund = await addFund(db);
  const { movement } = await createMovement(db, ana, fund.id, createExpenseValues());
  return [
    {
      edit: (at, comments, version) => updateInvoice(at, ana, invoice, { comments }, { version }),
      read: async (at) => textOf(await getInvoice(at, invoice), 'comments'),
    },
    {
      edit: (at, comments, version) => updatePayment(at, ana, payment, { comments }, { version }),
      read: async (at) => textOf(await getPayment(at, payment), 'comments'),
    },
    {
      edit: (at, suppliername, version) => updateRow(at, ana, suppliers, supplier, { suppliername }, version),
      read: async (at) => textOf(await getRow(at, suppliers, supplier), 'suppliername'),
    },
    {
      edit: (at, nombre, version) => updateFund(at, ana, fund.id, { nombre }, version),
      read: async (at) => textOf(await getFund(at, fund.id), 'nombre'),
    },
    {
      edit: (at, concepto, version) => updateMovement(at, ana, movement.id, { concepto }, version),
      read: async (at) => textOf(await getMovement(at, movement.id), 'concepto'),
    },
  ];
}

const textOf = (row: object, name: string) => {
  const { version, [name]: text } = row as Record<string, unknown>;
  return { version: Number(version), text: String(text) };
};

async function stateOf(db: Db) {
  const paid = await db.selectFrom('invoices').select('paidCents').orderBy('id').execute();
  const count = async (query: { execute(): Promise<unknown[]> }) => (await query.execute()).length;
  return {
    payments: await count(db.selectFrom('payments').select('id')),
    paid: paid.map(({ paidCents }) => paidCents),
    entries: await count(db.selectFrom('audit').select('id').where('entity', '=', 'payments')),
  };
}

async function expectSound(db: Db): Promise<void> {
  const { checks } = await checkDatabase(db);
  expect(checks.flatMap(({ problems }) => problems)).toEqual([]);
}

async function serve(fresh: TestDatabase, env: Record<string, string> = {}): Promise<RunningServer> {
  const server = await startServer({
    DATABASE_URL: fresh.database.url,
    SALDO_SECRET: 'un-secreto-solo-para-las-pruebas-0123456789',
    ...env,
  });
  onTestFinished(() => void server.process.kill('SIGKILL'));
  return server;
}

const send = (url: string, token: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/payments/newpayment`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-access-token': token, ...headers },
    body: JSON.stringify(body),
  });
