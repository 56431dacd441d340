import { Hono } from 'hono';
import { pluralize } from '../../../shared/counts.ts';
import { daysBetween, formatDate, formatMoment, plainDateIn } from '../../../shared/dates.ts';
import { invoiceNumberText } from '../../../shared/invoices.ts';
import { formatMoney } from '../../../shared/money.ts';
import {
  bankAmountOf,
  DOUBLE_PAYMENT_REASON_LABELS,
  type DoublePayment,
  type Payment,
  doublePaymentTexts as texts,
} from '../../../shared/payments.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { type Column, DataTable, MAX_UNWRAPPED_LETTERS } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
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
import { dateColumn, moneyColumn } from '../ui/columns.tsx';
import { showList } from '../ui/list-page.tsx';
import { StepForm } from '../ui/step-form.tsx';

const PAIR_SEGMENT = ':pair{[0-9-]{1,31}}';

import { MotivoField } from '../ui/refusal-reason.tsx';

export const doublePaymentPages = new Hono<AppEnv>({ strict: false })
  .get(pages.doublePayments, (c) => showDoublePayments(c))
  .get(pages.doublePayment(PAIR_SEGMENT), (c) => renderPair(c))
  .post(pages.doublePayment(PAIR_SEGMENT), (c) =>
    handleForm(c, renderPair, async ({ db, actor }) => {
      await dismissDoublePayment(db, actor, readPairInPath(c));
      return redirectWithMessage(c, pages.doublePayments, texts.settled);
    }),
  );

const readPairInPath = (c: AppContext) => c.req.param('pair') ?? '';

