import type { Db } from '../db/schema.ts';
import { plainDateIn } from '../shared/dates.ts';
import type { Config } from './config.ts';
import type { Log } from './http/log.ts';
import { anchorDaily } from './services/audit/anchors.ts';
import { isDamaged } from './services/database/damage.ts';
import { deleteOldAttempts } from './services/session/signin-limit.ts';

const CLEANING_INTERVAL_MS = 3600_000;

/** @returns a function that stops it */
export function startHousekeeping(db: Db, config: Config, log: Log): () => void {
  const tasks = [
    setInterval(() => void deleteOldAttempts(db, new Date()).catch(() => {}), CLEANING_INTERVAL_MS),
    setInterval(() => void anchorTrail(db, config, log), CLEANING_INTERVAL_MS),
  ];
  void anchorTrail(db, config, log);
  return () => {
    for (const task of tasks) clearInterval(task);
  };
}

/** Anchors the trail once a day, on one of the servers; a failure is retried an hour later. */
async function anchorTrail(db: Db, { anchor: destination, timeZone }: Config, log: Log): Promise<void> {
  if (!destination || isDamaged(db)) return;
  const now = new Date();
  try {
    const outcome = await anchorDaily(db, destination, { now, today: plainDateIn(now, timeZone) });
    if (outcome?.problem)
      log.warn({ problem: outcome.problem }, 'the end of the audit trail could not be noted down');
    else if (outcome)
      log.info({ entries: outcome.anchor.entries }, 'the end of the audit trail was noted down');
  } catch (error) {
    log.error({ err: error }, 'the end of the audit trail could not be noted down');
  }
}
