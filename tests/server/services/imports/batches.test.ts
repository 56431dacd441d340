import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { findOpenImports } from '../../../../db/open-imports.ts';
import type { Db } from '../../../../db/schema.ts';
import { inSnapshot } from '../../../../db/transaction.ts';
import type { TableKind } from '../../../../server/formats/tables/table.ts';
import type { Actor } from '../../../../server/services/audit/audit.ts';
import { checkDatabase } from '../../../../server/services/database/check.ts';
import { importTable } from '../../../../server/services/imports/import.ts';
import type { TableImportOptions } from '../../../../server/services/imports/run.ts';
import { createInvoice, deleteInvoice } from '../../../../server/services/invoices/invoices.ts';
import { createPayment, deletePayment } from '../../../../server/services/payments/payments.ts';
import { useFresh } from '../../../support/databases.ts';
import { addActor, addInvoice, addJob, addSupplier } from '../../../support/rows.ts';
import { parsedRows } from '../../../support/table-rows.ts';

/** On SQLite everybody waits for whoever writes: a large import is many short transactions, and one thing all the same. */
describe('a large table that is imported in batches (sqlite)', () => {
  const fresh = useFresh('sqlite');
  let actor: Actor;
  let ids: { supplierId: number; jobId: number };
  beforeEach(async () => {
    actor = await addActor(fresh.db);
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros' });
    ids = { supplierId, jobId: await addJob(fresh.db, { jobtitle: 'Torre' }) };
  });

  const invoiceRow = (numfactura: string, suppliername = 'Aceros') => ({
    suppliername,
    jobtitle: 'Torre',
    numfactura,
    fechaemision: '2026-10-01',
    subtotal: '1000.00',
    iva: '160.00',
    total: '1160.00',
    tasa: '16',
  });
  const paymentRow = (numfactura: string, paymentamount = '100.00') => ({
    suppliername: 'Aceros',
    numfactura,
    paymentdate: '2026-10-05',
    paymentamount,
    checknum: `CH-${numfactura}`,
  });
  const many = <T>(count: number, row: (name: string) => T): T[] =>
    Array.from({ length: count }, (_, n) => row(`A-${n}`));

  const other = () => fresh.database.openAgain().db;
  const count = async (db: Db, table: 'invoices' | 'payments' | 'suppliers' | 'imports') =>
    (await db.selectFrom(table).select('id').execute()).length;
  const problemsOf = async (db: Db) => (await checkDatabase(db)).checks.flatMap(({ problems }) => problems);
  /** Everything but what an import that came to nothing may leave: numbers that are skipped. */
  const contentOf = async (db: Db) => ({
    invoices: await db.selectFrom('invoices').selectAll().orderBy('id').execute(),
    payments: await db.selectFrom('payments').selectAll().orderBy('id').execute(),
    suppliers: await db.selectFrom('suppliers').selectAll().orderBy('id').execute(),
    imports: await db.selectFrom('imports').selectAll().execute(),
    audit: await db.selectFrom('audit').select('id').where('action', '=', 'import').execute(),
    open: await findOpenImports(db),
    indexed: (await sql`select id from invoices_fts_docsize order by id`.execute(db)).rows,
  });

  /** Imports, each batch of 500 rows; `between` happens after each of them. */
  async function importIn(
    kind: TableKind,
    rows: Record<string, string>[],
    between: (batch: number) => unknown = () => {},
    options: Partial<TableImportOptions> = {},
  ) {
    let batches = 0;
    let judged = 0;
    const result = await importTable(
      fresh.db,
      actor,
      kind,
      parsedRows(rows),
      {
        source: 'x.csv',
        sha256: 'a'.repeat(64),
        batching: { above: 100, timing: () => () => false },
        ...options,
      },
      async (step, fraction) => {
        if (step === 'revisar' && fraction === 0) judged += 1;
        if (step === 'guardar' && (await findOpenImports(fresh.db)).length > 0) await between(++batches);
      },
    );
    expect(await problemsOf(fresh.db)).toEqual([]);
    return { ...result, judged, batches };
  }

  it('lets others write after each batch, and shows nobody a part of it', async () => {
    const reading = other();
    const seen: number[] = [];
    const result = await importIn('invoices', many(1300, invoiceRow), async (batch) => {
      await createPayment(other(), actor, {
        facturaproveedorId: await addInvoice(other(), { ...ids, numfactura: `B-${batch}` }),
        amountCents: 100,
      });
      seen.push(await count(reading, 'invoices'), await inSnapshot(reading, (db) => count(db, 'invoices')));
      const hidden = await fresh.db.selectFrom('imports').select('id').execute();
      expect(hidden).toEqual([]);
      expect(await problemsOf(reading)).toEqual([]);
    });
    expect(result).toMatchObject({ created: 1300, stored: true, judged: 1, batches: 3 });
    expect(seen).toEqual([1, 1, 2, 2, 3, 3]);
    expect(await count(reading, 'invoices')).toBe(1303);
    const entries = await fresh.db
      .selectFrom('audit')
      .select('after')
      .where('action', '=', 'import')
      .execute();
    expect(entries.map(({ after }) => JSON.parse(after!).ids.length)).toEqual([1300]);
  });

  it('has nobody change, pay or delete what is not finished', async () => {
    const refused = { kind: 'conflict', code: 'import_running' };
    const rows = many(600, (name) => invoiceRow(name, 'Nuevo'));
    const meddle = async (batch: number) => {
      if (batch === 1) return; // the supplier alone
      const writer = other();
      const { rows: last } = await sql<{ id: number; supplierId: number }>`
        select id, "supplierId" from main.invoices order by id desc limit 1`.execute(writer);
      const { id, supplierId } = last[0]!;
      const refusals = [
        createPayment(writer, actor, { facturaproveedorId: id, amountCents: 1 }),
        deleteInvoice(writer, actor, id),
        createInvoice(writer, actor, { ...ids, supplierId, numfactura: 'C', subtotalCents: 100 }),
        importTable(writer, actor, 'invoices', [], { source: 'z', sha256: '', signal: AbortSignal.abort() }),
      ];
      for (const refusal of refusals.slice(0, 3)) await expect(refusal).rejects.toMatchObject(refused);
      await expect(refusals[3]).rejects.toMatchObject({ name: 'AbortError' }); // it would have waited
    };
    expect(await importIn('invoices', rows, meddle, { createMissing: true })).toMatchObject({ created: 600 });
  });

  it('of payments ties out after each batch, and pays each invoice once', async () => {
    await importIn('invoices', many(700, invoiceRow));
    const paid = () =>
      fresh.db
        .selectFrom('invoices')
        .select(({ fn }) => fn.sum<number>('paidCents').as('cents'))
        .executeTakeFirstOrThrow();
    const seen: number[] = [];
    const rows = [...many(700, paymentRow), ...many(700, (name) => paymentRow(name, '7.00'))];
    const result = await importIn('payments', rows, async () => {
      seen.push(await count(fresh.db, 'payments'));
      expect(await problemsOf(fresh.db)).toEqual([]);
      const [payment] = await fresh.db.selectFrom('payments').select('id').limit(1).execute();
      await expect(deletePayment(other(), actor, payment!.id)).rejects.toMatchObject({
        code: 'import_running',
      });
    });
    expect(result).toMatchObject({ created: 1400, stored: true, judged: 1 });
    expect(seen).toEqual([500, 1000, 1400]);
    expect((await paid()).cents).toBe(700 * 10_700);
  });

  it.each(['invoices', 'payments'] as const)(
    'of %s is taken back whole where it is interrupted',
    async (kind) => {
      if (kind === 'payments') await importIn('invoices', many(1200, invoiceRow));
      const before = await contentOf(fresh.db);
      const gone = new AbortController();
      const rows =
        kind === 'invoices' ? many(1200, (name) => invoiceRow(name, 'Nuevo')) : many(1200, paymentRow);
      const importing = importIn(kind, rows, (batch) => batch === 2 && gone.abort(), {
        signal: gone.signal,
        createMissing: true,
      });
      await expect(importing).rejects.toMatchObject({ name: 'AbortError' });
      expect(await contentOf(fresh.db)).toEqual(before);
      expect(await problemsOf(fresh.db)).toEqual([]);
      expect(await importIn(kind, rows, () => {}, { createMissing: true })).toMatchObject({ created: 1200 });
    },
  );

  it('is judged anew where somebody is faster with one of its invoices', async () => {
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
    expect(await count(fresh.db, 'invoices')).toBe(1201);
  });

  it('is judged anew where an invoice is paid whose payment is yet to come, not where it is stored', async () => {
    await importIn('invoices', many(1200, invoiceRow));
    const pay = async (numfactura: string) => {
      const { id } = await fresh.db
        .selectFrom('invoices')
        .select('id')
        .where('numfactura', '=', numfactura)
        .executeTakeFirstOrThrow();
      await createPayment(other(), actor, { facturaproveedorId: id, amountCents: 5 });
    };
    const first = await importIn('payments', many(1200, paymentRow), (batch) => batch === 1 && pay('A-3'));
    expect(first).toMatchObject({ judged: 1, created: 1200 });
    const again = many(1200, (name) => paymentRow(name, '8.00'));
    const second = await importIn('payments', again, (batch) => batch === 1 && pay('A-900'));
    expect(second).toMatchObject({ judged: 2, created: 1200 });
    expect(await count(fresh.db, 'payments')).toBe(2402);
  });

  it('is stored at one stroke where its ground changes again and again', async () => {
    await importIn('invoices', many(1200, invoiceRow));
    const { id } = await fresh.db
      .selectFrom('invoices')
      .select('id')
      .where('numfactura', '=', 'A-1199')
      .executeTakeFirstOrThrow();
    const pay = () => createPayment(other(), actor, { facturaproveedorId: id, amountCents: 5 });
    const result = await importIn('payments', many(1200, paymentRow), (batch) => batch % 2 === 1 && pay());
    expect(result).toMatchObject({ judged: 4, created: 1200, stored: true });
  });

  it('waits for another one to end', async () => {
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
});
