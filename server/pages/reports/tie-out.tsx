import { DATED_LATER, type DatedLater, describeLater } from '../../../shared/balances.ts';
import { addDays, type PlainDate, sayDate } from '../../../shared/dates.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import { pages, withQuery } from '../../../shared/urls.ts';

interface TieOutProps {
  /** "Total general" */
  says: string;
  cents: Cents;
  corte: PlainDate;
  later: DatedLater;
  whose: { supplierId?: number | null; jobId?: number | null };
}

/** That a balance at the end of a day is the list's of that day, and what is dated later, each sum with its list. */
export function TieOut({ says, cents, corte, later, whose }: TieOutProps) {
  const from = addDays(corte, 1);
  const paid = (kind: string) => withQuery(pages.payments, { ...whose, paymentdateDesde: from, kind });
  const invoices = (days: Record<string, string>) => withQuery(pages.invoices, { ...whose, ...days });
  const addresses: Record<keyof DatedLater, string> = {
    payments: paid('pago'),
    credits: paid('credito'),
    invoices: invoices({ fechaemisionDesde: from }),
    undated: invoices({ emision: 'sin', capturaDesde: from }),
  };
  const named = describeLater(later);
  return (
    <p className="note">
      <a href={withQuery(pages.invoices, { corte, ...whose })}>
        {says} {formatMoney(cents)} = pendiente de la lista de facturas al {sayDate(corte)}
      </a>
      . {named.length === 0 ? 'No hay pagos ni facturas con fecha posterior.' : `${DATED_LATER} `}
      {named.map(({ of, says, sumCents }, index) => (
        <span key={of}>
          {index > 0 && (index === named.length - 1 ? ' y ' : ', ')}
          {says} <a href={addresses[of]}>{formatMoney(sumCents)}</a>
        </span>
      ))}
      {named.length > 0 && '.'}
    </p>
  );
}
