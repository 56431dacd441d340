import { MAX_SORTED_ROWS, tableHasAtMostRows } from '../../../db/paging.ts';
import { formatDate } from '../../../shared/dates.ts';
import { invoiceNumberText } from '../../../shared/invoices.ts';
import { currentLanguage } from '../../../shared/language.ts';
import { formatMoney } from '../../../shared/money.ts';
import {
  bankAmountOf,
  creditNoteLabel,
  doublePaymentTexts,
  PAYMENT_KIND_LABELS,
  type Payment,
  REP_STATE_LABELS,
  paymentTexts as texts,
} from '../../../shared/payments.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import type { Column } from '../../../shared/ui/DataTable.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';
import { paymentList, toPaymentSum } from '../../lists/payments.ts';
import type { QueryOf } from '../../lists/query-shapes.ts';
import { readDoublePaymentNotice } from '../../services/notices/notices.ts';
import { readOpenPairNames } from '../../services/payments/double-payments.ts';
import { getPayment, searchPayments } from '../../services/payments/reading.ts';
import type { BalanceDifference } from '../../services/payments/receipt-balances.ts';
import { sumCreditCost, sumPaidCost, sumPayments } from '../../services/payments/sums.ts';
import { dateColumn, moneyColumn } from '../ui/columns.tsx';
import { isFiltered } from '../ui/list-filters.tsx';
import { listHref } from '../ui/list-layout.tsx';
import { showList } from '../ui/list-page.tsx';
import type { RefusedStep } from '../ui/refusal-reason.tsx';

export const showPayments = (c: AppContext, refused?: RefusedStep) =>
  showList(
    c,
    paymentList,
    {
      className: 'plan payments',
      controls: (fields) =>
        fields.map((field) =>
          field.name === 'checknum' && field.kind === 'text'
            ? { ...field, label: localizeReferenceLabel(field.label) }
            : field,
        ),
      loadFailed: texts.loadFailed,
      create: <NewPaymentLink />,
      async read(c, search, query) {
        const { kind, paymentdateDesde, paymentdateHasta } = query;
        const { db } = c.get('deps');
        const isWhole = !isFiltered(paymentList, query) && !search.cursor;
        const isOfDays = kind === 'pago' && paymentdateDesde && paymentdateHasta;
        const [found, totals, creditCostCents, paidCostCents, areFew] = await Promise.all([
          searchPayments(db, search),
          sumPayments(db, search),
          kind === 'credito' ? sumCreditCost(db, search) : undefined,
          isOfDays ? sumPaidCost(db, search) : undefined,
          tableHasAtMostRows(db, MAX_SORTED_ROWS, 'payments'),
        ]);
        const [doubles, pairs] = await Promise.all([
          isWhole && areFew ? readDoublePaymentNotice(db, c.get('today')) : undefined,
          areFew ? readOpenPairNames(db, found.rows) : new Map<number, string>(),
        ]);
        return {
          ...found,
          ...totals,
          /** only where the filter is by credit notes: by how much they lower the cost of their invoices */
          creditCostCents,
          /** only where the filter is by dates and payments in money: what counts as cost, as in Resultados */
          paidCostCents,
          /** only for the whole list of a firm whose payments are compared quickly */
          doubles,
          /** by payment id, the pair of a possible double payment that it is in */
          pairs,
        };
      },
      listSum: (found) => toPaymentSum(found),
      noun: ({ creditCount }) =>
        creditCount > 0 ? ['pago o nota de crédito', 'pagos y notas de crédito'] : paymentList.noun,
      rowHref: ({ id }) => pages.editPayment(id),
      findOne: (c, id) => getPayment(c.get('deps').db, id).catch(() => undefined),
      columns: ({ rows, pairs }, query) => paymentColumns(query, rows, pairs),
      above: ({ doubles }) =>
        doubles && (
          <p className="note">
            <Chip tone="danger">En duda</Chip> <a href={doubles.href}>{doubles.label}</a>:{' '}
            <Money cents={doubles.cents!} />
          </p>
        ),
      totals: ({ amountCents, paidCostCents, exchangeCents, creditCents, creditCostCents }) => (
        <Totals
          isFooter
          label="Totales del filtro"
          items={[
            { label: 'Total pagado', cents: amountCents },
            { label: 'Pagado, sin IVA', cents: paidCostCents },
            // Shown where exchange rates of the bank differ from those of the invoices.
            { label: texts.exchange, cents: exchangeCents || undefined, op: '−' as const },
            {
              label: 'Abonado a facturas',
              cents: exchangeCents === 0 ? undefined : amountCents - exchangeCents,
              op: '=' as const,
            },
            {
              label: 'Notas de crédito',
              cents: creditCents || undefined,
              note: 'aparte: no mueven dinero',
            },
            { label: 'Notas de crédito, sin IVA', cents: creditCostCents },
          ].flatMap(({ cents, ...item }) => (cents === undefined ? [] : { ...item, cents }))}
        />
      ),
      noMatches: {
        title: 'Ningún pago con este filtro',
        hint: 'Prueba con otra parte del número de cheque, o con otras fechas.',
        views: {
          all: 'Ver todos los pagos',
          titles: {
            'este-mes': {
              title: 'Este mes no se ha pagado nada',
              hint: 'Los pagos anteriores están en Todos.',
            },
            'sin-rep': { title: 'A ningún pago le falta su REP', hint: 'No hay ninguno que reclamar.' },
          },
        },
      },
      empty: {
        title: 'Todavía no hay pagos',
        hint: 'Aquí se ve lo que se ha pagado a los proveedores, factura por factura. Registra el primer pago.',
        action: <NewPaymentLink />,
      },
    },
    refused,
  );

