import type { ReactNode } from 'react';
import type { PlainDate } from '../../../shared/dates.ts';
import { type Invoice, pendingOf } from '../../../shared/invoices.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import type { BatchOfInvoice } from '../../../shared/payment-batches.ts';
import { type Payment, REP_STATE_LABELS, REP_STATES } from '../../../shared/payments.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { type Column, DataTable, MAX_UNWRAPPED_LETTERS } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { Facts } from '../../../shared/ui/Facts.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { PaymentBatchChips } from '../../../shared/ui/PaymentBatchChips.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import {
  BANK_AMOUNT_COLUMN,
  paymentReferenceText,
  RepChip,
  referenceLabelOnCard,
  withoutEmptyRepOrBankAmount,
} from '../payments/list.tsx';
import { moneyColumn } from '../ui/columns.tsx';
import { ConfirmStep } from '../ui/confirm-step.tsx';
import { DueChip } from '../ui/due-chip.tsx';
import type { FormState } from '../ui/record-form.tsx';

interface InvoiceSummaryProps {
  invoice: Invoice;
  payments: readonly Payment[];
  openBatches: readonly BatchOfInvoice[];
  today: PlainDate;
}

export function InvoiceSummary({ invoice, payments, openBatches, today }: InvoiceSummaryProps) {
  const { totalCents, paidCents, uuid, metodopago } = invoice;
  const pending = pendingOf(invoice);
  const receipts = describeRepStates(payments);
  const figures = [
    ['Pendiente', pending] as const,
    ['Total', totalCents] as const,
    ['Pagado', paidCents] as const,
  ];
  return (
    <section className="document" aria-label="Resumen de la factura">
      <div className="what">
        <p>
          <DueChip invoice={invoice} today={today} /> <PaymentBatchChips batches={openBatches} />
        </p>
        {/* Not printed, since supplier and job are among the fields below. */}
        <p className="no-print">
          <a href={`${pages.editSupplier}/${invoice.supplierId}`}>Ver proveedor</a>
          <span className="soft"> · </span>
          <a href={withQuery(pages.invoices, { jobId: invoice.jobId })}>Facturas de la obra</a>
        </p>
      </div>
      <div className="owed">
        <dl>
          {figures.map(([label, cents]) => (
            <div key={label} className={label === 'Pendiente' ? 'pending' : undefined}>
              <dt>{label}</dt>
              <dd>
                <Money cents={cents} />
              </dd>
            </div>
          ))}
        </dl>
        <progress
          max={totalCents}
          value={paidCents}
          aria-label={`Pagado ${formatMoney(paidCents)} de ${formatMoney(totalCents)}`}
        />
      </div>
      {pending > 0 && (
        <LinkButton href={pages.payInvoice(invoice.id)} look="primary" icon="pay">
          Pagar
        </LinkButton>
      )}
      {(uuid || receipts) && (
        <Facts
          look="of-document"
          facts={{
            'UUID del CFDI': uuid,
            'Método de pago': metodopago && (PAYMENT_METHODS[metodopago] ?? metodopago),
            REP: receipts,
          }}
        />
      )}
    </section>
  );
}

/** The SAT's catalog c_MetodoPago. */
const PAYMENT_METHODS: Readonly<Record<string, string>> = {
  PUE: 'PUE, en una sola exhibición',
  PPD: 'PPD, en parcialidades o diferido',
};

/** Says "2 con REP, 1 sin REP"; the text is empty where no receipt is due. */
function describeRepStates(payments: readonly Payment[]): string {
  const counted = REP_STATES.map((state) => {
    const count = payments.filter(({ rep }) => rep === state).length;
    return count > 0 && `${count} ${REP_STATE_LABELS[state].replace(/^./, (letter) => letter.toLowerCase())}`;
  });
  return counted.filter(Boolean).join(', ');
}

interface InvoiceExtrasProps {
  invoice: Invoice;
  version: string;
  payments: readonly Payment[];
  creditCents: Cents;
  refused: FormState;
  attachments: ReactNode;
}

export function InvoiceExtras(props: InvoiceExtrasProps) {
  const { invoice, version, payments, creditCents, refused, attachments } = props;
  const address = pages.editInvoice(invoice.id);
  const name = invoice.numfactura || invoice.id;
  return (
    <>
      <section className="form" aria-label="Pagos y adjuntos">
        {payments.length === 0 ? (
          <p className="soft">Esta factura todavía no tiene pagos.</p>
        ) : (
          <DataTable
            caption="Pagos realizados"
            showCaption
            columns={withoutEmptyRepOrBankAmount(PAYMENT_COLUMNS, payments)}
            rows={payments}
            rowKey={({ id }) => id}
            rowHref={({ id }) => pages.editPayment(id)}
            footer={{ paymentdate: 'Total ya pagado', paymentamount: <Money cents={invoice.paidCents} /> }}
          />
        )}
        {pendingOf(invoice) > 0 && creditCents > 0 && (
          <p>
            <a href={pages.supplierCredit(invoice.supplierId)}>
              El proveedor tiene saldo a favor de {formatMoney(creditCents)}
            </a>
          </p>
        )}
        {attachments}
      </section>
      {invoice.uuid && (
        <ConfirmStep
          summary="Desligar del CFDI"
          question={`¿Desligar la factura ${name} de su CFDI (${invoice.uuid})? Sus importes se podrán cambiar y ya no coincidirán por fuerza con el documento.`}
          action={pages.unlinkInvoice(invoice.id)}
          version={version}
          button="Desligar del CFDI"
          refused={refused}
        />
      )}
      <ConfirmStep
        summary="Eliminar factura"
        question={`¿Eliminar la factura ${name}?`}
        action={`${address}/eliminar`}
        version={version}
        button="Eliminar"
        refused={refused}
      />
    </>
  );
}

const PAYMENT_COLUMNS: readonly Column<Payment>[] = [
  {
    key: 'paymentdate',
    label: 'Fecha de pago',
    card: 'title',
    render: ({ paymentdate }) => <DateText date={paymentdate} />,
  },
  {
    key: 'checknum',
    label: 'Referencia',
    cardLabel: referenceLabelOnCard('Referencia'),
    text: (payment) =>
      [paymentReferenceText(payment), payment.origenderecursonombre].filter(Boolean).join(', '),
    wraps: MAX_UNWRAPPED_LETTERS,
    render: (payment) => (
      <>
        {paymentReferenceText(payment)}
        {payment.origenderecursonombre && <div className="note">{payment.origenderecursonombre}</div>}
      </>
    ),
  },
  moneyColumn('paymentamount', 'Cantidad pagada', ({ amountCents }) => amountCents),
  BANK_AMOUNT_COLUMN,
  { key: 'rep', label: 'REP', card: 'line', render: ({ rep }) => <RepChip rep={rep} /> },
];
