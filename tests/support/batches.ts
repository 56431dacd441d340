import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../server/services/audit/audit.ts';
import { payBatch } from '../../server/services/payment-batches/paying.ts';
import { createBatch } from '../../server/services/payment-batches/payment-batches.ts';
import { markBatchSent, signBatch } from '../../server/services/payment-batches/stages.ts';
import type { PlainDate } from '../../shared/dates.ts';
import { BATCH_STATES, type BatchState, type FullBatch } from '../../shared/payment-batches.ts';
import { addActor, addFundingSource, addInvoice, TODAY } from './rows.ts';

interface BatchOverrides {
  author?: Actor;
  approver?: Actor;
  estado?: BatchState;
  invoiceIds?: readonly number[];
  origenderecursoId?: number;
  fecha?: PlainDate;
}

/** Stores a batch that pays one invoice or more; another person than its author brought it to this state. */
export async function addBatch(db: Db, overrides: BatchOverrides = {}): Promise<FullBatch> {
  const { author = await addActor(db, { roles: [6] }), estado = 'borrador' } = overrides;
  const approver = overrides.approver ?? (await addActor(db, { roles: [1] }));
  const invoiceIds = overrides.invoiceIds ?? [await addInvoice(db)];
  let batch = await createBatch(db, author, {
    fecha: overrides.fecha ?? TODAY,
    origenderecursoId: overrides.origenderecursoId ?? (await addFundingSource(db)),
    lines: invoiceIds.map((invoiceId) => ({ invoiceId })),
  });
  const steps = BATCH_STATES.slice(1, BATCH_STATES.indexOf(estado) + 1);
  for (const step of steps) {
    if (step === 'autorizada') batch = await signBatch(db, approver, batch.id);
    if (step === 'enviada') batch = await markBatchSent(db, approver, batch.id);
    if (step === 'pagada') batch = (await payBatch(db, approver, batch.id)).batch;
  }
  return batch;
}