const showDoublePayments = (c: AppContext) =>
  showList(c, doublePaymentList, {
    async read(c, search) {
      const { rows, ...found } = await searchDoublePayments(c.get('deps').db, search);
      return { ...found, rows: rows.flatMap(toListRows), countOnPage: rows.length };
    },
    rowHref: ({ isHead, paymentId }) => (isHead ? undefined : pages.editPayment(paymentId)),
    rowClass: ({ isHead, isLast }) => (isHead ? 'joined case' : isLast ? undefined : 'joined'),
    columns: (_found, { estado }) => [
      {
        ...{ key: 'suppliername', label: 'Proveedor', className: 'wraps names', card: 'title' },
        render: (row) =>
          row.isHead ? (
            <strong>{row.heading}</strong>
          ) : (
            <>
              {row.suppliername} {renderDoubtChip(row)}
            </>
          ),
        textBelow: ({ isHead, days }) => (isHead ? days : null),
      },
      hideCellOnHeadRow(dateColumn('paymentdate', 'Fecha', { card: 'half', cardLabel: () => '' })),
      hideCellOnHeadRow(INVOICE_COLUMN),
      hideCellOnHeadRow(REFERENCE_COLUMN),
      hideCellOnHeadRow(JOB_COLUMN),
      hideCellOnHeadRow(AMOUNT_COLUMN),
      ...(estado === 'revisados' ? [NOT_DOUBLE_REASON_COLUMN] : []),
      {
        ...{ key: 'actos', label: 'Acciones', align: 'end', card: 'actions' },
        render: (row) => (row.isHead ? <PairLink {...row} /> : renderDeleteLink(row)),
      },
    ],
    above: ({ laterCents, count }, { estado }) =>
      count > 0 &&
      estado !== 'revisados' && (
        <h2>
          En duda: <Money cents={laterCents} />
        </h2>
      ),
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

type PaymentRow = ReturnType<typeof toPaymentRows>[number];

function toPaymentRows(double: DoublePayment) {
  const { payments, ...shared } = { ...double, ...describeReasonAndDays(double) };
  return payments.map((payment, index) => ({
    ...{ ...payment, ...shared, id: 2 * double.id + index, paymentId: payment.id, isLast: index === 1 },
  }));
}

/** A pair becomes a head row with the reason, and a row for each of the two payments. */
const toListRows = (double: DoublePayment) => {
  const [first, second] = toPaymentRows(double) as [PaymentRow, PaymentRow];
  return [{ ...first, id: -1 - first.id, isHead: true }, ...[first, second].map(toListRow)];
};

const toListRow = (row: PaymentRow) => ({ ...row, isHead: false });

type ListRow = ReturnType<typeof toListRow>;

function describeReasonAndDays({ reason, payments: [first, second] }: DoublePayment) {
  const days = daysBetween(first.paymentdate, second.paymentdate);
  const equal = reason === 'importe' ? formatMoney(bankAmountOf(second)) : second.checknum;
  const other = first.suppliername === second.suppliername ? '' : ', otro proveedor';
  return {
    heading: `${DOUBLE_PAYMENT_REASON_LABELS[reason]} ${equal}${other}`,
    days: days === 0 ? 'el mismo día' : `${pluralize(days, 'día', 'días')} después`,
  };
}

const PairLink = ({ pair, motivo }: PaymentRow) => (
  <LinkButton look="quiet" href={`${pages.doublePayment(pair)}#motivo`}>
    {motivo === null ? 'No es doble' : 'Ver'}
  </LinkButton>
);

const renderDoubtChip = ({ isLast, motivo }: PaymentRow) =>
  isLast && motivo === null && <Chip tone="warn">En duda</Chip>;

const hideCellOnHeadRow = (column: Column<ListRow>): Column<ListRow> => ({
  ...column,
  render: (row) => !row.isHead && (column.render ? column.render(row) : row[column.key]),
  textBelow: (row) => (row.isHead ? null : (column.textBelow?.(row) ?? null)),
});

const INVOICE_COLUMN: Column<PaymentRow> = {
  ...{ key: 'numfactura', label: 'Factura', card: 'half', wraps: MAX_UNWRAPPED_LETTERS },
  render: ({ numfactura }) => invoiceNumberText(numfactura),
};
const REFERENCE_COLUMN: Column<PaymentRow> = {
  ...{ key: 'checknum', label: 'Referencia', card: 'half', wraps: MAX_UNWRAPPED_LETTERS },
};
const JOB_COLUMN: Column<PaymentRow> = {
  ...{ key: 'jobtitle', label: 'Obra', wraps: true, card: 'line' },
  textBelow: ({ origenderecursonombre }) => origenderecursonombre,
};
const AMOUNT_COLUMN = moneyColumn<PaymentRow>('importe', 'Importe', bankAmountOf, { card: 'corner' });

const NOT_DOUBLE_REASON_COLUMN: Column<ListRow> = {
  ...{ key: 'motivo', label: 'Por qué son dos', className: 'wraps', card: 'line' },
  render: ({ isHead, motivo }) => isHead && motivo,
  textBelow: ({ isHead, username }) => (isHead ? username : null),
};

async function renderPair(c: AppContext, { problem, status, values }: Partial<RefusedForm> = {}) {
  const { db, config } = c.get('deps');
  const double = await getDoublePayment(db, readPairInPath(c));
  const { pair, payments, motivo, username, settledAt } = double;
  const equal = findEqualFacts(payments);
  const { heading, days } = describeReasonAndDays(double);
  return renderPage(
    c,
    {
      title: 'Posible pago doble',
      subject: payments[0].suppliername,
      status,
    },
    <div className="stack">
      {problem && !problem.fields?.motivo && <Alert tone="error">{problem.message}</Alert>}
      <p>
        {heading}, {days}.{' '}
        {equal.length > 0 && `Igual en los dos: ${new Intl.ListFormat('es').format(equal).toLowerCase()}. `}
        En duda: <Money cents={bankAmountOf(payments[1])} />.
      </p>
      <DataTable
        caption="Los dos pagos"
        columns={comparedColumns(config.timeZone)}
        rows={toPaymentRows(double)}
        rowKey={({ id }) => id}
        rowHref={({ paymentId }) => pages.editPayment(paymentId)}
      />
      {motivo === null && (
        <p className="note">
          Si es doble y el dinero no salió o ya volvió al banco, elimina el pago que sobra. Si lo tiene el
          proveedor, pide que lo devuelva, o captura <a href={pages.newCreditNote}>su nota de crédito</a>.
        </p>
      )}
      {motivo === null ? (
        <StepForm
          action={pages.doublePayment(pair)}
          fields={
            <MotivoField
              label="Por qué son dos pagos distintos"
              value={values?.motivo}
              hint="Queda en la bitácora."
              error={problem?.fields?.motivo}
            />
          }
          buttons={<Button look="primary">No es doble</Button>}
        />
      ) : (
        <p>
          {username} los revisó el {formatMoment(new Date(settledAt!), config.timeZone)}: {motivo}
        </p>
      )}
    </div>,
  );
}

const comparedColumns = (timeZone: string): Column<PaymentRow>[] => [
  {
    ...{ key: 'paymentId', label: 'Pago', className: 'wraps names', isRowLink: true, card: 'title' },
    render: (row) => (
      <>
        Pago {row.paymentId} a {row.suppliername} {renderDoubtChip(row)}
      </>
    ),
  },
  {
    ...{ key: 'paymentdate', label: 'Fecha', card: 'line' },
    render: ({ paymentdate, createdAt }) => (
      <>
        <DateText date={paymentdate} />
        <div className="hint">
          Registrado <DateText date={plainDateIn(new Date(createdAt), timeZone)} />
        </div>
      </>
    ),
  },
  INVOICE_COLUMN,
  REFERENCE_COLUMN,
  JOB_COLUMN,
  AMOUNT_COLUMN,
  { key: 'eliminar', label: 'Acciones', card: 'actions', render: renderDeleteLink },
];

function renderDeleteLink({ paymentId, motivo }: PaymentRow) {
  return (
    motivo === null && (
      <LinkButton
        look="danger"
        className="btn-quiet"
        href={withQuery(pages.editPayment(paymentId), { eliminar: pages.doublePayments })}
        aria-label={`Es doble: eliminar el pago ${paymentId}`}
      >
        Es doble: eliminar
      </LinkButton>
    )
  );
}

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
