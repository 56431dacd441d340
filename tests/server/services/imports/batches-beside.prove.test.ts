import { describe, expect, it } from 'vitest';
import { importTable } from '../../../../server/services/imports/import.ts';
import { createInvoice } from '../../../../server/services/invoices/invoices.ts';
import { createPayment } from '../../../../server/services/payments/payments.ts';
import { DomainError } from '../../../../shared/errors.ts';
import {
  contentOf,
  countRows,
  invoiceRow,
  many,
  paymentRow,
  problemsOf,
  useBatchedImports,
} from '../../../support/batched-imports.ts';
import { parsedRows } from '../../../support/table-rows.ts';

describe('an import in batches between which others write (sqlite)', () => {
  const use = useBatchedImports();
  const pay = async (numfactura: string) => {
    const { id } = await use.fresh.db
      .selectFrom('invoices')
      .select('id')
      .where('numfactura', '=', numfactura)
      .executeTakeFirstOrThrow();
    await createPayment(use.other(), use.actor, { facturaproveedorId: id, amountCents: 5 });
  };

  it('is judged anew where somebody is faster with one of its invoices', async () => {
    const { fresh, importIn, other, actor, ids } = use;
    const result = await importIn('invoices', many(1200, invoiceRow), async (batch) => {
      if (batch > 1) return;
      await createInvoice(other(), actor, {
        ...ids,
        numfactura: 'a 1100',
        fechaemision: '2026-10-01',
        subtotalCents: 100_000,
      });
      await createInvoice(other(), actor, { ...ids, numfactura: 'B', subtotalCents: 500 });
    });
    expect(result).toMatchObject({ judged: 2, created: 1199, unchanged: 1, stored: true });
    expect(await countRows(fresh.db, 'invoices')).toBe(1201);
    expect(await problemsOf(fresh.db)).toEqual([]);
  });

  it('is judged anew where an invoice is paid whose payment is yet to come, not where it is stored', async () => {
    const { fresh, importIn } = use;
    await importIn('invoices', many(1200, invoiceRow));
    const first = await importIn('payments', many(1200, paymentRow), (batch) => batch === 1 && pay('A-3'));
    expect(first).toMatchObject({ judged: 1, created: 1200 });
    const again = many(1200, (name) => paymentRow(name, '8.00'));
    const second = await importIn('payments', again, (batch) => batch === 1 && pay('A-900'));
    expect(second).toMatchObject({ judged: 2, created: 1200 });
    expect(await countRows(fresh.db, 'payments')).toBe(2402);
    expect(await problemsOf(fresh.db)).toEqual([]);
  });

  it('is stored at one stroke where its ground changes again and again', async () => {
    const { fresh, importIn } = use;
    await importIn('invoices', many(1200, invoiceRow));
    const result = await importIn(
      'payments',
      many(1200, paymentRow),
      (batch) => batch % 2 === 1 && pay('A-1199'),
    );
    expect(result).toMatchObject({ judged: 4, created: 1200, stored: true });
    expect(await problemsOf(fresh.db)).toEqual([]);
  });

  it('is waited for by another one', async () => {
    const { importIn, other, actor } = use;
    let second: ReturnType<typeof importTable> | undefined;
    const order: string[] = [];
    await importIn('invoices', many(700, invoiceRow), () => {
      second ??= importTable(other(), actor, 'invoices', parsedRows(many(10, invoiceRow)), {
        source: 'y.csv',
        sha256: 'b'.repeat(64),
      }).finally(() => order.push('second'));
    });
    order.push('first');
    expect(await second).toMatchObject({ created: 0, unchanged: 10 });
    expect(order).toEqual(['first', 'second']);
  });

  it('leaves nothing where the disk is full, or what belongs to its last transaction fails', async () => {
    const { fresh, importIn } = use;
    await importIn('invoices', many(700, invoiceRow));
    const before = await contentOf(fresh.db);
    const full = new DomainError('busy', 'No hay espacio en el disco', { code: 'disk_full' });
    let asked = 0;
    const timing = () => {
      if (++asked === 2) throw full;
      return () => false;
    };
    const rows = many(700, paymentRow);
    const failing = importIn('payments', rows, () => {}, { batching: { above: 100, timing } });
    await expect(failing).rejects.toBe(full);
    expect(await contentOf(fresh.db)).toEqual(before);
    const storeOnce = () => Promise.reject(full); // a second click, whose first was answered
    await expect(importIn('payments', rows, () => {}, { storeOnce })).rejects.toBe(full);
    expect(await contentOf(fresh.db)).toEqual(before);
    expect(await problemsOf(fresh.db)).toEqual([]);
  });
});
