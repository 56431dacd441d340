import type { z } from 'zod';
import ListFilter, { type FilterField } from '../../islands/ListFilter.tsx';
import { jobs } from '../../shared/catalogs/jobs.ts';
import { suppliers } from '../../shared/catalogs/suppliers.ts';
import { formatDate, type PlainDate } from '../../shared/dates.ts';
import {
  creditLabel,
  PAYMENT_KIND_LABELS,
  PAYMENT_KINDS,
  type Payment,
  type PaymentSort,
  RECEIPT_LABELS,
  RECEIPT_STATES,
} from '../../shared/payments.ts';
import { Button, LinkButton } from '../../shared/ui/Button.tsx';
import { Chip } from '../../shared/ui/Chip.tsx';
import { type Column, DataTable } from '../../shared/ui/DataTable.tsx';
import { DateText } from '../../shared/ui/DateText.tsx';
import { EmptyState } from '../../shared/ui/EmptyState.tsx';
import { ExportLinks } from '../../shared/ui/ExportLinks.tsx';
import { Money } from '../../shared/ui/Money.tsx';
import { Pager } from '../../shared/ui/Pager.tsx';
import { Totals } from '../../shared/ui/Totals.tsx';
import { pages, withQuery } from '../../shared/urls.ts';
import { Island } from '../island.tsx';
import {
  type PaymentPage,
  type PaymentTotals,
  searchPayments,
  sumPayments,
} from '../services/payment-reading.ts';
import type { AppContext } from '../session.ts';
import { textField, wholeField } from '../shapes/fields.ts';
import { paymentQueryShape } from '../shapes/payments.ts';
import type { FilterWord } from './list-parts.tsx';
import { parseListQuery, readableQuery, rowsBefore, rowsOn, sortLink } from './lists.tsx';
import { chosenName, type FilterPicker, filterPicker, pickedId } from './pickers.ts';

const listShape = paymentQueryShape.omit({ userId: true }).extend({
  /** names from the text fields of long lists without script */
  suppliername: textField('Proveedor', 200, 'suppliername'),
  jobtitle: textField('Obra', 200, 'jobtitle'),
  /** rows that showed: see rowsOn */
  shown: wholeField('shown', 0, 1_000_000_000),
});

type Query = Omit<z.output<typeof listShape>, 'suppliername' | 'jobtitle'>;

const PICKERS = [
  { name: 'supplierId', label: 'Proveedor', emptyLabel: 'Todos', catalog: suppliers },
  { name: 'jobId', label: 'Obra', emptyLabel: 'Todas', catalog: jobs },
] as const satisfies readonly (FilterPicker & { name: keyof Query })[];

export interface PaymentList {
  query: Query;
  page: PaymentPage;
  totals: PaymentTotals;
}

/** @throws DomainError malformed, or invalid where a typed name leads to no row */
export async function readPaymentList(c: AppContext): Promise<PaymentList> {
  const { db } = c.get('deps');
  const query = await readPaymentQuery(c);
  const search = searchOf(query);
  const page = await searchPayments(db, { ...search, cursor: query.cursor, limit: rowsOn(query) });
  return { query, page, totals: await sumPayments(db, search) };
}

/** What the list searches for, its pages aside. @throws DomainError as reading the list does */
export const readPaymentSearch = async (c: AppContext) => searchOf(await readPaymentQuery(c));

async function readPaymentQuery(c: AppContext): Promise<Query> {
  const { suppliername = '', jobtitle = '', ...query } = parseListQuery(c, listShape);
  for (const { name, catalog } of PICKERS) {
    if (!query[name])
      query[name] =
        Number(await pickedId(c.get('deps').db, catalog, name, { suppliername, jobtitle })) || undefined;
  }
  return query;
}

function searchOf(query: Query) {
  const { sortfield: _f, sorttype: direction, cursor: _c, shown: _s, limit: _l, ...filter } = query;
  return { ...filter, sort: sortOf(query), direction };
}

