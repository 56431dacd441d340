import { type BalanceReport, type CountAndSum, GRAND_TOTAL } from '../../../shared/balances.ts';
import { ESTIMATED_NOTE } from '../../../shared/invoices-due.ts';
import { formatMoney } from '../../../shared/money.ts';
import { pages } from '../../../shared/urls.ts';
import type { AskedBalances } from '../../lists/reports.ts';
import { TieOut } from './tie-out.tsx';

interface NotesProps {
  report: BalanceReport;
  asked: AskedBalances;
}

/** Under the table: what its marks mean, that it ties out with the list, and what is in neither. */
export function BalanceNotes({ report, asked }: NotesProps) {
  const { corte, total, later } = report;
  const whose = { supplierId: asked.supplierId, jobId: asked.jobId };
  return (
    <>
      {report.anyEstimated && <p className="note">{ESTIMATED_NOTE}</p>}
      <TieOut says={GRAND_TOTAL} cents={total.totalCents} corte={corte} later={later} whose={whose} />
      {report.unapplied.length > 0 && <Unapplied {...report} />}
    </>
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
