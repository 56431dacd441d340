import { expect, it } from 'vitest';
import { CompiledQueries } from '../../db/prepared.ts';
import { inTransaction } from '../../db/transaction.ts';
import { describeEachDatabase } from '../support/databases.ts';
import { addRubro } from '../support/rows.ts';

describeEachDatabase('a compiled query', (fresh) => {
  it('is built once for each key, and reads what is there now, with the parameters of now', async () => {
    const queries = new CompiledQueries<{ id: number }>();
    let built = 0;
    const find = (db: typeof fresh.db, ids: number[]) =>
      queries.run(
        db,
        String(ids.length),
        () => {
          built++;
          return db.selectFrom('rubros').select('id').where('id', 'in', ids).orderBy('id');
        },
        ids,
      );
    const [one, other] = [await addRubro(fresh.db), await addRubro(fresh.db)];
    expect(await find(fresh.db, [one])).toEqual([{ id: one }]);
    expect(await find(fresh.db, [other])).toEqual([{ id: other }]);
    expect(built).toBe(1);
    expect(await find(fresh.db, [one, other])).toHaveLength(2);
    expect(built).toBe(2);
    await inTransaction(fresh.db, async (trx) => {
      const third = await addRubro(trx);
      expect(await find(trx, [third])).toEqual([{ id: third }]);
      expect(await find(fresh.db, [third])).toEqual([]);
    });
    expect(built).toBe(2);
    const misled = queries.run(fresh.db, '1', () => fresh.db.selectFrom('rubros').select('id'), [1, 2]);
    await expect(misled).rejects.toThrow('2 parameters for a query of 1');
  });
});
