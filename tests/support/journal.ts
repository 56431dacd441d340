import fc from 'fast-check';
import type { Db } from '../../db/schema.ts';
import { type MonthlyJournal, readJournal } from '../../server/services/fiscal/journal.ts';
import { createMovement } from '../../server/services/petty-cash/movements.ts';
import { addDays, type PlainDate } from '../../shared/dates.ts';
import type { Cents } from '../../shared/money.ts';
import { monthPeriodOf } from '../../shared/periods.ts';
import { addFund, createExpenseValues } from './petty-cash.ts';
import {
  addActor,
  addCreditNote,
  addFundingSource,
  addInvoice,
  addPayment,
  addSupplier,
  DAY,
} from './rows.ts';

export const JOURNAL_MONTHS = ['2026-08', '2026-09', '2026-10', '2026-11'] as const;
const FIRST_DAY = '2026-08-01';
const OPENED_ON = '2026-08-20';

export const readJournalOfMonth = (db: Db, mes: string): Promise<MonthlyJournal> =>
  readJournal(db, monthPeriodOf(`${mes}-01`), DAY.timeZone);

export const sumAccount = (journals: readonly MonthlyJournal[], account: string): Cents =>
  journals
    .flatMap(({ rows }) => rows)
    .reduce((sum, row) => sum + (row.account === account ? row.cents : 0), 0);

const day = fc.integer({ min: 0, max: 111 }).map((days) => addDays(FIRST_DAY, days));

/** `share` is how many hundredths of the rest are paid. */
const arbitrarySettlement = fc.record({
  day,
  share: fc.constantFrom(1, 7, 33, 50, 99, 100),
  kind: fc.constantFrom('pago', 'pago', 'pago', 'credito'),
  source: fc.nat(2),
  bankDifference: fc.constantFrom(0, 0, -137, 25_001),
  noteTax: fc.constantFrom(0, 13, 14),
  noteWithheld: fc.constantFrom(0, 0, 11),
});

const arbitraryInvoice = fc.record({
  subtotalCents: fc.integer({ min: 100, max: 90_000_000 }),
  tasa: fc.constantFrom(0, 80_000, 160_000),
  otrosimpuestosCents: fc.constantFrom(0, 0, 1, 4_321),
  withheld: fc.constantFrom(0, 0, 4, 10),
  fechaemision: fc.option(day, { freq: 5 }),
  captured: day,
  settlements: fc.array(arbitrarySettlement, { maxLength: 5 }),
});

const arbitraryMovement = fc.record({
  fecha: day.filter((one) => one >= OPENED_ON),
  importeCents: fc.integer({ min: 100, max: 40_000 }),
  kind: fc.constantFrom('cfdi', 'nota', 'devolucion', 'ajuste'),
  withSource: fc.boolean(),
});

export const arbitraryCompany = fc.record({
  invoices: fc.array(arbitraryInvoice, { minLength: 3, maxLength: 12 }),
  movements: fc.array(arbitraryMovement, { maxLength: 8 }),
});

export type RandomCompany = typeof arbitraryCompany extends fc.Arbitrary<infer Company> ? Company : never;

/** Payments leave a bank, the fund or no known origin. @returns the id of the fund */
export async function storeCompany(db: Db, { invoices, movements }: RandomCompany): Promise<number> {
  const { userId } = await addActor(db);
  const holder = await addActor(db, { roles: [6] });
  const [bank, ofFund] = [await addFundingSource(db), await addFundingSource(db)];
  const fund = await addFund(db, {
    ...{ responsableId: holder.userId, origenderecursoId: bank, pagosOrigenId: ofFund },
    ...{ openedOn: OPENED_ON, aperturaCents: 90_000_000_000 },
  });
  for (const { withheld, captured, settlements, ...part } of invoices) {
    const supplierId = await addSupplier(db);
    const retencionesCents = Math.floor((part.subtotalCents * withheld) / 100);
    const createdAt = `${captured}T23:30:00.000Z`;
    const id = await addInvoice(db, { ...part, retencionesCents, supplierId, createdAt });
    const { totalCents } = await db
      .selectFrom('invoices')
      .select('totalCents')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    let owed = totalCents;
    for (const {
      day: paymentdate,
      share,
      kind,
      source,
      bankDifference,
      noteTax,
      noteWithheld,
    } of settlements) {
      const amountCents = Math.ceil((owed * share) / 100);
      if (amountCents === 0) continue;
      owed -= amountCents;
      const about = { facturaproveedorId: id, amountCents, userId, paymentdate };
      if (kind === 'pago')
        await addPayment(db, {
          ...{ ...about, origenderecursoId: [bank, ofFund, null][source]! },
          importebancoCents: bankDifference && amountCents > 137 ? amountCents + bankDifference : null,
        });
      else
        await addPayment(db, {
          ...{ ...about, kind: 'credito' as const },
          creditNoteId: await addCreditNote(db, {
            ...{ supplierId, userId, fecha: paymentdate, totalCents: amountCents + 17 },
            ivaCents: Math.floor((amountCents * noteTax) / 100),
            retencionesCents: Math.floor((amountCents * noteWithheld) / 100),
          }),
        });
    }
  }
  for (const { fecha, importeCents, kind, withSource } of movements)
    await storeMovement(db, { fundId: fund.id, fecha, importeCents, kind, source: withSource ? bank : null });
  return fund.id;
}

async function storeMovement(
  db: Db,
  part: { fundId: number; fecha: PlainDate; importeCents: Cents; kind: string; source: number | null },
): Promise<void> {
  const { fundId, fecha, importeCents, kind, source } = part;
  if (kind === 'cfdi' || kind === 'nota') {
    const ivaCents = Math.floor(importeCents / 8);
    const tax = { ivaCents, subtotalCents: importeCents - ivaCents };
    const expense = createExpenseValues({ fecha, importeCents, comprobante: kind, ...tax });
    await createMovement(db, await addActor(db), fundId, expense);
    return;
  }
  const { id: _id, ...opening } = await db
    .selectFrom('petty_cash_movements')
    .selectAll()
    .where('fundId', '=', fundId)
    .where('tipo', '=', 'apertura')
    .executeTakeFirstOrThrow();
  const isReturn = kind === 'devolucion';
  const cents = isReturn ? importeCents : -importeCents;
  await db
    .insertInto('petty_cash_movements')
    .values({
      ...{ ...opening, fecha, tipo: isReturn ? 'devolucion' : 'ajuste', replenishmentId: null },
      ...{ origenderecursoId: isReturn ? source : null, importeCents: cents, subtotalCents: cents },
    } as never)
    .execute();
}
