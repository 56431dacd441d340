import type { z } from 'zod';
import ListFilter, { type FilterField } from '../../../islands/ListFilter.tsx';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { formatDate, type PlainDate } from '../../../shared/dates.ts';
import {
  PAYMENT_KIND_LABELS,
  PAYMENT_KINDS,
  type Payment,
  type PaymentSort,
  RECEIPT_LABELS,
  RECEIPT_STATES,
} from '../../../shared/payments.ts';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';
import { textField, wholeField } from '../../shapes/fields.ts';
import { paymentQueryShape } from '../../shapes/payments.ts';
import { Island } from '../../shell/island.tsx';
import type { FilterWord } from '../ui/list-parts.tsx';
import { parseListQuery, readableQuery } from '../ui/lists.tsx';
import { chosenName, type FilterPicker, filterPicker, pickedId } from '../ui/pickers.ts';

const listShape = paymentQueryShape.omit({ userId: true }).extend({
  /** names from the text fields of long lists without script */
  suppliername: textField('Proveedor', 200, 'suppliername'),
  jobtitle: textField('Obra', 200, 'jobtitle'),
  /** rows that showed: see rowsOn */
  shown: wholeField('shown', 0, 1_000_000_000),
});

/** The list's address, read. */
export type PaymentListQuery = Omit<z.output<typeof listShape>, 'suppliername' | 'jobtitle'>;

const PICKERS = [
  { name: 'supplierId', label: 'Proveedor', emptyLabel: 'Todos', catalog: suppliers },
  { name: 'jobId', label: 'Obra', emptyLabel: 'Todas', catalog: jobs },
] as const satisfies readonly (FilterPicker & { name: keyof PaymentListQuery })[];

/** What the list searches for, its pages aside. @throws DomainError as reading the list does */
export const readPaymentSearch = async (c: AppContext) => searchOf(await readPaymentQuery(c));

export async function readPaymentQuery(c: AppContext): Promise<PaymentListQuery> {
  const { suppliername = '', jobtitle = '', ...query } = parseListQuery(c, listShape);
  for (const { name, catalog } of PICKERS) {
    if (!query[name])
      query[name] =
        Number(await pickedId(c.get('deps').db, catalog, name, { suppliername, jobtitle })) || undefined;
  }
  return query;
}

export function searchOf(query: PaymentListQuery) {
  const { sortfield: _f, sorttype: direction, cursor: _c, shown: _s, limit: _l, ...filter } = query;
  return { ...filter, sort: sortOf(query), direction };
}

/** The filter as it stands, with the names behind the chosen ids. */
export async function renderPaymentFilter(c: AppContext, query: PaymentListQuery) {
  const { db } = c.get('deps');
  const pickers: FilterField[] = [];
  for (const picker of PICKERS)
    pickers.push({ more: true, ...(await filterPicker(db, picker, query[picker.name] ?? null)) });
  const { checknum = '', facturaproveedorId, paymentdateDesde, paymentdateHasta, kind, rep } = query;
  return (
    <Island
      of={ListFilter}
      props={{
        action: pages.payments,
        fields: [
          { kind: 'text', name: 'checknum', label: 'Número de cheque', value: checknum },
          ...pickers,
          dateField('paymentdateDesde', 'Pago desde', paymentdateDesde),
          dateField('paymentdateHasta', 'Pago hasta', paymentdateHasta),
          selectField('kind', 'Tipo', kind, PAYMENT_KINDS, PAYMENT_KIND_LABELS),
          selectField('rep', 'REP', rep, RECEIPT_STATES, RECEIPT_LABELS),
          ...(facturaproveedorId
            ? [{ kind: 'hidden' as const, name: 'facturaproveedorId', value: String(facturaproveedorId) }]
            : []),
        ],
        sort: {
          field: sortOf(query),
          direction: query.sorttype === 'desc' ? 'DESC' : 'ASC',
          options: SORT_OPTIONS,
        },
        resultsId: 'results',
      }}
    />
  );
}

const dateField = (name: string, label: string, value: PlainDate | null | undefined) =>
  ({ kind: 'date', more: true, name, label, value: value ?? '' }) as const;

/** One of few values, or all. */
const selectField = <T extends string>(
  name: string,
  label: string,
  value: T | undefined,
  values: readonly T[],
  labels: Record<T, string>,
): FilterField => ({
  kind: 'select',
  more: true,
  name,
  label,
  value: value ?? '',
  options: [{ value: '', label: 'Todos' }, ...values.map((one) => ({ value: one, label: labels[one] }))],
});

/** The filter with what of a refused address can be read. */
export function renderReadablePaymentFilter(c: AppContext) {
  const { suppliername: _s, jobtitle: _j, ...query } = readableQuery(c, listShape);
  return renderPaymentFilter(c, query);
}

/** What the filter is set to. */
export async function paymentFilterWords(
  c: AppContext,
  { query, page }: { query: PaymentListQuery; page: { payments: readonly Payment[] } },
): Promise<FilterWord[]> {
  const { checknum, facturaproveedorId, paymentdateDesde, paymentdateHasta, kind, rep } = query;
  const without = (name: keyof PaymentListQuery) => listAddress(query, { [name]: undefined });
  const words: FilterWord[] = [];
  if (checknum) words.push({ label: 'Número de cheque', value: checknum, without: without('checknum') });
  if (facturaproveedorId) {
    const value = page.payments[0]?.numfactura || `#${facturaproveedorId}`;
    words.push({ label: 'Factura', value, without: without('facturaproveedorId'), isUnseen: true });
  }
  for (const { name, label, catalog } of PICKERS) {
    const value = await chosenName(c.get('deps').db, catalog, query[name] ?? null);
    if (value) words.push({ label, value, without: without(name) });
  }
  for (const [name, label, date] of [
    ['paymentdateDesde', 'Pago desde', paymentdateDesde],
    ['paymentdateHasta', 'Pago hasta', paymentdateHasta],
  ] as const)
    if (date) words.push({ label, value: formatDate(date), without: without(name) });
  if (kind) words.push({ label: 'Tipo', value: PAYMENT_KIND_LABELS[kind], without: without('kind') });
  if (rep) words.push({ label: 'REP', value: RECEIPT_LABELS[rep], without: without('rep') });
  return words;
}

const SORT_OPTIONS = [
  { value: 'id', label: 'ID' },
  { value: 'paymentdate', label: 'Fecha de pago' },
] satisfies { value: PaymentSort; label: string }[];

/** fechavencimiento is the old client's name for the payment date. */
export const sortOf = ({ sortfield = 'id' }: PaymentListQuery): PaymentSort =>
  sortfield === 'fechavencimiento' ? 'paymentdate' : sortfield;

export function listAddress(
  query: PaymentListQuery,
  change: Record<string, string | number | undefined>,
): string {
  const { sorttype, cursor: _cursor, shown: _shown, ...filter } = query;
  return withQuery(pages.payments, {
    ...filter,
    sorttype: sorttype === 'desc' ? 'DESC' : undefined,
    ...change,
  });
}
