import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { isOutage } from './explain.ts';
import type { Db } from './schema.ts';

/** How long work that an outage broke off waits for the database, in ms: a restart takes less, people wait no more. */
const PATIENCE_MS = 3000;

const PAUSE_MS = 200;

/** Whether it was an outage that broke something off, and the database answers again so soon that it may be tried again. */
export async function isBackAfter(db: Db, error: unknown): Promise<boolean> {
  if (!isOutage(error)) return false;
  const giveUp = AbortSignal.timeout(PATIENCE_MS);
  const late = new Promise<boolean>((resolve) => {
    giveUp.addEventListener('abort', () => resolve(false), { once: true });
  });
  while (!giveUp.aborted) {
    const answers = sql`select 1`.execute(db).then(
      () => true,
      () => false,
    );
    if (await Promise.race([answers, late])) return true;
    await delay(PAUSE_MS);
  }
  return false;
}
