import { formatDate } from '../../../shared/dates.ts';
import type { DomainError } from '../../../shared/errors.ts';
import { shownNumber } from '../../../shared/invoices.ts';
import { creditLabel, type Payment, paymentTexts } from '../../../shared/payments.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { Facts } from '../../../shared/ui/Facts.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages } from '../../../shared/urls.ts';
import { Ask } from '../ui/ask.tsx';

/** A part of a credit note where a payment would be edited: it is what its note says, and can only be taken back. */
export function CreditPayment({ payment, problem }: { payment: Payment; problem?: DomainError }) {
  const { id, facturaproveedorId, numfactura, suppliername, creditNumero } = payment;
  return (
    <div className="stack">
      <section className="form" aria-label={creditLabel(creditNumero)}>
        {problem && <Alert tone="error">{problem.message}</Alert>}
        <Facts
          facts={{
            Tipo: creditLabel(creditNumero),
            Factura: (
              <>
                <a href={pages.editInvoice(facturaproveedorId)}>{shownNumber(numfactura)}</a>, {suppliername}
              </>
            ),
            'Fecha de la nota': formatDate(payment.paymentdate),
            'Cantidad aplicada': <Money cents={payment.amountCents} />,
          }}
        />
        <p className="soft">{paymentTexts.creditFixed}</p>
        <div className="form-actions">
          <LinkButton href={pages.payments} data-back="">
            Regresar
          </LinkButton>
        </div>
      </section>
      <Ask
        summary="Quitar el crédito de la factura"
        question="¿Quitar este crédito? Su cantidad vuelve al saldo a favor del proveedor y la factura la debe otra vez."
        action={pages.deletePayment(id)}
        version={String(payment.version)}
        button="Quitar"
      />
    </div>
  );
}
