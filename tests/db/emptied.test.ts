import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { inTransaction } from '../../db/transaction.ts';
import { findTrailLoss } from '../../server/services/audit/trail-mark.ts';
import { createRow } from '../../server/services/catalogs/row-changes.ts';
import { searchInvoices } from '../../server/services/invoices/reading.ts';
import { rubros } from '../../shared/catalogs/rubros.ts';
import { DIALECTS, openFreshDatabase } from '../support/databases.ts';
import { addActor, addInvoice, DAY } from '../support/rows.ts';

describe.each(DIALECTS)('a database of tests on %s', (dialect) => {
  it('begins empty, after rows, snapshots and searches of others', async () => {
    for (const numfactura of ['A-1', 'B-2', 'C-3']) {
      const { db, close } = await openFreshDatabase(dialect);
      const find = (text: string) => searchInvoices(db, { limit: 5, numfactura: text }, DAY);
      const found = async () => {
        const lists = await Promise.all(['A-1', 'B-2', 'C-3'].map(find));
        return lists.flatMap(({ rows }) => rows.map((row) => [row.id, row.numfactura]));
      };
      expect(await found()).toEqual([]);
      await addInvoice(db, { numfactura });
      expect(await found()).toEqual([[1, numfactura]]);
      const count = await db
        .transaction()
        .setAccessMode('read only')
        .execute((trx) => trx.selectFrom('invoices').select('id').execute());
      expect(count).toEqual([{ id: 1 }]);
      await close();
    }
  });

  it('misses no entry of its audit trail, after others have written theirs', async () => {
    for (let round = 0; round < 2; round++) {
      const { db, close } = await openFreshDatabase(dialect);
      expect(await findTrailLoss(db)).toBeUndefined();
      await createRow(db, await addActor(db), rubros, { nombrerubro: 'Acero' });
      await close();
    }
  });

  it('has the original columns, after others changed them', async () => {
    for (let round = 0; round < 2; round++) {
      const { db, close } = await openFreshDatabase(dialect);
      await inTransaction(db, (trx) => sql`alter table rubros add column extra text`.execute(trx));
      await close();
    }
  });

  it('refuses what is asked once it is closed', async () => {
    const used = await openFreshDatabase(dialect);
    await used.db.selectFrom('users').select('id').execute();
    await used.close();
    await expect(used.db.selectFrom('users').select('id').execute()).rejects.toThrow();
  });
});
