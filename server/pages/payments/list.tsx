import { paymentTexts as texts } from '../../../shared/payments.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { pages } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';
import { paymentList } from '../../lists/payments.ts';
import { searchPayments } from '../../services/payments/reading.ts';
import { sumCreditCost, sumPaidCost, sumPayments } from '../../services/payments/sums.ts';
import type { RefusedStep } from '../ui/closed-period.tsx';
import { showList } from '../ui/list-page.tsx';
import { paymentColumns } from './columns.tsx';

/** What was paid, and what went wrong in a step from it. */
export const showPayments = (c: AppContext, refused?: RefusedStep) =>
  showList(
    c,
    paymentList,
    {
      className: 'plan payments',
      loadFailed: texts.loadFailed,
      create: <NewPaymentLink />,
      async read(c, search, { kind, paymentdateDesde, paymentdateHasta }) {
        const { db } = c.get('deps');
        const { payments: rows, cursor } = await searchPayments(db, search);
        const isOfDays = kind === 'pago' && paymentdateDesde && paymentdateHasta;
        return {
          rows,
          cursor,
          ...(await sumPayments(db, search)),
          /** of a list of credits alone, what they took off the cost of their invoices */
          creditCostCents: kind === 'credito' ? await sumCreditCost(db, search) : undefined,
          /** of what was paid in money on some days, the part that is cost, as in Resultados */
          paidCostCents: isOfDays ? await sumPaidCost(db, search) : undefined,
        };
      },
      whole: ({ count, amountCents: cents }) => ({ count, cents }),
      rowHref: ({ id }) => pages.editPayment(id),
      columns: (sort, _found, query) => paymentColumns(sort, query),
      totals: ({ amountCents, paidCostCents, exchangeCents, creditCents, creditCostCents }) => (
        <Totals
          foot
          label="Totales del filtro"
          items={[
            { label: 'Total pagado', cents: amountCents },
            ...(paidCostCents === undefined ? [] : [{ label: 'Pagado, sin IVA', cents: paidCostCents }]),
            // What left the bank paid the invoices at their own rates.
            ...(exchangeCents !== 0
              ? [
                  { label: 'Abonado a facturas', cents: amountCents - exchangeCents },
                  { label: texts.exchange, cents: exchangeCents },
                ]
              : []),
            // Credits move no money: they are named beside what was paid.
            ...(creditCents > 0 ? [{ label: 'Notas de crédito', cents: creditCents }] : []),
            ...(creditCostCents === undefined
              ? []
              : [{ label: 'Notas de crédito, sin IVA', cents: creditCostCents }]),
          ]}
        />
      ),
      unfound: {
        title: 'Ningún pago con este filtro',
        hint: 'Prueba con otra parte del número de cheque, o con otras fechas.',
      },
      empty: {
        title: 'Todavía no hay pagos',
        hint: 'Aquí se ve lo que se ha pagado a los proveedores, factura por factura. Registra el primer pago.',
        action: (
          <LinkButton href={pages.newPayment} look="primary" icon="plus">
            Nuevo pago
          </LinkButton>
        ),
      },
    },
    refused,
  );

const NewPaymentLink = () => (
  <LinkButton href={pages.newPayment} look="primary" icon="plus" data-new="">
    Nuevo pago
  </LinkButton>
);
