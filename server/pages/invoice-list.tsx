import type { z } from 'zod';
import type { FilterField } from '../../islands/ListFilter.tsx';
import ListFilter from '../../islands/ListFilter.tsx';
import { jobs } from '../../shared/catalogs/jobs.ts';
import { rubros } from '../../shared/catalogs/rubros.ts';
import { suppliers } from '../../shared/catalogs/suppliers.ts';
import { formatDate, type PlainDate } from '../../shared/dates.ts';
import {
  type InvoiceSort,
  NO_RUBRO_NAME,
  pendingOf,
  STATUS_FILTERS,
  STATUS_LABELS,
} from '../../shared/invoices.ts';
import { formatMoney } from '../../shared/money.ts';
import { LinkButton } from '../../shared/ui/Button.tsx';
import { DataTable } from '../../shared/ui/DataTable.tsx';
import { EmptyState } from '../../shared/ui/EmptyState.tsx';
import { ExportLinks } from '../../shared/ui/ExportLinks.tsx';
import { Pager } from '../../shared/ui/Pager.tsx';
import { Totals } from '../../shared/ui/Totals.tsx';
import { pages, withQuery } from '../../shared/urls.ts';
import { Island } from '../island.tsx';
import {
  type InvoicePage,
  type InvoiceTotals,
  searchInvoices,
  sumInvoices,
} from '../services/invoice-reading.ts';
import type { AppContext } from '../session.ts';
import { textField, wholeField } from '../shapes/fields.ts';
import { invoiceQueryShape } from '../shapes/invoices.ts';
import { invoiceColumns } from './invoice-columns.tsx';
import type { FilterWord } from './list-parts.tsx';
import { parseListQuery, readableQuery, rowsBefore, rowsOn, sortLink } from './lists.tsx';
import { chosenName, type FilterPicker, filterPicker, pickedId } from './pickers.ts';

/** What the address of the list may hold: the API's filters, and what pickers post without script. */
const listShape = invoiceQueryShape.omit({ invoiceId: true }).extend({
  suppliername: textField('Proveedor', 200, 'suppliername'),
  jobtitle: textField('Obra', 200, 'jobtitle'),
  nombrerubro: textField('Rubro', 200, 'nombrerubro'),
  /** rows that showed: see rowsOn */
  shown: wholeField('shown', 0, 1_000_000_000),
});

type Posted = z.output<typeof listShape>;
type Query = Omit<Posted, 'suppliername' | 'jobtitle' | 'nombrerubro'>;

export interface InvoiceList {
  query: Query;
  page: InvoicePage;
  totals: InvoiceTotals;
  today: PlainDate;
}

const PICKERS = [
  { name: 'supplierId', label: 'Proveedor', emptyLabel: 'Todos', catalog: suppliers },
  { name: 'jobId', label: 'Obra', emptyLabel: 'Todas', catalog: jobs },
  { name: 'rubroId', label: 'Rubro', emptyLabel: 'Todos', catalog: rubros, none: NO_RUBRO_NAME },
] as const satisfies readonly (FilterPicker & { name: keyof Query })[];

const DATES = [
  { name: 'fechaemisionDesde', label: 'Emisión desde' },
  { name: 'fechaemisionHasta', label: 'Emisión hasta' },
  { name: 'fechavencimientoDesde', label: 'Vence desde' },
  { name: 'fechavencimientoHasta', label: 'Vence hasta' },
  { name: 'corte', label: 'Corte' },
] as const;

const SORT_OPTIONS = [
  { value: 'id', label: 'ID' },
  { value: 'fechavencimiento', label: 'Vencimiento' },
  { value: 'total', label: 'Total' },
] satisfies { value: InvoiceSort; label: string }[];

/** @throws DomainError malformed, or invalid where a typed name leads to no row */
export async function readInvoiceQuery(c: AppContext): Promise<Query> {
  const { db } = c.get('deps');
  const { suppliername = '', jobtitle = '', nombrerubro = '', ...query } = parseListQuery(c, listShape);
  const typed = { suppliername, jobtitle, nombrerubro };
  for (const { name, catalog } of PICKERS) {
    if (!query[name] && typed[catalog.nameField as keyof typeof typed])
      query[name] = Number(await pickedId(db, catalog, name, typed));
  }
  return query;
}

/** @throws DomainError as reading its query does */
export async function readInvoiceList(c: AppContext): Promise<InvoiceList> {
  const { db, config } = c.get('deps');
  const query = await readInvoiceQuery(c);
  const { sortfield: sort, sorttype: direction, cursor, shown: _shown, limit: _limit, ...filter } = query;
  const day = { today: c.get('today'), timeZone: config.timeZone };
  const limit = rowsOn(query);
  const page = await searchInvoices(db, { ...filter, sort, direction, cursor, limit }, day);
  const totals = await sumInvoices(db, filter, day);
  return { query, page, totals, today: query.corte ?? day.today };
}