const NewPaymentLink = () => (
  <LinkButton href={pages.newPayment} look="primary" icon="plus" data-new="">
    <span>
      Nuevo<span className="roomy"> pago</span>
    </span>
  </LinkButton>
);

function paymentColumns(
  query: QueryOf<typeof paymentList>,
  payments: readonly Payment[],
  pairs: ReadonlyMap<number, string>,
): readonly Column<Payment>[] {
  const isSpanish = currentLanguage() === 'es';
  const describeLink = (shown: string, { amountCents, suppliername }: Payment) =>
    `${shown}, editar el pago de ${formatMoney(amountCents)} a ${suppliername}`;
  const day = dateColumn<'paymentdate', Payment>('paymentdate', 'Fecha de pago', {
    at: 'due',
    isRowLink: isSpanish || undefined,
    linkName: (payment) => describeLink(formatDate(payment.paymentdate), payment),
    card: 'foot',
  });
  const check: Column<Payment> = {
    key: 'checknum',
    label: isSpanish ? 'Referencia' : 'Cheque',
    cardLabel: referenceLabelOnCard(isSpanish ? 'Referencia' : 'Cheque'),
    at: 'check',
    card: 'half',
    render: paymentReferenceText,
  };
  const columns: Column<Payment>[] = [
    {
      key: 'numfactura',
      label: 'Factura',
      at: 'doc',
      card: 'half',
      render: ({ facturaproveedorId, numfactura }) => (
        <a href={pages.editInvoice(facturaproveedorId)}>{invoiceNumberText(numfactura)}</a>
      ),
    },
    { key: 'suppliername', label: 'Proveedor', at: 'who', card: 'title' },
    {
      key: 'jobtitle',
      label: 'Obra',
      at: 'job',
      card: 'line',
      render: ({ id, jobtitle }) => <JobAndDoublePaymentMark jobtitle={jobtitle} pair={pairs.get(id)} />,
    },
    moneyColumn('paymentamount', 'Cantidad pagada', ({ amountCents }) => amountCents, {
      at: 'total',
      card: 'corner',
    }),
    CREDIT_OR_BANK_AMOUNT_COLUMN,
    { key: 'origenderecursonombre', label: 'Origen', at: 'from', card: 'none' },
    { key: 'rep', label: 'REP', at: 'rep', card: 'end', render: ({ rep }) => <RepChip rep={rep} /> },
  ];
  // On Spanish screens the date links to the payment's page, which also deletes it.
  if (isSpanish) return withoutEmptyRepOrBankAmount([day, check, ...columns], payments);
  return [
    {
      key: 'id',
      label: 'ID',
      align: 'end',
      at: 'id',
      isRowLink: true,
      linkName: (payment) => describeLink(String(payment.id), payment),
      card: 'foot',
    },
    check,
    { key: 'facturaproveedorId', label: 'ID de factura', at: 'of', align: 'end', card: 'none' },
    ...columns.toSpliced(5, 0, day),
    {
      key: 'actions',
      label: 'Acciones',
      card: 'actions',
      render: ({ id }) => (
        <>
          <LinkButton href={pages.editPayment(id)} icon="edit" tip={`Editar el pago ${id}`} />
          <LinkButton
            href={withQuery(pages.editPayment(id), { eliminar: listHref(paymentList, query, {}) })}
            look="danger"
            icon="trash"
            tip={`Eliminar el pago ${id}`}
          />
        </>
      ),
    },
  ];
}

