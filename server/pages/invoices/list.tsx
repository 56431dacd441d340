import { invoiceTexts, pendingOf } from '../../../shared/invoices.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';
import { invoiceList } from '../../lists/invoices.ts';
import { type InvoiceFilter, searchInvoices } from '../../services/invoices/reading.ts';
import { type InvoiceTotals, sumInvoices } from '../../services/invoices/sums.ts';
import { readInOpenBatches } from '../../services/payment-batches/committed.ts';
import { PaymentSelection } from '../payment-batches/tick.tsx';
import { searchOf } from '../ui/list-filters.tsx';
import { showList } from '../ui/list-page.tsx';
import { invoiceColumns, type ListedInvoice } from './columns.tsx';

export const showInvoices = (c: AppContext) =>
  showList(c, invoiceList, {
    noun: ['factura', 'facturas'],
    className: 'plan invoices',
    loadFailed: invoiceTexts.loadFailed,
    first: 'pdf',
    also: <LoadXmlLink />,
    create: <NewInvoiceLink />,
    async read(c, search, { corte }) {
      const { db, config } = c.get('deps');
      const day = { today: c.get('today'), timeZone: config.timeZone };
      const { invoices, cursor } = await searchInvoices(db, search, day);
      const ids = invoices.map(({ id }) => id);
      // What open batches are to pay is so now, not as of another day.
      const committed = corte
        ? undefined
        : Map.groupBy(await readInOpenBatches(db, ids), ({ invoiceId }) => invoiceId);
      const rows = invoices.map(
        (one): ListedInvoice => ({ ...one, committed: committed && (committed.get(one.id) ?? []) }),
      );
      return { rows, cursor, ...(await sumInvoices(db, search, day)), today: corte ?? day.today };
    },
    whole: ({ count, totalCents: cents }) => ({ count, cents }),
    rowHref: ({ id }) => pages.editInvoice(id),
    columns: (sort, { today }) => invoiceColumns({ today, sort }),
    above: (totals, query) => <CostOfFilter query={query} totals={totals} />,
    totals: (totals) => (
      <Totals
        foot
        label="Totales del filtro"
        items={[
          { label: 'Total facturas', cents: totals.totalCents },
          { label: 'Total pagado', cents: totals.paidCents, op: '−' },
          { label: 'Total pendiente', cents: pendingOf(totals), op: '=' },
        ]}
      />
    ),
    after: (totals, query) =>
      pendingOf(totals) > 0 &&
      !query.corte && (
        <p>
          <a href={withQuery(pages.newPaymentBatch, searchOf(invoiceList, query))}>
            Programar el pago de lo pendiente
          </a>
        </p>
      ),
    below: (
      <>
        <PaymentSelection />
        <DroppedFiles />
      </>
    ),
    unfound: {
      title: 'Ninguna factura con este filtro',
      hint: 'Prueba con otra parte del número, o quita alguno de los filtros.',
    },
    empty: {
      title: 'Todavía no hay facturas',
      hint: 'Aquí se ve lo que se debe a los proveedores de cada obra, y cuándo vence. Captura la primera factura.',
      action: (
        <>
          <LinkButton href={pages.newInvoice} look="primary" icon="plus">
            Nueva factura
          </LinkButton>
          <LoadXmlLink />
        </>
      ),
    },
  });

/** What invoices of some days of issue, of none, or of an obra cost without IVA, and what makes their total of it: as in Resultados. */
function CostOfFilter({ query, totals }: { query: InvoiceFilter; totals: InvoiceTotals }) {
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

export const LoadXmlLink = () => (
  <LinkButton href={pages.loadInvoice} icon="load">
    <span className="roomy">Cargar </span>XML
  </LinkButton>
);

/** What takes XMLs that are dropped on the list (islands/loader/files.ts). */
const DroppedFiles = () => (
  <form method="post" action={pages.loadInvoice} encType="multipart/form-data" data-sends="" hidden>
    <input type="file" name="xml" multiple aria-hidden="true" tabIndex={-1} />
  </form>
);

const NewInvoiceLink = () => (
  <LinkButton href={pages.newInvoice} look="primary" icon="plus" data-new="">
    Nueva factura
  </LinkButton>
);
