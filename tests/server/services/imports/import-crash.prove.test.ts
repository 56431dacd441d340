import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import { startChild } from '../../../support/children.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { findDatabaseProblems } from '../../../support/problems.ts';
import { chooseRunCount, describeEachInLongLane } from '../../../support/proofs.ts';
import { addUser } from '../../../support/rows.ts';

const ROUNDS = chooseRunCount(2, 20, 60);
// Few enough for one transaction each.
const INVOICES = 1500;
const PAYMENTS = 1900;

describeEachInLongLane('an import that is killed at any moment', (fresh) => {
  it('has stored all of it or nothing, and can be run again', { timeout: 600_000 }, async () => {
    const { folder, remove } = temporaryFolder();
    try {
      const files = writeFiles(folder);
      const { id: userId } = await addUser(fresh.db, { roles: [1, 3] });
      const seen = new Set<string>();
      for (let round = 0; round < ROUNDS && !seen.has('2'); round++) {
        const child = await startChild();
        const ended = child.run('importTables', fresh.database.url, userId, files).catch(() => 'killed');
        // Spread over the whole of an import, which takes about a second.
        await Promise.race([ended, delay(150 + ((round * 389) % 1200))]);
        await child.kill();
        await ended;
        const { imports, invoices, payments } = await countAll(fresh.db);
        expect({ imports, invoices, payments }).toEqual({
          imports,
          invoices: imports > 0 ? INVOICES : 0,
          payments: imports > 1 ? PAYMENTS : 0,
        });
        expect(await findDatabaseProblems(fresh.db)).toEqual([]);
        seen.add(String(imports));
      }
      const child = await startChild();
      await child.run('importTables', fresh.database.url, userId, files);
      expect(await countAll(fresh.db)).toEqual({ imports: 2, invoices: INVOICES, payments: PAYMENTS });
      expect(await findDatabaseProblems(fresh.db)).toEqual([]);
    } finally {
      remove();
    }
  });
});

async function countAll(db: Db): Promise<{ imports: number; invoices: number; payments: number }> {
  const count = async (table: 'imports' | 'invoices' | 'payments') =>
    (await db.selectFrom(table).select('id').execute()).length;
  return {
    imports: await count('imports'),
    invoices: await count('invoices'),
    payments: await count('payments'),
  };
}

function writeFiles(folder: string): { invoices: string; payments: string } {
  const files = { invoices: join(folder, 'f.csv'), payments: join(folder, 'p.csv') };
  const invoices = Array.from(
    { length: INVOICES },
    (_, n) => `Aceros ${n % 40},Torre,F-${n},2026-01-05,${1000 + n}.00,16`,
  );
  const payments = Array.from(
    { length: PAYMENTS },
    (_, n) => `C-${n},F-${n % INVOICES},Aceros ${(n % INVOICES) % 40},2026-02-05,${100 + (n % 100)}.00,Caja`,
  );
  writeFileSync(files.invoices, `Proveedor,Obra,Factura,Emisión,Subtotal,Tasa\n${invoices.join('\n')}\n`);
  writeFileSync(
    files.payments,
    `Cheque,Factura,Proveedor,Fecha de pago,Importe pagado,Origen\n${payments.join('\n')}\n`,
  );
  return files;
}