/** The filter as it stands, with the names behind the chosen ids. */
export async function renderPaymentFilter(c: AppContext, query: Query) {
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
export async function paymentFilterWords(c: AppContext, { query, page }: PaymentList): Promise<FilterWord[]> {
  const { checknum, facturaproveedorId, paymentdateDesde, paymentdateHasta, kind, rep } = query;
  const without = (name: keyof Query) => listAddress(query, { [name]: undefined });
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

export function PaymentResults({ query, page, totals }: PaymentList) {
  const shown = rowsBefore(query) + page.payments.length;
  const { sortfield: _f, sorttype: _t, cursor: _c, shown: _s, limit: _l, ...filter } = query;
  const isFiltered = Object.values(filter).some(Boolean);
  return (
    <>
      {totals.count === 0 ? (
        <NoPayments isFiltered={isFiltered} />
      ) : (
        <div className="table-wrap">
          <DataTable
            caption="Pagos realizados"
            columns={withReceipts(columnsOf(query), page.payments)}
            rows={page.payments}
            rowKey={(payment) => payment.id}
            rowHref={(payment) => pages.editPayment(payment.id)}
          />
        </div>
      )}
      <Totals
        foot
        label="Totales del filtro"
        items={[
          { label: 'Total pagado', cents: totals.amountCents },
          // Credits move no money: they are named beside what was paid.
          ...(totals.creditCents > 0 ? [{ label: 'Notas de crédito', cents: totals.creditCents }] : []),
        ]}
      />
      {totals.count > 0 && (
        <Pager
          shown={shown}
          total={totals.count}
          noun={totals.count === 1 ? 'pago' : 'pagos'}
          href={page.cursor && listAddress(query, { cursor: page.cursor, shown })}
        />
      )}
    </>
  );
}

export const PaymentActions = ({ query }: { query: Query }) => (
  <>
    <ExportLinks list={pages.payments} first="xlsx" query={query} />
    <NewPaymentLink />
  </>
);

export const NewPaymentLink = () => (
  <LinkButton href={pages.newPayment} look="primary" icon="plus" data-new="">
    Nuevo pago
  </LinkButton>
);

function NoPayments({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState
        title="Ningún pago con este filtro"
        action={<LinkButton href={pages.payments}>Quitar filtros</LinkButton>}
      >
        Prueba con otra parte del número de cheque, o con otras fechas.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="Todavía no hay pagos"
      action={
        <LinkButton href={pages.newPayment} look="primary" icon="plus">
          Nuevo pago
        </LinkButton>
      }
    >
      Aquí se ve lo que se ha pagado a los proveedores, factura por factura. Registra el primer pago.
    </EmptyState>
  );
}

const SORT_OPTIONS = [
  { value: 'id', label: 'ID' },
  { value: 'paymentdate', label: 'Fecha de pago' },
] satisfies { value: PaymentSort; label: string }[];

/** fechavencimiento is the old client's name for the payment date. */
const sortOf = ({ sortfield = 'id' }: Query): PaymentSort =>
  sortfield === 'fechavencimiento' ? 'paymentdate' : sortfield;

function columnsOf(query: Query): Column<Payment>[] {
  const current = { sort: sortOf(query), direction: query.sorttype ?? 'asc' };
  const sort = (field: PaymentSort) => sortLink(field, current, (by) => listAddress(query, by));
  return [
    {
      key: 'id',
      label: 'ID',
      align: 'end',
      link: true,
      card: 'corner',
      sort: sort('id'),
      render: ({ id }) => id,
    },
    { key: 'checknum', label: 'Cheque', card: 'half', render: howPaid },
    {
      key: 'facturaproveedorId',
      label: 'ID de factura',
      align: 'end',
      hideOnSmall: true,
      render: (payment) => payment.facturaproveedorId,
    },
    {
      key: 'numfactura',
      label: 'Factura',
      card: 'half',
      render: ({ facturaproveedorId, numfactura }) => (
        <a href={pages.editInvoice(facturaproveedorId)}>{numfactura || '(sin número)'}</a>
      ),
    },
    {
      key: 'suppliername',
      label: 'Proveedor',
      clip: true,
      card: 'title',
      render: (payment) => payment.suppliername,
    },
    {
      key: 'paymentamount',
      label: 'Cantidad pagada',
      align: 'end',
      render: (payment) => <Money cents={payment.amountCents} />,
    },
    {
      key: 'paymentdate',
      label: 'Fecha de pago',
      card: 'foot',
      sort: sort('paymentdate'),
      render: (payment) => <DateText date={payment.paymentdate} />,
    },
    { key: 'rep', label: 'REP', card: 'half', render: ({ rep }) => <ReceiptChip rep={rep} /> },
    {
      key: 'actions',
      label: 'Acciones',
      card: 'actions',
      render: ({ id }) => (
        <>
          <LinkButton href={pages.editPayment(id)} icon="edit" tip={`Editar el pago ${id}`} />
          <form method="post" action={pages.deletePayment(id)} data-busy="">
            <input type="hidden" name="next" value={listAddress(query, {})} />
            <Button look="danger" icon="trash" tip={`Eliminar el pago ${id}`} />
          </form>
        </>
      ),
    },
  ];
}

/** Without a word of receipts where none is due. */
export const withReceipts = (
  columns: readonly Column<Payment>[],
  payments: readonly Payment[],
): readonly Column<Payment>[] =>
  payments.some(({ rep }) => rep) ? columns : columns.filter(({ key }) => key !== 'rep');

/** The cheque, or the credit note in its place. */
export const howPaid = ({ kind, checknum, creditNumero }: Payment) =>
  kind === 'credito' ? creditLabel(creditNumero) : checknum;

/** Whether the supplier's receipt has come; nothing where none is due. */
export const ReceiptChip = ({ rep }: Pick<Payment, 'rep'>) =>
  rep && <Chip tone={rep === 'con' ? 'done' : 'warn'}>{RECEIPT_LABELS[rep]}</Chip>;

function listAddress(query: Query, change: Record<string, string | number | undefined>): string {
  const { sorttype, cursor: _cursor, shown: _shown, ...filter } = query;
  return withQuery(pages.payments, {
    ...filter,
    sorttype: sorttype === 'desc' ? 'DESC' : undefined,
    ...change,
  });
}
