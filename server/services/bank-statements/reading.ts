import type { Db } from '../../../db/schema.ts';
import type { BankStatement, FullStatement } from '../../../shared/bank-statements.ts';
import { DomainError } from '../../../shared/errors.ts';

export const listStatements = (db: Db, limit = 20): Promise<BankStatement[]> =>
  selectStatements(db).orderBy('bank_statements.id', 'desc').limit(limit).execute();

/** Movements that came with an earlier statement are listed there. @throws DomainError not-found */
export async function getStatement(
  db: Db,
  id: number,
  part?: { from: number; most: number },
): Promise<FullStatement> {
  const statement = await selectStatements(db).where('bank_statements.id', '=', id).executeTakeFirst();
  if (!statement) throw new DomainError('not-found', `No existe el estado de cuenta ${id}.`);
  const movements = await db
    .selectFrom('bank_movements')
    .leftJoin('suppliers', 'suppliers.id', 'bank_movements.supplierId')
    .select(['bank_movements.id', 'fecha', 'amountCents', 'referencia', 'descripcion', 'outcome'])
    .select(['batchId', 'bank_movements.supplierId', 'suppliers.suppliername'])
    .where('statementId', '=', id)
    .orderBy('bank_movements.id')
    .$if(part !== undefined, (query) => query.limit(part!.most).offset(part!.from))
    .execute();
  return { ...statement, movements };
}

/** @throws DomainError not-found */
export async function getMovement(db: Db, id: number) {
  const movement = await db
    .selectFrom('bank_movements')
    .select(['statementId', 'origenderecursoId', 'outcome', 'batchId'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!movement) throw new DomainError('not-found', `No existe el movimiento ${id} del banco.`);
  return movement;
}

export async function countMovements(db: Db, id: number): Promise<number> {
  const { count } = await db
    .selectFrom('bank_movements')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('statementId', '=', id)
    .executeTakeFirstOrThrow();
  return count;
}

const selectStatements = (db: Db) =>
  db
    .selectFrom('bank_statements')
    .innerJoin('funding_sources', 'funding_sources.id', 'bank_statements.origenderecursoId')
    .innerJoin('users', 'users.id', 'bank_statements.userId')
    .select(['bank_statements.id', 'origenderecursoId', 'origenderecursonombre'])
    .select(['filename', 'users.username', 'bank_statements.createdAt']);
