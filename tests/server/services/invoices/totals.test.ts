import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import { backUpAndDeleteAllPayments } from '../../../../server/services/delete-all.ts';
import {
  createInvoice,
  deleteInvoice,
  updateInvoice,
} from '../../../../server/services/invoices/invoices.ts';
import { type InvoiceFilter, searchInvoices } from '../../../../server/services/invoices/reading.ts';
import { sumInvoices } from '../../../../server/services/invoices/sums.ts';
import {
  createPayment,
  deletePayment,
  restorePayment,
  updatePayment,
} from '../../../../server/services/payments/payments.ts';
import { type PaymentFilter, searchPayments } from '../../../../server/services/payments/reading.ts';
import { sumPayments } from '../../../../server/services/payments/sums.ts';
import { DomainError } from '../../../../shared/errors.ts';
import { STATUS_FILTERS } from '../../../../shared/invoices.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { chooseRunCount } from '../../../support/proofs.ts';
import {
  addActor,
  addFundingSource,
  addJob,
  addRubro,
  addSupplier,
  DAY,
  TODAY,
} from '../../../support/rows.ts';

const DAYS = ['2025-12-31', '2026-01-01', '2026-01-31', '2026-02-28', '2026-11-20', '2026-12-01'] as const;

const id = fc.integer({ min: 1, max: 4 });
const day = fc.constantFrom(...DAYS);

const filters = {
  supplierId: id,
  jobId: id,
  rubroId: fc.integer({ min: 0, max: 3 }),
  fechaemisionDesde: day,
  fechaemisionHasta: day,
  emision: fc.constant('sin' as const),
  capturaDesde: day,
  capturaHasta: day,
  clientId: id,
  status: fc.constantFrom(...STATUS_FILTERS),
  fechavencimientoDesde: day,
  fechavencimientoHasta: day,
  venceDesde: day,
  venceHasta: day,
  numfactura: fc.constantFrom('', 'f-1'),
  corte: fc.constantFrom(null, '2026-01-15', TODAY, '2026-12-05'),
};

/** Filters of up to three fields. */
const invoiceFilters: fc.Arbitrary<InvoiceFilter> = fc
  .subarray(Object.keys(filters) as (keyof typeof filters)[], { maxLength: 3 })
  .chain((names) => fc.record(filters).map((filter) => pick(filter, names)));

const pick = (filter: InvoiceFilter, names: readonly (keyof InvoiceFilter)[]): InvoiceFilter =>
  Object.fromEntries(names.map((name) => [name, filter[name]]));

const paymentFilters = fc.record(
  {
    paymentdateDesde: fc.option(day, { nil: null }),
    paymentdateHasta: day,
    kind: fc.constantFrom(undefined, 'pago' as const, 'credito' as const),
    supplierId: fc.constantFrom(undefined, undefined, 1),
  },
  { requiredKeys: [] },
);

const steps = fc.oneof(
  fc.record({
    kind: fc.constant('capture' as const),
    at: fc.nat(9),
    cents: fc.integer({ min: 1, max: 9000 }),
  }),
  fc.record({ kind: fc.constant('edit' as const), at: fc.nat(9), cents: fc.integer({ min: 1, max: 9000 }) }),
  fc.record({ kind: fc.constant('remove' as const), at: fc.nat(9) }),
  fc.record({ kind: fc.constant('pay' as const), at: fc.nat(9), cents: fc.integer({ min: 1, max: 4000 }) }),
  fc.record({ kind: fc.constant('repay' as const), at: fc.nat(9), cents: fc.integer({ min: 1, max: 4000 }) }),
  fc.record({ kind: fc.constant('unpay' as const), at: fc.nat(9) }),
  fc.record({ kind: fc.constant('restore' as const), at: fc.nat(9) }),
  fc.record({ kind: fc.constant('unpayAll' as const) }),
);
type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never;

describeEachDatabase('the totals of a filter', (fresh) => {
  it('are refused on another day for a status that only today has, as the rows are', async () => {
    for (const corte of ['2026-01-15', TODAY, '2026-12-05']) {
      const filter = { status: 'sin-programar', corte } as const;
      const refusal = await answerOrRefusal(invoicesAddedUp(fresh.db, filter));
      expect(refusal).toMatch(/se sabe solo al día de hoy/);
      expect(await answerOrRefusal(sumInvoices(fresh.db, filter, DAY))).toBe(refusal);
    }
  });

  it('equal those of the rows, whatever was done and whichever filter is used', async () => {
    const { db } = fresh;
    const { folder, remove } = temporaryFolder();
    const company = await addCompany(db);
    const ledger = { db, folder, company, payments: [] as number[] };
    const history = fc.array(steps, { minLength: 8, maxLength: 16 });
    await fc
      .assert(
        fc.asyncProperty(
          history,
          fc.array(invoiceFilters, { minLength: 12, maxLength: 12 }),
          fc.array(paymentFilters, { minLength: 2, maxLength: 2 }),
          async (list, ofInvoices, ofPayments) => {
            for (const step of list) await take(ledger, step);
            for (const filter of [...ofInvoices, {}])
              expect(await answerOrRefusal(sumInvoices(db, filter, DAY)), JSON.stringify(filter)).toEqual(
                await answerOrRefusal(invoicesAddedUp(db, filter)),
              );
            for (const filter of [...ofPayments, {}])
              expect(await sumPayments(db, filter), JSON.stringify(filter)).toEqual(
                await paymentsAddedUp(db, filter),
              );
          },
        ),
        { numRuns: chooseRunCount(5, 150, 500) },
      )
      .finally(remove);
  });
});

