import type { Cents } from '../../../shared/money.ts';
import { paymentTexts } from '../../../shared/payments.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { DataTable } from '../../../shared/ui/DataTable.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { ExportLinks } from '../../../shared/ui/ExportLinks.tsx';
import { Pager } from '../../../shared/ui/Pager.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { pages } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';
import { paymentList } from '../../lists/payments.ts';
import { type PaymentPage, searchPayments } from '../../services/payments/reading.ts';
import { type PaymentTotals, sumCreditCost, sumPaidCost, sumPayments } from '../../services/payments/sums.ts';
import { invertedResults, isFiltered, listAddress, searchOf } from '../ui/list-filters.tsx';
import { rowsBefore, rowsOn } from '../ui/lists.tsx';
import { type PaymentListQuery, paymentColumns } from './columns.tsx';

interface PaymentList {
  query: PaymentListQuery;
  page: PaymentPage;
  totals: PaymentTotals;
  /** of a list of credits alone, what they took off the cost of their invoices */
  creditCostCents?: Cents;
  /** of what was paid in money on some days, the part that is cost, as in Resultados */
  paidCostCents?: Cents;
}

/** @throws DomainError malformed, or invalid where a typed name leads to no row */
export async function readPaymentList(c: AppContext, query: PaymentListQuery): Promise<PaymentList> {
  const { db } = c.get('deps');
  const search = searchOf(paymentList, query);
  const page = await searchPayments(db, { ...search, cursor: query.cursor, limit: rowsOn(query) });
  const totals = await sumPayments(db, search);
  const creditCostCents = query.kind === 'credito' ? await sumCreditCost(db, search) : undefined;
  const isOfDays = query.kind === 'pago' && query.paymentdateDesde && query.paymentdateHasta;
  const paidCostCents = isOfDays ? await sumPaidCost(db, search) : undefined;
  return { query, page, totals, creditCostCents, paidCostCents };
}

export function PaymentResults({ query, page, totals, creditCostCents, paidCostCents }: PaymentList) {
  const inverted = invertedResults(paymentList, query);
  if (inverted) return inverted;
  const shown = rowsBefore(query) + page.payments.length;
  return (
    <>
      {totals.count === 0 ? (
        <NoPayments isFiltered={isFiltered(paymentList, query)} />
      ) : (
        <DataTable
          caption="Pagos realizados"
          className="plan payments"
          columns={paymentColumns(query)}
          rows={page.payments}
          rowKey={(payment) => payment.id}
          rowHref={(payment) => pages.editPayment(payment.id)}
        />
      )}
      <Totals
        foot
        label="Totales del filtro"
        items={[
          { label: 'Total pagado', cents: totals.amountCents },
          ...(paidCostCents === undefined ? [] : [{ label: 'Pagado, sin IVA', cents: paidCostCents }]),
          // What left the bank paid the invoices at their own rates.
          ...(totals.exchangeCents !== 0
            ? [
                { label: 'Abonado a facturas', cents: totals.amountCents - totals.exchangeCents },
                { label: paymentTexts.exchange, cents: totals.exchangeCents },
              ]
            : []),
          // Credits move no money: they are named beside what was paid.
          ...(totals.creditCents > 0 ? [{ label: 'Notas de crédito', cents: totals.creditCents }] : []),
          ...(creditCostCents === undefined
            ? []
            : [{ label: 'Notas de crédito, sin IVA', cents: creditCostCents }]),
        ]}
      />
      {totals.count > 0 && (
        <Pager
          shown={shown}
          total={totals.count}
          noun={totals.count === 1 ? 'pago' : 'pagos'}
          href={page.cursor && listAddress(paymentList, query, { cursor: page.cursor, shown })}
        />
      )}
    </>
  );
}

export const PaymentActions = ({ query }: { query: PaymentListQuery }) => (
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
