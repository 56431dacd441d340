import { Fragment, type ReactNode } from 'react';
import { LATER_DATED_TITLE, type LaterDatedSums, listLaterDatedSums } from '../../../shared/balances.ts';
import { formatCount } from '../../../shared/counts.ts';
import { addDays, formatLongDate, type PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import { DUE_SUM_SEPARATORS, listOverdueParts } from '../../../shared/overdue.ts';
import { type RowsPart, rowRangeOfPart } from '../../../shared/table-parts.ts';
import { EstimatedMark } from '../../../shared/ui/EstimatedMark.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { BalanceReport } from '../../services/balances/balances.ts';
import { openInvoicesHref } from './addresses.ts';

interface BalanceFilter {
  supplierId?: number | null;
  jobId?: number | null;
}

interface OverdueProps {
  report: BalanceReport;
  filter: BalanceFilter;
}

interface EstimatedWithinProps {
  report: Pick<BalanceReport, 'estimatedDays'>;
  from?: PlainDate | null;
  to?: PlainDate | null;
}

/** Marks a sum of what is due between two days, if any due day among them is estimated. */
export const EstimatedWithin = ({ report, from, to }: EstimatedWithinProps) =>
  report.estimatedDays.some((day) => (!from || day >= from) && (!to || day <= to)) && <EstimatedMark />;

export function OverdueText({ report, filter }: OverdueProps) {
  const parts = listOverdueParts(report);
  return (
    <strong className={parts.some(({ cents }) => cents > 0) ? 'late' : undefined}>
      {parts.map(({ label, cents, from, to }, index) => (
        <Fragment key={label}>
          {DUE_SUM_SEPARATORS[index]}
          {label}{' '}
          <Money
            cents={cents}
            href={openInvoicesHref({ corte: report.corte, ...filter, from, to })}
            mark={<EstimatedWithin report={report} from={from} to={to} />}
          />
        </Fragment>
      ))}
    </strong>
  );
}

interface ReconciliationNoteProps {
  /** names the balance, such as "Total general" */
  label: string;
  cents: Cents;
  corte: PlainDate;
  laterDatedSums: LaterDatedSums;
  filter: BalanceFilter;
  mark?: ReactNode;
}

/** Reconciles a balance with the invoice list of that day, and names later dated amounts; each sum has its link. */
export function ReconciliationNote({
  label,
  cents,
  corte,
  laterDatedSums,
  filter,
  mark,
}: ReconciliationNoteProps) {
  const from = addDays(corte, 1);
  const paidAddress = (kind: string) =>
    withQuery(pages.payments, { ...filter, paymentdateDesde: from, kind });
  const invoicesAddress = (days: Record<string, string>) => withQuery(pages.invoices, { ...filter, ...days });
  const addresses: Record<keyof LaterDatedSums, string> = {
    payments: paidAddress('pago'),
    credits: paidAddress('credito'),
    invoices: invoicesAddress({ fechaemisionDesde: from }),
    undated: invoicesAddress({ emision: 'sin', capturaDesde: from }),
  };
  const named = listLaterDatedSums(laterDatedSums);
  return (
    <p className="note">
      {label} <Money cents={cents} href={withQuery(pages.invoices, { corte, ...filter })} mark={mark} /> =
      pendiente de la lista de facturas al {formatLongDate(corte)}.{' '}
      {named.length === 0 ? 'No hay pagos ni facturas con fecha posterior.' : `${LATER_DATED_TITLE} `}
      {named.map(({ of, description, sumCents }, index) => (
        <span key={of}>
          {index > 0 && (index === named.length - 1 ? ' y ' : ', ')}
          {description} <Money cents={sumCents} href={addresses[of]} />
        </span>
      ))}
      {named.length > 0 && '.'}
    </p>
  );
}

interface RankRangeNoteProps {
  rankRange: RowsPart;
  label: string;
  addressOf: (part: number) => string;
}

export function RankRangeNote({ rankRange, label, addressOf }: RankRangeNoteProps) {
  const { part, maxRows, count } = rankRange;
  if (count <= maxRows) return null;
  const { start, end } = rowRangeOfPart(rankRange);
  const [first, last, all] = [start + 1, end, count].map(formatCount);
  return (
    <p className="note">
      {label}: {first} a {last} de {all}. El resto está junto al final de la tabla.
      {part > 1 && (
        <>
          {' '}
          <a href={addressOf(part - 1)}>Anteriores</a>
        </>
      )}
      {end < count && (
        <>
          {' '}
          <a href={addressOf(part + 1)}>Siguientes</a>
        </>
      )}
    </p>
  );
}
