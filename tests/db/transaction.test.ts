import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { LostRaceError } from '../../db/errors.ts';
import type { Trx } from '../../db/schema.ts';
import { addCommitStep, inSnapshot, inTransaction } from '../../db/transaction.ts';
import { DomainError } from '../../shared/errors.ts';
import { uuidOfNumber } from '../support/cfdi.ts';
import { describeEachDatabase, useFreshDatabase } from '../support/databases.ts';
import { addCreditNote, addInvoice, addRubro, addSupplier, addUser } from '../support/rows.ts';

describeEachDatabase('a transaction', (fresh) => {
  it('that only reads sees one moment while others write', async () => {
    await addRubro(fresh.db);
    const seen = await inSnapshot(fresh.db, async (snapshot) => {
      const count = async () => (await snapshot.selectFrom('rubros').select('id').execute()).length;
      const first = await count();
      await addRubro(fresh.db);
      return [first, await count(), await rubros()];
    });
    expect(seen).toEqual([1, 1, 2]);
    const failing = inSnapshot(fresh.db, (snapshot) =>
      Promise.all([sql`select 1`.execute(snapshot), sql`select missing`.execute(snapshot), rubros()]),
    );
    await expect(failing).rejects.toThrow(/missing/);
    expect(await inSnapshot(fresh.db, (snapshot) => inSnapshot(snapshot, async () => 'joined'))).toBe(
      'joined',
    );
    await expect(inSnapshot(fresh.db, (snapshot) => addRubro(snapshot))).rejects.toThrow(/read-?only/);
    expect(
      await inSnapshot(fresh.db, (snapshot) => snapshot.selectFrom('rubros').select('id').execute()),
    ).toHaveLength(2);
  });

  it('joins the transaction in which it is called, and fails together with it', async () => {
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

  it('runs the steps registered for its end immediately before and after the commit, also those from a nested one', async () => {
    const order: string[] = [];
    const step = (trx: Trx, name: string) =>
      addCommitStep(trx, async () => {
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

  it('stores nothing if a step at its end fails', async () => {
    const work = inTransaction(fresh.db, async (trx) => {
      await addRubro(trx);
      addCommitStep(trx, () => Promise.reject(new Error('no entry')));
    });
    await expect(work).rejects.toThrow('no entry');
    expect(await rubros()).toBe(0);
  });

  it('refuses to register a step on a handle that would never run it', async () => {
    const work = fresh.db.transaction().execute(async (trx) => addCommitStep(trx, async () => () => {}));
    await expect(work).rejects.toThrow('inTransaction');
  });

  const rubros = async () => (await fresh.db.selectFrom('rubros').select('id').execute()).length;
});

describe('PostgreSQL', () => {
  const fresh = useFreshDatabase('postgres');

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

  it('reports that it is busy if a lock is not available in time', async () => {
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

describeEachDatabase('a row that somebody else stored first', (fresh) => {
  const lost = (cause: unknown) =>
    new LostRaceError(new DomainError('conflict', 'Otro fue más rápido.'), cause);
  const supplier = (trx: Trx, rfc: string) => addSupplier(trx, { rfc, suppliername: rfc });

  /** @param work runs in each attempt, and may throw */
  async function run(work: (trx: Trx, run: number) => Promise<unknown>) {
    let runs = 0;
    const result = await inTransaction(fresh.db, (trx) => {
      runs += 1;
      return work(trx, runs).catch((error: unknown) => {
        throw lost(error);
      });
    }).catch((error: unknown) => error);
    return { runs, result };
  }

  it('is found by the second run', async () => {
    const result = await run(async (trx, runs) => {
      await supplier(trx, 'EKU9003173C9');
      if (runs === 1) await supplier(trx, 'EKU9003173C9');
      return 'stored';
    });
    expect(result).toEqual({ runs: 2, result: 'stored' });
  });

  it.each<[string, (trx: Trx) => Promise<unknown>, string]>([
    [
      'an RFC',
      async (trx) => [await supplier(trx, 'EKU9003173C9'), await supplier(trx, 'EKU9003173C9')],
      'RFC',
    ],
    [
      'a UUID of invoices',
      async (trx) => [
        await addInvoice(trx, { uuid: uuidOfNumber(1) }),
        await addInvoice(trx, { uuid: uuidOfNumber(1) }),
      ],
      'UUID',
    ],
    [
      'a UUID of credit notes',
      async (trx) => {
        const note = {
          supplierId: await addSupplier(trx),
          userId: (await addUser(trx)).id,
          uuid: uuidOfNumber(2),
        };
        return [await addCreditNote(trx, note), await addCreditNote(trx, note)];
      },
      'UUID',
    ],
  ])('is not blamed for %s that repeats in every run', async (_what, work, label) => {
    const { runs, result } = await run(work);
    expect(runs).toBe(2);
    expect(result).toMatchObject({ kind: 'conflict', code: 'repeated_value' });
    expect(result).toHaveProperty('message', expect.stringContaining(`ya lo tiene otro registro: ${label}.`));
  });

  it('is not blamed for a refusal that is the same in every run, nor for a reference to a missing row', async () => {
    const refused = new DomainError('conflict', 'El RFC X ya es de «Y».', { code: 'rfc_taken' });
    expect(await run(() => Promise.reject(refused))).toEqual({ runs: 2, result: refused });
    const orphan = Object.assign(new Error('FOREIGN KEY'), { code: 'SQLITE_CONSTRAINT_FOREIGNKEY' });
    const { result } = await run(() => Promise.reject(orphan));
    expect(result).toMatchObject({ code: 'reference_missing' });
  });

  it('is reported if each run meets another one', async () => {
    const { runs, result } = await run((_trx, index) => Promise.reject(new Error(`other ${index}`)));
    expect([runs, result]).toEqual([6, expect.objectContaining({ message: 'Otro fue más rápido.' })]);
  });
});
