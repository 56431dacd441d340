import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import {
  InvoiceBook,
  type StoredInvoiceIdentity,
} from '../../../../server/services/invoices/invoice-book.ts';
import {
  fillInvoiceBook,
  identityRowMapping,
} from '../../../../server/services/invoices/read-invoice-book.ts';
import { writeInvoices } from '../../../../server/services/invoices/write.ts';
import { addDays } from '../../../../shared/dates.ts';
import { documentNumberKey } from '../../../../shared/text.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { chooseRunCount } from '../../../support/proofs.ts';
import { addInvoice, addJob, addSupplier, createActor, TODAY } from '../../../support/rows.ts';

const drafts = fc.array(
  fc.record({
    supplier: fc.nat({ max: 1 }),
    job: fc.nat({ max: 1 }),
    numfactura: fc.constantFrom('', 'A-1', 'a 1', 'Á1', 'B/2'),
    fechaemision: fc.option(
      fc.integer({ min: -14, max: 14 }).map((days) => addDays(TODAY, days)),
      { nil: null },
    ),
    subtotalCents: fc.constantFrom(100_000, 200_000),
  }),
  { minLength: 1, maxLength: 14 },
);

describeEachDatabase('the identity of an invoice', (fresh) => {
  it('is found in a partial selection as among all invoices, and as a form finds it', async () => {
    const { db } = fresh;
    const suppliers = [await addSupplier(db), await addSupplier(db)];
    const jobs = [await addJob(db), await addJob(db)];
    await fc.assert(
      fc.asyncProperty(drafts, async (parts) => {
        await db.deleteFrom('invoices').execute();
        for (const { supplier, job, ...part } of parts)
          await addInvoice(db, { ...part, supplierId: suppliers[supplier]!, jobId: jobs[job]! });
        const all = await everyInvoice(db);
        const whole = new InvoiceBook<StoredInvoiceIdentity>();
        for (const one of all) whole.add(one);
        for (const sought of all) {
          const book = new InvoiceBook<StoredInvoiceIdentity>();
          await fillInvoiceBook(db, book, identityRowMapping, [sought]);
          expect(idsOf(book.withSameIdentity(sought))).toEqual(
            idsOf(all.filter((one) => isSame(one, sought))),
          );
          expect(idsOf(whole.withSameIdentity(sought))).toEqual(idsOf(book.withSameIdentity(sought)));
          const alike = idsOf(whole.findLookalikes(sought));
          const others = idsOf(whole.findLookalikes({ ...sought, id: undefined }));
          expect(await toldToForm(db, sought, true)).toEqual({ alike: others });
          // The book lists invoices found by number first, so only the count of further ones is compared.
          if (alike.length < 3)
            expect(idsOf(book.findLookalikes(sought)).sort((a, b) => a - b)).toEqual(alike);
          const [taken] = book.withSupplierAndNumber(sought.supplierId, sought.numfacturaKey);
          const expected = taken ? { taken: taken.id } : { alike: others };
          expect(await toldToForm(db, sought, false)).toEqual(expected);
        }
      }),
      { numRuns: chooseRunCount(4, 30) },
    );
  });

  it('is its number however written, its UUID, and the UUID that it had before', async () => {
    const { db } = fresh;
    const supplierId = await addSupplier(db);
    const [uuid, former] = ['AAAAAAAA-1111-4222-8333-BBBBBBBBBBBB', 'CCCCCCCC-1111-4222-8333-BBBBBBBBBBBB'];
    const id = await addInvoice(db, { supplierId, numfactura: 'Á 1', uuid });
    await db.updateTable('invoices').set({ formerUuid: former }).where('id', '=', id).execute();
    for (const keys of [
      { uuid, supplierId: undefined, numfacturaKey: '' },
      { uuid: former, supplierId: undefined, numfacturaKey: '' },
      { uuid: null, supplierId, numfacturaKey: documentNumberKey('a/1') },
      { uuid: null, supplierId: undefined, numfacturaKey: 'a1' },
      { uuid: null, supplierId, numfacturaKey: '', totalCents: 116_000 },
    ]) {
      const book = new InvoiceBook<StoredInvoiceIdentity>();
      await fillInvoiceBook(db, book, identityRowMapping, [keys]);
      expect([book.withAnyUuid(uuid)?.id, book.withAnyUuid(former)?.id, book.withFormerUuid(uuid)]).toEqual([
        id,
        id,
        undefined,
      ]);
      expect(idsOf(book.withNumberOfAnySupplier('a1'))).toEqual([id]);
    }
  });
});

it('is, after a replacement, that of the new document', () => {
  const book = new InvoiceBook<StoredInvoiceIdentity>();
  const invoice = {
    ...{ id: 1, uuid: 'U-1', formerUuid: null, supplierId: 7, jobId: 1 },
    ...{ numfactura: 'A-1', numfacturaKey: 'a1', fechaemision: TODAY, totalCents: 100 },
  };
  book.add(invoice);
  const change = { uuid: 'U-2', formerUuid: 'U-1', numfactura: 'B-2', numfacturaKey: 'b2', totalCents: 200 };
  book.change(invoice, change);
  expect([book.withUuid('U-1'), book.withFormerUuid('U-1'), book.withUuid('U-2')]).toEqual([
    undefined,
    invoice,
    invoice,
  ]);
  expect([book.withSupplierAndNumber(7, 'a1'), book.withSupplierAndNumber(7, 'b2')]).toEqual([[], [invoice]]);
  expect([book.withTotal(7, 100), book.withTotal(7, 200)]).toEqual([[], [invoice]]);
  expect([book.withNumberOfAnySupplier('a1'), book.withNumberOfAnySupplier('b2')]).toEqual([[], [invoice]]);
});

const idsOf = (invoices: readonly StoredInvoiceIdentity[]): number[] => invoices.map(({ id }) => id);

const everyInvoice = (db: Db): Promise<StoredInvoiceIdentity[]> =>
  db.selectFrom('invoices').selectAll().orderBy('id').execute();

/** The test's own definition: same supplier and number, else supplier, date, total and obra. */
function isSame(one: StoredInvoiceIdentity, other: StoredInvoiceIdentity): boolean {
  if (
    one.supplierId !== other.supplierId ||
    documentNumberKey(one.numfactura) !== documentNumberKey(other.numfactura)
  )
    return false;
  const isNumbered = documentNumberKey(one.numfactura) !== '';
  return (
    isNumbered ||
    (one.fechaemision === other.fechaemision &&
      one.totalCents === other.totalCents &&
      one.jobId === other.jobId)
  );
}

/** The lookalikes that the form of an equal invoice would warn about. */
async function toldToForm(db: Db, { totalCents, ...said }: StoredInvoiceIdentity, allowDuplicate: boolean) {
  const { supplierId, jobId, numfactura, fechaemision } = said;
  const draft = { supplierId, jobId, numfactura, fechaemision, subtotalCents: totalCents, tasa: 0 };
  const [written] = await writeInvoices(db, createActor(), [draft], { dryRun: true, allowDuplicate });
  return written!.outcome === 'refused'
    ? { taken: written!.refused.extra?.existingId }
    : { alike: written!.warnings.map(({ about }) => about) };
}
