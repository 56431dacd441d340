import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writePortable } from '../../../db/copies/portable.ts';
import { migrate, migrations } from '../../../db/migrate.ts';
import { openDatabase } from '../../../db/open.ts';
import type { Db } from '../../../db/schema.ts';
import { checkDatabase } from '../../../server/services/database/check.ts';
import { restoreDatabase } from '../../../server/services/database/restore.ts';
import { plainDateIn } from '../../../shared/dates.ts';
import { DIALECTS, newDatabaseUrl, openBare } from '../../support/databases.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { addFormerInvoice } from '../../support/former-rows.ts';
import { actor, addSupplier, addUser, NOW } from '../../support/rows.ts';

const BEFORE = migrations.filter(({ name }) => name < '0008');
/** Where clocks change, and half an hour beside the others. */
const ZONES = ['America/Mexico_City', 'America/Tijuana', 'Asia/Kolkata', 'UTC'];

const [issued, received, due] = ['2026-10-01', '2026-10-05', '2026-10-09'];

/** What is stored of an invoice, and the day on which it is due with thirty days of credit; null: when it came. */
const DATED = [
  [{ fechaemision: issued, fecharecepcion: received, fechavencimiento: due }, due],
  [{ fechaemision: issued, fecharecepcion: received }, '2026-11-04'],
  [{ fechaemision: issued }, '2026-10-31'],
  [{}, null],
] as const;

/** Around the midnights of Mexico, winter and summer time, a change of clocks, and long ago. */
const MOMENTS = [
  '2026-11-20T05:59:59.999Z',
  '2026-11-20T06:00:00.000Z',
  '2022-07-01T04:59:00.000Z',
  '2022-07-01T05:00:00.000Z',
  '2026-03-08T07:59:00.000Z',
  '2026-03-08T08:00:00.000Z',
  '2026-11-01T06:59:00.000Z',
  '2026-11-20T18:29:00.000Z',
  '2026-11-20T18:30:00.000Z',
  '2004-02-29T23:59:59.999Z',
];

async function fill(db: Db): Promise<void> {
  await addUser(db, { roles: [3] });
  const supplierId = await addSupplier(db, { diascredito: 30 });
  for (const createdAt of MOMENTS)
    for (const [dates] of DATED)
      await addFormerInvoice(db, { tasa: 160_000, supplierId, createdAt, ...dates });
}

async function expectDueDays(db: Db, timeZone: string): Promise<void> {
  const rows = await db.selectFrom('invoices').select(['vence', 'fechacaptura']).orderBy('id').execute();
  const expected = MOMENTS.flatMap((moment) => {
    const fechacaptura = plainDateIn(new Date(moment), timeZone);
    return DATED.map(([, vence]) => ({ vence: vence ?? fechacaptura, fechacaptura }));
  });
  expect(rows).toEqual(expected);
  const { checks } = await checkDatabase(db);
  expect(checks.flatMap(({ problems }) => problems)).toEqual([]);
}

it.each(DIALECTS)('every invoice of a database of before gets its due day (%s)', async (dialect) => {
  for (const timeZone of dialect === 'sqlite' ? ZONES : ZONES.slice(0, 1)) {
    const { folder, remove } = temporaryFolder();
    onTestFinished(remove);
    const old = await openBare(dialect);
    await migrate(old, BEFORE);
    await fill(old.db);
    await migrate(old, migrations, { dataFolder: folder, timeZone });
    await expectDueDays(old.db, timeZone);
  }
});

it('and so does every invoice of a portable copy of before, wherever it is restored', async () => {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const old = await openBare('sqlite');
  await migrate(old, BEFORE);
  await fill(old.db);
  const copy = join(folder, 'antes.zip');
  await writePortable(old.db, copy, NOW);
  for (const to of DIALECTS) {
    const databaseUrl = await newDatabaseUrl(to);
    const timeZone = 'Asia/Kolkata';
    const target = { databaseUrl, dataFolder: join(folder, to), root: '/', timeZone };
    await restoreDatabase(target, actor(), copy);
    const restored = openDatabase(databaseUrl, { root: '/', create: false });
    await expectDueDays(restored.db, timeZone);
    await restored.close();
  }
});

it('nobody can leave it out', async () => {
  const database = await openBare('sqlite');
  await migrate(database);
  await expect(addFormerInvoice(database.db, { fechacaptura: '2026-11-20' })).rejects.toThrow(
    'NOT NULL constraint failed: invoices.vence',
  );
});
