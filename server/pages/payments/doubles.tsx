import { Hono } from 'hono';
import { formatDate, formatMoment, plainDateIn } from '../../../shared/dates.ts';
import { invoiceNumberText } from '../../../shared/invoices.ts';
import { formatMoney } from '../../../shared/money.ts';
import {
  bankAmountOf,
  DOUBLE_REASON_LABELS,
  type DoublePayment,
  type Payment,
  doublePaymentTexts as texts,
} from '../../../shared/payments.ts';
import { MAX_MOTIVO_LENGTH } from '../../../shared/text.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import type { Column } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { Facts } from '../../../shared/ui/Facts.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AppContext, AppEnv } from '../../http/session.ts';
import { doublePaymentList } from '../../lists/double-payments.ts';
import {
  dismissDoublePayment,
  getDoublePayment,
  searchDoublePayments,
} from '../../services/payments/double-payments.ts';
import { handleForm, type RefusedForm, redirectWithMessage, renderPage } from '../../shell/render.tsx';
import { showList } from '../ui/list-page.tsx';
import { StepForm } from '../ui/step-form.tsx';

const PAIR_PARAMETER = ':pair{[0-9-]{1,31}}';

export const doublePaymentPages = new Hono<AppEnv>({ strict: false })
  .get(pages.doublePayments, (c) => showDoublePayments(c))
  .get(pages.doublePayment(PAIR_PARAMETER), (c) => renderPair(c))
  .post(pages.doublePayment(PAIR_PARAMETER), (c) =>
    handleForm(c, renderPair, async ({ db, actor }) => {
      await dismissDoublePayment(db, actor, pairInPath(c));
      return redirectWithMessage(c, pages.doublePayments, texts.settled);
    }),
  );

const pairInPath = (c: AppContext) => c.req.param('pair') ?? '';

const showDoublePayments = (c: AppContext) =>
  showList(c, doublePaymentList, {
    async read(c, search) {
      return { ...(await searchDoublePayments(c.get('deps').db, search)) };
    },
    rowHref: ({ pair }) => pages.doublePayment(pair),
    columns: (_found, { estado }): Column<DoublePayment>[] => [
      {
        key: 'suppliername',
        label: 'Proveedor',
        className: 'wraps names',
        link: true,
        card: 'title',
        render: ({ payments }: DoublePayment) =>
          [...new Set(payments.map(({ suppliername }) => suppliername))].join(' y '),
      },
      {
        ...{ key: 'importe', label: 'Importe', align: 'end', card: 'side' },
        // One cheque may have paid two suppliers different amounts.
        render: ({ payments }: DoublePayment) =>
          [...new Set(payments.map(bankAmountOf))].map((cents) => (
            <div key={cents}>
              <Money cents={cents} />
            </div>
          )),
      },
      { key: 'razon', label: 'Razón', card: 'half', render: ({ reason }) => DOUBLE_REASON_LABELS[reason] },
      paymentColumn('primero', 'Primer pago', 0),
      paymentColumn('segundo', 'Segundo pago', 1),
      ...(estado === 'revisados'
        ? [
            {
              key: 'motivo' as const,
              label: 'Por qué son dos',
              className: 'wraps',
              under: ({ username }: DoublePayment) => username,
            },
          ]
        : []),
    ],
    noMatches: {
      title: 'Todavía no se ha revisado ninguno',
      hint: 'Aquí quedan los que alguien revisó, con su motivo.',
    },
    empty: {
      title: 'No parece que algo se haya pagado dos veces',
      hint: 'Se comparan todos los pagos: mismo proveedor e importe en facturas que se parecen, o un cheque para dos proveedores.',
      action: <LinkButton href={pages.payments}>Ir a los pagos</LinkButton>,
    },
  });

const paymentColumn = (key: string, label: string, index: 0 | 1): Column<DoublePayment> => ({
  key,
  label,
  card: 'line',
  render: ({ payments }) => describePayment(payments[index]),
});

