import { addDays, mondayOf, type PlainDate } from '../../../shared/dates.ts';
import { takenBy } from '../../../shared/payments.ts';
import { type Column, DataTable, LONGEST_NUMBER } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { EstimatedMark } from '../../../shared/ui/EstimatedMark.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { ShareBar } from '../../../shared/ui/ShareBar.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { netOf } from '../../services/costs.ts';
import type { Dashboard } from '../../services/dashboard.ts';
import { budgetColumns } from '../budgets/used.tsx';
import { moneyColumn } from '../ui/money-column.tsx';
import { dueAddress } from './due-lists.tsx';
import { resultsAddress } from './results-address.ts';
import { CostFigure } from './results-figures.tsx';

type Supplier = Dashboard['suppliers'][number];
type Job = Dashboard['jobs']['rows'][number];
type Due = Dashboard['dueSoon'][number];
type Paid = Dashboard['lastPayments'][number];

/** Whom most is owed to. */
export function TopSuppliers({ suppliers }: Pick<Dashboard, 'suppliers'>) {
  if (suppliers.length === 0) return null;
  const most = suppliers[0]!.sumCents;
  const columns: Column<Supplier>[] = [
    {
      key: 'name',
      label: 'Proveedor',
      clip: true,
      card: 'title',
      render: ({ suppliername }) => suppliername,
    },
    {
      key: 'share',
      label: 'Parte del mayor',
      card: 'line',
      className: 'bars',
      render: ({ sumCents }) => <ShareBar of={sumCents} most={most} />,
    },
    {
      key: 'sum',
      label: 'Saldo',
      align: 'end',
      card: 'corner',
      render: ({ supplierId, sumCents }) => (
        <a href={dueAddress({ supplierId })}>
          <Money cents={sumCents} />
        </a>
      ),
    },
  ];
  return (
    <section aria-labelledby="suppliers">
      <h2 id="suppliers">A quién se le debe más</h2>
      <DataTable
        caption="Proveedores con mayor saldo"
        columns={columns}
        rows={suppliers}
        rowKey={({ supplierId }) => supplierId}
        rowHref={({ supplierId }) => pages.statement(supplierId)}
      />
    </section>
  );
}

/** Which obras cost most this year: the first rows of Resultados. */
export function TopJobs({ jobs: { period, rows, budgets } }: Pick<Dashboard, 'jobs'>) {
  const shown = rows.filter((row) => netOf(row) > 0);
  if (shown.length === 0) return null;
  const most = netOf(shown[0]!);
  const columns: Column<Job>[] = [
    { key: 'name', label: 'Obra', clip: true, card: 'title', render: ({ jobtitle }) => jobtitle },
    {
      key: 'share',
      label: 'Parte de la mayor',
      card: 'line',
      className: 'bars',
      render: (job) => <ShareBar of={netOf(job)} most={most} />,
    },
    {
      key: 'cost',
      label: 'Gastado',
      note: 'sin IVA',
      align: 'end',
      card: 'corner',
      render: (job) => {
        const { jobId } = job;
        const elsewhere = resultsAddress({ jobId }, period);
        return <CostFigure query={{ ...period, jobId }} cost={job} elsewhere={elsewhere} />;
      },
    },
    ...budgetColumns<Job>(budgets, ({ jobId }) => jobId),
  ];
  return (
    <section aria-labelledby="jobs">
      <h2 id="jobs">Qué obras cuestan más este año</h2>
      <DataTable
        caption="Obras de mayor costo en el año"
        columns={columns}
        rows={shown}
        rowKey={({ jobId }) => jobId}
        rowHref={({ jobId }) => (jobId ? resultsAddress({ jobId }, period) : undefined)}
      />
    </section>
  );
}

/** What a Friday has to be decided on. */
export function LargestDue({ dueSoon, today }: Pick<Dashboard, 'dueSoon'> & { today: PlainDate }) {
  const columns: Column<Due>[] = [
    {
      key: 'numfactura',
      label: 'Factura',
      link: true,
      clip: LONGEST_NUMBER,
      card: 'title',
      render: ({ numfactura, id }) => numfactura || `#${id}`,
    },
    { key: 'supplier', label: 'Proveedor', clip: true, render: ({ suppliername }) => suppliername },
    {
      key: 'vence',
      label: 'Vence',
      render: ({ vence, isEstimated }) => (
        <>
          <DateText date={vence} />
          {isEstimated && <EstimatedMark />}
        </>
      ),
    },
    {
      key: 'pending',
      label: 'Pendiente',
      align: 'end',
      card: 'corner',
      render: ({ id, pendingCents }) => (
        <a href={withQuery(pages.invoices, { invoiceId: id })}>
          <Money cents={pendingCents} />
        </a>
      ),
    },
  ];
  return (
    <section aria-labelledby="largest">
      <h2 id="largest">Las mayores de esta semana</h2>
      {dueSoon.length === 0 ? (
        <p className="note">Nada vence de hoy al domingo.</p>
      ) : (
        <DataTable
          caption="Las cinco facturas mayores que vencen de hoy al domingo"
          columns={columns}
          rows={dueSoon}
          rowKey={({ id }) => id}
          rowHref={({ id }) => pages.editInvoice(id)}
        />
      )}
      {dueSoon.length > 0 && (
        <p className="note">
          <a href={dueAddress({ from: today, to: addDays(mondayOf(today), 6) })}>Todas las de esta semana</a>
        </p>
      )}
    </section>
  );
}

export function LastPayments({ lastPayments }: Pick<Dashboard, 'lastPayments'>) {
  if (lastPayments.length === 0) return null;
  const columns: Column<Paid>[] = [
    {
      key: 'paymentdate',
      label: 'Fecha',
      link: true,
      card: 'title',
      render: ({ paymentdate }) => <DateText date={paymentdate} />,
    },
    { key: 'supplier', label: 'Proveedor', clip: true, render: ({ suppliername }) => suppliername },
    moneyColumn('amount', 'Pagado', (payment) => takenBy(payment), { card: 'corner' }),
  ];
  return (
    <section aria-labelledby="payments">
      <h2 id="payments">Últimos pagos</h2>
      <DataTable
        caption="Los cinco pagos capturados al último"
        columns={columns}
        rows={lastPayments}
        rowKey={({ id }) => id}
        rowHref={({ id }) => pages.editPayment(id)}
      />
    </section>
  );
}
