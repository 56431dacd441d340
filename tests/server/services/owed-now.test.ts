import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Db } from '../../../db/schema.ts';
import { readBalances } from '../../../server/services/balances/balances.ts';
import { readDashboard } from '../../../server/services/balances/dashboard.ts';
import { readSupplierDebts } from '../../../server/services/catalogs/figures.ts';
import { sumOpenByDueDay } from '../../../server/services/invoices/open-sums.ts';
import { sumInvoices } from '../../../server/services/invoices/sums.ts';
import { createDueNotices } from '../../../server/services/notices/notices.ts';
import { readSupplierStatement } from '../../../server/services/statements/supplier-statement.ts';
import { addDays, type PlainDate } from '../../../shared/dates.ts';
import { pendingOf, type StatusFilter } from '../../../shared/invoices.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import type { BatchState } from '../../../shared/payment-batches.ts';
import { createTestApp } from '../../support/app.ts';
import { addBatch } from '../../support/batches.ts';
import { openFreshDatabase } from '../../support/databases.ts';
import { readPage } from '../../support/page.ts';
import { chooseRunCount, describeEachInLongLane } from '../../support/proofs.ts';
import {
  addActor,
  addFundingSource,
  addInvoice,
  addJob,
  addPayment,
  addSupplier,
  addUser,
  DAY,
  TODAY,
} from '../../support/rows.ts';
import { readRow } from '../../support/stored.ts';

const SUPPLIERS = 2;

/** All days are near today, so that past, present and future occur in every combination. */
const days = () => fc.integer({ min: -9, max: 9 }).map((count) => addDays(TODAY, count));

const invoiceParts = () =>
  fc.record({
    supplier: fc.nat(SUPPLIERS - 1),
    issued: fc.option(days()),
    due: fc.option(days()),
    subtotal: fc.integer({ min: 10, max: 900_000 }),
    payments: fc.array(fc.record({ date: days(), share: fc.constantFrom(0.3, 0.5) }), { maxLength: 2 }),
    batch: fc.option(
      fc.record({ date: days(), estado: fc.constantFrom<BatchState>('borrador', 'enviada', 'pagada') }),
    ),
  });

/** An invoice as it was created; the test computes its debt from this. */
interface CreatedInvoice {
  id: number;
  supplierId: number;
  issued: PlainDate;
  vence: PlainDate;
  total: Cents;
  paid: { date: PlainDate; cents: Cents }[];
  committed: Cents;
}

const sum = (amounts: readonly Cents[]): Cents => amounts.reduce((all, cents) => all + cents, 0);

const owedNow = ({ total, paid }: CreatedInvoice): Cents => total - sum(paid.map(({ cents }) => cents));

const owedAt = ({ issued, total, paid }: CreatedInvoice, day: PlainDate): Cents =>
  issued > day ? 0 : total - sum(paid.filter(({ date }) => date <= day).map(({ cents }) => cents));

const later = ({ paid }: CreatedInvoice, day: PlainDate): Cents =>
  sum(paid.filter(({ date }) => date > day).map(({ cents }) => cents));

async function addAll(
  db: Db,
  parts: readonly (typeof invoiceParts extends () => fc.Arbitrary<infer T> ? T : never)[],
) {
  const { id: userId } = await addUser(db);
  const people = { author: await addActor(db, { roles: [6] }), approver: await addActor(db, { roles: [1] }) };
  const [origenderecursoId, jobId] = [await addFundingSource(db), await addJob(db)];
  const suppliers: number[] = [];
  for (let index = 0; index < SUPPLIERS; index++) suppliers.push(await addSupplier(db));
  const made: CreatedInvoice[] = [];
  for (const { supplier, issued, due, subtotal, payments, batch } of parts) {
    const supplierId = suppliers[supplier]!;
    const id = await addInvoice(db, {
      ...{ supplierId, jobId, fechaemision: issued, fechavencimiento: due },
      subtotalCents: subtotal,
    });
    const { totalCents: total, vence } = await readRow(db, 'invoices', { id }, ['totalCents', 'vence']);
    const invoice: CreatedInvoice = {
      id,
      supplierId,
      issued: issued ?? TODAY,
      vence,
      total,
      paid: [],
      committed: 0,
    };
    for (const { date, share } of payments) {
      const cents = Math.max(1, Math.floor(total * share));
      await addPayment(db, { facturaproveedorId: id, amountCents: cents, userId, paymentdate: date });
      invoice.paid.push({ date, cents });
    }
    const left = owedNow(invoice);
    if (batch && left > 0) {
      const { date: fecha, estado } = batch;
      await addBatch(db, { ...people, estado, fecha, invoiceIds: [id], origenderecursoId });
      if (estado === 'pagada') invoice.paid.push({ date: fecha, cents: left });
      else invoice.committed = left;
    }
    made.push(invoice);
  }
  return { made, suppliers };
}

