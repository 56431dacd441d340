import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { insertRows, ROWS_PER_QUERY, valuesTable } from '../../db/bulk.ts';
import { inTransaction } from '../../db/transaction.ts';
import { describeEachDatabase } from '../support/databases.ts';
import { NOW } from '../support/rows.ts';

const rubro = (name: string) => ({
  nombrerubro: name,
  nombrerubroFold: name.toLowerCase(),
  descripcionrubro: '',
  importId: null,
  createdAt: NOW,
  updatedAt: NOW,
});

describeEachDatabase('rows in bulk', (fresh) => {
  it('are stored by the names of their columns, in whatever order a row has them', async () => {
    const names = Array.from({ length: ROWS_PER_QUERY + 3 }, (_, index) => `Rubro ${index}`);
    const rows = names.map((name, index) => {
      const { nombrerubro, ...rest } = rubro(name);
      return index % 2 === 0 ? { nombrerubro, ...rest } : { ...rest, nombrerubro };
    });
    await inTransaction(fresh.db, (trx) => insertRows(trx, 'rubros', rows));
    const stored = await fresh.db.selectFrom('rubros').selectAll().orderBy('id').execute();
    expect(stored.map((row) => [row.nombrerubro, row.nombrerubroFold, row.version])).toEqual(
      names.map((name) => [name, name.toLowerCase(), 1]),
    );
  });

  it('all need the same columns, or none is stored', async () => {
    const { descripcionrubro: _, ...short } = rubro('B');
    for (const other of [short, { ...rubro('B'), version: 2 }])
      await expect(
        inTransaction(fresh.db, (trx) => insertRows(trx, 'rubros', [rubro('A'), other as never])),
      ).rejects.toThrow('rows of other columns than nombrerubro, ');
    expect(await fresh.db.selectFrom('rubros').selectAll().execute()).toEqual([]);
  });

  it('can be used as a table in a statement, each value under its name', async () => {
    const rows = [
      { cents: 5, id: 1, note: 'ñ"\'' },
      { id: 2, note: null, cents: -7 },
    ];
    const table = valuesTable(fresh.db, { id: 'bigint', cents: 'bigint', note: 'text' }, rows);
    const found = await sql`select id, cents, note from ${table} as w order by id`.execute(fresh.db);
    expect(found.rows).toEqual(rows.map(({ id, cents, note }) => ({ id, cents, note })));
  });
});
