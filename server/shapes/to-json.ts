import { dueText, type Invoice, statusOf } from '../../shared/invoices.ts';
import { isDueEstimated } from '../../shared/invoices-due.ts';
import { rateText, toDecimal } from '../../shared/money.ts';
import type { Payment } from '../../shared/payments.ts';
import { invoiceAnswer } from './invoices.ts';
import { paymentAnswer } from './payments.ts';
import { answering } from './wire.ts';

const answerInvoice = answering(invoiceAnswer);
const answerPayment = answering(paymentAnswer);

/** An invoice on the wire: decimals, nested names, status and due text as of `today`. */
export function toInvoiceJson(invoice: Invoice, payments: readonly Payment[], today: string) {
  const { supplierId, suppliername, rfc, jobId, jobtitle, rubroId, nombrerubro } = invoice;
  return answerInvoice(invoice, {
    vencimientoEstimado: isDueEstimated(invoice),
    vencimientoTexto: dueText(invoice, today),
    status: statusOf(invoice, today),
    tasa: invoice.tasa === null ? null : Number(rateText(invoice.tasa)),
    totalamountpaid: toDecimal(invoice.paidCents),
    tipocambio: invoice.tipocambio === null ? null : Number(invoice.tipocambio),
    supplier: { id: supplierId, suppliername, rfc },
    job: { id: jobId, jobtitle },
    rubro: rubroId === null ? null : { id: rubroId, nombrerubro },
    payment: payments.map(toPaymentJson),
  });
}

/** A payment on the wire. */
export function toPaymentJson(payment: Payment) {
  const { facturaproveedorId, numfactura, suppliername, origenderecursoId, origenderecursonombre } = payment;
  return answerPayment(payment, {
    paymentamount: toDecimal(payment.amountCents),
    importebanco: bankOf(payment),
    facturaproveedor: { id: facturaproveedorId, numfactura, supplier: { suppliername } },
    origenderecurso: origenderecursoId === null ? null : { id: origenderecursoId, origenderecursonombre },
  });
}

/** A credit takes nothing from a bank. */
const bankOf = ({ kind, importebancoCents }: Payment): number | null =>
  kind === 'pago' && importebancoCents !== null ? toDecimal(importebancoCents) : null;