describeEachInLongLane('the amount owed', (fresh) => {
  it('is the same now on list, bell, dashboard and suppliers, and as of a day on Saldos, statement and list', {
    timeout: 300_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(invoiceParts(), { minLength: 1, maxLength: 6 }),
        days(),
        async (parts, corte) => {
          const { db, close } = await openFreshDatabase(fresh.dialect);
          try {
            const { made, suppliers } = await addAll(db, parts);
            await requireNow(db, made, suppliers);
            for (const day of new Set([TODAY, corte])) await requireAt(db, made, suppliers, day);
            await requireTicks(db, made);
          } finally {
            await close();
          }
        },
      ),
      { numRuns: chooseRunCount(5, 40, 300) },
    );
  });

  it('is not requested again if it was paid with a later date: neither late, nor to be ticked in Saldos', async () => {
    const { db } = fresh;
    const [supplierId, jobId] = [await addSupplier(db), await addJob(db)];
    const { id: userId } = await addUser(db);
    const of = { supplierId, jobId, fechaemision: '2026-10-01', fechavencimiento: '2026-11-10' };
    const paid = await addInvoice(db, { ...of, numfactura: 'A-2301' });
    await addInvoice(db, { ...of, numfactura: 'A-2302' });
    const tomorrow = addDays(TODAY, 1);
    await addPayment(db, {
      ...{ facturaproveedorId: paid, amountCents: 1160_00, userId },
      paymentdate: tomorrow,
    });
    const client = await createTestApp({ db }).as(1);
    const balances = await readPage(client.get('/reporte-saldos'));
    expect(await (await client.get('/notificaciones/campana')).text()).toContain(
      '1 factura vencida por $1,160.00',
    );
    expect(balances.decodedHtml).toMatch(/A-2301<\/a> [^<]* <span class="chip done">Pagada<\/span>/);
    expect(balances.decodedHtml).not.toContain('aria-label="Marcar A-2301"');
    expect(balances.decodedHtml).toContain('aria-label="Marcar A-2302"');
    const paidLater = `/pagos-proveedores?paymentdateDesde=${tomorrow}&kind=pago`;
    expect(balances.links('$1,160.00')).toContain(paidLater);
    const statement = await readPage(client.get(`/estado-cuenta/${supplierId}`));
    expect(statement.decodedHtml).toContain(
      '$2,320.00</a> = pendiente de la lista de facturas al viernes 20 de noviembre de 2026',
    );
    expect(statement.links('$1,160.00')).toContain(
      `/pagos-proveedores?supplierId=${supplierId}&paymentdateDesde=${tomorrow}&kind=pago`,
    );
  });
});

async function requireNow(
  db: Db,
  made: readonly CreatedInvoice[],
  suppliers: readonly number[],
): Promise<void> {
  const open = made.filter((one) => owedNow(one) > 0);
  const late = open.filter(({ vence }) => vence < TODAY);
  const [owed, overdue] = [open, late].map((of) => ({ count: of.length, sumCents: sum(of.map(owedNow)) }));
  const listed = async (status: StatusFilter) => {
    const totals = await sumInvoices(db, { status }, DAY);
    return { count: totals.count, sumCents: pendingOf(totals) };
  };
  expect([await listed('por-pagar'), await listed('vencida')]).toEqual([owed, overdue]);
  const dashboard = await readDashboard(db, DAY);
  expect(dashboard.open).toEqual(owed);
  expect(dashboard.overdue).toMatchObject(overdue!);
  const parts = [dashboard.overdue, dashboard.thisWeek, ...dashboard.weeks, dashboard.later];
  expect(sum(parts.map(({ sumCents }) => sumCents))).toBe(owed!.sumCents);
  const bell = createDueNotices(await sumOpenByDueDay(db), DAY).find(({ key }) => key === 'vencidas');
  expect(bell?.count ?? 0).toBe(overdue!.count);
  if (bell) expect(bell.label).toContain(formatMoney(overdue!.sumCents));
  const figures = await readSupplierDebts(db, suppliers, TODAY);
  for (const supplierId of suppliers) {
    const own = sum(open.filter((one) => one.supplierId === supplierId).map(owedNow));
    expect(figures.get(supplierId)?.owedCents ?? 0).toBe(own);
    expect(dashboard.suppliers.find((one) => one.supplierId === supplierId)?.sumCents ?? 0).toBe(own);
  }
}

async function requireAt(
  db: Db,
  made: readonly CreatedInvoice[],
  suppliers: readonly number[],
  corte: PlainDate,
): Promise<void> {
  const at = (of: readonly CreatedInvoice[]) => sum(of.map((one) => owedAt(one, corte)));
  for (const maxRows of [Infinity, 2]) {
    const { total, later: named } = await readBalances(db, { corte }, DAY, { maxRows });
    expect(total.totalCents).toBe(at(made));
    expect(named.payments.sumCents).toBe(sum(made.map((one) => later(one, corte))));
  }
  expect(pendingOf(await sumInvoices(db, { status: 'por-pagar', corte }, DAY))).toBe(at(made));
  for (const supplierId of suppliers) {
    const own = made.filter((one) => one.supplierId === supplierId);
    expect((await readSupplierStatement(db, { supplierId, hasta: corte }, DAY)).closingCents).toBe(at(own));
  }
}

/** In Saldos the invoices that can be ticked are owed at the corte, owed now, and in no open batch. */
async function requireTicks(db: Db, made: readonly CreatedInvoice[]): Promise<void> {
  const client = await createTestApp({ db }).as(1);
  const { decodedHtml } = await readPage(client.get('/reporte-saldos'));
  const ticked = new Map(
    [...decodedHtml.matchAll(/<input[^>]*name="facturaproveedorId"[^>]*>/g)].map(([input]) => [
      Number(/value="(\d+)"/.exec(input)?.[1]),
      Number(/data-cents="(\d+)"/.exec(input)?.[1]),
    ]),
  );
  const room = made.flatMap((one): [number, Cents][] => {
    const cents = owedNow(one) - one.committed;
    return owedAt(one, TODAY) > 0 && cents > 0 ? [[one.id, cents]] : [];
  });
  expect(ticked).toEqual(new Map(room));
}
