import type { ReactNode } from 'react';
import { type Invoice, pendingOf } from '../../../shared/invoices.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import type { Payment } from '../../../shared/payments.ts';
import { type Column, DataTable, LONGEST_NUMBER } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages } from '../../../shared/urls.ts';
import { BANK_COLUMN, howPaid, howPaidLabel, ReceiptChip, withNews } from '../payments/columns.tsx';
import { Ask } from '../ui/ask.tsx';
import { moneyColumn } from '../ui/columns.tsx';
import type { FormState } from '../ui/record-form.tsx';

interface InvoiceExtrasProps {
  invoice: Invoice;
  version: string;
  payments: readonly Payment[];
  /** the supplier's saldo a favor */
  creditCents: Cents;
  /** the last thing that was asked, where it was refused */
  refused: FormState;
  /** what else stands beside the form */
  children?: ReactNode;
}

/** Below an invoice's form: the payments made, and what asks before it is done. */
export function InvoiceExtras({
  invoice,
  version,
  payments,
  creditCents,
  refused,
  children,
}: InvoiceExtrasProps) {
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
            columns={withNews(PAYMENT_COLUMNS, payments)}
            rows={payments}
            rowKey={(payment) => payment.id}
            rowHref={(payment) => pages.editPayment(payment.id)}
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
        {children}
      </section>
      {invoice.uuid && (
        <Ask
          summary="Desligar del CFDI"
          question={`¿Desligar la factura ${name} de su CFDI (${invoice.uuid})? Sus importes se podrán cambiar y ya no coincidirán por fuerza con el documento.`}
          action={`${address}/desligar`}
          version={version}
          button="Desligar del CFDI"
          refused={refused}
        />
      )}
      <Ask
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
    render: (payment) => <DateText date={payment.paymentdate} />,
  },
  {
    key: 'checknum',
    label: 'Número de cheque',
    cardLabel: howPaidLabel('Número de cheque'),
    text: (payment) => [howPaid(payment), payment.origenderecursonombre].filter(Boolean).join(', '),
    clip: LONGEST_NUMBER,
    render: (payment) => (
      <>
        {howPaid(payment)}
        {payment.origenderecursonombre && <div className="note">{payment.origenderecursonombre}</div>}
      </>
    ),
  },
  moneyColumn('paymentamount', 'Cantidad pagada', (payment) => payment.amountCents),
  BANK_COLUMN,
  { key: 'rep', label: 'REP', card: 'line', render: ({ rep }) => <ReceiptChip rep={rep} /> },
];
