import { writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../../db/open.ts';
import { findOpenImports } from '../../../../db/open-imports.ts';
import { backupDatabase } from '../../../../server/services/database/backup.ts';
import { restoreDatabase } from '../../../../server/services/database/restore.ts';
import { recoverImports } from '../../../../server/services/imports/recovering.ts';
import {
  contentOf,
  countRows,
  invoiceRow,
  many,
  paymentRow,
  problemsOf,
  useBatchedImports,
} from '../../../support/batched-imports.ts';
import { startChild } from '../../../support/children.ts';
import { newDatabaseUrl } from '../../../support/databases.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { howMany } from '../../../support/proofs.ts';

/** Larger than any process's number. */
const GONE = 2 ** 30;
const KILLS = howMany(5, 12, 100);
const ROWS = 4000;

/** Of a process that died, or in a copy that was made meanwhile, nobody goes on with it. */
describe('what an import in batches left (sqlite)', () => {
  const use = useBatchedImports();

  it.each([
    ['invoices', false],
    ['invoices', true],
    ['payments', false],
    ['payments', true],
  ] as const)('of %s is in no backup that is restored (portable: %s)', async (kind, portable) => {
    const { fresh, importIn, actor } = use;
    const { folder, remove } = temporaryFolder();
    try {
      if (kind === 'payments') await importIn('invoices', many(1200, invoiceRow));
      const before = await contentOf(fresh.db);
      const copy = join(folder, 'copia');
      const rows =
        kind === 'invoices' ? many(1200, (name) => invoiceRow(name, 'Nuevo')) : many(1200, paymentRow);
      const backUp = async (batch: number) => {
        if (batch !== 2) return;
        const backup = await backupDatabase(fresh.database, actor, copy, { portable });
        expect(backup.problems).toEqual([]);
      };
      await importIn(kind, rows, backUp, { createMissing: true });
      const databaseUrl = await newDatabaseUrl('sqlite');
      const restored = await restoreDatabase({ databaseUrl, dataFolder: folder, root: '/' }, actor, copy);
      expect(restored.problems).toEqual([]);
      const { db, close } = openDatabase(databaseUrl, { root: '/', create: false });
      expect(await contentOf(db)).toEqual(before);
      expect(await problemsOf(db)).toEqual([]);
      await close();
    } finally {
      remove();
    }
  });

  it('is taken back once its process is gone, or was not heard of for a minute', async () => {
    const { fresh, importIn, other } = use;
    await importIn('invoices', many(1200, invoiceRow));
    const before = await contentOf(fresh.db);
    const result = await importIn('payments', many(1200, paymentRow), async (batch) => {
      if (batch !== 2) return;
      const writer = other();
      expect(await recoverImports(writer)).toBe(0); // this process lives
      expect(await recoverImports(writer, Date.now() + 55_000)).toBe(0);
      await writer.updateTable('open_imports').set({ owner: 'another-machine 1 x' }).execute();
      expect(await recoverImports(writer)).toBe(0);
      await writer
        .updateTable('open_imports')
        .set({ owner: `${hostname()} ${GONE} x` })
        .execute();
      expect(await recoverImports(writer)).toBe(1);
      expect(await contentOf(writer)).toEqual(before);
      expect(await problemsOf(writer)).toEqual([]);
    });
    // Whoever was held for dead finds out, and begins anew.
    expect(result).toMatchObject({ judged: 2, created: 1200, stored: true });
    expect(await countRows(fresh.db, 'imports')).toBe(2);
  });

  it('of a process that is killed is nothing or all of it, at any moment', { timeout: 600_000 }, async () => {
    const { fresh, actor } = use;
    const { folder, remove } = temporaryFolder();
    try {
      const files = writeFiles(folder);
      let brokenOff = 0;
      for (let round = 0; round < KILLS; round++) {
        const child = await startChild();
        const ended = child
          .run('importTables', fresh.database.url, actor.userId, files, true)
          .catch(() => {});
        // At any moment, and every other time while it stores.
        const isOver = ended.then(() => true);
        while (round % 2 === 1 && (await findOpenImports(fresh.db)).length === 0)
          if (await Promise.race([isOver, delay(5)])) break;
        await Promise.race([
          ended,
          delay(round % 2 === 1 ? (round * 17) % 200 : 300 + ((round * 389) % 3000)),
        ]);
        await child.kill();
        await ended;
        const hidden = await countRows(fresh.db, 'invoices');
        expect([0, ROWS]).toContain(hidden);
        expect(await problemsOf(fresh.db)).toEqual([]);
        brokenOff += (await findOpenImports(fresh.db)).length;
        await recoverImports(fresh.db);
        const imports = await countRows(fresh.db, 'imports');
        expect(await countRows(fresh.db, 'payments')).toBe(imports > 1 ? ROWS : 0);
        expect(await problemsOf(fresh.db)).toEqual([]);
        if (imports > 1) await deletePayments();
      }
      expect(brokenOff).toBeGreaterThan(0);
    } finally {
      remove();
    }
  });

  /** So that the next one has something to do. */
  const deletePayments = () =>
    use.fresh.db.transaction().execute(async (trx) => {
      await trx.deleteFrom('payments').execute();
      await trx.updateTable('invoices').set({ paidCents: 0 }).execute();
      await trx.updateTable('funding_sources').set({ importId: null }).execute();
      await trx.deleteFrom('imports').where('kind', '=', 'payments').execute();
    });
});

function writeFiles(folder: string): { invoices: string; payments: string } {
  const files = { invoices: join(folder, 'f.csv'), payments: join(folder, 'p.csv') };
  const invoices = many(ROWS, (name) => `Aceros,Torre,${name},2026-01-05,1000.00,16`);
  const payments = many(ROWS, (name) => `${name},Aceros,2026-02-05,100.00,Caja`);
  writeFileSync(files.invoices, `Proveedor,Obra,Factura,Emisión,Subtotal,Tasa\n${invoices.join('\n')}\n`);
  writeFileSync(
    files.payments,
    `Factura,Proveedor,Fecha de pago,Importe pagado,Origen\n${payments.join('\n')}\n`,
  );
  return files;
}
