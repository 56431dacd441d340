import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import { readBalances } from '../../../../server/services/balances/balances.ts';
import { sumInvoices } from '../../../../server/services/invoices/sums.ts';
import {
  readSupplierStatement,
  type SupplierStatement,
  type SupplierStatementQuery,
} from '../../../../server/services/statements/supplier-statement.ts';
import { AGING_BANDS } from '../../../../shared/aging.ts';
import { addDays, type PlainDate } from '../../../../shared/dates.ts';
import { pendingOf } from '../../../../shared/invoices.ts';
import { addCompany, arbitraryCompany } from '../../../support/companies.ts';
import { openFreshDatabase } from '../../../support/databases.ts';
import { chooseRunCount, describeEachInLongLane } from '../../../support/proofs.ts';
import { addInvoice, addJob, addPayment, addSupplier, addUser, TODAY } from '../../../support/rows.ts';

const day = { today: TODAY, timeZone: 'America/Mexico_City' };

describeEachInLongLane('the estado de cuenta', (fresh) => {
  it('begins with the opening balance, lists the movements, and ends with the closing balance', async () => {
    const { db } = fresh;
    const { supplierId, jobId, userId } = await addBasics(db);
    const invoice = (numfactura: string, fechaemision: PlainDate, subtotalCents: number) =>
      addInvoice(db, { supplierId, jobId, numfactura, fechaemision, subtotalCents });
    const old = await invoice('A-1', '2026-09-01', 1000_00);
    const later = await invoice('A-2', '2026-10-15', 2000_00);
    const pay = (facturaproveedorId: number, paymentdate: PlainDate, amountCents: number) =>
      addPayment(db, { facturaproveedorId, paymentdate, amountCents, userId });
    await pay(old, '2026-09-10', 160_00);
    await pay(old, '2026-10-20', 1000_00);
    await pay(later, '2026-11-30', 320_00);
    const statement = await readSupplierStatement(db, { supplierId, desde: '2026-10-01' }, day);
    expect(statement).toMatchObject({
      openingCents: 1000_00,
      chargeCents: 2320_00,
      creditCents: 1000_00,
      closingCents: 2320_00,
    });
    expect(statement.lines.map(({ date, kind, balanceCents }) => [date, kind, balanceCents])).toEqual([
      ['2026-10-15', 'factura', 3320_00],
      ['2026-10-20', 'pago', 2320_00],
    ]);
    expect(statement.owed).toMatchObject([{ invoiceId: later, pendingCents: 2320_00 }]);
  });

  it('counts a payment before its invoice on the day of the invoice', async () => {
    const { db } = fresh;
    const { supplierId, jobId, userId } = await addBasics(db);
    const id = await addInvoice(db, {
      supplierId,
      jobId,
      fechaemision: '2026-10-15',
      subtotalCents: 1000_00,
    });
    await addPayment(db, { facturaproveedorId: id, paymentdate: '2026-10-01', amountCents: 500_00, userId });
    const before = await readSupplierStatement(db, { supplierId, hasta: '2026-10-14' }, day);
    expect(before).toMatchObject({ lines: [], closingCents: 0 });
    const after = await readSupplierStatement(db, { supplierId, desde: '2026-10-15' }, day);
    expect(after.lines.map(({ date, kind }) => [date, kind])).toEqual([
      ['2026-10-15', 'factura'],
      ['2026-10-15', 'pago'],
    ]);
    expect(after).toMatchObject({ openingCents: 0, closingCents: 660_00 });
  });

  it('of a supplier with very many invoices has the same last lines, found by their days', async () => {
    const { db } = fresh;
    const { supplierId, jobId, userId } = await addBasics(db);
    const other = await addSupplier(db);
    for (let n = 0; n < 40; n++) {
      const fechaemision = addDays('2026-10-01', n);
      const id = await addInvoice(db, { supplierId, jobId, fechaemision, subtotalCents: 1000_00 });
      // Payments before the invoice, long after it, and in the future.
      const paymentdate = addDays(fechaemision, [-60, 0, 25, 60][n % 4]!);
      await addPayment(db, { facturaproveedorId: id, paymentdate, amountCents: 100_00, userId });
      const foreign = await addInvoice(db, { supplierId: other, jobId, fechaemision });
      await addPayment(db, { facturaproveedorId: foreign, paymentdate, amountCents: 1_00, userId });
    }
    for (const hasta of ['2026-10-20', '2026-11-09', TODAY, '2027-02-01'] as const) {
      const whole = await readSupplierStatement(db, { supplierId, hasta }, day);
      requireTied(whole);
      for (const most of [1, 5, 10, 40, 100]) await requireSameEnd(db, { supplierId, hasta }, whole, most);
    }
  });

  it('refuses a period that ends before it begins, and an unknown supplier', async () => {
    const { supplierId } = await addBasics(fresh.db);
    const asked = { supplierId, desde: '2026-11-02', hasta: '2026-11-01' };
    await expect(readSupplierStatement(fresh.db, asked, day)).rejects.toMatchObject({ code: 'bad_period' });
    await expect(readSupplierStatement(fresh.db, { supplierId: 99 }, day)).rejects.toMatchObject({
      kind: 'not-found',
    });
  });

  it('agrees with the balance report and the list, for any company and day', {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryCompany(), days(), days(), async (company, one, other) => {
        const { db, close } = await openFreshDatabase(fresh.dialect);
        try {
          await addCompany(db, company);
          const [from, to] = [one, other].sort() as [PlainDate, PlainDate];
          for (const index of company.suppliers.keys()) await requireTrue(db, index + 1, from, to);
        } finally {
          await close();
        }
      }),
      { numRuns: chooseRunCount(4, 40) },
    );
  });
});

