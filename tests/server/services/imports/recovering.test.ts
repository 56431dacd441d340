import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../../db/open.ts';
import { findOpenImports } from '../../../../db/open-imports.ts';
import type { Db } from '../../../../db/schema.ts';
import type { Actor } from '../../../../server/services/audit/audit.ts';
import { backupDatabase } from '../../../../server/services/database/backup.ts';
import { checkDatabase } from '../../../../server/services/database/check.ts';
import { restoreDatabase } from '../../../../server/services/database/restore.ts';
import { importTable } from '../../../../server/services/imports/import.ts';
import { recoverImports } from '../../../../server/services/imports/recovering.ts';
import { newDatabaseUrl, useFresh } from '../../../support/databases.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { addActor, addInvoice, addJob, addSupplier } from '../../../support/rows.ts';
import { parsedRows } from '../../../support/table-rows.ts';

/** Larger than any process's number. */
const GONE = 2 ** 30;

/** An import in batches that nobody goes on with: of a process that died, or in a copy that was made meanwhile. */
describe('what an import in batches left (sqlite)', () => {
  const fresh = useFresh('sqlite');
  let actor: Actor;
  beforeEach(async () => {
    actor = await addActor(fresh.db);
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros' });
    const jobId = await addJob(fresh.db, { jobtitle: 'Torre' });
    for (const n of Array.from({ length: 1200 }).keys())
      await fresh.db.transaction().execute((trx) =>
        addInvoice(trx, {
          supplierId,
          jobId,
          numfactura: `A-${n}`,
          subtotalCents: 100_000,
          ivaCents: 16_000,
        }),
      );
  });

  const problemsOf = async (db: Db) => (await checkDatabase(db)).checks.flatMap(({ problems }) => problems);
  const contentOf = async (db: Db) => ({
    payments: await db.selectFrom('payments').selectAll().execute(),
    imports: await db.selectFrom('imports').selectAll().execute(),
    open: await findOpenImports(db),
    paid: await db.selectFrom('invoices').select('id').where('paidCents', '>', 0).execute(),
  });
  const nothing = { payments: [], imports: [], open: [], paid: [] };

  /** Imports payments for all invoices; `work` happens when two batches of three are stored. */
  const importing = (work: () => Promise<unknown>) => {
    const rows = Array.from({ length: 1200 }, (_, n) => ({
      suppliername: 'Aceros',
      numfactura: `A-${n}`,
      paymentdate: '2026-10-05',
      paymentamount: '5.00',
    }));
    let batches = 0;
    return importTable(
      fresh.db,
      actor,
      'payments',
      parsedRows(rows),
      { source: 'p.csv', sha256: 'a'.repeat(64), batching: { above: 100, timing: () => () => false } },
      async (step) => {
        if (step === 'guardar' && (await findOpenImports(fresh.db)).length > 0 && ++batches === 2)
          await work();
      },
    );
  };

  it.each([false, true])('is in no backup that is restored (portable: %s)', async (portable) => {
    const { folder, remove } = temporaryFolder();
    try {
      const copy = join(folder, 'copia');
      const url = await newDatabaseUrl('sqlite');
      await importing(async () => {
        const backup = await backupDatabase(fresh.database, actor, copy, { portable });
        expect(backup.problems).toEqual([]);
      });
      const target = { databaseUrl: url, dataFolder: folder, root: '/' };
      expect((await restoreDatabase(target, actor, copy)).problems).toEqual([]);
      const restored = openDatabase(url, { root: '/', create: false });
      expect(await contentOf(restored.db)).toEqual(nothing);
      expect(await problemsOf(restored.db)).toEqual([]);
      await restored.close();
    } finally {
      remove();
    }
  });

  it('is taken back once its process is gone, or was not heard of for a minute', async () => {
    const error = await importing(async () => {
      const writer = fresh.database.openAgain().db;
      expect(await recoverImports(writer)).toBe(0); // this process lives
      expect(await recoverImports(writer, Date.now() + 59_000)).toBe(0);
      await writer.updateTable('open_imports').set({ owner: 'another-machine 1 x' }).execute();
      expect(await recoverImports(writer)).toBe(0);
      await writer
        .updateTable('open_imports')
        .set({ owner: `${hostname()} ${GONE} x` })
        .execute();
      expect(await recoverImports(writer)).toBe(1);
      expect(await contentOf(writer)).toEqual(nothing);
      expect(await problemsOf(writer)).toEqual([]);
    });
    // Whoever was held for dead finds out, and begins anew.
    expect(error).toMatchObject({ created: 1200, stored: true });
    expect((await contentOf(fresh.db)).imports).toHaveLength(1);
  });
});
