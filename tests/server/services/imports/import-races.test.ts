import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { isViolation } from '../../../../db/errors.ts';
import { lockTables } from '../../../../db/expressions.ts';
import type { Trx } from '../../../../db/schema.ts';
import { inTransaction } from '../../../../db/transaction.ts';
import type { TableKind } from '../../../../server/formats/tables/table.ts';
import type { Actor } from '../../../../server/services/audit/audit.ts';
import { updateRow } from '../../../../server/services/catalogs/row-changes.ts';
import { lockClosingExclusive } from '../../../../server/services/closing/closing.ts';
import { importTable } from '../../../../server/services/imports/import.ts';
import { lockInvoiceNumbers } from '../../../../server/services/invoices/read-invoice-book.ts';
import { suppliers } from '../../../../shared/catalogs/suppliers.ts';
import { uuidOfNumber } from '../../../support/cfdi.ts';
import { useFreshDatabase } from '../../../support/databases.ts';
import { createPaymentRow } from '../../../support/import-rows.ts';
import { tableInWords } from '../../../support/remarks.ts';
import { addActor, addInvoice, addJob, addRubro, addSupplier } from '../../../support/rows.ts';
import { createParsedRows } from '../../../support/table-rows.ts';

/** On PostgreSQL another user can store an invoice after the import has looked; SQLite has only one writer. */
describe('an import while somebody else stores one of its invoices (postgres)', () => {
  const fresh = useFreshDatabase('postgres');
  let actor: Actor;
  let ids: { supplierId: number; jobId: number };
  beforeEach(async () => {
    actor = await addActor(fresh.db);
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros' });
    ids = { supplierId, jobId: await addJob(fresh.db, { jobtitle: 'Torre' }) };
  });

  const row = {
    suppliername: 'Aceros',
    jobtitle: 'Torre',
    numfactura: 'A-1',
    subtotal: '1000.00',
    iva: '160.00',
    total: '1160.00',
    tasa: '16',
  };
  const source = { source: 'x.csv', sha256: 'a'.repeat(64) };

  /** Stores invoices in open transactions, and commits each once the import waits for its UUID. */
  async function holdInvoices(count: number) {
    const { db } = fresh.database.openAgain();
    const held: Array<{ commit(): { execute(): Promise<void> } }> = [];
    for (let n = 0; n < count; n++) {
      const trx = await db.startTransaction().execute();
      await addInvoice(trx, { ...ids, numfactura: 'A-1', uuid: uuidOfNumber(n), ivaCents: 16_000 });
      held.push(trx);
    }
    const watching = fresh.database.openAgain().db;
    const begun = new Set<string>();
    /** Whether one more transaction waits for a lock than at the last call. */
    const isWaitedFor = async () => {
      const { rows } = await sql<{ begun: string }>`select xact_start::text as begun from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(watching);
      const before = begun.size;
      for (const one of rows) begun.add(one.begun);
      return begun.size > before;
    };
    let committed = 0;
    const during = async <T>(importing: Promise<T>): Promise<T> => {
      let isOver = false;
      const over = importing.finally(() => {
        isOver = true;
      });
      over.catch(() => {});
      while (!isOver && committed < held.length)
        if (await isWaitedFor()) await held[committed++]!.commit().execute();
      return over;
    };
    return { during, committed: () => committed };
  }
  const countInvoices = async () => (await fresh.db.selectFrom('invoices').select('id').execute()).length;

  it('validates again, in a transaction of its own', async () => {
    const { during } = await holdInvoices(1);
    const rows = createParsedRows([{ ...row, uuid: uuidOfNumber(0) }]);
    const result = await during(importTable(fresh.db, actor, 'invoices', rows, source));
    expect(tableInWords(result)).toMatchObject({ created: 0, unchanged: 1, refused: [] });
    expect(await countInvoices()).toBe(1);
  });

  it('can be previewed meanwhile, whatever is locked', async () => {
    await addInvoice(fresh.db, { ...ids, numfactura: 'A-0', subtotalCents: 100_000, ivaCents: 16_000 });
    const holding = await fresh.database.openAgain().db.startTransaction().execute();
    await lockInvoiceNumbers(holding);
    await lockClosingExclusive(holding);
    await lockTables(holding, 'suppliers', 'jobs', 'rubros', 'budgets', 'invoices', 'funding_sources');
    await sql`select id from suppliers for update`.execute(holding);
    await sql`select id from invoices for update`.execute(holding);
    const preview = (kind: TableKind, one: Record<string, string>) =>
      importTable(fresh.db, actor, kind, createParsedRows([one]), {
        ...source,
        dryRun: true,
        createMissing: true,
      });
    try {
      for (const [kind, one] of [
        ['invoices', { ...row, suppliername: 'Nuevo' }],
        ['payments', { ...createPaymentRow('A-0'), origenderecursonombre: 'Banco' }],
        ['suppliers', { suppliername: 'Otro', suppliercontactperson: 'x', rfc: 'EME170704QVA' }],
        ['budgets', { jobtitle: 'Torre', presupuesto: '1000.00' }],
        ['cuentas', { suppliername: 'Aceros', clabe: '002010077777777771', titular: 'Aceros' }],
      ] as const)
        expect(tableInWords(await preview(kind, one)), kind).toMatchObject({ created: 1, refused: [] });
    } finally {
      await holding.rollback().execute();
    }
  });

  it('that adds suppliers does not deadlock with a user who changes one', async () => {
    const holding = await fresh.database.openAgain().db.startTransaction().execute();
    await lockTables(holding, 'suppliers');
    let runs = 0;
    const changing = inTransaction(fresh.db, async (trx: Trx) => {
      runs += 1;
      return updateRow(trx, actor, suppliers, ids.supplierId, { rfc: 'EME170704QVA' });
    });
    const waiting = sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await waiting.execute(holding)).rows.length === 0);
    await sql`select id from suppliers for key share`.execute(holding);
    await holding.commit().execute();
    expect((await changing).row).toMatchObject({ rfc: 'EME170704QVA' });
    expect(runs).toBe(1);
  });

  it.each([
    ['jobs', 'clients', { jobtitle: 'Nueva', clientname: 'Puertos' }],
    ['invoices', 'rubros', { ...row, jobtitle: 'Nueva', nombrerubro: 'Acero' }],
  ] as const)(
    'that adds to several lists (%s) locks %s before jobs, like everybody',
    async (kind, held, one) => {
      const holding = await fresh.database.openAgain().db.startTransaction().execute();
      await lockTables(holding, held);
      const rows = createParsedRows([one]);
      const importing = importTable(fresh.db, actor, kind, rows, { ...source, createMissing: true });
      const waiting = sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
      while ((await waiting.execute(holding)).rows.length === 0);
      await sql`lock table jobs in share row exclusive mode nowait`.execute(holding);
      await holding.commit().execute();
      expect(await importing).toMatchObject({ created: 1, stored: true });
    },
  );

  it('has the transaction that it is part of run again, as a whole', async () => {
    const { during } = await holdInvoices(1);
    const rows = createParsedRows([{ ...row, uuid: uuidOfNumber(0) }]);
    let runs = 0;
    const working = inTransaction(fresh.db, async (trx: Trx) => {
      runs += 1;
      await addRubro(trx, { nombrerubro: 'del mismo trabajo' });
      return importTable(trx, actor, 'invoices', rows, source);
    });
    const result = await during(working);
    expect(runs).toBe(2);
    expect(result).toMatchObject({ created: 0, unchanged: 1 });
    expect(await countInvoices()).toBe(1);
    expect(await fresh.db.selectFrom('rubros').select('id').execute()).toHaveLength(1);
  });

  it('gives up after some tries with a message, having stored nothing', async () => {
    const { during, committed } = await holdInvoices(6);
    const rows = createParsedRows(
      Array.from({ length: 6 }, (_, n) => ({ ...row, numfactura: `B-${n}`, uuid: uuidOfNumber(n) })),
    );
    // An invoice with the same UUID and another number is a conflict; such rows are skipped.
    const options = { ...source, onError: 'skip' } as const;
    const importing = during(importTable(fresh.db, actor, 'invoices', rows, options));
    const error = await importing.catch((one: unknown) => one);
    expect(isViolation(error, 'unique')).toBe(false);
    expect(error).toMatchObject({
      kind: 'conflict',
      code: 'import_race',
      message: expect.stringMatching(/^Alguien guardó a la vez/),
    });
    expect(await countInvoices()).toBe(committed());
    expect(await fresh.db.selectFrom('imports').select('id').execute()).toEqual([]);
  });
});
