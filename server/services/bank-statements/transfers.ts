import type { Trx } from '../../../db/schema.ts';
import { type BatchLine, isHeld, isUntouched } from '../../../shared/payment-batches.ts';
import type { Actor } from '../audit/audit.ts';
import { orderOf } from '../bank-files/transfers.ts';
import { holdInvoices } from '../payment-batches/committed.ts';
import { lockBatch } from '../payment-batches/payment-batches.ts';
import { isHeldSince, judgeSent } from '../payment-batches/stages.ts';
import type { AskedTransfer } from './matching.ts';

/** As many of the batches that were sent or paid as a statement may speak of, the latest. */
const MOST_BATCHES = 60;

/**
 * What banks were asked to pay from a source, of batches that are held until the transaction ends: their invoices too, so
 * that nobody pays them by hand meanwhile. What nobody may let through is asked about each line once more.
 */
export async function readTransfers(
  trx: Trx,
  actor: Actor,
  origenderecursoId: number,
): Promise<AskedTransfer[]> {
  const rows = await trx
    .selectFrom('payment_batches')
    .select('id')
    .where('origenderecursoId', '=', origenderecursoId)
    .where('estado', 'in', ['enviada', 'pagada'])
    .orderBy('id', 'desc')
    .limit(MOST_BATCHES)
    .execute();
  const told = await readTold(trx, origenderecursoId);
  const transfers: AskedTransfer[] = [];
  for (const { id } of rows.toReversed()) {
    const locked = await lockBatch(trx, id);
    await holdInvoices(
      trx,
      locked.lines.map(({ invoiceId }) => invoiceId),
      id,
    );
    const batch = locked.estado === 'enviada' ? await judgeSent(trx, actor, locked) : locked;
    const order = await orderOf(
      trx,
      batch,
      (line) => !isHeld(line) || !isUntouched(line) || isHeldSince(batch, line),
    );
    for (const { supplierId, clabe, amountCents, referencia, lines } of [
      ...order.transfers,
      ...order.unknown,
    ])
      transfers.push({
        batchId: id,
        supplierId,
        clabe,
        amountCents,
        referencia,
        state: stateOf(lines, told.has(`${id}/${supplierId}`), batch.estado === 'enviada'),
      });
  }
  return transfers;
}

function stateOf(lines: readonly BatchLine[], isTold: boolean, isSent: boolean): AskedTransfer['state'] {
  if (lines.every(({ paymentId }) => paymentId !== null)) return isTold ? 'told' : 'paid';
  if (!isSent || !lines.every(isUntouched)) return 'gone';
  return lines.some(isHeld) ? 'held' : 'open';
}

/** Transfers that a movement has told of. */
async function readTold(trx: Trx, origenderecursoId: number): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('bank_movements')
    .select(['batchId', 'supplierId'])
    .where('origenderecursoId', '=', origenderecursoId)
    .where('outcome', '=', 'pagado')
    .execute();
  return new Set(rows.map(({ batchId, supplierId }) => `${batchId}/${supplierId}`));
}
