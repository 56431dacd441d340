import type { ReactNode } from 'react';
import { type Invoice, pendingOf } from '../../../shared/invoices.ts';
import type { Cents } from '../../../shared/money.ts';
import { type PaymentField, paymentTexts } from '../../../shared/payments.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { Sum } from '../ui/amounts.tsx';

interface PaymentFieldsProps {
  controls: Record<PaymentField, ReactNode>;
  /** that is paid */
  invoice: Invoice | null;
  /** the payment as stored: its amount is in the invoice's paid sum already */
  former?: { invoiceId: number; amountCents: Cents; createdLine: string };
  /** the invoice is in a foreign currency, or something is said of the bank's amount */
  asksBank: boolean;
  /** of what stands in the fields */
  exchangeCents: Cents | undefined;
}

/** What is typed on the creation and edit screen of a payment: on the left what is paid, on the right how much. */
export function PaymentFields({ controls, invoice, former, ...bank }: PaymentFieldsProps) {
  const { facturaproveedorId, paymentamount, importebanco, ...others } = controls;
  return (
    <>
      <div className="fields">
        {facturaproveedorId}
        <noscript>
          <Button name="load" value="1">
            Cargar datos de la factura
          </Button>
        </noscript>
        <Facts facts={invoiceFacts(invoice)} />
        {Object.values(others)}
      </div>
      <div className="amounts">
        <h2>Importe</h2>
        <Sum name="total" label="Total de la factura" cents={invoice?.totalCents} />
        <Sum name="totalamountpaid" label="Total pagado" cents={invoice?.paidCents} />
        <Sum
          name="pending"
          label="Total pendiente"
          cents={invoice ? pendingOf(invoice) : undefined}
          isTotal
        />
        {former && (
          <p className="hint" data-former="" hidden={invoice?.id !== former.invoiceId}>
            {paymentTexts.pendingIncludes}
          </p>
        )}
        {paymentamount}
        <div className="sum needs-script">
          <span />
          <Button type="button" look="quiet" disabled data-pay-all="">
            Pagar todo
          </Button>
        </div>
        {/* Always there: script shows it with the first invoice that is in a foreign currency. */}
        <div className="amounts" data-foreign="" hidden={!bank.asksBank}>
          <Facts facts={currencyFacts(invoice)} />
          {importebanco}
          <Sum name="exchange" label={paymentTexts.exchange} cents={bank.exchangeCents} />
        </div>
        {former && <p className="hint">{former.createdLine}</p>}
      </div>
    </>
  );
}

type InvoiceFact = readonly [term: string, member: string, value: string | null | undefined];

const invoiceFacts = (invoice: Invoice | null): InvoiceFact[] => [
  ['Proveedor', 'supplier.suppliername', invoice?.suppliername],
  ['RFC', 'supplier.rfc', invoice?.rfc],
  ['Obra', 'job.jobtitle', invoice?.jobtitle],
  ['Rubro', 'rubro.nombrerubro', invoice?.nombrerubro],
];

const currencyFacts = (invoice: Invoice | null): InvoiceFact[] => [
  ['Moneda de la factura', 'moneda', invoice?.moneda],
  ['Su tipo de cambio', 'tipocambio', invoice?.tipocambio && String(Number(invoice.tipocambio))],
];

/** What the form knows of the invoice; `member` is where script finds the same in the API's row. */
function Facts({ facts }: { facts: readonly InvoiceFact[] }) {
  return (
    <dl className="facts wide" aria-live="polite">
      {facts.map(([term, member, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd data-fact={member}>{value || '–'}</dd>
        </div>
      ))}
    </dl>
  );
}
