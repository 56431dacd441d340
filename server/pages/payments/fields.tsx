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
  const rate = invoice?.tipocambio && String(Number(invoice.tipocambio));
  return (
    <>
      <div className="fields">
        {facturaproveedorId}
        <noscript>
          <Button name="load" value="1">
            Cargar datos de la factura
          </Button>
        </noscript>
        <InvoiceFacts invoice={invoice} />
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
        <div data-foreign="" hidden={!bank.asksBank}>
          <div className="amounts">
            {CURRENCY.map(([label, member]) => (
              <div key={member} className="sum">
                <span className="label">{label}</span>
                <span data-fact={member}>{(member === 'moneda' ? invoice?.moneda : rate) || '–'}</span>
              </div>
            ))}
            {importebanco}
            <Sum name="exchange" label={paymentTexts.exchange} cents={bank.exchangeCents} />
          </div>
        </div>
        {former && <p className="hint">{former.createdLine}</p>}
      </div>
    </>
  );
}

/** Of the invoice; the members are where script finds them in the API's row. */
const CURRENCY = [
  ['Moneda de la factura', 'moneda'],
  ['Su tipo de cambio', 'tipocambio'],
] as const;

function InvoiceFacts({ invoice }: { invoice: Invoice | null }) {
  const facts = [
    ['Proveedor', 'supplier.suppliername', invoice?.suppliername],
    ['RFC', 'supplier.rfc', invoice?.rfc],
    ['Obra', 'job.jobtitle', invoice?.jobtitle],
    ['Rubro', 'rubro.nombrerubro', invoice?.nombrerubro],
  ] as const;
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