/** The filter with what of a refused address can be read. */
export function renderReadableFilter(c: AppContext) {
  const { suppliername, jobtitle, nombrerubro, ...query } = readableQuery(c, listShape);
  return renderInvoiceFilter(c, query);
}

/** What the filter is set to, with the names behind the chosen ids. */
export async function invoiceFilterWords(c: AppContext, query: Query): Promise<FilterWord[]> {
  const words: FilterWord[] = [];
  const add = (name: keyof Query, label: string, value: string | null | undefined) => {
    if (value) words.push({ label, value, without: listAddress(query, { [name]: undefined }) });
  };
  add('numfactura', 'Número de factura', query.numfactura);
  for (const picker of PICKERS) {
    const id = query[picker.name] ?? null;
    const none = 'none' in picker && id === 0 ? picker.none : undefined;
    add(picker.name, picker.label, none ?? (await chosenName(c.get('deps').db, picker.catalog, id)));
  }
  add('status', 'Estado', query.status && STATUS_LABELS[query.status]);
  for (const { name, label } of DATES) add(name, label, query[name] && formatDate(query[name]));
  return words;
}

/** The filter as it stands, with the names behind the chosen ids. */
export async function renderInvoiceFilter(c: AppContext, query: Query) {
  const { db } = c.get('deps');
  const fields: FilterField[] = [
    { kind: 'text', name: 'numfactura', label: 'Número de factura', value: query.numfactura ?? '' },
  ];
  for (const picker of PICKERS) {
    const value = query[picker.name] ?? null;
    fields.push({ more: true, ...(await filterPicker(db, picker, value)) });
  }
  fields.push({
    more: true,
    kind: 'select',
    name: 'status',
    label: 'Estado',
    value: query.status ?? '',
    options: [
      { value: '', label: 'Todos' },
      ...STATUS_FILTERS.map((value) => ({ value, label: STATUS_LABELS[value] })),
    ],
  });
  for (const { name, label } of DATES)
    fields.push({ more: true, kind: 'date', name, label, value: query[name] ?? '' });
  return (
    <Island
      of={ListFilter}
      props={{
        action: pages.invoices,
        fields,
        sort: {
          field: query.sortfield ?? 'id',
          direction: query.sorttype === 'desc' ? 'DESC' : 'ASC',
          options: SORT_OPTIONS,
        },
        resultsId: 'results',
      }}
    />
  );
}

export function InvoiceResults(list: InvoiceList) {
  const { query, page, totals, today } = list;
  const sorted = { sort: query.sortfield ?? 'id', direction: query.sorttype ?? 'asc' };
  const sort = (field: InvoiceSort) => sortLink(field, sorted, (by) => listAddress(query, by));
  const shown = rowsBefore(query) + page.invoices.length;
  return (
    <>
      {(query.fechaemisionDesde || query.fechaemisionHasta) && totals.count > 0 && (
        <p className="note">Costo sin IVA: {formatMoney(totals.sinIvaCents)}, como en Resultados.</p>
      )}
      {totals.count === 0 ? (
        <NoInvoices isFiltered={isFiltered(query)} />
      ) : (
        <div className="table-wrap">
          <DataTable
            caption="Facturas"
            columns={invoiceColumns(today, sort)}
            rows={page.invoices}
            rowKey={(invoice) => invoice.id}
            rowHref={(invoice) => pages.editInvoice(invoice.id)}
          />
        </div>
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
          href={page.cursor && listAddress(query, { cursor: page.cursor, shown })}
        />
      )}
    </>
  );
}

export const InvoiceActions = ({ query }: { query: Query }) => (
  <>
    <ExportLinks list={pages.invoices} first="pdf" query={query} />
    <LoadXmlLink />
    <NewInvoiceLink />
  </>
);

export const LoadXmlLink = () => (
  <LinkButton href={pages.loadInvoice} icon="load">
    <span className="roomy">Cargar </span>XML
  </LinkButton>
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

function isFiltered({ sortfield, sorttype, cursor, shown, limit, ...filter }: Query): boolean {
  return Object.values(filter).some((value) => Boolean(value) || value === 0);
}

function listAddress(query: Query, change: Record<string, string | number | undefined>): string {
  const { sorttype, cursor: _cursor, shown: _shown, ...filter } = query;
  return withQuery(pages.invoices, {
    ...filter,
    sorttype: sorttype === 'desc' ? 'DESC' : undefined,
    ...change,
  });
}
