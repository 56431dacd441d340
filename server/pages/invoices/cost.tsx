import { Totals } from '../../../shared/ui/Totals.tsx';
import type { InvoiceFilter } from '../../services/invoices/reading.ts';
import type { InvoiceTotals } from '../../services/invoices/sums.ts';

/** What invoices of some days of issue, of none, or of an obra cost without IVA, and what makes their total of it: as in Resultados. */
export function CostOfFilter({ query, totals }: { query: InvoiceFilter; totals: InvoiceTotals }) {
  const { fechaemisionDesde, fechaemisionHasta, emision, jobId, status } = query;
  const isOfJob = Boolean(jobId && !status);
  if (!(fechaemisionDesde || fechaemisionHasta || emision || isOfJob)) return null;
  const { sinIvaCents, totalCents } = totals;
  return (
    <Totals
      label="Costo del filtro"
      items={[
        { label: 'Costo sin IVA', cents: sinIvaCents },
        { label: 'IVA, menos retenciones', cents: totalCents - sinIvaCents, op: '+' },
        { label: 'Total con IVA', cents: totalCents, op: '=' },
      ]}
    />
  );
}