/** A payment at another exchange rate than its invoice's also shows what left the bank. */
export const BANK_AMOUNT_COLUMN: Column<Payment> = {
  key: 'importebanco',
  label: 'Importe del banco',
  align: 'end',
  at: 'paid',
  render: (payment) => hasBankAmount(payment) && <Money cents={bankAmountOf(payment)} />,
};

/** Says that a credit note moves no money where other payments show what left the bank. */
const CREDIT_OR_BANK_AMOUNT_COLUMN: Column<Payment> = {
  ...BANK_AMOUNT_COLUMN,
  cardLabel: ({ kind }) => (kind === 'credito' ? '' : BANK_AMOUNT_COLUMN.label),
  render: (payment) =>
    payment.kind === 'credito' ? (
      <span className="roomy">{PAYMENT_KIND_LABELS.credito}</span>
    ) : (
      BANK_AMOUNT_COLUMN.render?.(payment)
    ),
};

const JobAndDoublePaymentMark = ({ jobtitle, pair }: { jobtitle: string; pair: string | undefined }) =>
  pair ? (
    <span>
      {jobtitle}{' '}
      <a className="chip danger" href={pages.doublePayment(pair)}>
        {doublePaymentTexts.mark}
      </a>
    </span>
  ) : (
    jobtitle
  );

const hasBankAmount = ({ kind, importebancoCents }: Payment): boolean =>
  kind === 'pago' && importebancoCents !== null;

export const withoutEmptyRepOrBankAmount = (
  columns: readonly Column<Payment>[],
  payments: readonly Payment[],
) =>
  columns.filter(({ key, render = () => null }) => {
    if (key === 'rep') return payments.some(({ rep }) => rep);
    return key !== BANK_AMOUNT_COLUMN.key || payments.some((payment) => render(payment));
  });

export const paymentReferenceText = ({ kind, checknum, creditNumero }: Payment) =>
  kind === 'credito' ? creditNoteLabel(creditNumero) : checknum;

/** Mentions both, because a transfer has a reference and no cheque; the specification's screens only say cheque. */
export const localizeReferenceLabel = (label: string): string =>
  currentLanguage() === 'es' ? 'Cheque o referencia' : label;

/** The label where a phone shows rows as cards. A credit note's text says by itself what it is. */
export const referenceLabelOnCard =
  (label: string) =>
  ({ kind }: Payment): string =>
    kind === 'credito' ? '' : label;

export const RepChip = ({ rep }: Pick<Payment, 'rep'>) =>
  rep && <Chip tone={rep === 'con' ? 'done' : 'warn'}>{REP_STATE_LABELS[rep]}</Chip>;

export function describeBalanceDifference({
  numero,
  receiptBalances,
  storedBalances,
}: BalanceDifference): string {
  const moneyOrDash = (cents: number | null) => (cents === null ? '—' : formatMoney(cents));
  return (
    `Según su REP ${numero} se debían ${moneyOrDash(receiptBalances.beforeCents)} antes de este pago y ${moneyOrDash(receiptBalances.afterCents)} después; ` +
    `aquí, ${moneyOrDash(storedBalances.beforeCents)} y ${moneyOrDash(storedBalances.afterCents)}.`
  );
}
