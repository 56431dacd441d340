import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { inSnapshot } from '../../../../db/transaction.ts';
import { importTable } from '../../../../server/services/imports/import.ts';
import { createInvoice, deleteInvoice } from '../../../../server/services/invoices/invoices.ts';
import { sumInvoices } from '../../../../server/services/invoices/sums.ts';
import { dueNotices } from '../../../../server/services/notices/due.ts';
import { createPayment, deletePayment } from '../../../../server/services/payments/payments.ts';
import {
  contentOf,
  countRows,
  invoiceRow,
  many,
  paymentRow,
  problemsOf,
  useBatchedImports,
} from '../../../support/batched-imports.ts';
import { addInvoice, TODAY } from '../../../support/rows.ts';

const DAY = { today: TODAY, timeZone: 'America/Mexico_City' };

/** On SQLite everybody waits for whoever writes: a large import is many short transactions, and one thing all the same. */
describe('a large table that is imported in batches (sqlite)', () => {
  const use = useBatchedImports();

  it('lets others write after each batch, and shows nobody a part of it', async () => {
    const { fresh, importIn, other, actor, ids } = use;
    const reading = other();
    const seen: number[] = [];
    const result = await importIn('invoices', many(600, invoiceRow), async (batch) => {
      await createPayment(other(), actor, {
        facturaproveedorId: await addInvoice(other(), { ...ids, numfactura: `B-${batch}` }),
        amountCents: 100,
      });
      seen.push(
        await countRows(reading, 'invoices'),
        await inSnapshot(reading, (db) => countRows(db, 'invoices')),
        await countRows(fresh.db, 'imports'),
        (await sumInvoices(reading, {}, DAY)).count,
      );
      if (batch === 1) expect(await problemsOf(reading)).toEqual([]);
    });
    expect(result).toMatchObject({ created: 600, stored: true, judged: 1, batches: 2 });
    expect(seen).toEqual([1, 1, 0, 1, 2, 2, 0, 2]);
    expect((await sumInvoices(reading, {}, DAY)).count).toBe(602);
    expect(await countRows(reading, 'invoices')).toBe(602);
    const entries = await fresh.db
      .selectFrom('audit')
      .select('after')
      .where('action', '=', 'import')
      .execute();
    expect(entries.map(({ after }) => JSON.parse(after!).ids.length)).toEqual([600]);
    expect(await problemsOf(fresh.db)).toEqual([]);
  });

  it('has nobody change, pay or delete what is not finished', async () => {
    const { importIn, other, actor, ids } = use;
    const refused = { kind: 'conflict', code: 'import_running' };
    const rows = many(600, (name) => invoiceRow(name, 'Nuevo'));
    const meddle = async (batch: number) => {
      if (batch !== 2) return; // the first one is the supplier alone
      const writer = other();
      const { rows: last } = await sql<{ id: number; supplierId: number }>`
        select id, "supplierId" from main.invoices order by id desc limit 1`.execute(writer);
      const { id, supplierId } = last[0]!;
      const refusals = [
        createPayment(writer, actor, { facturaproveedorId: id, amountCents: 1 }),
        deleteInvoice(writer, actor, id),
        createInvoice(writer, actor, { ...ids, supplierId, numfactura: 'C', subtotalCents: 100 }),
      ];
      for (const refusal of refusals) await expect(refusal).rejects.toMatchObject(refused);
      // Another import waits for this one's end, unless it is told not to.
      const options = { source: 'z', sha256: '', signal: AbortSignal.abort() };
      await expect(importTable(writer, actor, 'invoices', [], options)).rejects.toMatchObject({
        name: 'AbortError',
      });
    };
    expect(await importIn('invoices', rows, meddle, { createMissing: true })).toMatchObject({ created: 600 });
  });

  it('of payments ties out after each batch, and pays each invoice once', async () => {
    const { fresh, importIn, other, actor } = use;
    await importIn('invoices', many(350, invoiceRow));
    const seen: number[] = [];
    const rows = [...many(350, paymentRow), ...many(350, (name) => paymentRow(name, '7.00'))];
    const result = await importIn('payments', rows, async (batch) => {
      seen.push(await countRows(fresh.db, 'payments'));
      if (batch > 1) return;
      expect(await problemsOf(fresh.db)).toEqual([]);
      const labels = (await dueNotices(other(), DAY)).map(({ label }) => label);
      expect(labels.at(-1)).toMatch(/^Se están importando pagos/);
      const [payment] = await fresh.db.selectFrom('payments').select('id').limit(1).execute();
      await expect(deletePayment(other(), actor, payment!.id)).rejects.toMatchObject({
        code: 'import_running',
      });
    });
    expect(result).toMatchObject({ created: 700, stored: true, judged: 1 });
    expect(seen).toEqual([500, 700]);
    const { paid } = await fresh.db
      .selectFrom('invoices')
      .select(({ fn }) => fn.sum<number>('paidCents').as('paid'))
      .executeTakeFirstOrThrow();
    expect(paid).toBe(350 * 10_700);
  });

  it.each(['invoices', 'payments'] as const)(
    'of %s is taken back whole where it breaks off',
    async (kind) => {
      const { fresh, importIn } = use;
      if (kind === 'payments') await importIn('invoices', many(700, invoiceRow));
      const before = await contentOf(fresh.db);
      const gone = new AbortController();
      const rows =
        kind === 'invoices' ? many(700, (name) => invoiceRow(name, 'Nuevo')) : many(700, paymentRow);
      const options = { signal: gone.signal, createMissing: true };
      const importing = importIn(kind, rows, (batch) => batch === 2 && gone.abort(), options);
      await expect(importing).rejects.toMatchObject({ name: 'AbortError' });
      expect(await contentOf(fresh.db)).toEqual(before);
      expect(await problemsOf(fresh.db)).toEqual([]);
      expect(await importIn(kind, rows, () => {}, { createMissing: true })).toMatchObject({ created: 700 });
    },
  );
});
