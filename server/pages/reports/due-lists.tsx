import { Fragment } from 'react';
import type { PlainDate } from '../../../shared/dates.ts';
import { formatMoney } from '../../../shared/money.ts';
import { type DuePart, type DueSum, partsOf } from '../../../shared/overdue.ts';
import { pages, withQuery } from '../../../shared/urls.ts';

/** Whose and which of the open invoices: all of them where nothing is said. */
interface Due {
  /** without one it is what is owed now */
  corte?: PlainDate;
  supplierId?: number | null;
  jobId?: number | null;
  from?: PlainDate | null;
  to?: PlainDate | null;
}

/** To the invoices that are open, and due within these days. */
export const dueAddress = ({ corte, supplierId, jobId, from, to }: Due): string =>
  withQuery(pages.invoices, {
    supplierId,
    jobId,
    status: 'por-pagar',
    venceDesde: from,
    venceHasta: to,
    corte,
    sortfield: 'fechavencimiento',
  });

/** "Vencido $3.00 = anteriores $2.00 + de esta semana $1.00", each figure with its link. */
export function DueSumText({ sum, of }: { sum: DueSum; of: Omit<Due, 'from' | 'to'> }) {
  const linked = ({ says, cents, from, to }: DuePart) => (
    <>
      {says} <a href={dueAddress({ ...of, from, to })}>{formatMoney(cents)}</a>
    </>
  );
  return (
    <>
      {linked(sum.whole)} ={' '}
      {partsOf(sum).map((part, index) => (
        <Fragment key={part.says}>
          {index > 0 && ' + '}
          {linked(part)}
        </Fragment>
      ))}
    </>
  );
}
