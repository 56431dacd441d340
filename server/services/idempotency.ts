import { createHash } from 'node:crypto';
import { lockAdvisoryKey } from '../../db/expressions.ts';
import type { Db, Trx } from '../../db/schema.ts';
import { inTransaction, waitForRecovery } from '../../db/transaction.ts';
import { DomainError } from '../../shared/errors.ts';
import type { Actor } from './audit/audit.ts';

export interface IdempotencyKey {
  key: string;
  method: string;
  path: string;
  /** The request body; the same key with another body is refused. */
  body: string;
}

/**
 * The answer is stored in the write's own transaction for 48 hours, so that a repeated request gets the first answer
 * and changes nothing, even after a crash between commit and answer.
 * @throws DomainError conflict where the key was used for something else
 */
export async function runOncePerKey<T extends object>(
  db: Db,
  actor: Actor,
  idempotencyKey: IdempotencyKey | undefined,
  write: (trx: Trx) => Promise<T>,
): Promise<{ answer: T; repeated: boolean }> {
  if (!idempotencyKey) return { answer: await inTransaction(db, write), repeated: false };
  if (!/^[\x21-\x7e]{1,100}$/.test(idempotencyKey.key)) {
    throw new DomainError('malformed', 'Idempotency-Key: de 1 a 100 caracteres ASCII.');
  }
  const bodyHash = createHash('sha256').update(idempotencyKey.body).digest('hex');
  const scope = {
    userId: actor.userId,
    method: idempotencyKey.method,
    path: idempotencyKey.path,
    key: idempotencyKey.key,
  };
  const writeOrReturnStored = async (trx: Trx) => {
    await lockAdvisoryKey(trx, `once:${Object.values(scope).join(' ')}`);
    const stored = await trx
      .selectFrom('idempotency_keys')
      .select(['bodyHash', 'answer'])
      .where('userId', '=', scope.userId)
      .where('method', '=', scope.method)
      .where('path', '=', scope.path)
      .where('key', '=', scope.key)
      .executeTakeFirst();
    if (stored && stored.bodyHash !== bodyHash) {
      const message = 'Esta clave de idempotencia ya se usó con otros datos.';
      throw new DomainError('conflict', message, { code: 'idempotency_key_reused' });
    }
    if (stored) return { answer: JSON.parse(stored.answer) as T, repeated: true };
    const answer = await write(trx);
    await trx
      .insertInto('idempotency_keys')
      .values({ ...scope, bodyHash, status: 201, answer: JSON.stringify(answer), createdAt: actor.at })
      .execute();
    return { answer, repeated: false };
  };
  try {
    return await inTransaction(db, writeOrReturnStored);
  } catch (error) {
    // The commit may have succeeded in spite of the error: then the second run finds the stored key.
    if (db.isTransaction || !(await waitForRecovery(db, error))) throw error;
    return await inTransaction(db, writeOrReturnStored);
  }
}
