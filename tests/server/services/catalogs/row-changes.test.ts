import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../../db/open.ts';
import type { Db } from '../../../../db/schema.ts';
import {
  getRowByNameOrId,
  readCatalogOptions,
  searchCatalog,
} from '../../../../server/services/catalogs/reading.ts';
import { backUpAndDeleteAll } from '../../../../server/services/catalogs/removal.ts';
import { createRow, updateRow } from '../../../../server/services/catalogs/row-changes.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { catalogOf } from '../../../../shared/catalogs/all.ts';
import type { Catalog } from '../../../../shared/catalogs/catalog.ts';
import { DomainError } from '../../../../shared/errors.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { addActor, addInvoice, addSupplier } from '../../../support/rows.ts';
import { readRows } from '../../../support/stored.ts';

const suppliers = catalogOf('suppliers');
const rubros = catalogOf('rubros');
const aceros = { suppliername: 'Aceros Tepeyac', suppliercontactperson: 'Ana Ruiz' };

/** Returns the message of a refusal; any other outcome fails the test. */
async function refusal(work: Promise<unknown>): Promise<DomainError> {
  const error = await work.then(
    () => undefined,
    (problem: unknown) => problem,
  );
  if (!(error instanceof DomainError)) throw error ?? new Error('it was not refused');
  return error;
}

const auditOf = (db: Db, entity: string) =>
  readRows(db, 'audit', { entity }, ['action', 'entityId', 'before', 'after']);

async function namesOf(db: Db, catalog: Catalog, query: Partial<Parameters<typeof searchCatalog>[2]>) {
  const { rows } = await searchCatalog(db, catalog, { today: '2026-11-20', limit: 100, ...query });
  return rows.map((row) => row[catalog.nameField]);
}

