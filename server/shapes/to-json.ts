import type { z } from 'zod';
import { dueText, type Invoice, statusOf } from '../../shared/invoices.ts';
import { isDueEstimated } from '../../shared/invoices-due.ts';
import { rateText, toDecimal } from '../../shared/money.ts';
import type { Payment } from '../../shared/payments.ts';
import type { invoiceAnswer } from './invoices.ts';
import type { paymentAnswer } from './payments.ts';

/** An invoice on the wire: decimals, nested names, status and due text as of `today`. */
export function toInvoiceJson(
  invoice: Invoice,
  payments: readonly Payment[],
  today: string,
): z.output<typeof invoiceAnswer> {
  return {
    id: invoice.id,
    supplierId: invoice.supplierId,
    jobId: invoice.jobId,
    rubroId: invoice.rubroId,
    numfactura: invoice.numfactura,
    contrato: invoice.contrato,
    fechaemision: invoice.fechaemision,
    fecharecepcion: invoice.fecharecepcion,
    fechavencimiento: invoice.fechavencimiento,
    vence: invoice.vence,
    vencimientoEstimado: isDueEstimated(invoice),
    vencimientoTexto: dueText(invoice, today),
    status: statusOf(invoice, today),
    subtotal: toDecimal(invoice.subtotalCents),
    tasa: invoice.tasa === null ? null : Number(rateText(invoice.tasa)),
    iva: toDecimal(invoice.ivaCents),
    otrosimpuestos: toDecimal(invoice.otrosimpuestosCents),
    retenciones: toDecimal(invoice.retencionesCents),
    total: toDecimal(invoice.totalCents),
    totalamountpaid: toDecimal(invoice.paidCents),
    comments: invoice.comments,
    uuid: invoice.uuid,
    metodopago: invoice.metodopago,
    moneda: invoice.moneda,
    tipocambio: invoice.tipocambio === null ? null : Number(invoice.tipocambio),
    createdAt: invoice.createdAt,
    version: invoice.version,
    supplier: { id: invoice.supplierId, suppliername: invoice.suppliername, rfc: invoice.rfc },
    job: { id: invoice.jobId, jobtitle: invoice.jobtitle },
    rubro: invoice.rubroId === null ? null : { id: invoice.rubroId, nombrerubro: invoice.nombrerubro },
    payment: payments.map(toPaymentJson),
  };
}

/** A payment on the wire. */
export function toPaymentJson(payment: Payment): z.output<typeof paymentAnswer> {
  return {
    id: payment.id,
    facturaproveedorId: payment.facturaproveedorId,
    origenderecursoId: payment.origenderecursoId,
    checknum: payment.checknum,
    paymentdate: payment.paymentdate,
    paymentamount: toDecimal(payment.amountCents),
    importebanco: bankOf(payment),
    comments: payment.comments,
    kind: payment.kind,
    creditNoteId: payment.creditNoteId,
    rep: payment.rep,
    userId: payment.userId,
    createdAt: payment.createdAt,
    version: payment.version,
    facturaproveedor: {
      id: payment.facturaproveedorId,
      numfactura: payment.numfactura,
      supplier: { suppliername: payment.suppliername },
    },
    origenderecurso:
      payment.origenderecursoId === null
        ? null
        : { id: payment.origenderecursoId, origenderecursonombre: payment.origenderecursonombre },
  };
}

/** A credit takes nothing from a bank. */
const bankOf = ({ kind, importebancoCents }: Payment): number | null =>
  kind === 'pago' && importebancoCents !== null ? toDecimal(importebancoCents) : null;
