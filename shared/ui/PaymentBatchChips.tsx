import { type BatchReference, batchReferenceLabel } from '../payment-batches.ts';
import { pages } from '../urls.ts';

export const PaymentBatchChips = ({ batches }: { batches: readonly BatchReference[] }) =>
  batches.map((batch) => (
    <a key={batch.batchId} className="chip accent" href={pages.paymentBatch(batch.batchId)}>
      {batchReferenceLabel(batch)}
    </a>
  ));