async function addBasics(db: Db) {
  const supplierId = await addSupplier(db);
  return { supplierId, jobId: await addJob(db), userId: (await addUser(db)).id };
}

const days = () => fc.integer({ min: -400, max: 40 }).map((away) => addDays(TODAY, away));

async function requireTrue(db: Db, supplierId: number, from: PlainDate, to: PlainDate): Promise<void> {
  const whole = await readSupplierStatement(db, { supplierId, hasta: to }, day);
  requireTied(whole);
  const { total } = await readBalances(db, { supplierId, corte: to }, day);
  expect(whole.closingCents).toBe(total.totalCents);
  const open = await sumInvoices(db, { supplierId, corte: to, status: 'por-pagar' }, day);
  expect(whole.closingCents).toBe(pendingOf(open));
  for (const most of [1, 4]) await requireSameEnd(db, { supplierId, hasta: to }, whole, most);
  const part = await readSupplierStatement(db, { supplierId, desde: from, hasta: to }, day);
  requireTied(part);
  await requireSameEnd(db, { supplierId, desde: from, hasta: to }, part, 2);
  const before = await readSupplierStatement(db, { supplierId, hasta: addDays(from, -1) }, day);
  expect([part.openingCents, part.closingCents]).toEqual([before.closingCents, whole.closingCents]);
}

/** A limited statement is the end of the complete one, with the same balances. */
async function requireSameEnd(
  db: Db,
  query: SupplierStatementQuery,
  whole: SupplierStatement,
  most: number,
): Promise<void> {
  const { lines, omittedCount, ...rest } = await readSupplierStatement(db, query, day, most);
  // An exchange difference belongs to its payment and is not counted.
  const starts = whole.lines.flatMap(({ kind }, index) => (kind === 'diferencia' ? [] : index));
  expect(lines).toEqual(whole.lines.slice(starts.slice(-most)[0] ?? 0));
  expect(omittedCount).toBe(Math.max(0, starts.length - most));
  const { lines: _lines, omittedCount: _omitted, ...all } = whole;
  expect(rest).toEqual(all);
}

/** opening + Σ cargo − Σ abono = closing = Σ ageing; the running balance holds on every line. */
function requireTied({ openingCents, lines, closingCents, aging, owed }: SupplierStatement): void {
  let balance = openingCents;
  for (const { chargeCents, creditCents, balanceCents } of lines) {
    balance += chargeCents - creditCents;
    expect(balanceCents).toBe(balance);
    expect(balance).toBeGreaterThanOrEqual(0);
  }
  expect(balance).toBe(closingCents);
  expect(AGING_BANDS.reduce((sum, { cents }) => sum + aging[cents], 0)).toBe(closingCents);
  expect(owed.reduce((sum, { pendingCents }) => sum + pendingCents, 0)).toBe(closingCents);
}