describeEachDatabase('lists', (fresh) => {
  it('a supplier without stated credit days gets those of the settings', async () => {
    const who = await addActor(fresh.db);
    await changeSetting(fresh.db, who, 'diascredito', '30');
    const { row } = await createRow(fresh.db, who, suppliers, aceros);
    const zero = await createRow(fresh.db, who, suppliers, { ...aceros, diascredito: 0 });
    expect([row.diascredito, zero.row.diascredito]).toEqual([30, 0]);
  });

  it('an RFC belongs to one supplier, who can still be edited; a generic one belongs to nobody', async () => {
    const who = await addActor(fresh.db);
    const { row } = await createRow(fresh.db, who, suppliers, { ...aceros, rfc: 'EKU9003173C9' });
    for (let n = 0; n < 2; n++)
      await createRow(fresh.db, who, suppliers, { ...aceros, rfc: 'XAXX010101000' });
    const taken = await refusal(createRow(fresh.db, who, suppliers, { ...aceros, rfc: 'EKU9003173C9' }));
    expect([taken.code, taken.extra]).toEqual(['rfc_taken', { existingId: row.id }]);
    const same = { rfc: 'EKU9003173C9', diascredito: 5 };
    expect((await updateRow(fresh.db, who, suppliers, row.id, same)).row).toMatchObject(same);
  });

  it('of two suppliers created with one RFC at once one is stored, the other is a conflict', async () => {
    const who = await addActor(fresh.db);
    const create = () => createRow(fresh.db, who, suppliers, { ...aceros, rfc: 'EKU9003173C9' });
    const results = await Promise.allSettled([create(), create(), create()]);
    const refused = results.filter((result) => result.status === 'rejected').map((result) => result.reason);
    expect(refused.map((error) => error.code)).toEqual(['rfc_taken', 'rfc_taken']);
    expect((await searchCatalog(fresh.db, suppliers, { today: '2026-11-20', limit: 1 })).count).toBe(1);
  });

  it('names are sorted ignoring case and accents, the same on both databases', async () => {
    const who = await addActor(fresh.db);
    for (const name of ['zinc', 'Óxido', 'acero', 'Ñandú', 'Acabados', 'Nave'])
      await createRow(fresh.db, who, suppliers, { suppliername: name, suppliercontactperson: name });
    const sorted = ['Acabados', 'acero', 'Ñandú', 'Nave', 'Óxido', 'zinc'];
    for (const sort of ['suppliername', 'suppliercontactperson'])
      expect(await namesOf(fresh.db, suppliers, { sort })).toEqual(sorted);
  });

  it.each(['asc', 'desc'] as const)(
    'the pages of a search (%s) add up to all of it, ties included',
    async (direction) => {
      const who = await addActor(fresh.db);
      for (const name of ['B', 'A', 'b', 'a', 'B', 'C', 'a'])
        await createRow(fresh.db, who, rubros, { nombrerubro: name });
      for (const sort of ['id', 'nombrerubro']) {
        const whole = await searchCatalog(fresh.db, rubros, {
          today: '2026-11-20',
          sort,
          direction,
          limit: 100,
        });
        const ids: number[] = [];
        let cursor: string | undefined;
        do {
          const page = await searchCatalog(fresh.db, rubros, {
            today: '2026-11-20',
            sort,
            direction,
            limit: 2,
            cursor,
          });
          expect(page.count).toBe(7);
          ids.push(...page.rows.map((row) => row.id));
          cursor = page.cursor;
        } while (cursor);
        expect(ids).toEqual(whole.rows.map((row) => row.id));
        expect(new Set(ids).size).toBe(7);
      }
      expect(await namesOf(fresh.db, rubros, { sort: 'nombrerubro', direction, text: 'c' })).toEqual(['C']);
    },
  );

  it('the names to choose from are all of them or none, sorted by name', async () => {
    const who = await addActor(fresh.db);
    for (const nombrerubro of ['b', 'Á', 'c']) await createRow(fresh.db, who, rubros, { nombrerubro });
    const labels = async (most: number) =>
      (await readCatalogOptions(fresh.db, rubros, most))?.map(({ label }) => label);
    expect(await labels(2)).toBeUndefined();
    expect(await labels(3)).toEqual(['Á', 'b', 'c']);
    const { row } = await createRow(fresh.db, who, rubros, { nombrerubro: 'aa' });
    expect(await labels(3)).toBeUndefined();
    expect(await labels(4)).toEqual(['Á', 'aa', 'b', 'c']);
    expect((await readCatalogOptions(fresh.db, rubros, 4))?.[1]).toEqual({ value: row.id, label: 'aa' });
  });

  it('the last page has no next one, nor has a page that is exactly full', async () => {
    const who = await addActor(fresh.db);
    for (const nombrerubro of ['A', 'B']) await createRow(fresh.db, who, rubros, { nombrerubro });
    expect((await searchCatalog(fresh.db, rubros, { today: '2026-11-20', limit: 2 })).cursor).toBeUndefined();
  });

  it('a cursor of another order, or an invalid one, is refused', async () => {
    const who = await addActor(fresh.db);
    for (const nombrerubro of ['A', 'B']) await createRow(fresh.db, who, rubros, { nombrerubro });
    const { cursor: nextCursor } = await searchCatalog(fresh.db, rubros, {
      today: '2026-11-20',
      sort: 'nombrerubro',
      limit: 1,
    });
    for (const cursor of [nextCursor!, 'basura', Buffer.from('[1]').toString('base64url')]) {
      const error = await refusal(
        searchCatalog(fresh.db, rubros, { today: '2026-11-20', sort: 'id', limit: 1, cursor }),
      );
      expect([error.kind, error.code]).toEqual(['malformed', 'bad_cursor']);
    }
  });

  it('a row is named by its exact name, by the only similar name, or by its id', async () => {
    const who = await addActor(fresh.db);
    const add = async (nombrerubro: string) =>
      (await createRow(fresh.db, who, rubros, { nombrerubro })).row.id;
    const [pena, accented, plain, number] = [
      await add('Peña'),
      await add('Ácero'),
      await add('acero'),
      await add('17'),
    ];
    const idOf = async (name: string) => (await getRowByNameOrId(fresh.db, rubros, name)).id;
    expect(await idOf(' pena ')).toBe(pena);
    expect(await idOf('acero')).toBe(plain);
    expect(await idOf('17')).toBe(number);
    expect(await idOf(String(accented))).toBe(accented);
    expect((await refusal(getRowByNameOrId(fresh.db, rubros, 'ACERO'))).message).toBe(
      `Hay varios registros que se llaman «ACERO»: ${accented}, ${plain}.`,
    );
    expect((await refusal(getRowByNameOrId(fresh.db, rubros, 'nada'))).message).toBe(
      'No existe el rubro «nada».',
    );
  });

  it('a whole list is deleted after a copy was made, with one audit entry', async () => {
    const who = await addActor(fresh.db);
    const { folder, remove } = temporaryFolder();
    onTestFinished(remove);
    const at = { db: fresh.db, config: { dataFolder: folder } };
    for (const nombrerubro of ['A', 'B']) await createRow(fresh.db, who, rubros, { nombrerubro });
    await backUpAndDeleteAll(at, who, rubros);
    expect((await searchCatalog(fresh.db, rubros, { today: '2026-11-20', limit: 1 })).count).toBe(0);
    expect((await auditOf(fresh.db, 'rubros')).map(({ action }) => action)).toEqual([
      'create',
      'create',
      'delete',
    ]);
    const { copy } = JSON.parse((await auditOf(fresh.db, 'rubros'))[2]!.before!) as { copy: string };
    const file = join(folder, 'backups', copy);
    if (fresh.dialect === 'sqlite') {
      const kept = openDatabase(`file:${file}.db`, { root: '/', createIfMissing: false });
      expect(await namesOf(kept.db, rubros, {})).toEqual(['A', 'B']);
      await kept.close();
    } else {
      const rows = readFileSync(`${file}.jsonl`, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(rows.map((row) => row.nombrerubro)).toEqual(['A', 'B']);
    }
  });

  it('a whole list is not deleted if one row is referred to, or the user lacks role 3', async () => {
    const who = await addActor(fresh.db);
    const at = { db: fresh.db, config: { dataFolder: '' } };
    await addSupplier(fresh.db);
    await addInvoice(fresh.db);
    const used = await refusal(backUpAndDeleteAll(at, who, suppliers));
    expect([used.kind, used.code, used.message]).toEqual([
      'conflict',
      'in_use',
      'No se puede vaciar la lista: un registro tiene facturas.',
    ]);
    const lacking = await refusal(backUpAndDeleteAll(at, { ...who, roles: [1, 2, 4, 5, 6] }, suppliers));
    expect([lacking.kind, lacking.message]).toEqual([
      'forbidden',
      `${who.username} does not have privileges to see this page.`,
    ]);
    expect((await searchCatalog(fresh.db, suppliers, { today: '2026-11-20', limit: 1 })).count).toBe(2);
  });
});
