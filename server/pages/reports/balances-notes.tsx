import { type BalanceReport, type CountAndSum, GRAND_TOTAL } from '../../../shared/balances.ts';
import { addDays, sayDate } from '../../../shared/dates.ts';
import { ESTIMATED_NOTE } from '../../../shared/invoices-due.ts';
import { formatMoney } from '../../../shared/money.ts';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AskedBalances } from '../../lists/reports.ts';

interface NotesProps {
  report: BalanceReport;
  asked: AskedBalances;
}

/** Under the table: what its marks mean, that it ties out with the list, and what is in neither. */
export function BalanceNotes({ report, asked }: NotesProps) {
  return (
    <>
      {report.anyEstimated && <p className="note">{ESTIMATED_NOTE}</p>}
      <TieOut report={report} asked={asked} />
      {report.unapplied.length > 0 && <Unapplied {...report} />}
    </>
  );
}

function TieOut({ report, asked }: NotesProps) {
  const { corte, total, later } = report;
  const { supplierId, jobId } = asked;
  const whose = { supplierId, jobId };
  const list = withQuery(pages.invoices, { corte, ...whose });
  const from = addDays(corte, 1);
  const paid = (kind: string) => withQuery(pages.payments, { ...whose, paymentdateDesde: from, kind });
  const invoices = (days: Record<string, string>) => withQuery(pages.invoices, { ...whose, ...days });
  const named = [
    { figure: later.payments, one: 'pago', many: 'pagos', by: 'por', href: paid('pago') },
    {
      figure: later.credits,
      one: 'nota de crédito aplicada',
      many: 'notas de crédito aplicadas',
      by: 'por',
      href: paid('credito'),
    },
    {
      figure: later.invoices,
      one: 'factura',
      many: 'facturas',
      by: 'con saldo de',
      href: invoices({ fechaemisionDesde: from }),
    },
    {
      figure: later.undated,
      one: 'factura sin fecha capturada después',
      many: 'facturas sin fecha capturadas después',
      by: 'con saldo de',
      href: invoices({ emision: 'sin', capturaDesde: from }),
    },
  ].filter(({ figure }) => figure.count > 0);
  return (
    <p className="note">
      <a href={list}>
        {GRAND_TOTAL} {formatMoney(total.totalCents)} = pendiente de la lista de facturas al {sayDate(corte)}
      </a>
      .{' '}
      {named.length === 0
        ? 'No hay pagos ni facturas con fecha posterior.'
        : 'Con fecha posterior, y por eso sin contar: '}
      {named.map(({ figure, one, many, by, href }, index) => (
        <span key={one}>
          {index > 0 && (index === named.length - 1 ? ' y ' : ', ')}
          {counted(figure, one, many)} {by} <a href={href}>{formatMoney(figure.sumCents)}</a>
        </span>
      ))}
      {named.length > 0 && '.'}
    </p>
  );
}

/** No list has credit notes: what they leave stands here, beside whose it is. */
function Unapplied({ unapplied }: Pick<BalanceReport, 'unapplied'>) {
  const sumCents = unapplied.reduce((sum, one) => sum + one.sumCents, 0);
  return (
    <>
      <p className="note">
        Saldos a favor sin aplicar: <a href="#saldos-a-favor">{formatMoney(sumCents)}</a>, en ninguna de estas
        cifras.
      </p>
      <details className="note">
        <summary>De quién son</summary>
        <ul id="saldos-a-favor">
          {unapplied.map(({ supplierId, suppliername, ...figure }) => (
            <li key={supplierId}>
              <a href={pages.supplierCredit(supplierId)}>{suppliername}</a>,{' '}
              {counted(figure, 'nota de crédito', 'notas de crédito')}: {formatMoney(figure.sumCents)}
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

const counted = ({ count }: CountAndSum, one: string, many: string): string =>
  `${count.toLocaleString('es-MX')} ${count === 1 ? one : many}`;
