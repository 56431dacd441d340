import type { Db } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { isFuture } from '../session/future.ts';
import type { Session } from '../session/session.ts';
import { markConfirmed } from '../session/session.ts';
import { forgiveAttempt } from '../session/signin-limit.ts';
import { withOwnPassword } from './passwords.ts';

/** After the password was given, further steps do not ask for it as long. */
const GRACE_MS = 10 * 60_000;

/** Whether the password was given a moment ago, at the sign-in or later. */
export const isConfirmed = ({ confirmedAt }: Session, now: Date): boolean =>
  now.getTime() - confirmedAt.getTime() < GRACE_MS && !isFuture(confirmedAt, now);

/**
 * Takes the session's own password once more.
 * @throws DomainError invalid (wrong), too-many as at the sign-in, busy
 */
export async function confirmPassword(
  db: Db,
  { userId, token }: Session,
  { password, address, at }: { password: string; address: string; at: Date },
): Promise<void> {
  await withOwnPassword(db, { userId, password, address, at }, async (_, attemptId) => {
    await inTransaction(db, async (trx) => {
      await forgiveAttempt(trx, attemptId);
      await markConfirmed(trx, token, at);
    });
  });
}
