import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { compileQueryOnce } from '../../db/compile-once.ts';
import { forUpdate } from '../../db/expressions.ts';
import { inSnapshot, inTransaction } from '../../db/transaction.ts';
import { useFreshDatabase } from '../support/databases.ts';

describe('a query compiled once (postgres)', () => {
  const fresh = useFreshDatabase('postgres');

  it('locks its rows in a transaction, and none in a snapshot, whichever came first', async () => {
    const { db } = fresh;
    for (const order of ['snapshot first', 'transaction first']) {
      const lockRoles = compileQueryOnce((on) =>
        on.selectFrom('roles').select('id').modifyEnd(forUpdate(on)),
      );
      const read = () => inSnapshot(db, (snapshot) => lockRoles(snapshot)); // PostgreSQL would refuse a lock
      if (order === 'snapshot first') await read();
      await inTransaction(db, async (trx) => {
        const roles = await lockRoles(trx);
        expect(roles.length, order).toBeGreaterThan(0);
        const free = await sql`select id from roles for update skip locked`.execute(db);
        expect(free.rows, order).toEqual([]);
      });
      expect((await read()).length, order).toBeGreaterThan(0);
    }
  });
});
