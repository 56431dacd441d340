import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AcceptedInvoices } from '../../../../server/services/imports/accepted-invoices.ts';
import type { KnownInvoice } from '../../../../server/services/imports/known-invoices.ts';
import { InvoiceBook } from '../../../../server/services/invoices/book.ts';
import { numberKey } from '../../../../shared/text.ts';
import { patience } from '../../../support/patience.ts';

const invoice = fc.record({
  supplierId: fc.constantFrom(1, 2, -1),
  jobId: fc.constantFrom(1, 2),
  numfactura: fc.constantFrom('', 'A-1', 'a 1', 'B-2'),
  fechaemision: fc.constantFrom(null, '1999-12-25', '2026-01-01', '2026-01-10', '2026-01-12', '2026-02-01'),
  totalCents: fc.constantFrom(100, 200),
  uuid: fc.constantFrom(null, 'U-1', 'U-2', 'U-3'),
});

describe('the invoices of a file that are to be stored', () => {
  it('are found as they would be in a book of them', () => {
    fc.assert(
      fc.property(fc.array(invoice, { maxLength: 60 }), invoice, (rows, asked) => {
        const book = new InvoiceBook<KnownInvoice>();
        const accepted = new AcceptedInvoices();
        const known = (row: typeof asked, n: number) =>
          ({ ...row, id: -1 - n, line: n + 2, numfacturaKey: numberKey(row.numfactura) }) as KnownInvoice;
        const uuids = new Set<string>();
        for (const [n, row] of rows.entries()) {
          if (row.uuid && uuids.has(row.uuid)) continue; // never accepted twice
          if (row.uuid) uuids.add(row.uuid);
          book.add(known(row, n));
          accepted.add(known(row, n));
        }
        const sought = known(asked, rows.length);
        const ids = (found: Iterable<Pick<KnownInvoice, 'id'>>) => [...found].map(({ id }) => id);
        expect(ids(accepted.same(sought))).toEqual(ids(book.same(sought)));
        const [first] = book.same(sought);
        for (const except of [undefined, first])
          expect(ids(accepted.lookalikes(sought, except))).toEqual(ids(book.lookalikes(sought, except)));
        for (const uuid of ['U-1', 'U-2', 'U-3'])
          expect(accepted.withUuid(uuid)?.id).toBe(book.withUuid(uuid)?.id);
        expect(accepted.slice(0, accepted.length)).toMatchObject([...book]);
      }),
    );
  });

  it('are found as quickly where thousands have one total, or one number and UUIDs of their own', () => {
    const accepted = new AcceptedInvoices();
    const began = performance.now();
    const found: number[] = [];
    for (let n = 0; n < 10_000; n++) {
      const row = {
        supplierId: 1,
        jobId: 1,
        // In groups of one total each that stand apart, as rows of an unsorted file do.
        totalCents: (n * 7919) % 1500,
        numfactura: n % 2 ? 'A-1' : `B-${n}`,
        numfacturaKey: n % 2 ? 'a1' : `b${n}`,
        fechaemision: '2026-03-15',
        uuid: `U-${n}`,
        id: -1 - n,
      } as KnownInvoice;
      found.push(accepted.lookalikes(row).length, [...accepted.sameWithoutUuid(row)].length);
      accepted.add(row);
    }
    const wanted = Array.from({ length: 10_000 }, (_, n) => [Math.min(3, Math.floor(n / 1500)), 0]);
    expect(found).toEqual(wanted.flat());
    expect(performance.now() - began).toBeLessThan(10_000 * patience());
  });

  it('are touched by what may be one of them, or look like it', () => {
    fc.assert(
      fc.property(fc.array(invoice, { maxLength: 30 }), invoice, (rows, changed) => {
        const accepted = new AcceptedInvoices();
        const keys = ({ supplierId, numfactura, totalCents, uuid }: typeof changed) => [
          ...(numfactura ? [`${supplierId} ${numberKey(numfactura)}`] : []),
          `${supplierId} = ${totalCents}`,
          ...(uuid ? [uuid] : []),
        ];
        for (const [n, row] of rows.entries())
          accepted.add({ ...row, id: -1 - n, numfacturaKey: numberKey(row.numfactura) } as KnownInvoice);
        const wanted = new Set(keys(changed));
        const { supplierId, totalCents, uuid } = changed;
        const touching = {
          supplierId,
          totalCents,
          numfacturaKey: numberKey(changed.numfactura),
          uuids: uuid ? [uuid] : [],
        };
        expect(accepted.isTouched(touching)).toBe(
          rows.some((row) => keys(row).some((key) => wanted.has(key))),
        );
      }),
    );
  });
});
