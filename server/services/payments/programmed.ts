import type { Trx } from '../../../db/schema.ts';
import { DomainError } from '../../../shared/errors.ts';
import { pendingOf } from '../../../shared/invoices.ts';
import { batchTexts } from '../../../shared/payment-batches.ts';
import type { Actor } from '../audit/audit.ts';
import { numberOrId } from '../invoices/rules.ts';
import { besideBatches, readInOpenBatches } from '../payment-batches/committed.ts';

/** Of a payment that may be made although the bank is to pay the invoice: `actor` says why. */
export interface ProgrammedOptions {
  allowProgrammed?: boolean;
}

/**
 * What the bank has been sent to pay is not paid beside it without a reason. Asked when the amount is in the paid sum: that
 * holds the invoice, so that no two payments see the same money left.
 * @returns warnings, where a batch that the bank does not have yet is left short
 * @throws DomainError conflict in_open_batch
 */
export async function requireUnprogrammed(
  trx: Trx,
  actor: Actor,
  invoiceId: number,
  { allowProgrammed = false }: ProgrammedOptions,
): Promise<string[]> {
  const committed = await readInOpenBatches(trx, [invoiceId]);
  if (committed.length === 0) return [];
  const invoice = await trx
    .selectFrom('invoices')
    .select(['id', 'numfactura', 'totalCents', 'paidCents'])
    .where('id', '=', invoiceId)
    .executeTakeFirstOrThrow();
  const { id, numfactura } = invoice;
  const { sent, warnings } = besideBatches(committed, pendingOf(invoice), invoice);
  if (!sent) return warnings;
  if (!allowProgrammed || !actor.motivo)
    throw new DomainError('conflict', batchTexts.inOpenBatch(numberOrId(numfactura, id), sent), {
      code: IN_OPEN_BATCH,
      fields: { motivo: 'Indica el motivo.' },
      extra: { programacionId: sent.batchId },
    });
  actor.passed?.add('programacion');
  return [];
}

export const IN_OPEN_BATCH = 'in_open_batch';