const describePayment = ({ paymentdate, numfactura, checknum }: Payment) =>
  [
    formatDate(paymentdate),
    `factura\u00a0${invoiceNumberText(numfactura)}`,
    checknum && `ref.\u00a0${checknum}`,
  ]
    .filter(Boolean)
    .join(' · ');

async function renderPair(c: AppContext, { problem, status, values }: Partial<RefusedForm> = {}) {
  const { db, config } = c.get('deps');
  const { pair, payments, reason, motivo, username, settledAt } = await getDoublePayment(db, pairInPath(c));
  const equal = findEqualFacts(payments);
  return renderPage(
    c,
    { title: 'Posible pago doble', subject: DOUBLE_REASON_LABELS[reason], status },
    <div className="stack">
      {problem && !problem.fields?.motivo && <Alert tone="error">{problem.message}</Alert>}
      {equal.length > 0 && <p>Igual en los dos: {new Intl.ListFormat('es').format(equal).toLowerCase()}.</p>}
      <div className="pairs">
        {payments.map((payment) => (
          <section key={payment.id} className="stack" aria-labelledby={`pago-${payment.id}`}>
            <h2 id={`pago-${payment.id}`}>
              <a href={pages.editPayment(payment.id)}>{`Pago ${payment.id} a ${payment.suppliername}`}</a>
            </h2>
            <Facts facts={describeFacts(payment, config.timeZone)} />
          </section>
        ))}
      </div>
      {motivo === null ? (
        <StepForm
          action={pages.doublePayment(pair)}
          fields={
            <Field
              name="motivo"
              label="Por qué son dos pagos distintos"
              value={values?.motivo}
              hint="Queda en la bitácora. Si es doble, no hace falta: elimina el que sobra."
              error={problem?.fields?.motivo}
              maxLength={MAX_MOTIVO_LENGTH}
              autoComplete="off"
              required
              wide
            />
          }
          buttons={
            <>
              <Button>No es doble</Button>
              {payments.map(({ id }) => (
                <LinkButton
                  key={id}
                  href={withQuery(pages.editPayment(id), { eliminar: pages.doublePayments })}
                >{`Es doble: eliminar el pago ${id}`}</LinkButton>
              ))}
              <LinkButton look="quiet" href={pages.doublePayments}>
                Regresar
              </LinkButton>
            </>
          }
        />
      ) : (
        <p>
          {username} los revisó el {formatMoment(new Date(settledAt!), config.timeZone)}: {motivo}
        </p>
      )}
    </div>,
  );
}

/** Lists what is equal in both payments, which makes them look like one. */
const findEqualFacts = ([one, other]: DoublePayment['payments']): string[] =>
  Object.entries(COMPARED_FACTS)
    .filter(([, read]) => read(one) && read(one) === read(other))
    .map(([label]) => label);

const COMPARED_FACTS: Readonly<Record<string, (payment: Payment) => string | null>> = {
  Proveedor: ({ suppliername }) => suppliername,
  Fecha: ({ paymentdate }) => formatDate(paymentdate),
  Importe: (payment) => formatMoney(bankAmountOf(payment)),
  Factura: ({ numfactura }) => numfactura,
  Obra: ({ jobtitle }) => jobtitle,
  Origen: ({ origenderecursonombre }) => origenderecursonombre,
  Referencia: ({ checknum }) => checknum,
};

/** Without the supplier, which the heading names. */
const describeFacts = (payment: Payment, timeZone: string) => ({
  ...Object.fromEntries(
    Object.entries(COMPARED_FACTS).map(([label, read]) => [
      label,
      label !== 'Proveedor' && (read(payment) || '–'),
    ]),
  ),
  Factura: (
    <a href={pages.editInvoice(payment.facturaproveedorId)}>{invoiceNumberText(payment.numfactura)}</a>
  ),
  Registrado: <DateText date={plainDateIn(new Date(payment.createdAt), timeZone)} />,
});
