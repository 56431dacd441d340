import type { Trx } from '../../../db/schema.ts';
import { type BatchLine, type FullBatch, isHeld, isUntouched } from '../../../shared/payment-batches.ts';
import type { Movement } from '../../formats/bank-statements/movements.ts';
import type { Actor } from '../audit/audit.ts';
import { payLines, unpayLines } from '../payment-batches/paying.ts';
import { saveBatch } from '../payment-batches/payment-batches.ts';
import { getBatch } from '../payment-batches/reading.ts';
import { isHeldSince } from '../payment-batches/stages.ts';
import type { Matched } from './matching.ts';

export interface Decided extends Matched {
  movement: Movement;
  identity: string;
  /** as it came with an earlier statement */
  stored: { id: number; outcome: Matched['outcome'] } | undefined;
}

/** Pays what the bank has paid and takes back what it sent back, batch by batch; those that nothing is left of are paid. */
export async function settleBatches(trx: Trx, actor: Actor, decided: readonly Decided[]): Promise<void> {
  const ofTransfers = decided.filter(({ transfer }) => transfer !== undefined);
  const byBatch = Map.groupBy(ofTransfers, ({ transfer }) => transfer!.batchId);
  for (const [batchId, own] of [...byBatch].sort(([a], [b]) => a - b)) {
    const before = await getBatch(trx, batchId);
    // A transfer that a statement pays and sends back is sent back: it is no candidate any more.
    const { pagado = [], devuelto = [] } = Object.groupBy(own, ({ outcome }) => outcome);
    await pay(trx, actor, before, pagado);
    await takeBack(trx, actor, batchId, devuelto);
    await close(trx, actor, before);
  }
}

/** The bank only confirms a line that was paid by hand before. */
async function pay(trx: Trx, actor: Actor, batch: FullBatch, told: readonly Decided[]): Promise<void> {
  const bySupplier = new Map(told.map((one) => [one.transfer!.supplierId, one]));
  const lines = batch.lines.filter(
    (line) => bySupplier.has(line.supplierId) && isUntouched(line) && !isHeld(line),
  );
  if (lines.length === 0) return;
  await payLines(trx, actor, batch, lines, ({ supplierId }) => {
    const { movement, transfer } = bySupplier.get(supplierId)!;
    const checknum = (movement.referencia || transfer!.referencia).slice(0, LONGEST_CHEQUE);
    return { paymentdate: movement.fecha, checknum };
  });
}

const LONGEST_CHEQUE = 60;

async function takeBack(trx: Trx, actor: Actor, batchId: number, told: readonly Decided[]): Promise<void> {
  if (told.length === 0) return;
  const suppliers = new Set(told.map(({ transfer }) => transfer!.supplierId));
  const lines = (await getBatch(trx, batchId)).lines.filter(({ supplierId }) => suppliers.has(supplierId));
  await unpayLines(trx, actor, batchId, lines, actor.at);
}

/** A batch of which the bank still has something to say stays sent. */
async function close(trx: Trx, actor: Actor, before: FullBatch): Promise<void> {
  const batch = await getBatch(trx, before.id);
  const isSettled = (line: BatchLine) => !isUntouched(line) || (isHeld(line) && !isHeldSince(batch, line));
  const isDone = batch.estado === 'enviada' && batch.lines.every(isSettled);
  const done = { estado: 'pagada', paidBy: actor.userId, paidAt: actor.at } as const;
  await saveBatch(trx, actor, before, isDone ? done : {});
}
