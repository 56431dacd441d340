import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '../db/schema.ts';
import { refreshPlannerStatistics } from '../db/sqlite.ts';
import { plainDateIn } from '../shared/dates.ts';
import type { Config } from './config.ts';
import type { Log } from './http/log.ts';
import { writeDailyAnchor } from './services/audit/anchors.ts';
import { createSystemActor } from './services/audit/audit.ts';
import { isMarkedDamaged } from './services/database/damage.ts';
import { deliverDueMails } from './services/mails/delivering.ts';
import { deleteExpiredSignInData } from './services/session/sign-in-limit.ts';

const HOUR_MS = 3600_000;

const MAIL_INTERVAL_MS = 3000;

/** How long stopping waits for the mail server to accept a mail that is being sent. Then the process ends anyway. */
const MAX_MAIL_STOP_WAIT_MS = 7000;

export function startBackgroundTasks(db: Db, config: Config, log: Log): () => Promise<void> {
  const tasks = [
    setInterval(() => void deleteExpiredSignInData(db, new Date()).catch(() => {}), HOUR_MS),
    setInterval(() => void refreshPlannerStatistics(db).catch(() => {}), HOUR_MS),
    setInterval(() => void anchorAuditTrail(db, config, log), HOUR_MS),
  ];
  void anchorAuditTrail(db, config, log);
  const mailer = startMailer(db, config, log);
  return async () => {
    for (const task of tasks) clearInterval(task);
    await Promise.race([mailer.stop(), delay(MAX_MAIL_STOP_WAIT_MS, undefined, { ref: false })]);
  };
}

/** Every server process asks for due mails; the outbox makes sure that only one of them sends each mail. */
function startMailer(db: Db, config: Config, log: Log): { stop(): Promise<void> } {
  const { mail, timeZone } = config;
  if (!mail) return { stop: async () => {} };
  const stopping = new AbortController();
  let running = Promise.resolve();
  let isRunning = false;
  const sendDueMails = async () => {
    isRunning = true;
    const context = {
      now: () => new Date(),
      actorAt: (now: Date) => createSystemActor({ timeZone }, now),
      signal: stopping.signal,
    };
    await deliverDueMails(db, mail, context)
      .catch((error) => log.error({ err: error }, 'a mail could not be sent, or its outcome not be noted'))
      .finally(() => {
        isRunning = false;
      });
  };
  const task = setInterval(() => {
    if (!isRunning && !isMarkedDamaged(db)) running = sendDueMails();
  }, MAIL_INTERVAL_MS);
  return {
    async stop() {
      clearInterval(task);
      stopping.abort();
      await running;
    },
  };
}

/**
 * Records the last hash of the audit trail outside the database. One of the servers does so once a day, and tries again
 * an hour after a failure.
 */
async function anchorAuditTrail(
  db: Db,
  { auditAnchor: destination, timeZone }: Config,
  log: Log,
): Promise<void> {
  if (!destination || isMarkedDamaged(db)) return;
  const now = new Date();
  try {
    const outcome = await writeDailyAnchor(db, destination, { now, today: plainDateIn(now, timeZone) });
    if (outcome?.problem)
      log.warn({ problem: outcome.problem }, 'the end of the audit trail could not be noted down');
    else if (outcome)
      log.info({ entries: outcome.anchor.entries }, 'the end of the audit trail was noted down');
  } catch (error) {
    log.error({ err: error }, 'the end of the audit trail could not be noted down');
  }
}
