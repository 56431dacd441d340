import { createHash } from 'node:crypto';
import type { Db } from '../../../db/schema.ts';
import type { StatementOutcome } from '../../../shared/bank-statements.ts';
import { DomainError } from '../../../shared/errors.ts';
import { movementsOf } from '../../formats/bank-statements/movements.ts';
import { readTable } from '../../formats/reading/read-table.ts';
import type { Actor } from '../audit/audit.ts';
import { requireApprover } from '../payment-batches/stages.ts';
import { readSettings } from '../settings/settings.ts';
import { headingsOf } from '../settings/statement-columns.ts';
import { loadStatement } from './statements.ts';

interface SentFile {
  origenderecursoId: number;
  filename: string;
  bytes: Uint8Array;
}

export const MOST_STATEMENT_MB = 5;

/** Everybody else who writes waits while they are stored. */
const MOST_ROWS = 20_000;

/**
 * Reads a bank's file and takes in what it says.
 * @throws DomainError forbidden, invalid (bad_statement, no such source), too-large, busy, conflict closed_period
 */
export async function loadStatementFile(
  db: Db,
  actor: Actor,
  { origenderecursoId, filename, bytes }: SentFile,
  signal?: AbortSignal,
): Promise<StatementOutcome> {
  requireApprover(actor);
  if (bytes.length > MOST_STATEMENT_MB * 1024 * 1024)
    throw new DomainError('too-large', `El archivo pasa de ${MOST_STATEMENT_MB} MB.`);
  const table = await readTable({ bytes, filename }, { most: MOST_ROWS, userId: actor.userId, signal }).catch(
    asBadStatement,
  );
  return loadStatement(db, actor, {
    origenderecursoId,
    filename,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    movements: movementsOf(table, headingsOf(await readSettings(db))),
  });
}

/** A reason why a table cannot be read is said of this file; that others are read just now is not about it. */
function asBadStatement(error: unknown): never {
  if (!(error instanceof DomainError) || error.kind === 'busy') throw error;
  // Two equal movements are told apart by their places in the file.
  throw badStatement(
    error.code === 'table_too_large'
      ? `${error.message} Que cada día quede completo en uno solo.`
      : error.message,
  );
}

const badStatement = (message: string): DomainError =>
  new DomainError('invalid', message, { code: 'bad_statement', fields: { file: message } });
