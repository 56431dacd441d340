import { fork } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../../../../db/open.ts';
import { type BackupResult, backupDatabase } from '../../../../server/services/database/backup.ts';
import { restoreDatabase } from '../../../../server/services/database/restore.ts';
import { describeEachDatabase, newDatabaseUrl } from '../../../support/databases.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { timeLimitFactor } from '../../../support/patience.ts';
import { chooseRunCount, IS_FULL_PROOF } from '../../../support/proofs.ts';
import { addActor, createActor } from '../../../support/rows.ts';

const BACKUPS = chooseRunCount(2, 20, 100);

describeEachDatabase('backups under load', (fresh) => {
  let place = temporaryFolder();
  beforeEach(() => {
    place = temporaryFolder();
  });
  afterEach(() => place.remove());

  it('T46 · are each of one moment, restorable, and do not delay a writer', async () => {
    const { userId } = await addActor(fresh.db);
    const writer = fork(
      join(import.meta.dirname, '../../../support/paying.ts'),
      [fresh.database.url, String(userId)],
      {
        execArgv: [],
      },
    );
    const nextMessage = (): Promise<number[]> =>
      new Promise((resolve, reject) => {
        writer.once('message', (message) => resolve(message as number[]));
        writer.once('exit', () => reject(new Error('the writer ended')));
      });
    try {
      await nextMessage(); // it writes
      const made: BackupResult[] = [];
      for (let n = 0; n < BACKUPS; n++)
        made.push(await backupDatabase(fresh.database, createActor(), join(place.folder, `copia-${n}`)));
      const answer = nextMessage();
      writer.send('stop');
      const times = (await answer).sort((a, b) => a - b);
      const p99 = times[Math.floor(times.length * 0.99)]!;
      if (IS_FULL_PROOF)
        console.info(
          `${fresh.dialect}: ${BACKUPS} backups beside ${times.length} payments, p50 ${times[times.length >> 1]} ms, p99 ${p99} ms, longest ${times.at(-1)} ms`,
        );
      expect(times.length).toBeGreaterThan(BACKUPS);
      expect(p99).toBeLessThan(500 * timeLimitFactor());

      let before = 0;
      for (const { file, rows, problems } of made) {
        expect(problems, file).toEqual([]);
        expect(rows.payments, file).toBeGreaterThanOrEqual(before);
        before = rows.payments!;
        const url = await newDatabaseUrl('sqlite');
        await restoreDatabase({ databaseUrl: url, dataFolder: place.folder, root: '/' }, createActor(), file);
        const { db, close } = openDatabase(url, { root: '/', createIfMissing: false });
        const paid = await db
          .selectFrom('invoices')
          .select((eb) => eb.fn.sum('paidCents').as('sum'))
          .executeTakeFirstOrThrow();
        const sum = await db
          .selectFrom('payments')
          .select((eb) => eb.fn.sum('amountCents').as('sum'))
          .executeTakeFirstOrThrow();
        expect(paid.sum ?? 0, file).toBe(sum.sum ?? 0); // the first one may hold nothing yet
        await close();
      }
      expect(before).toBeGreaterThan(0);
    } finally {
      writer.kill('SIGKILL');
    }
  }, 3_600_000);
});
