import { isOneOf } from '../../db/expressions.ts';
import type { Db, Trx } from '../../db/schema.ts';
import type { PlainDate } from '../../shared/dates.ts';
import { paymentTexts } from '../../shared/payments.ts';
import { refuse } from '../../shared/refusal.ts';
import { distinctIds } from './stored-rows.ts';

export interface BatchPayment {
  batchId: number;
  movement: { fecha: PlainDate; filename: string; statementId: number } | undefined;
}

/** Payments without a batch are absent. */
export async function readBatchesOfPayments(
  db: Db,
  paymentIds: readonly number[],
): Promise<Map<number, BatchPayment>> {
  const rows = await selectBatchPayments(db)
    .where(isOneOf(db, 'lines.paymentId', paymentIds))
    .execute();
  return new Map(rows.map((row) => [row.paymentId!, toBatchPayment(row)]));
}

/**
 * Payments that the bank confirmed are undone only in its statement.
 * @param ids of payments or movements; omitted: any payment
 * @throws DomainError conflict bank_matched
 */
export async function requireNotBankMatched(
  trx: Trx,
  column: 'paymentId' | 'movementId',
  ids?: readonly (number | null)[],
): Promise<void> {
  const row = await selectBatchPayments(trx)
    .where('movements.id', 'is not', null)
    .$if(ids !== undefined, (query) => query.where(isOneOf(trx, `lines.${column}`, distinctIds(ids!))))
    .orderBy('lines.id')
    .limit(1)
    .executeTakeFirst();
  if (row) refuse(bankMatchedRefusal(toBatchPayment(row).movement!));
}

const selectBatchPayments = (db: Db) =>
  db
    .selectFrom('payment_batch_lines as lines')
    .leftJoin('bank_movements as movements', 'movements.id', 'lines.movementId')
    .leftJoin('bank_statements as statements', 'statements.id', 'movements.statementId')
    .select(['lines.paymentId', 'lines.batchId', 'movements.fecha', 'filename', 'statementId']);

type BatchPaymentRow = Awaited<ReturnType<ReturnType<typeof selectBatchPayments>['executeTakeFirstOrThrow']>>;

const toBatchPayment = ({ batchId, fecha, filename, statementId }: BatchPaymentRow): BatchPayment => ({
  batchId,
  movement: fecha === null ? undefined : { fecha, filename: filename!, statementId: statementId! },
});

export const bankMatchedRefusal = ({
  fecha,
  filename,
  statementId,
}: NonNullable<BatchPayment['movement']>) => ({
  kind: 'conflict' as const,
  message: paymentTexts.bankMatched(fecha, filename),
  code: 'bank_matched',
  extra: { estadoDeCuentaId: statementId },
});
