import { describe, expect, it } from 'vitest';
import { inTransaction } from '../../../../db/transaction.ts';
import { createInvoice } from '../../../../server/services/invoices/invoices.ts';
import { createPayment } from '../../../../server/services/payments/payments.ts';
import { DomainError } from '../../../../shared/errors.ts';
import {
  countRows,
  createInvoiceRow,
  createNumberedRows,
  createPaymentRow,
  readImportedContent,
  useImports,
} from '../../../support/import-rows.ts';
import { findDatabaseProblems } from '../../../support/problems.ts';
import { addSupplier } from '../../../support/rows.ts';
import { readRow } from '../../../support/stored.ts';

describe('a table that is imported while others write (sqlite)', () => {
  const use = useImports();
  const pay = async (numfactura: string) => {
    const { id } = await readRow(use.fresh.db, 'invoices', { numfactura }, ['id']);
    await createPayment(use.other(), use.actor, { facturaproveedorId: id, amountCents: 5 });
  };

  it('finds the invoice that somebody else stored first, and stores all others', async () => {
    const { fresh, importIn, other, actor, ids } = use;
    const result = await importIn('invoices', createNumberedRows(1200, createInvoiceRow), undefined, {
      async storeOnce(write) {
        const same = { ...ids, numfactura: 'a 1100', fechaemision: '2026-10-01', subtotalCents: 100_000 };
        await createInvoice(other(), actor, same);
        await createInvoice(other(), actor, { ...ids, numfactura: 'B', subtotalCents: 500 });
        return inTransaction(fresh.db, write);
      },
    });
    expect(result).toMatchObject({ created: 1199, unchanged: 1, stored: true });
    expect(await countRows(fresh.db, 'invoices')).toBe(1201);
    expect(await findDatabaseProblems(fresh.db)).toEqual([]);
  });

  it('uses what somebody else has added meanwhile instead of adding it, with its invoices', async () => {
    const { fresh, importIn, other, actor, ids } = use;
    const result = await importIn(
      'invoices',
      createNumberedRows(3, (name) => createInvoiceRow(name, 'Nuevo')),
      undefined,
      {
        createMissing: true,
        async storeOnce(write) {
          const supplierId = await addSupplier(other(), { suppliername: 'Nuevo' });
          const same = { ...ids, supplierId, numfactura: 'A-1', fechaemision: '2026-10-01' };
          await createInvoice(other(), actor, { ...same, subtotalCents: 100_000 });
          return inTransaction(fresh.db, write);
        },
      },
    );
    expect(result).toMatchObject({ created: 2, unchanged: 1, stored: true });
    expect(await fresh.db.selectFrom('suppliers').select('suppliername').execute()).toHaveLength(2);
    expect(await findDatabaseProblems(fresh.db)).toEqual([]);
  });

  it('shows nobody a part of it', async () => {
    const { fresh, importIn, other } = use;
    const seen: number[] = [];
    const result = await importIn('invoices', createNumberedRows(1200, createInvoiceRow), async () => {
      seen.push(await countRows(other(), 'invoices'), await countRows(other(), 'imports'));
    });
    expect(result).toMatchObject({ created: 1200, stored: true });
    expect(seen).toEqual([0, 0]);
    const entries = fresh.db.selectFrom('audit').select('after').where('action', '=', 'import');
    expect((await entries.execute()).map(({ after }) => JSON.parse(after!).ids.length)).toEqual([1200]);
    expect(await findDatabaseProblems(fresh.db)).toEqual([]);
  });

  it('of payments makes whoever pays the same invoices wait until it is stored, and each invoice is paid once', async () => {
    const { fresh, importIn } = use;
    await importIn('invoices', createNumberedRows(700, createInvoiceRow));
    let paying: Promise<void> | undefined;
    const result = await importIn('payments', createNumberedRows(700, createPaymentRow), () => {
      paying ??= pay('A-600');
    });
    await paying;
    expect(result).toMatchObject({ created: 700, stored: true });
    const { paid } = await fresh.db
      .selectFrom('invoices')
      .select(({ fn }) => fn.sum<number>('paidCents').as('paid'))
      .executeTakeFirstOrThrow();
    expect(paid).toBe(700 * 10_000 + 5);
    expect(await findDatabaseProblems(fresh.db)).toEqual([]);
  });

  it.each(['invoices', 'payments'] as const)('of %s leaves nothing behind if it fails', async (kind) => {
    const { fresh, importIn } = use;
    if (kind === 'payments') await importIn('invoices', createNumberedRows(700, createInvoiceRow));
    const before = await readImportedContent(fresh.db);
    const gone = new AbortController();
    const rows =
      kind === 'invoices'
        ? createNumberedRows(700, (name) => createInvoiceRow(name, 'Nuevo'))
        : createNumberedRows(700, createPaymentRow);
    const options = { signal: gone.signal, createMissing: true };
    const importing = importIn(kind, rows, () => gone.abort(), options);
    await expect(importing).rejects.toMatchObject({ name: 'AbortError' });
    expect(await readImportedContent(fresh.db)).toEqual(before);
    const full = new DomainError('busy', 'No hay espacio en el disco', { code: 'disk_full' });
    const storeOnce = () => Promise.reject(full);
    await expect(importIn(kind, rows, () => {}, { storeOnce, createMissing: true })).rejects.toBe(full);
    expect(await readImportedContent(fresh.db)).toEqual(before);
    expect(await findDatabaseProblems(fresh.db)).toEqual([]);
    expect(await importIn(kind, rows, () => {}, { createMissing: true })).toMatchObject({ created: 700 });
  });
});
