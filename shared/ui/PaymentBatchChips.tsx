import { type BatchIdAndState, batchName } from '../payment-batches.ts';
import { pages } from '../urls.ts';

export const PaymentBatchChips = ({ batches }: { batches: readonly BatchIdAndState[] }) =>
  batches.map(({ batchId, estado }) => (
    <a key={batchId} className="chip accent" href={pages.paymentBatch(batchId)} title={batchName(batchId)}>
      {estado === 'enviada' ? 'En el banco' : batchName(batchId)}
    </a>
  ));
