import type { Db } from '../../db/schema.ts';
import type { BankStatementMovement } from '../../server/formats/bank-statements/movements.ts';
import type { Actor } from '../../server/services/audit/audit.ts';
import { importBankStatement } from '../../server/services/bank-statements/import-statement.ts';
import type { BankStatementLoadOutcome } from '../../shared/bank-statements.ts';
import { addActor, addFundingSource, TODAY } from './rows.ts';

interface LoadedMovements {
  origenderecursoId: number;
  outcome: BankStatementLoadOutcome;
  /** in the order of the given movements */
  ids: number[];
}

/** Loads a statement with these movements, for an account of its own unless one is given. */
export async function addBankMovements(
  db: Db,
  movements: readonly Partial<BankStatementMovement>[],
  overrides: { origenderecursoId?: number; actor?: Actor } = {},
): Promise<LoadedMovements> {
  const { origenderecursoId = await addFundingSource(db), actor = await addActor(db, { roles: [2] }) } =
    overrides;
  const plain = { fecha: TODAY, amountCents: -100, referencia: '', descripcion: '' };
  const outcome = await importBankStatement(db, actor, {
    ...{ origenderecursoId, filename: 'noviembre.csv', sha256: 'a'.repeat(64) },
    movements: movements.map((one, index) => ({ line: index + 2, ...plain, ...one })),
  });
  const rows = await db
    .selectFrom('bank_movements')
    .select('id')
    .where('statementId', '=', outcome.statementId)
    .orderBy('id')
    .execute();
  return { origenderecursoId, outcome, ids: rows.map(({ id }) => id) };
}
