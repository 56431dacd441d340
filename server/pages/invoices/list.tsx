import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { type Invoice, type InvoiceSort, pendingOf } from '../../../shared/invoices.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { DataTable } from '../../../shared/ui/DataTable.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { ExportLinks } from '../../../shared/ui/ExportLinks.tsx';
import { Pager } from '../../../shared/ui/Pager.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';
import { invoiceList } from '../../lists/invoices.ts';
import type { QueryOf } from '../../lists/shapes.ts';
import { type InvoicePage, searchInvoices } from '../../services/invoices/reading.ts';
import { type InvoiceTotals, sumInvoices } from '../../services/invoices/sums.ts';
import { type Committed, readInOpenBatches } from '../../services/payment-batches/committed.ts';
import { invertedResults, isFiltered, listAddress, searchOf } from '../ui/list-filters.tsx';
import { rowsBefore, rowsOn, sortLink } from '../ui/lists.tsx';
import { invoiceColumns, type ListedInvoice } from './columns.tsx';
import { CostOfFilter } from './cost.tsx';

/** The list's address, read. */
type InvoiceListQuery = QueryOf<typeof invoiceList>;

interface InvoiceList {
  query: InvoiceListQuery;
  page: InvoicePage;
  totals: InvoiceTotals;
  today: PlainDate;
  /** what open batches are to pay of each; none of another day's list */
  committed?: ReadonlyMap<number, Committed[]>;
}

/** @throws DomainError as reading its query does */
export async function readInvoiceList(c: AppContext, query: InvoiceListQuery): Promise<InvoiceList> {
  const { db, config } = c.get('deps');
  const { sort, direction, ...filter } = searchOf(invoiceList, query);
  const { cursor } = query;
  const day = { today: c.get('today'), timeZone: config.timeZone };
  const limit = rowsOn(query);
  const page = await searchInvoices(db, { ...filter, sort, direction, cursor, limit }, day);
  const totals = await sumInvoices(db, filter, day);
  const committed = isPayable(query) ? await readCommitted(db, page.invoices) : undefined;
  return { query, page, totals, today: query.corte ?? day.today, committed };
}

async function readCommitted(db: Db, invoices: readonly Invoice[]): Promise<Map<number, Committed[]>> {
  const found = await readInOpenBatches(
    db,
    invoices.map(({ id }) => id),
  );
  return Map.groupBy(found, ({ invoiceId }) => invoiceId);
}

/** What is pending is so now, not as of another day. */
const isPayable = ({ corte }: InvoiceListQuery): boolean => !corte;

export function InvoiceResults(list: InvoiceList) {
  const { query, page, totals, today, committed } = list;
  const inverted = invertedResults(invoiceList, query);
  if (inverted) return inverted;
  const sorted = { sort: query.sortfield ?? 'id', direction: query.sorttype ?? 'asc' };
  const sort = (field: InvoiceSort) => sortLink(field, sorted, (by) => listAddress(invoiceList, query, by));
  const shown = rowsBefore(query) + page.invoices.length;
  return (
    <>
      <CostOfFilter query={query} totals={totals} />
      {totals.count === 0 ? (
        <NoInvoices isFiltered={isFiltered(invoiceList, query)} />
      ) : (
        <DataTable
          caption="Facturas"
          className="plan invoices"
          columns={invoiceColumns({ today, sort })}
          rows={page.invoices.map(
            (one): ListedInvoice => ({
              ...one,
              committed: committed && (committed.get(one.id) ?? []),
            }),
          )}
          rowKey={(invoice) => invoice.id}
          rowHref={(invoice) => pages.editInvoice(invoice.id)}
        />
      )}
      <Totals
        foot
        label="Totales del filtro"
        items={[
          { label: 'Total facturas', cents: totals.totalCents },
          { label: 'Total pagado', cents: totals.paidCents, op: '−' },
          { label: 'Total pendiente', cents: pendingOf(totals), op: '=' },
        ]}
      />
      {totals.count > 0 && (
        <Pager
          shown={shown}
          total={totals.count}
          noun={totals.count === 1 ? 'factura' : 'facturas'}
          href={page.cursor && listAddress(invoiceList, query, { cursor: page.cursor, shown })}
        />
      )}
      {pendingOf(totals) > 0 && isPayable(query) && (
        <p>
          <a href={withQuery(pages.newPaymentBatch, searchOf(invoiceList, query))}>
            Programar el pago de lo pendiente
          </a>
        </p>
      )}
    </>
  );
}

export const InvoiceActions = ({ query }: { query: InvoiceListQuery }) => (
  <>
    <ExportLinks list={pages.invoices} first="pdf" query={query} />
    <LoadXmlLink />
    <NewInvoiceLink />
    <DroppedFiles />
  </>
);

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

export const NewInvoiceLink = () => (
  <LinkButton href={pages.newInvoice} look="primary" icon="plus" data-new="">
    Nueva factura
  </LinkButton>
);

function NoInvoices({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState
        title="Ninguna factura con este filtro"
        action={<LinkButton href={pages.invoices}>Quitar filtros</LinkButton>}
      >
        Prueba con otra parte del número, o quita alguno de los filtros.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="Todavía no hay facturas"
      action={
        <>
          <LinkButton href={pages.newInvoice} look="primary" icon="plus">
            Nueva factura
          </LinkButton>
          <LoadXmlLink />
        </>
      }
    >
      Aquí se ve lo que se debe a los proveedores de cada obra, y cuándo vence. Captura la primera factura.
    </EmptyState>
  );
}
