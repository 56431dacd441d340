import { fork } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { computeDigest } from '../../../../db/copies/table-statistics.ts';
import { openDatabase } from '../../../../db/open.ts';
import type { Db } from '../../../../db/schema.ts';
import { backupDatabase } from '../../../../server/services/database/backup.ts';
import { restoreDatabase } from '../../../../server/services/database/restore.ts';
import { fillDemo } from '../../../../server/services/demo/demo.ts';
import { createPayment } from '../../../../server/services/payments/payments.ts';
import { verifyAuditChain } from '../../../support/audit.ts';
import { describeEachDatabase, newDatabaseUrl } from '../../../support/databases.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { chooseRunCount, describeOneDatabase, IS_FULL_PROOF, IS_LONG_LANE } from '../../../support/proofs.ts';
import { addActor, addInvoice, createActor } from '../../../support/rows.ts';

/** Kills at random moments, in addition to those at every step. */
const BY_CHANCE = chooseRunCount(1, 5, 100);
/** The last steps replace the file; those are all tried, and some of the others. */
const LAST = { sqlite: chooseRunCount(3, 9), postgres: 1 };
const OTHERS = chooseRunCount(1, 3);

const describeHere = IS_LONG_LANE ? describeEachDatabase : describeOneDatabase;

describeHere('a restore that is killed', (fresh) => {
  let place = temporaryFolder();
  beforeEach(() => {
    place = temporaryFolder();
  });
  afterEach(() => place.remove());

  it('leaves the old database or the new one, at whatever step', async () => {
    const isFile = fresh.dialect === 'sqlite';
    const folder = join(place.folder, 'datos');
    mkdirSync(folder);
    const [backup, former] = ['nueva', 'anterior'].map((name) => join(place.folder, name)) as [
      string,
      string,
    ];
    const digests = { new: '', old: '' };
    if (IS_FULL_PROOF) await fillDemo(fresh.database, createActor());
    await addInvoice(fresh.db);
    await backupDatabase(fresh.database, createActor(), backup);
    digests.new = await computeDigest(fresh.db);
    const { userId } = await addActor(fresh.db);
    const facturaproveedorId = await addInvoice(fresh.db);
    await createPayment(fresh.db, createActor({ userId }), { facturaproveedorId, amountCents: 7 });
    digests.old = await computeDigest(fresh.db);
    await backupDatabase(fresh.database, createActor(), former);

    const file = join(folder, 'saldo.db');
    const url = isFile ? `file:${file}` : await newDatabaseUrl('postgres');
    let state: 'new' | 'old' | 'none' = 'none';
    const putBack = async () => {
      if (state === 'old') return;
      if (isFile) copyFileSync(former, file);
      else
        await restoreDatabase({ databaseUrl: url, dataFolder: folder, root: '/' }, createActor(), former, {
          force: true,
        });
      state = 'old';
    };
    const look = async () => {
      const database = openDatabase(url, { root: '/', createIfMissing: false });
      try {
        if (!isFile) await waitUntilAlone(database.db);
        const digest = await computeDigest(database.db);
        expect((await verifyAuditChain(database.db)).broken).toBeUndefined();
        state = digest === digests.new ? 'new' : 'old';
        expect(digest).toBe(digests[state]);
      } finally {
        await database.close();
      }
    };

    await putBack();
    const whole = await runRestore([url, folder, backup, '0']);
    const steps = whole.steps!;
    await look();
    expect(state).toBe('new');
    const all = Array.from({ length: steps }, (_, index) => index + 1);
    const last = LAST[fresh.dialect];
    const every = Math.ceil((steps - last) / OTHERS);
    const chosen = IS_FULL_PROOF ? all : all.filter((step) => step > steps - last || step % every === 1);
    const seen = { new: 0, old: 0, none: 0 };
    for (const step of chosen) {
      await putBack();
      expect(await runRestore([url, folder, backup, String(step)]), `step ${step} of ${steps}`).toMatchObject(
        {
          signal: 'SIGKILL',
        },
      );
      await look();
      seen[state]++;
    }
    for (let round = 0; round < BY_CHANCE; round++) {
      await putBack();
      await runRestore([url, folder, backup, '0'], Math.random() * whole.ms * 1.1);
      await look();
      seen[state]++;
    }
    if (IS_FULL_PROOF)
      console.info(
        `${fresh.dialect}: killed at ${chosen.length} steps, ${BY_CHANCE} times by chance: ${JSON.stringify(seen)}`,
      );
    expect(seen.old).toBeGreaterThan(0);

    // Leftovers of killed restores do not matter, and the next restore removes them.
    await putBack();
    if (isFile) rmSync(join(folder, 'backups'), { recursive: true, force: true });
    expect((await runRestore([url, folder, backup, '0'])).steps).toBeGreaterThan(0);
    await look();
    expect(state).toBe('new');
    if (isFile) expect(readdirSync(folder).sort()).toEqual(['backups', 'saldo.db']);
    expect(readdirSync(join(folder, 'backups')).filter((name) => name.endsWith('.anterior'))).toEqual([]);
  }, 3_600_000);
});

interface Ended {
  steps?: number;
  signal: NodeJS.Signals | null;
  ms: number;
}

function runRestore(args: string[], killAfterMs?: number): Promise<Ended> {
  const began = performance.now();
  const script = join(import.meta.dirname, '../../../support/restoring.ts');
  const child = fork(script, args, { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let output = '';
  child.stderr!.on('data', (chunk) => {
    output += chunk;
  });
  let steps: number | undefined;
  child.on('message', (count) => {
    steps = count as number;
  });
  const killing =
    killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  return new Promise((resolve, reject) => {
    child.once('close', (code, signal) => {
      clearTimeout(killing);
      if (code) reject(new Error(output));
      else resolve({ steps, signal, ms: performance.now() - began });
    });
  });
}

/** The server ends a killed client's connection once it notices. */
async function waitUntilAlone(db: Db): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`.execute(
      db,
    );
    if (rows[0]!.n === 0) return;
  }
}
