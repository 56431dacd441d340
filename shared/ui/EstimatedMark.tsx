import { ESTIMATED_MARK } from '../invoices-due.ts';

export const EstimatedMark = () => (
  <span className="est" title="Vencimiento estimado">
    {ESTIMATED_MARK}
  </span>
);
