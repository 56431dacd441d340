import type { PlainDate } from '../../../shared/dates.ts';
import { type Invoice, pendingOf } from '../../../shared/invoices.ts';
import { formatMoney } from '../../../shared/money.ts';
import type { Programmed } from '../../../shared/payment-batches.ts';
import { type Payment, RECEIPT_LABELS, RECEIPT_STATES } from '../../../shared/payments.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { Facts } from '../../../shared/ui/Facts.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { ProgrammedMarks } from '../../../shared/ui/ProgrammedMarks.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { DueChip } from './columns.tsx';

interface InvoiceHeadProps {
  invoice: Invoice;
  payments: readonly Payment[];
  /** open batches that are to pay it */
  programmed: readonly Programmed[];
  today: PlainDate;
}

/** What an invoice is as it is stored, read at a glance: whose and for what, what is owed of it, its CFDI. */
export function InvoiceHead({ invoice, payments, programmed, today }: InvoiceHeadProps) {
  const { suppliername, jobtitle, nombrerubro, totalCents, paidCents, uuid, metodopago } = invoice;
  const pending = pendingOf(invoice);
  const receipts = receiptsOf(payments);
  return (
    <section className="document" aria-label="Resumen de la factura">
      <div className="what">
        <p className="whose">
          <a href={`${pages.editSupplier}/${invoice.supplierId}`}>{suppliername}</a>
        </p>
        <p>
          <a href={withQuery(pages.invoices, { jobId: invoice.jobId })}>{jobtitle}</a>
          {nombrerubro && <span className="soft"> · {nombrerubro}</span>}
        </p>
        <p>
          <DueChip invoice={invoice} today={today} /> <ProgrammedMarks batches={programmed} />
        </p>
      </div>
      <div className="owed">
        <dl>
          <div className="pending">
            <dt>Pendiente</dt>
            <dd>
              <Money cents={pending} />
            </dd>
          </div>
          <div>
            <dt>Total</dt>
            <dd>
              <Money cents={totalCents} />
            </dd>
          </div>
          <div>
            <dt>Pagado</dt>
            <dd>
              <Money cents={paidCents} />
            </dd>
          </div>
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
            'Método de pago': metodopago && (METHODS[metodopago] ?? metodopago),
            REP: receipts,
          }}
        />
      )}
    </section>
  );
}

/** c_MetodoPago of the SAT. */
const METHODS: Readonly<Record<string, string>> = {
  PUE: 'PUE, en una sola exhibición',
  PPD: 'PPD, en parcialidades o diferido',
};

/** "2 con REP, 1 sin REP"; nothing where none is due. */
function receiptsOf(payments: readonly Payment[]): string {
  const counted = RECEIPT_STATES.map((state) => {
    const count = payments.filter(({ rep }) => rep === state).length;
    return count > 0 && `${count} ${RECEIPT_LABELS[state].replace(/^./, (letter) => letter.toLowerCase())}`;
  });
  return counted.filter(Boolean).join(', ');
}