/** The text of a refusal stands for the answer. */
const answerOrRefusal = <Answer>(answer: Promise<Answer>): Promise<Answer | string> =>
  answer.catch((error: unknown) => {
    if (error instanceof DomainError) return error.message;
    throw error;
  });

/** Adds up the rows that the list shows with a filter. */
async function invoicesAddedUp(db: Db, filter: InvoiceFilter) {
  const { rows: invoices } = await searchInvoices(db, { ...filter, limit: 1000 }, DAY);
  const sums = { count: invoices.length, totalCents: 0, paidCents: 0, sinIvaCents: 0 };
  for (const { totalCents, paidCents, subtotalCents, otrosimpuestosCents } of invoices) {
    sums.totalCents += totalCents;
    sums.paidCents += paidCents;
    sums.sinIvaCents += subtotalCents + otrosimpuestosCents;
  }
  return sums;
}

async function paymentsAddedUp(db: Db, filter: PaymentFilter) {
  const { rows: payments } = await searchPayments(db, { ...filter, limit: 1000 });
  const sums = { count: payments.length, creditCount: 0, amountCents: 0, exchangeCents: 0, creditCents: 0 };
  for (const { kind, amountCents, importebancoCents } of payments) {
    if (kind === 'credito') {
      sums.creditCount++;
      sums.creditCents += amountCents;
    } else {
      sums.amountCents += importebancoCents ?? amountCents;
      sums.exchangeCents += (importebancoCents ?? amountCents) - amountCents;
    }
  }
  return sums;
}

async function addCompany(db: Db) {
  const several = async (add: (db: Db) => Promise<number>) => [await add(db), await add(db), await add(db)];
  return {
    ana: await addActor(db),
    suppliers: await several(addSupplier),
    jobs: await several(addJob),
    rubros: await several(addRubro),
    sources: await several(addFundingSource),
  };
}

interface Ledger {
  db: Db;
  folder: string;
  company: Awaited<ReturnType<typeof addCompany>>;
  /** ids of all payments, deleted ones included */
  payments: number[];
}

/** Refused steps change nothing. */
async function take(ledger: Ledger, step: Step): Promise<void> {
  try {
    await attempt(ledger, step);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
}

async function attempt({ db, folder, company, payments }: Ledger, step: Step): Promise<void> {
  const { ana, suppliers, jobs, rubros, sources } = company;
  const at = 'at' in step ? step.at : 0;
  const invoices = await db.selectFrom('invoices').select('id').orderBy('id', 'desc').limit(10).execute();
  const invoice = invoices[at % Math.max(1, invoices.length)]?.id ?? 0;
  const payment = payments.at(-1 - (at % Math.max(1, payments.length))) ?? 0;
  const of = <T>(list: readonly T[], n = at) => list[n % list.length]!;
  switch (step.kind) {
    case 'capture':
    case 'edit': {
      const draft = {
        supplierId: of(suppliers, step.cents),
        jobId: of(jobs),
        rubroId: at % 4 === 0 ? null : of(rubros),
        fechaemision: at % 5 === 0 ? null : of(DAYS, step.cents),
        fechavencimiento: at % 3 === 0 ? null : of(DAYS, step.cents + 1),
        subtotalCents: step.cents,
        tasa: at % 2 ? 160_000 : 0,
        otrosimpuestosCents: at % 3,
        numfactura: `F-${step.cents % 40}`,
      };
      const options = { allowDuplicate: true };
      if (step.kind === 'capture') await createInvoice(db, ana, draft, options);
      else await updateInvoice(db, ana, invoice, draft, options);
      return;
    }
    case 'remove':
      return deleteInvoice(db, ana, invoice);
    case 'pay':
    case 'repay': {
      const draft = {
        facturaproveedorId: invoice,
        amountCents: step.cents,
        importebancoCents: step.cents % 3 ? null : step.cents + 2,
        paymentdate: of(DAYS, step.cents),
        origenderecursoId: at % 3 ? of(sources) : null,
      };
      if (step.kind === 'repay') await updatePayment(db, ana, payment, draft);
      else payments.push((await createPayment(db, ana, draft)).payment.id);
      return;
    }
    case 'unpay':
      return deletePayment(db, ana, payment);
    case 'restore':
      return void (await restorePayment(db, ana, payment));
    case 'unpayAll':
      return backUpAndDeleteAllPayments({ db, config: { dataFolder: folder } }, ana);
  }
}
