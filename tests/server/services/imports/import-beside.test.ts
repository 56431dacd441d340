import { describe, expect, it } from 'vitest';
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
  useImports,
} from '../../../support/import-rows.ts';

describe('a table that is imported while others write (sqlite)', () => {
  const use = useImports();
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
    const result = await importIn('invoices', many(1200, invoiceRow), async (time) => {
      if (time > 1) return;
      const same = { ...ids, numfactura: 'a 1100', fechaemision: '2026-10-01', subtotalCents: 100_000 };
      await createInvoice(other(), actor, same);
      await createInvoice(other(), actor, { ...ids, numfactura: 'B', subtotalCents: 500 });
    });
    expect(result).toMatchObject({ judged: 2, created: 1199, unchanged: 1, stored: true });
    expect(await countRows(fresh.db, 'invoices')).toBe(1201);
    expect(await problemsOf(fresh.db)).toEqual([]);
  });

  it('is judged once where what others do has nothing to do with it, and nobody sees a part of it', async () => {
    const { fresh, importIn, other, actor, ids } = use;
    const seen: number[] = [];
    const result = await importIn('invoices', many(1200, invoiceRow), async () => {
      await createInvoice(other(), actor, { ...ids, numfactura: 'B', subtotalCents: 500 });
      seen.push(await countRows(other(), 'invoices'), await countRows(other(), 'imports'));
    });
    expect(result).toMatchObject({ judged: 1, created: 1200, stored: true });
    expect(seen).toEqual([1, 0]);
    const entries = fresh.db.selectFrom('audit').select('after').where('action', '=', 'import');
    expect((await entries.execute()).map(({ after }) => JSON.parse(after!).ids.length)).toEqual([1200]);
    expect(await problemsOf(fresh.db)).toEqual([]);
  });

  it('of payments lets whoever pays the same wait until it is stored, and each invoice is paid once', async () => {
    const { fresh, importIn } = use;
    await importIn('invoices', many(700, invoiceRow));
    let paying: Promise<void> | undefined;
    const result = await importIn('payments', many(700, paymentRow), () => {
      paying ??= pay('A-600');
    });
    await paying;
    expect(result).toMatchObject({ created: 700, stored: true });
    const { paid } = await fresh.db
      .selectFrom('invoices')
      .select(({ fn }) => fn.sum<number>('paidCents').as('paid'))
      .executeTakeFirstOrThrow();
    expect(paid).toBe(700 * 10_000 + 5);
    expect(await problemsOf(fresh.db)).toEqual([]);
  });

  it.each(['invoices', 'payments'] as const)('of %s leaves nothing where it breaks off', async (kind) => {
    const { fresh, importIn } = use;
    if (kind === 'payments') await importIn('invoices', many(700, invoiceRow));
    const before = await contentOf(fresh.db);
    const gone = new AbortController();
    const rows = kind === 'invoices' ? many(700, (name) => invoiceRow(name, 'Nuevo')) : many(700, paymentRow);
    const options = { signal: gone.signal, createMissing: true };
    const importing = importIn(kind, rows, () => gone.abort(), options);
    await expect(importing).rejects.toMatchObject({ name: 'AbortError' });
    expect(await contentOf(fresh.db)).toEqual(before);
    const full = new DomainError('busy', 'No hay espacio en el disco', { code: 'disk_full' });
    const storeOnce = () => Promise.reject(full);
    await expect(importIn(kind, rows, () => {}, { storeOnce, createMissing: true })).rejects.toBe(full);
    expect(await contentOf(fresh.db)).toEqual(before);
    expect(await problemsOf(fresh.db)).toEqual([]);
    expect(await importIn(kind, rows, () => {}, { createMissing: true })).toMatchObject({ created: 700 });
  });
});
