import { formatDate, plainDateIn } from '../../../shared/dates.ts';
import { formatMoney } from '../../../shared/money.ts';
import { type Column, DataTable, LONGEST_NUMBER } from '../../../shared/ui/DataTable.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { UndatedInvoice } from '../../services/results.ts';
import type { ResultsView } from './results-view.ts';

/** What counts in no period for want of a day, so that somebody may give it one. */
export function UndatedInvoices({
  query,
  undated: { sum, invoices },
  timeZone,
}: Pick<ResultsView, 'query' | 'undated' | 'timeZone'>) {
  const { count, costCents } = sum;
  const { from, to, jobId, clientId, rubroId } = query;
  const captured = { emision: 'sin', capturaDesde: from, capturaHasta: to };
  const list = withQuery(pages.invoices, { jobId, clientId, rubroId, ...captured });
  return (
    <section>
      <h2>Sin fecha de emisión</h2>
      <p className="note">
        {count === 1 ? 'Una factura capturada' : `${count} facturas capturadas`} en el periodo no{' '}
        {count === 1 ? 'tiene' : 'tienen'} fecha de emisión:{' '}
        <a href={list}>{formatMoney(costCents)} sin IVA</a> que no {count === 1 ? 'está' : 'están'} en las
        cifras de arriba. {count === 1 ? 'Ponle' : 'Ponles'} su fecha.
      </p>
      <DataTable
        caption="Facturas sin fecha de emisión"
        columns={undatedColumns(timeZone)}
        rows={invoices}
        rowKey={(invoice) => invoice.id}
        rowHref={(invoice) => pages.editInvoice(invoice.id)}
      />
      {count > invoices.length && (
        <p className="note">Se muestran las {invoices.length} capturadas al último.</p>
      )}
    </section>
  );
}

const undatedColumns = (timeZone: string): Column<UndatedInvoice>[] => [
  {
    key: 'numfactura',
    label: 'Factura',
    link: true,
    clip: LONGEST_NUMBER,
    card: 'title',
    render: ({ numfactura, id }) => numfactura || `#${id}`,
  },
  { key: 'suppliername', label: 'Proveedor', clip: true, render: ({ suppliername }) => suppliername },
  { key: 'jobtitle', label: 'Obra', clip: true, render: ({ jobtitle }) => jobtitle },
  { key: 'nombrerubro', label: 'Rubro', clip: 24, render: ({ nombrerubro }) => nombrerubro ?? '' },
  {
    key: 'createdAt',
    label: 'Capturada',
    render: ({ createdAt }) => formatDate(plainDateIn(new Date(createdAt), timeZone)),
  },
  {
    key: 'cost',
    label: 'Costo',
    align: 'end',
    card: 'corner',
    render: ({ costCents }) => <Money cents={costCents} />,
  },
];
