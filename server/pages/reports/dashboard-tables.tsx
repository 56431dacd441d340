import { type PlainDate, sundayOf } from '../../../shared/dates.ts';
import { bankAmountOf } from '../../../shared/payments.ts';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { EstimatedMark } from '../../../shared/ui/EstimatedMark.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { Dashboard } from '../../services/balances/dashboard.ts';
import { computeCostAfterCredits } from '../../services/costs.ts';
import { usedShareColumns } from '../ui/budget-used.tsx';
import { invoiceNumberColumn, moneyColumn } from '../ui/columns.tsx';
import { WholeListLink } from '../ui/first-links.tsx';
import { openInvoicesHref, resultsHref } from './addresses.ts';
import { CostFigure, nameAndBarColumn } from './results-figures.tsx';

type TopSupplier = Dashboard['suppliers'][number];
type TopJob = Dashboard['jobs']['rows'][number];
type DueSoonInvoice = Dashboard['dueSoon'][number];

export function TopSuppliers({ suppliers }: Pick<Dashboard, 'suppliers'>) {
  if (suppliers.length === 0) return null;
  return (
    <section aria-labelledby="suppliers">
      <h2 id="suppliers">A quién se le debe más</h2>
      <DataTable
        caption="Proveedores con mayor saldo"
        columns={[
          nameAndBarColumn(suppliers, {
            label: 'Proveedor',
            nameOf: ({ suppliername }) => suppliername,
            centsOf: ({ sumCents }) => sumCents,
          }),
          moneyColumn<TopSupplier>('sum', 'Saldo', ({ sumCents }) => sumCents, {
            card: 'corner',
            href: ({ supplierId }) => openInvoicesHref({ supplierId }),
          }),
        ]}
        rows={suppliers}
        rowKey={({ supplierId }) => supplierId}
        rowHref={({ supplierId }) => pages.statement(supplierId)}
      />
      <WholeListLink href={pages.balances}>Ver todos los saldos</WholeListLink>
    </section>
  );
}

export function TopJobs({ jobs: { period, rows, budgets } }: Pick<Dashboard, 'jobs'>) {
  const shown = rows.filter((row) => computeCostAfterCredits(row) > 0);
  if (shown.length === 0) return null;
  const columns: Column<TopJob>[] = [
    nameAndBarColumn(shown, {
      label: 'Obra',
      nameOf: ({ jobtitle }) => jobtitle,
      centsOf: (job) => computeCostAfterCredits(job),
      hasBars: budgets.size === 0,
    }),
    {
      key: 'cost',
      label: 'Gastado',
      note: 'sin IVA',
      align: 'end',
      card: 'corner',
      render(job) {
        const { jobId } = job;
        const elsewhere = resultsHref({ jobId }, period);
        return <CostFigure query={{ ...period, jobId }} cost={job} breakdownHref={elsewhere} />;
      },
    },
    ...usedShareColumns<TopJob>(budgets, ({ jobId }) => jobId),
  ];
  return (
    <section aria-labelledby="jobs">
      <h2 id="jobs">Qué obras cuestan más este año</h2>
      <DataTable
        caption="Obras de mayor costo en el año"
        columns={columns}
        rows={shown}
        rowKey={({ jobId }) => jobId}
        rowHref={({ jobId }) => (jobId ? resultsHref({ jobId }, period) : undefined)}
      />
      <WholeListLink href={resultsHref({}, period)}>Ver todas las obras</WholeListLink>
    </section>
  );
}

const DUE_COLUMNS: readonly Column<DueSoonInvoice>[] = [
  invoiceNumberColumn(),
  { key: 'suppliername', label: 'Proveedor', wraps: true, card: 'line' },
  {
    key: 'vence',
    label: 'Vence',
    card: 'line',
    render: ({ vence, fechavencimiento }) => (
      <span>
        <DateText date={vence} />
        {fechavencimiento === null && <EstimatedMark />}
      </span>
    ),
  },
  moneyColumn('pending', 'Pendiente', ({ pendingCents }) => pendingCents, {
    card: 'corner',
    href: ({ id }) => withQuery(pages.invoices, { invoiceId: id }),
  }),
];

export function LargestDueInvoices({ dueSoon, today }: Pick<Dashboard, 'dueSoon'> & { today: PlainDate }) {
  return (
    <section aria-labelledby="largest">
      <h2 id="largest">Facturas más altas de la semana</h2>
      {dueSoon.length === 0 ? (
        <p className="note">Nada vence de hoy al domingo.</p>
      ) : (
        <>
          <DataTable
            caption="Las cinco facturas más altas que vencen de hoy al domingo"
            columns={DUE_COLUMNS}
            rows={dueSoon}
            rowKey={({ id }) => id}
            rowHref={({ id }) => pages.editInvoice(id)}
          />
          <p className="note">
            <a href={openInvoicesHref({ from: today, to: sundayOf(today) })}>Ver todas las de esta semana</a>
          </p>
        </>
      )}
    </section>
  );
}

export function LastPayments({ lastPayments }: Pick<Dashboard, 'lastPayments'>) {
  if (lastPayments.length === 0) return null;
  return (
    <section aria-labelledby="payments">
      <h2 id="payments">Últimos pagos</h2>
      <DataTable
        caption="Los cinco pagos más recientes, por su fecha"
        columns={[
          {
            key: 'paymentdate',
            label: 'Fecha',
            card: 'line',
            render: ({ paymentdate }) => <DateText date={paymentdate} />,
          },
          { key: 'suppliername', label: 'Proveedor', wraps: true, isRowLink: true, card: 'title' },
          moneyColumn('amount', 'Pagado', bankAmountOf, { card: 'corner' }),
        ]}
        rows={lastPayments}
        rowKey={({ id }) => id}
        rowHref={({ id }) => pages.editPayment(id)}
      />
      <WholeListLink href={withQuery(pages.payments, { sortfield: 'paymentdate', sorttype: 'DESC' })}>
        Ver todos los pagos
      </WholeListLink>
    </section>
  );
}
