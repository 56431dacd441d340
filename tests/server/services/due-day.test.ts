import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Db } from '../../../db/schema.ts';
import { readBalances } from '../../../server/services/balances/balances.ts';
import { readDashboard } from '../../../server/services/balances/dashboard.ts';
import { sumOpenByDueDay } from '../../../server/services/invoices/open-sums.ts';
import { type InvoiceFilter, searchInvoices } from '../../../server/services/invoices/reading.ts';
import { sumInvoices } from '../../../server/services/invoices/sums.ts';
import { createDueNotices } from '../../../server/services/notices/notices.ts';
import { addDays, mondayOf } from '../../../shared/dates.ts';
import {
  dueText,
  type Invoice,
  pendingOf,
  STATUS_FILTERS,
  type StatusFilter,
  statusOf,
} from '../../../shared/invoices.ts';
import { describeEachInLongLane } from '../../support/proofs.ts';
import { addInvoice, addJob, addPayment, addSupplier, addUser, TODAY } from '../../support/rows.ts';

/** The Sunday of the week of TODAY, a Friday. */
const SUNDAY = addDays(TODAY, 2);

const days = fc.integer({ min: -12, max: 40 }).map((distance) => addDays(TODAY, distance));
const dayOrNone = fc.option(days, { nil: null, freq: 2 });
const invoices = fc.record({
  supplier: fc.nat({ max: 2 }),
  fechavencimiento: dayOrNone,
  fecharecepcion: dayOrNone,
  fechaemision: fc.option(fc.constantFrom('2026-10-20', '2026-11-10', TODAY), { nil: null, freq: 2 }),
  createdAt: fc.constantFrom(
    '2026-11-02T05:59:00.000Z',
    '2026-11-16T06:00:00.000Z',
    '2026-11-20T17:00:00.000Z',
  ),
  /** halves of the total */
  paid: fc.nat({ max: 2 }),
});

describeEachInLongLane('the due day', (fresh) => {
  it('is the same for status, list, bell, dashboard and balance report, to the cent', async () => {
    const { db } = fresh;
    const suppliers: number[] = [];
    for (const diascredito of [0, 8, 30]) suppliers.push(await addSupplier(db, { diascredito }));
    const jobId = await addJob(db);
    const { id: userId } = await addUser(db);
    await fc.assert(
      fc.asyncProperty(fc.array(invoices, { minLength: 1, maxLength: 12 }), async (drafts) => {
        await db.deleteFrom('payments').execute();
        await db.deleteFrom('invoices').execute();
        for (const [index, { supplier, paid, ...parts }] of drafts.entries()) {
          const subtotalCents = 100_000 + 100 * index;
          const invoiceId = await addInvoice(db, {
            ...parts,
            jobId,
            supplierId: suppliers[supplier]!,
            subtotalCents,
          });
          const amountCents = paid * (58_000 + 58 * index);
          if (paid > 0) await addPayment(db, { facturaproveedorId: invoiceId, amountCents, userId });
        }
        const { rows: all } = await searchInvoices(db, { limit: 100 }, day);
        await expectStatuses(db, all);
        await expectBell(db, all);
        await expectWeeks(db);
      }),
      { numRuns: 12 },
    );
  });

  it('is reported as an estimate if it was computed, and is overdue like any other', async () => {
    const { db } = fresh;
    const supplierId = await addSupplier(db, { diascredito: 15 });
    const part = { supplierId, fechaemision: '2026-11-01' };
    const texts = async (parts: object) => {
      await addInvoice(db, { ...part, ...parts });
      const found = await searchInvoices(db, { limit: 1, direction: 'desc' }, day);
      const [invoice] = found.rows;
      return [invoice!.vence, statusOf(invoice!, TODAY), dueText(invoice!, TODAY)];
    };
    expect(await texts({})).toEqual(['2026-11-16', 'vencida', 'Vencida hace 4 días (estimado)']);
    const received = { fecharecepcion: '2026-11-10', paidCents: 1 };
    expect(await texts(received)).toEqual(['2026-11-25', 'parcial', 'Vence en 5 días (SEM 48) (estimado)']);
    expect(await texts({ fechavencimiento: '2026-11-21' })).toEqual([
      '2026-11-21',
      'pendiente',
      'Vence mañana',
    ]);
    expect(await texts({ fechaemision: null })).toEqual([TODAY, 'pendiente', 'Vence hoy (estimado)']);
    expect(await texts({ paidCents: 116_000 })).toEqual(['2026-11-16', 'pagada', 'Pagada']);
    const counts = STATUS_FILTERS.map(async (status) => (await sumInvoices(db, { status }, day)).count);
    expect(Object.fromEntries((await Promise.all(counts)).map((n, i) => [STATUS_FILTERS[i], n]))).toEqual({
      pendiente: 2,
      parcial: 1,
      pagada: 1,
      vencida: 1,
      'sin-vencimiento': 3,
      'por-pagar': 4,
      'sin-programar': 4,
    });
  });
});

