import { sql } from 'kysely';
import { valuesTable } from '../../../db/bulk.ts';
import type { Trx } from '../../../db/schema.ts';
import {
  type BatchLine,
  batchTexts,
  type FullBatch,
  isOpenLine,
  listBlockingFindings,
} from '../../../shared/payment-batches.ts';
import type { Actor } from '../audit/audit.ts';
import { checkLines, storeVerdicts } from '../payment-batches/check-lines.ts';
import { deletePaymentsOfLines, payLines } from '../payment-batches/paying.ts';
import { getBatch } from '../payment-batches/reading.ts';
import { saveAndMarkPaidIfSettled } from '../payment-batches/stages.ts';
import type { MovementWithMatch } from './movements.ts';

/**
 * Captures the payments of the transfers that the bank made, and undoes those of the transfers that it returned.
 * @returns warnings about payments that the bank made although a check would hold them
 */
export async function applyBankOutcomes(
  trx: Trx,
  actor: Actor,
  matchedMovements: readonly MovementWithMatch[],
  ids: ReadonlyMap<string, number>,
): Promise<string[]> {
  const ofTransfers = matchedMovements.filter(({ transfer }) => transfer !== undefined);
  const byBatch = Map.groupBy(ofTransfers, ({ transfer }) => transfer!.batchId);
  const warnings: string[] = [];
  for (const [batchId, batchMovements] of [...byBatch].sort(([a], [b]) => a - b)) {
    const before = await getBatch(trx, batchId);
    // If a statement has both the payment and the return of a transfer, the return is its outcome.
    const { pagado = [], devuelto = [] } = Object.groupBy(batchMovements, ({ outcome }) => outcome);
    warnings.push(...(await payMatchedLines(trx, actor, before, pagado, ids)));
    const returned = devuelto.flatMap(({ transfer }) => transfer!.invoiceIds);
    await undoReturnedPayments(trx, actor, before, returned);
  }
  return warnings;
}

/** For a line that was paid by hand before, only the bank movement is stored. */
async function payMatchedLines(
  trx: Trx,
  actor: Actor,
  batch: FullBatch,
  paidMovements: readonly MovementWithMatch[],
  ids: ReadonlyMap<string, number>,
): Promise<string[]> {
  const byInvoice = new Map(
    paidMovements.flatMap((one) => one.transfer!.invoiceIds.map((id) => [id, one] as const)),
  );
  const lines = batch.lines.filter((line) => byInvoice.has(line.invoiceId) && isOpenLine(line));
  const warnings: string[] = [];
  if (lines.length > 0) {
    warnings.push(...(await storeHeldLineWarnings(trx, actor, batch, lines)));
    await payLines(trx, actor, batch, lines, ({ invoiceId }) => {
      const { movement, transfer } = byInvoice.get(invoiceId)!;
      const checknum = (movement.referencia || transfer!.referencia).slice(0, MAX_CHEQUE_LENGTH);
      return { paymentdate: movement.fecha, checknum };
    });
  }
  const rows = [...byInvoice].map(([line, { identity }]) => ({ line, movement: ids.get(identity)! }));
  await sql`update payment_batch_lines set "movementId" = w.movement
    from ${valuesTable(trx, { line: 'bigint', movement: 'bigint' }, rows)} as w
    where payment_batch_lines."batchId" = ${batch.id} and payment_batch_lines."invoiceId" = w.line`.execute(
    trx,
  );
  return warnings;
}

const MAX_CHEQUE_LENGTH = 60;

/** The money has left the account already, so findings that would hold a line are stored as mere warnings. */
async function storeHeldLineWarnings(trx: Trx, actor: Actor, batch: FullBatch, lines: readonly BatchLine[]) {
  const verdicts = await checkLines(trx, actor, lines, { step: 'pagar', fecha: batch.fecha, batch });
  const warnings = lines.flatMap((line) =>
    listBlockingFindings({ ...line, verdict: verdicts.get(line.invoiceId)! }).map(({ reason }) =>
      batchTexts.paidAllTheSame(line.numfactura || String(line.invoiceId), reason),
    ),
  );
  for (const verdict of verdicts.values())
    verdict.findings = verdict.findings.map((checkFinding) => ({ ...checkFinding, level: 'avisar' }));
  await storeVerdicts(trx, batch.id, verdicts);
  return warnings;
}

export async function undoReturnedPayments(
  trx: Trx,
  actor: Actor,
  before: FullBatch,
  invoiceIds: readonly number[],
): Promise<void> {
  const { lines } = await getBatch(trx, before.id);
  const returned = lines.filter(({ invoiceId }) => invoiceIds.includes(invoiceId));
  if (returned.length > 0) await deletePaymentsOfLines(trx, actor, before.id, returned, actor.at);
  await saveAndMarkPaidIfSettled(trx, actor, before);
}
