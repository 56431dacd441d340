import { expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import { writeCsv } from '../../../../server/formats/sheets/csv.ts';
import { parseRows } from '../../../../server/formats/tables/parse-rows.ts';
import { parseTable } from '../../../../server/formats/tables/parse-table.ts';
import { planTable } from '../../../../server/formats/tables/plan.ts';
import { TABLE_KINDS, type TableKind } from '../../../../server/formats/tables/table.ts';
import { LISTS } from '../../../../server/lists/all.ts';
import { readExport } from '../../../../server/lists/read-export.ts';
import { checkDatabase } from '../../../../server/services/database/check.ts';
import { importTable } from '../../../../server/services/imports/import.ts';
import { createUser } from '../../../../server/services/users/users.ts';
import type { UserInput } from '../../../../shared/users.ts';
import { openFreshDatabase } from '../../../support/databases.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { enableQuickHashes } from '../../../support/quick-crypto.ts';
import { createActor, NOW, TODAY } from '../../../support/rows.ts';

enableQuickHashes();

describeOneDatabase('a company that moves to another database by its own exported tables', (fresh) => {
  it('is consistent in both, to the last row and its audit trail', { timeout: 300_000 }, async () => {
    await fresh.fillDemo();
    await addPerson(fresh.db, ADMINISTRATOR);
    await requireSound(fresh.db);
    const to = await openFreshDatabase(fresh.dialect);
    try {
      const userId = await addPerson(to.db, ADMINISTRATOR);
      const who = createActor({ userId, username: ADMINISTRATOR.username, roles: ADMINISTRATOR.roles });
      await addHolders(fresh.db, to.db);
      for (const [kind, filter] of ORDER) {
        const bytes = await exported(fresh.db, kind, filter);
        const table = await parseTable({ bytes, filename: `${kind}.csv`, kind });
        const plan = planTable(table, kind);
        const options = { source: kind, sha256: table.sha256, columns: plan.columns };
        const { refused, created } = await importTable(to.db, who, kind, parseRows(table, plan), options);
        expect({ kind, refused: [...refused] }).toEqual({ kind, refused: [] });
        expect(created, kind).toBeGreaterThan(0);
      }
      const { count } = await to.db
        .selectFrom('invoices')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('uuid', 'is not', null)
        .executeTakeFirstOrThrow();
      expect(count).toBeGreaterThan(0);
      await requireSound(to.db);
    } finally {
      await to.close();
    }
  });
});

const ADMINISTRATOR = { username: 'sofia', userfirstname: 'Sofía', userlastname: 'Mora', roles: [1, 3] };

const addPerson = async (db: Db, person: UserInput): Promise<number> =>
  (await createUser(db, createActor(), { ...person, password: 'cimbra y andamio 9' })).id;

/** Tables contain no users, so the holders of funds are added first. */
async function addHolders(from: Db, to: Db): Promise<void> {
  const users = await from
    .selectFrom('users')
    .select(['username', 'userfirstname', 'userlastname'])
    .where('username', '<>', ADMINISTRATOR.username)
    .execute();
  for (const user of users) await addPerson(to, { ...user, roles: [6] });
}

/** Payments come last, because a fund must have the money that it pays. */
const LAST: readonly TableKind[] = ['payments'];
type Exported = readonly [kind: TableKind, filter?: Record<string, string>];

/** The list of funds shows open ones; closed ones are a second file. */
const ORDER = [...TABLE_KINDS.filter((kind) => !LAST.includes(kind)), ...LAST].flatMap((kind): Exported[] =>
  kind === 'cajas' ? [[kind], [kind, { estado: 'cerradas' }]] : [[kind]],
);

/** The command that exports funds also exports the movements of one fund. */
const commandOf = (kind: TableKind): string => (kind === 'cajas' ? 'caja-chica' : kind);

async function exported(db: Db, kind: TableKind, filter?: Record<string, string>): Promise<Buffer> {
  const list = LISTS.find(({ command }) => command.name === commandOf(kind))!;
  const asked = Object.keys(list.sorts).length > 0 ? { sort: 'id', direction: 'asc' as const } : {};
  const { sheet } = await readExport(
    list,
    { ...asked, ...filter },
    {
      ...{ db, today: TODAY, timeZone: 'America/Mexico_City', now: new Date(NOW) },
    },
  );
  return Buffer.from(await writeCsv(sheet));
}

async function requireSound(db: Db): Promise<void> {
  const { checks } = await checkDatabase(db, { deep: true });
  expect(checks.flatMap(({ name, problems }) => problems.map((problem) => ({ name, ...problem })))).toEqual(
    [],
  );
}
