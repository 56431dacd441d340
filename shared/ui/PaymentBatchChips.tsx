import { type BatchOfInvoice, batchName } from '../payment-batches.ts';
import { pages } from '../urls.ts';

export const PaymentBatchChips = ({ batches }: { batches: readonly BatchOfInvoice[] }) =>
  batches.map(({ batchId, isAtBank }) => (
    <a key={batchId} className="chip accent" href={pages.paymentBatch(batchId)} title={batchName(batchId)}>
      {isAtBank ? 'En el banco' : batchName(batchId)}
    </a>
  ));
