import type { z } from 'zod';
import type { FilterField } from '../../../islands/ListFilter.tsx';
import ListFilter from '../../../islands/ListFilter.tsx';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { rubros } from '../../../shared/catalogs/rubros.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { formatDate } from '../../../shared/dates.ts';
import { type InvoiceSort, NO_RUBRO_NAME, STATUS_FILTERS, STATUS_LABELS } from '../../../shared/invoices.ts';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';
import { textField, wholeField } from '../../shapes/fields.ts';
import { invoiceQueryShape } from '../../shapes/invoices.ts';
import { Island } from '../../shell/island.tsx';
import type { FilterWord } from '../ui/list-parts.tsx';
import { parseListQuery, readableQuery } from '../ui/lists.tsx';
import { chosenName, type FilterPicker, filterPicker, pickedId } from '../ui/pickers.ts';

/** What the address of the list may hold: the API's filters, and what pickers post without script. */
const listShape = invoiceQueryShape.omit({ invoiceId: true }).extend({
  suppliername: textField('Proveedor', 200, 'suppliername'),
  jobtitle: textField('Obra', 200, 'jobtitle'),
  nombrerubro: textField('Rubro', 200, 'nombrerubro'),
  /** rows that showed: see rowsOn */
  shown: wholeField('shown', 0, 1_000_000_000),
});

type Posted = z.output<typeof listShape>;
/** The list's address, read. */
export type InvoiceListQuery = Omit<Posted, 'suppliername' | 'jobtitle' | 'nombrerubro'>;

const PICKERS = [
  { name: 'supplierId', label: 'Proveedor', emptyLabel: 'Todos', catalog: suppliers },
  { name: 'jobId', label: 'Obra', emptyLabel: 'Todas', catalog: jobs },
  { name: 'rubroId', label: 'Rubro', emptyLabel: 'Todos', catalog: rubros, none: NO_RUBRO_NAME },
] as const satisfies readonly (FilterPicker & { name: keyof InvoiceListQuery })[];

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
export async function readInvoiceQuery(c: AppContext): Promise<InvoiceListQuery> {
  const { db } = c.get('deps');
  const { suppliername = '', jobtitle = '', nombrerubro = '', ...query } = parseListQuery(c, listShape);
  const typed = { suppliername, jobtitle, nombrerubro };
  for (const { name, catalog } of PICKERS) {
    if (!query[name] && typed[catalog.nameField as keyof typeof typed])
      query[name] = Number(await pickedId(db, catalog, name, typed));
  }
  return query;
}

/** The filter with what of a refused address can be read. */
export function renderReadableFilter(c: AppContext) {
  const { suppliername, jobtitle, nombrerubro, ...query } = readableQuery(c, listShape);
  return renderInvoiceFilter(c, query);
}

/** What the filter is set to, with the names behind the chosen ids. */
export async function invoiceFilterWords(c: AppContext, query: InvoiceListQuery): Promise<FilterWord[]> {
  const words: FilterWord[] = [];
  const add = (name: keyof InvoiceListQuery, label: string, value: string | null | undefined) => {
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
export async function renderInvoiceFilter(c: AppContext, query: InvoiceListQuery) {
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

export function isFiltered({
  sortfield,
  sorttype,
  cursor,
  shown,
  limit,
  ...filter
}: InvoiceListQuery): boolean {
  return Object.values(filter).some((value) => Boolean(value) || value === 0);
}

export function listAddress(
  query: InvoiceListQuery,
  change: Record<string, string | number | undefined>,
): string {
  const { sorttype, cursor: _cursor, shown: _shown, ...filter } = query;
  return withQuery(pages.invoices, {
    ...filter,
    sorttype: sorttype === 'desc' ? 'DESC' : undefined,
    ...change,
  });
}
