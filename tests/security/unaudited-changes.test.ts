import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { isViolation } from '../../db/errors.ts';
import type { Db } from '../../db/schema.ts';
import { createApp } from '../../server/app.ts';
import type { Deps } from '../../server/http/session.ts';
import { REPLAYED_ENTITIES } from '../../server/services/audit/replay-definitions.ts';
import { hashPassword } from '../../server/services/session/password-hashing.ts';
import { DomainError } from '../../shared/errors.ts';
import { createTestApp } from '../support/app.ts';
import { CURRENT_PASSWORD, changes } from '../support/changes.ts';
import { temporaryFolder } from '../support/folder.ts';
import { chooseRunCount, describeEachInLongLane } from '../support/proofs.ts';
import { enableQuickHashes } from '../support/quick-crypto.ts';
import { listDifferencesFromTrail } from '../support/replay.ts';
import { addUser, createActor } from '../support/rows.ts';
import { auditAllRows } from '../support/vouching.ts';

enableQuickHashes();

/** Tables without audit entries, with the reason why none is needed. */
const UNTOLD: Readonly<Record<string, string>> = {
  audit: 'the trail itself',
  audit_rows: 'the trail itself',
  audit_anchors: 'where the end of the trail was noted down',
  audit_tail: 'the trail itself',
  day_sums: 'the triggers’ own: the plain check adds them up again',
  payments_without_receipt: 'the triggers’ own: the plain check looks for them again',
  cfdi_loads: 'documents that wait for somebody’s decision',
  uploads: 'files that wait for somebody’s decision',
  files: 'bytes under their SHA-256, which the deep check hashes; rows that are told of refer to them',
  deleted_files: 'bytes for Deshacer, for a day',
  document_relations:
    'read from the XML of documents, and from them again; each load has an entry of those that it brought',
  bank_movement_payments:
    'what settles movements of the bank: each step has an entry, and the plain check compares their sums',
  sat_documents: 'read from the SAT’s files, and from them again; each load has an entry of what it brought',
  sat_loads: 'which files those were',
  sat_69b: 'read from the SAT’s list; each load has an entry',
  sat_69b_loads: 'which lists those were',
  idempotency_keys: 'answers that are given once more for 48 hours',
  roles: 'the six of the specification; their names are settings',
  sessions: 'who is signed in',
  signin_attempts: 'what the limiter counts',
  trusted_devices: 'browsers that need no second factor for some days',
  backup_codes: 'spent with a sign-in; entries of their user tell when they were made',
  verifications: 'the sign-in library’s own',
  user_preferences: 'what a user chose for the screens',
  schema_migrations: 'the schema’s own',
};

const auditedTables = new Set<string>(
  REPLAYED_ENTITIES.flatMap(({ tables }) => tables.map(({ table }) => table)),
);

/** All changing routes, except those that read or write files of the data folder. */
const routes = new Set(
  createApp({ config: {} } as Deps)
    .routes.filter(({ method }) => ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method))
    .map(({ method, path }) => `${method} ${path.replace(/:\w+(\{[^/]*\})?/g, ':id')}`)
    .filter((route) => changes[route]),
);

const { folder, remove } = temporaryFolder();
afterAll(remove);

describeEachInLongLane('a day of actions in any order', (fresh) => {
  const tablesOf = async (): Promise<string[]> => {
    const { rows } = await (fresh.dialect === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'table'
          and name not like 'sqlite_%' and name not like '%_fts%'`
      : sql<{ name: string }>`select table_name as name from information_schema.tables
          where table_schema = 'public' and table_type = 'BASE TABLE'`
    ).execute(fresh.db);
    return rows.map(({ name }) => name).sort();
  };

  it('writes to no table that is neither in the audit trail nor known to need no entry', async () => {
    const unknown = (await tablesOf()).filter((name) => !auditedTables.has(name) && !UNTOLD[name]);
    expect(unknown).toEqual([]);
    expect(Object.keys(UNTOLD).filter((name) => auditedTables.has(name))).toEqual([]);
  });

  it('changes nothing audited without an entry, and leaves the rows as the entries say', async () => {
    const { db } = fresh;
    const user = await addUser(db, { roles: [1, 2, 3], password: await hashPassword(CURRENT_PASSWORD) });
    const client = await createTestApp({ db, config: { dataFolder: folder } }).as(user);
    const tables = (await tablesOf()).filter((name) => auditedTables.has(name));
    const length = chooseRunCount(12, 15, 60);
    const orders = fc.shuffledSubarray([...routes], { minLength: length, maxLength: length });
    const [order = []] = fc.sample(orders, 1);
    const unaudited: string[] = [];
    let done = 0;
    for (const route of order) {
      const send = await changes[route]!(db).catch(notToday);
      if (!send) {
        // Rows stored before a failed act count as captured.
        await auditAllRows(db, createActor());
        continue;
      }
      const [before, last] = [await contents(db, tables), await lastEntry(db)];
      if ((await send(client)).status < 400) done++;
      const after = await contents(db, tables);
      const changed = tables.filter((name) => before.get(name) !== after.get(name));
      if (changed.length > 0 && (await lastEntry(db)) === last)
        unaudited.push(`${route}: ${changed.join(', ')}`);
      await auditAllRows(db, createActor());
    }
    expect(unaudited, order.join('\n')).toEqual([]);
    expect(done).toBeGreaterThan(order.length / 3);
    expect(await listDifferencesFromTrail(db), order.join('\n')).toEqual([]);
  });
});

/** Earlier acts may make an act impossible. */
function notToday(error: unknown): undefined {
  if (!(error instanceof DomainError) && !isViolation(error, 'unique')) throw error;
}

async function contents(db: Db, tables: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const name of tables) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(db);
    found.set(
      name,
      rows
        .map((row) => JSON.stringify(row))
        .sort()
        .join('\n'),
    );
  }
  return found;
}

async function lastEntry(db: Db): Promise<number> {
  return (await db.selectFrom('audit_tail').select('lastId').executeTakeFirstOrThrow()).lastId;
}
