import { expect, it, onTestFinished } from 'vitest';
import { migrate, migrations } from '../../../db/migrate.ts';
import { BUILT_IN_LAYOUTS, layoutText } from '../../../server/formats/bank-files/layout.ts';
import {
  confirmLayout,
  getLayout,
  isConfirmed,
  readLayouts,
} from '../../../server/services/bank-files/layouts.ts';
import { checkDatabase } from '../../../server/services/database/check.ts';
import { DIALECTS, openBare } from '../../support/databases.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { addActor, addUser, NOW } from '../../support/rows.ts';

const BEFORE = migrations.filter(({ name }) => name < '0033');

it.each(DIALECTS)(
  'a template that a firm has already waits until somebody confirms it (%s)',
  async (dialect) => {
    const { folder, remove } = temporaryFolder();
    onTestFinished(remove);
    const old = await openBare(dialect);
    const { db } = old;
    await migrate(old, BEFORE);
    const { id: userId } = await addUser(db, { roles: [1, 3] });
    const definition = layoutText({ ...BUILT_IN_LAYOUTS[0]!, nombre: 'La nuestra' });
    const row = { code: BUILT_IN_LAYOUTS[0]!.plantilla, definition, userId, updatedAt: NOW };
    await db
      .insertInto('bank_layouts')
      .values(row as never)
      .execute();
    await migrate(old, migrations, { dataFolder: folder });
    expect((await readLayouts(db)).map(isConfirmed)).toEqual([
      false,
      ...BUILT_IN_LAYOUTS.slice(1).map(() => true),
    ]);
    const { own } = await getLayout(db, row.code);
    expect(own).toMatchObject({ authors: [userId], confirmer: null, version: 1 });
    const boss = await addActor(db, { roles: [2] });
    await confirmLayout(db, boss, { code: row.code, version: 1 });
    expect(isConfirmed(await getLayout(db, row.code))).toBe(true);
    const { checks } = await checkDatabase(db);
    expect(checks.flatMap(({ problems }) => problems)).toEqual([]);
    await old.close();
  },
);
