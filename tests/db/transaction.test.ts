import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Trx } from '../../db/schema.ts';
import { atCommit, inSnapshot, inTransaction } from '../../db/transaction.ts';
import { describeEachDatabase, useFresh } from '../support/databases.ts';
import { addRubro } from '../support/rows.ts';

describeEachDatabase('a transaction', (fresh) => {
  it('that only reads sees one moment, while others write', async () => {
    await addRubro(fresh.db);
    const seen = await inSnapshot(fresh.db, async (snapshot) => {
      const count = async () => (await snapshot.selectFrom('rubros').select('id').execute()).length;
      const first = await count();
      await addRubro(fresh.db);
      return [first, await count(), await rubros()];
    });
    expect(seen).toEqual([1, 1, 2]);
    expect(await inSnapshot(fresh.db, (snapshot) => inSnapshot(snapshot, async () => 'joined'))).toBe(
      'joined',
    );
    await expect(inSnapshot(fresh.db, (snapshot) => addRubro(snapshot))).rejects.toThrow(/read-?only/);
    expect(
      await inSnapshot(fresh.db, (snapshot) => snapshot.selectFrom('rubros').select('id').execute()),
    ).toHaveLength(2);
  });

  it('joins the one it is called in, and fails with it', async () => {
    const work = inTransaction(fresh.db, async (outer) => {
      await inTransaction(outer, async (inner) => {
        expect(inner).toBe(outer);
        await addRubro(inner);
      });
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect(await rubros()).toBe(0);
  });

  it('runs what was left for its end right before the commit and after it, also from a joined one', async () => {
    const order: string[] = [];
    const step = (trx: Trx, name: string) =>
      atCommit(trx, async () => {
        order.push(name);
        await addRubro(trx);
        return () => order.push(`after the ${name}`);
      });
    await inTransaction(fresh.db, async (trx) => {
      step(trx, 'end');
      await inTransaction(trx, async (inner) => step(inner, 'end of the inner'));
      order.push('work');
    });
    expect(order).toEqual(['work', 'end', 'end of the inner', 'after the end', 'after the end of the inner']);
    expect(await rubros()).toBe(2);
  });

  it('stores nothing where its end fails', async () => {
    const work = inTransaction(fresh.db, async (trx) => {
      await addRubro(trx);
      atCommit(trx, () => Promise.reject(new Error('no entry')));
    });
    await expect(work).rejects.toThrow('no entry');
    expect(await rubros()).toBe(0);
  });

  it('refuses an end on a handle that would never run it', async () => {
    const work = fresh.db.transaction().execute(async (trx) => atCommit(trx, async () => () => {}));
    await expect(work).rejects.toThrow('inTransaction');
  });

  const rubros = async () => (await fresh.db.selectFrom('rubros').select('id').execute()).length;
});

describe('PostgreSQL', () => {
  const fresh = useFresh('postgres');

  it('runs the loser of a deadlock again, so that both succeed', async () => {
    for (const key of ['a', 'b']) await fresh.db.insertInto('settings').values({ key, value: '0' }).execute();
    let runs = 0;
    let waiting = 0;
    const both = Promise.withResolvers<void>();
    const add = async (first: string, second: string) =>
      inTransaction(fresh.db, async (trx) => {
        runs++;
        await increment(trx, first);
        if (++waiting === 2) both.resolve();
        await both.promise;
        await increment(trx, second);
      });
    await Promise.all([add('a', 'b'), add('b', 'a')]);
    expect(runs).toBe(3);
    const rows = await fresh.db.selectFrom('settings').select('value').execute();
    expect(rows).toEqual([{ value: '2' }, { value: '2' }]);
  });

  it('says that it is busy where a lock is not to be had in time', async () => {
    await fresh.db.insertInto('settings').values({ key: 'a', value: '0' }).execute();
    await inTransaction(fresh.db, async (holder) => {
      await increment(holder, 'a');
      const late = inTransaction(fresh.db, async (trx) => {
        await sql`SET LOCAL lock_timeout = '20ms'`.execute(trx);
        await increment(trx, 'a');
      });
      await expect(late).rejects.toMatchObject({ kind: 'busy' });
    });
  });

  const increment = (trx: Trx, key: string) =>
    trx
      .updateTable('settings')
      .set({ value: sql<string>`(value::int + 1)::text` })
      .where('key', '=', key)
      .execute();
});
