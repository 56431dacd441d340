import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import { readBalances } from '../../../../server/services/balances/balances.ts';
import { searchInvoices } from '../../../../server/services/invoices/reading.ts';
import { dueNotices, forgetNotices } from '../../../../server/services/notices.ts';
import { addDays } from '../../../../shared/dates.ts';
import { type Invoice, pendingOf, STATUS_FILTERS, statusOf } from '../../../../shared/invoices.ts';
import { countedDue, dueDay } from '../../../../shared/invoices-due.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { addInvoice, addJob, addSupplier, TODAY } from '../../../support/rows.ts';

/** The Sunday of the week of TODAY, a Friday. */
const SUNDAY = addDays(TODAY, 2);
const ZONES = ['America/Mexico_City', 'America/Tijuana', 'UTC', 'Pacific/Kiritimati'];

const days = fc.integer({ min: -12, max: 12 }).map((distance) => addDays(TODAY, distance));
const dayOrNone = fc.option(days, { nil: null, freq: 2 });
const invoices = fc.record({
  supplier: fc.nat({ max: 2 }),
  fechavencimiento: dayOrNone,
  fecharecepcion: dayOrNone,
  fechaemision: dayOrNone,
  createdAt: fc
    .tuple(days, fc.constantFrom('00:30', '05:59', '06:00', '10:30', '23:59'))
    .map(([day, time]) => `${day}T${time}:00.000Z`),
  paidCents: fc.constantFrom(0, 40_000, 116_000),
});

describeEachDatabase('the due day', (fresh) => {
  it('is the same to the database as to the program: status, list, bell and balance report', async () => {
    const { db } = fresh;
    const credit = [0, 8, 30];
    const suppliers: number[] = [];
    for (const diascredito of credit) suppliers.push(await addSupplier(db, { diascredito }));
    const jobId = await addJob(db);
    await fc.assert(
      fc.asyncProperty(
        fc.array(invoices, { minLength: 1, maxLength: 12 }),
        fc.constantFrom(...ZONES),
        async (drafts, timeZone) => {
          await db.deleteFrom('invoices').execute();
          for (const { supplier, ...parts } of drafts)
            await addInvoice(db, { ...parts, jobId, supplierId: suppliers[supplier]! });
          const all = await allInvoices(db);
          const open = all.filter((invoice) => pendingOf(invoice) > 0);
          await expectStatuses(db, all);
          await expectBell(db, open);
          // Of a late day, so that whenever an invoice was captured, it counts.
          const corte = addDays(TODAY, 20);
          const report = await readBalances(db, { corte }, { today: corte, timeZone });
          const told = report.rows
            .filter(({ isSummary }) => !isSummary)
            .map((row) => [
              row.invoiceId!,
              { due: row.fechavencimiento, estimated: row.vencimientoEstimado },
            ]);
          const expected = open.map((invoice) => {
            const days = credit[suppliers.indexOf(invoice.supplierId)]!;
            return [invoice.id, { due: dueDay(invoice, days), estimated: invoice.fechavencimiento === null }];
          });
          expect(Object.fromEntries(told)).toEqual(Object.fromEntries(expected));
        },
      ),
      { numRuns: 12 },
    );
  });
});

const day = { today: TODAY, timeZone: 'UTC' };

async function allInvoices(db: Db): Promise<Invoice[]> {
  return (await searchInvoices(db, { limit: 100 }, day)).invoices;
}

async function expectStatuses(db: Db, all: readonly Invoice[]): Promise<void> {
  for (const status of STATUS_FILTERS) {
    const { invoices } = await searchInvoices(db, { status, limit: 100 }, day);
    const expected = all.filter((invoice) =>
      status === 'por-pagar' ? pendingOf(invoice) > 0 : statusOf(invoice, TODAY) === status,
    );
    expect([status, invoices.map(({ id }) => id)]).toEqual([status, expected.map(({ id }) => id)]);
  }
}

async function expectBell(db: Db, open: readonly Invoice[]): Promise<void> {
  forgetNotices(db);
  const notices = await dueNotices(db, TODAY);
  const counted = open.map(countedDue).filter((due) => due !== null);
  const late = counted.filter((due) => due < TODAY).length;
  const soon = counted.filter((due) => due >= TODAY && due <= SUNDAY).length;
  expect(notices.map(({ count }) => count)).toEqual([late, soon].filter((count) => count > 0));
}