const day = { today: TODAY, timeZone: 'America/Mexico_City' };

function belongs(invoice: Invoice, status: StatusFilter): boolean {
  if (status === 'por-pagar' || status === 'sin-programar') return pendingOf(invoice) > 0;
  if (status === 'sin-vencimiento') return pendingOf(invoice) > 0 && invoice.fechavencimiento === null;
  return statusOf(invoice, TODAY) === status;
}

async function expectStatuses(db: Db, all: readonly Invoice[]): Promise<void> {
  for (const status of STATUS_FILTERS) {
    const { rows: invoices } = await searchInvoices(db, { status, limit: 100 }, day);
    const expected = all.filter((invoice) => belongs(invoice, status));
    expect([status, invoices.map(({ id }) => id)]).toEqual([status, expected.map(({ id }) => id)]);
  }
}

async function expectBell(db: Db, all: readonly Invoice[]): Promise<void> {
  const notices = createDueNotices(await sumOpenByDueDay(db), day);
  const open = all.filter((invoice) => pendingOf(invoice) > 0);
  const late = open.filter(({ vence }) => vence < TODAY).length;
  const soon = open.filter(({ vence }) => vence >= TODAY && vence <= SUNDAY).length;
  expect(notices.map(({ count }) => count)).toEqual([late, soon].filter((count) => count > 0));
  for (const { label, href } of notices) {
    const filter = Object.fromEntries(new URL(href, 'http://saldo.test').searchParams) as InvoiceFilter;
    const sum = await sumInvoices(db, filter, day);
    expect(label).toContain(moneyOf(sum));
  }
}

const moneyOf = (sums: { totalCents: number; paidCents: number }): string =>
  `$${(pendingOf(sums) / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`;

/** Each column of the report and each week of the dashboard has the sum of the invoice list filtered by its days. */
async function expectWeeks(db: Db): Promise<void> {
  const { columns, total, rows } = await readBalances(db, {}, day);
  const { weeks, overdue, thisWeek, later, open } = await readDashboard(db, day);
  const pending = async (filter: InvoiceFilter) =>
    pendingOf(await sumInvoices(db, { ...filter, corte: TODAY }, day));
  for (const { key, from, to } of columns)
    expect([key, total.amounts[key] ?? 0]).toEqual([
      key,
      await pending({ status: 'por-pagar', venceDesde: from, venceHasta: to }),
    ]);
  for (const { column, sumCents } of weeks)
    expect([column.key, sumCents]).toEqual([
      column.key,
      await pending({ status: 'por-pagar', venceDesde: column.from, venceHasta: column.to }),
    ]);
  const earlier = total.amounts[columns[0]!.key] ?? 0;
  const sinceMonday = { venceDesde: mondayOf(TODAY), venceHasta: addDays(TODAY, -1) };
  expect(overdue.sumCents).toBe(earlier + (await pending({ status: 'por-pagar', ...sinceMonday })));
  expect(overdue.sumCents).toBe(await pending({ status: 'vencida' }));
  const untilSunday = { venceDesde: TODAY, venceHasta: SUNDAY };
  expect(thisWeek.sumCents).toBe(await pending({ status: 'por-pagar', ...untilSunday }));
  const parts = [overdue, thisWeek, ...weeks, later];
  expect(parts.reduce((sum, { sumCents }) => sum + sumCents, 0)).toBe(open.sumCents);
  expect(open.sumCents).toBe(total.totalCents);
  for (const { isSummary, fechavencimiento, vencimientoEstimado, invoiceId } of rows) {
    if (isSummary) continue;
    const stored = await db
      .selectFrom('invoices')
      .selectAll()
      .where('id', '=', invoiceId!)
      .executeTakeFirst();
    expect([fechavencimiento, vencimientoEstimado]).toEqual([
      stored!.vence,
      stored!.fechavencimiento === null,
    ]);
  }
}
