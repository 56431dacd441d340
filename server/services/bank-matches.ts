import { isOneOf } from '../../db/expressions.ts';
import type { Db, Trx } from '../../db/schema.ts';
import type { PlainDate } from '../../shared/dates.ts';
import { paymentTexts } from '../../shared/payments.ts';
import { throwIfRefused } from '../../shared/refusal.ts';
import { distinctIds } from './stored-rows.ts';

export interface MatchedMovement {
  id: number;
  fecha: PlainDate;
  filename: string;
  statementId: number;
  /** true if the movement paid a batch; such a movement is undone by marking it as returned, not by reopening it */
  isOfBatch: boolean;
}

export interface PaymentLinks {
  batchId?: number;
  movement?: MatchedMovement;
}

/** Payments without links are absent. */
export async function readPaymentLinks(
  db: Db,
  paymentIds: readonly number[],
): Promise<Map<number, PaymentLinks>> {
  const ties = new Map<number, PaymentLinks>();
  const [batchRows, linkedRows] = await Promise.all([
    buildBatchPaymentQuery(db)
      .where(isOneOf(db, 'lines.paymentId', paymentIds))
      .execute(),
    buildLinkedPaymentQuery(db)
      .where(isOneOf(db, 'ties.paymentId', paymentIds))
      .execute(),
  ]);
  for (const row of batchRows)
    ties.set(row.paymentId!, { batchId: row.batchId, movement: toMatchedMovement(row, true) });
  for (const row of linkedRows)
    ties.set(row.paymentId, { ...ties.get(row.paymentId), movement: toMatchedMovement(row, false) });
  return ties;
}

/**
 * Refuses to undo payments that a bank movement confirms, because only the bank statement may undo them.
 * @param ids of payments or bank movements, as `column` says; omitted: any payment
 * @throws DomainError conflict bank_matched
 */
export async function requireNotBankMatched(
  trx: Trx,
  column: 'paymentId' | 'movementId',
  ids?: readonly (number | null)[],
): Promise<void> {
  const row = await buildBatchPaymentQuery(trx)
    .where('movements.id', 'is not', null)
    .$if(ids !== undefined, (query) => query.where(isOneOf(trx, `lines.${column}`, distinctIds(ids!))))
    .orderBy('lines.id')
    .limit(1)
    .executeTakeFirst();
  if (row) throwIfRefused(bankMatchedRefusal(toMatchedMovement(row, true)!));
  const linked = await buildLinkedPaymentQuery(trx)
    .$if(ids !== undefined, (query) => query.where(isOneOf(trx, `ties.${column}`, distinctIds(ids!))))
    .limit(1)
    .executeTakeFirst();
  if (linked) throwIfRefused(bankMatchedRefusal(toMatchedMovement(linked, false)!));
}

export async function readMatchesOfCashMovements(
  db: Db,
  cashMovementIds: readonly number[],
): Promise<Map<number, MatchedMovement>> {
  const rows = await db
    .selectFrom('bank_movements as movements')
    .innerJoin('bank_statements as statements', 'statements.id', 'movements.statementId')
    .select(['cashMovementId', 'movements.id', 'movements.fecha', 'filename', 'statementId'])
    .where(isOneOf(db, 'cashMovementId', cashMovementIds))
    .execute();
  return new Map(rows.map((row) => [row.cashMovementId!, toMatchedMovement(row, false)!]));
}

const buildBatchPaymentQuery = (db: Db) =>
  db
    .selectFrom('payment_batch_lines as lines')
    .leftJoin('bank_movements as movements', 'movements.id', 'lines.movementId')
    .leftJoin('bank_statements as statements', 'statements.id', 'movements.statementId')
    .select([
      'lines.paymentId',
      'lines.batchId',
      'movements.id',
      'movements.fecha',
      'filename',
      'statementId',
    ]);

const buildLinkedPaymentQuery = (db: Db) =>
  db
    .selectFrom('bank_movement_payments as ties')
    .innerJoin('bank_movements as movements', 'movements.id', 'ties.movementId')
    .innerJoin('bank_statements as statements', 'statements.id', 'movements.statementId')
    .select(['ties.paymentId', 'movements.id', 'movements.fecha', 'filename', 'statementId']);

type MovementRow = { [Name in keyof Omit<MatchedMovement, 'isOfBatch'>]: MatchedMovement[Name] | null };

const toMatchedMovement = (
  { id, fecha, filename, statementId }: MovementRow,
  isOfBatch: boolean,
): MatchedMovement | undefined =>
  id === null ? undefined : { id, fecha: fecha!, filename: filename!, statementId: statementId!, isOfBatch };

export const bankMatchedRefusal = ({ fecha, filename, statementId, isOfBatch }: MatchedMovement) => ({
  kind: 'conflict' as const,
  message: paymentTexts.bankMatched(fecha, filename, isOfBatch),
  code: 'bank_matched',
  extra: { estadoDeCuentaId: statementId },
});
