import { ESTIMATED_MARK } from '../invoices-due.ts';

/** Beside a day that was worked out, and beside a sum in which one counts; figures line up as without it. */
export const EstimatedMark = () => (
  <span className="est" title="Vencimiento estimado">
    {ESTIMATED_MARK}
  </span>
);
