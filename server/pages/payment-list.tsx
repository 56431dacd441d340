import type { z } from 'zod';
import ListFilter from '../../islands/ListFilter.tsx';
import { formatDate, type PlainDate } from '../../shared/dates.ts';
import type { Cents } from '../../shared/money.ts';
import type { Payment, PaymentSort } from '../../shared/payments.ts';
import { Button, LinkButton } from '../../shared/ui/Button.tsx';
import { type Column, DataTable } from '../../shared/ui/DataTable.tsx';
import { DateText } from '../../shared/ui/DateText.tsx';
import { EmptyState } from '../../shared/ui/EmptyState.tsx';
import { ExportLinks } from '../../shared/ui/ExportLinks.tsx';
import { Money } from '../../shared/ui/Money.tsx';
import { Pager } from '../../shared/ui/Pager.tsx';
import { Totals } from '../../shared/ui/Totals.tsx';
import { pages, withQuery } from '../../shared/urls.ts';
import { Island } from '../island.tsx';
import { type PaymentPage, searchPayments, sumPayments } from '../services/payment-reading.ts';
import type { AppContext } from '../session.ts';
import { wholeField } from '../shapes/fields.ts';
import { paymentQueryShape } from '../shapes/payments.ts';
import type { FilterWord } from './list-parts.tsx';
import { parseListQuery, readableQuery, rowsBefore, rowsOn, sortLink } from './lists.tsx';

const listShape = paymentQueryShape.omit({ userId: true }).extend({
  /** rows that showed: see rowsOn */
  shown: wholeField('shown', 0, 1_000_000_000),
});

type Query = z.output<typeof listShape>;

export interface PaymentList {
  query: Query;
  page: PaymentPage;
  totals: { count: number; amountCents: Cents };
}

/** @throws DomainError malformed */
export async function readPaymentList(c: AppContext): Promise<PaymentList> {
  const { db } = c.get('deps');
  const query = parseListQuery(c, listShape);
  const search = searchOf(query);
  const page = await searchPayments(db, { ...search, cursor: query.cursor, limit: rowsOn(query) });
  return { query, page, totals: await sumPayments(db, search) };
}

/** What the list searches for, its pages aside. @throws DomainError malformed */
export const readPaymentSearch = (c: AppContext) => searchOf(parseListQuery(c, listShape));

function searchOf(query: Query) {
  const { sortfield: _f, sorttype: direction, cursor: _c, shown: _s, limit: _l, ...filter } = query;
  return { ...filter, sort: sortOf(query), direction };
}

export function PaymentFilter({ query }: { query: Query }) {
  const { checknum = '', facturaproveedorId, paymentdateDesde, paymentdateHasta } = query;
  return (
    <Island
      of={ListFilter}
      props={{
        action: pages.payments,
        fields: [
          { kind: 'text', name: 'checknum', label: 'Número de cheque', value: checknum },
          dateField('paymentdateDesde', 'Pago desde', paymentdateDesde),
          dateField('paymentdateHasta', 'Pago hasta', paymentdateHasta),
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

/** The filter with what of a refused address can be read. */
export const readablePaymentQuery = (c: AppContext): Query => readableQuery(c, listShape);

/** What the filter is set to. */
export function paymentFilterWords({ query, page }: PaymentList): FilterWord[] {
  const { checknum, facturaproveedorId, paymentdateDesde, paymentdateHasta } = query;
  const without = (name: keyof Query) => listAddress(query, { [name]: undefined });
  const words: FilterWord[] = [];
  if (checknum) words.push({ label: 'Número de cheque', value: checknum, without: without('checknum') });
  if (facturaproveedorId) {
    const value = page.payments[0]?.numfactura || `#${facturaproveedorId}`;
    words.push({ label: 'Factura', value, without: without('facturaproveedorId'), isUnseen: true });
  }
  for (const [name, label, date] of [
    ['paymentdateDesde', 'Pago desde', paymentdateDesde],
    ['paymentdateHasta', 'Pago hasta', paymentdateHasta],
  ] as const)
    if (date) words.push({ label, value: formatDate(date), without: without(name) });
  return words;
}

export function PaymentResults({ query, page, totals }: PaymentList) {
  const shown = rowsBefore(query) + page.payments.length;
  const { checknum, facturaproveedorId, paymentdateDesde, paymentdateHasta } = query;
  const isFiltered = Boolean(checknum || facturaproveedorId || paymentdateDesde || paymentdateHasta);
  return (
    <>
      {totals.count === 0 ? (
        <NoPayments isFiltered={isFiltered} />
      ) : (
        <div className="table-wrap">
          <DataTable
            caption="Pagos realizados"
            columns={columnsOf(query)}
            rows={page.payments}
            rowKey={(payment) => payment.id}
            rowHref={(payment) => pages.editPayment(payment.id)}
          />
        </div>
      )}
      <Totals
        foot
        label="Totales del filtro"
        items={[{ label: 'Total pagado', cents: totals.amountCents }]}
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
    <ExportLinks list={pages.payments} formats={['csv']} query={query} />
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
    { key: 'checknum', label: 'Cheque', card: 'half', render: (payment) => payment.checknum },
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

function listAddress(query: Query, change: Record<string, string | number | undefined>): string {
  const { sorttype, cursor: _cursor, shown: _shown, ...filter } = query;
  return withQuery(pages.payments, {
    ...filter,
    sorttype: sorttype === 'desc' ? 'DESC' : undefined,
    ...change,
  });
}
