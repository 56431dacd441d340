import { type Programmed, programmedLabel } from '../payment-batches.ts';
import { pages } from '../urls.ts';

export const ProgrammedMarks = ({ batches }: { batches: readonly Programmed[] }) =>
  batches.map((batch) => (
    <a key={batch.batchId} className="chip accent" href={pages.paymentBatch(batch.batchId)}>
      {programmedLabel(batch)}
    </a>
  ));
