import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { CompiledQueries } from '../../db/prepared.ts';
import type { Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { describeEachDatabase, useFresh } from '../support/databases.ts';
import { addRubro } from '../support/rows.ts';

describe('on PostgreSQL a query of which that is wanted', () => {
  const fresh = useFresh('postgres');
  it('is planned once for each connection', async () => {
    const queries = new CompiledQueries<{ id: number }>({ plansOnce: true });
    const find = (db: Db, id: number) =>
      queries.run(db, 'by id', () => db.selectFrom('rubros').select('id').where('id', '=', id), [id]);
    await inTransaction(fresh.db, async (trx) => {
      const id = await addRubro(trx);
      for (const one of [id, id + 1, id]) expect(await find(trx, one)).toEqual(one === id ? [{ id }] : []);
      const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(
        trx,
      );
      expect(rows.map(({ statement }) => statement)).toEqual([expect.stringContaining('"rubros"')]);
    });
  });
});

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
