import fc from 'fast-check';
import { type Expression, type SqlBool, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { foldedContains, matchesText, orderWithNulls } from '../../db/expressions.ts';
import { fold } from '../../shared/text.ts';
import { DIALECTS, describeEachDatabase, openFreshDatabase } from '../support/databases.ts';
import { addInvoice, addJob, addSupplier } from '../support/rows.ts';

const NUMBERS =
  String.raw`A-100|a-100%|A_100|Ñandú 7|nandu 77|O'Hara "B"|C:\facturas|ÁÉÍ-Ü|x*y AND z|日本語-1|`.split('|');
const NEEDLES = [
  ...String.raw`a 1 10 100 % _ 0% A_1 ñ Ñ ñan NANDÚ " "b o'h \ :\f áéí ü * 本語 語 日本語 zzz --`.split(' '),
  ...['y and', '  x*y  and '],
];

describeEachDatabase('searching', (fresh) => {
  it('finds text anywhere, ignoring case and accents, and takes % _ and quotes literally', async () => {
    const ids = await addInvoices(fresh.db, NUMBERS);
    for (const needle of NEEDLES) {
      const expected = ids.filter((_, i) => fold(NUMBERS[i] ?? '').includes(fold(needle)));
      expect(await search(needle), `indexed, «${needle}»`).toEqual(expected);
      expect(await scan(needle), `scanned, «${needle}»`).toEqual(expected);
    }
  });

  it('finds any piece of any text', async () => {
    const letters = fc.constantFrom(...'aAáÁñÑnüß%_\\"\'*?()-. 1é日');
    const text = fc.string({ unit: letters, maxLength: 12 });
    const texts = fc.sample(text, { numRuns: 60, seed: 20261120 });
    const ids = await addInvoices(fresh.db, texts);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: letters, minLength: 1, maxLength: 5 }), async (needle) => {
        fc.pre(fold(needle) !== '');
        expect(await search(needle)).toEqual(
          ids.filter((_, i) => fold(texts[i] ?? '').includes(fold(needle))),
        );
      }),
      { numRuns: 150 },
    );
  });

  it('finds a number after it was changed, and not after it was deleted', async () => {
    const [id = 0] = await addInvoices(fresh.db, ['PRIMERA']);
    const rename = (numfacturaFold: string) =>
      fresh.db.updateTable('invoices').set({ numfacturaFold }).where('id', '=', id).execute();
    await rename('segunda');
    expect([await search('primera'), await search('segunda')]).toEqual([[], [id]]);
    await rename('');
    expect(await search('segunda')).toEqual([]);
    await rename('tercera');
    expect(await search('tercera')).toEqual([id]);
    await fresh.db.deleteFrom('invoices').execute();
    expect(await search('tercera')).toEqual([]);
  });

  const idsWhere = async (matches: Expression<SqlBool>) => {
    const found = fresh.db.selectFrom('invoices').select('id').where(matches).orderBy('id');
    return (await found.execute()).map(({ id }) => id);
  };
  const search = (needle: string) => idsWhere(matchesText(fresh.db, 'numfacturaFold', needle));
  const scan = (needle: string) => idsWhere(foldedContains(sql.ref('numfacturaFold'), needle));
});

describe('both databases', () => {
  it('put missing dates first when ascending and last when descending', async () => {
    for (const dialect of DIALECTS) {
      const database = await openFreshDatabase(dialect);
      const jobId = await addJob(database.db);
      const days = ['2026-03-01', null, '2026-01-01', null];
      for (const fechavencimiento of days) await addInvoice(database.db, { jobId, fechavencimiento });
      const order = async (direction: 'asc' | 'desc') =>
        (
          await database.db
            .selectFrom('invoices')
            .select('fechavencimiento')
            .orderBy('fechavencimiento', orderWithNulls(direction, 'first'))
            .execute()
        ).map((row) => row.fechavencimiento);
      expect(await order('asc'), dialect).toEqual([null, null, '2026-01-01', '2026-03-01']);
      expect(await order('desc'), dialect).toEqual(['2026-03-01', '2026-01-01', null, null]);
      await database.close();
    }
  });

  it('sort folded names alike, whatever is in them', async () => {
    const names = fc.sample(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }), {
      numRuns: 120,
      seed: 7,
    });
    const clean = [...new Set(names)].filter((name) => !name.includes('\0'));
    const orders = [];
    for (const dialect of DIALECTS) {
      const database = await openFreshDatabase(dialect);
      for (const suppliername of clean) await addSupplier(database.db, { suppliername });
      const rows = await database.db
        .selectFrom('suppliers')
        .select('suppliername')
        .orderBy('suppliernameFold')
        .orderBy('id')
        .execute();
      orders.push(rows.map((row) => row.suppliername));
      await database.close();
    }
    expect(orders[1]).toEqual(orders[0]);
  });
});

async function addInvoices(db: Parameters<typeof addInvoice>[0], numbers: string[]): Promise<number[]> {
  const shared = { supplierId: await addSupplier(db), jobId: await addJob(db) };
  const ids = [];
  for (const numfactura of numbers) ids.push(await addInvoice(db, { ...shared, numfactura }));
  return ids;
}
