import { z } from 'zod';
import type { InvoiceDraft } from '../../shared/invoices.ts';
import {
  COMPUTED_FIELDS,
  dueText,
  INVOICE_FIELDS,
  type Invoice,
  STATUSES,
  statusOf,
} from '../../shared/invoices.ts';
import { isDueEstimated } from '../../shared/invoices-due.ts';
import { rateText, toDecimal } from '../../shared/money.ts';
import { BATCH_STATES } from '../../shared/payment-batches.ts';
import type { Payment } from '../../shared/payments.ts';
import { toDraft } from '../../shared/record-fields.ts';
import { flagField, idField, moneyField, motivoField, rateField, versionField } from './fields.ts';
import { paymentAnswer, toPaymentJson } from './payments.ts';
import { membersOf } from './record-fields.ts';
import {
  amount,
  answering,
  day,
  dayOrNone,
  flag,
  moment,
  oneOf,
  rowId,
  rowVersion,
  text,
  textOrNone,
  warnings,
} from './wire.ts';

const SENT_FIELDS = [...INVOICE_FIELDS, ...COMPUTED_FIELDS] as const;
const { comments, ...members } = membersOf(SENT_FIELDS);
const invoiceFields = { ...members, tasa: rateField('Tasa'), comments };

export const newInvoiceShape = z
  .strictObject({
    ...invoiceFields,
    allowDuplicate: flagField('Guardar aunque el proveedor ya tenga una factura con ese número'),
    motivo: motivoField,
  })
  .meta({
    id: 'NewInvoice',
    required: ['supplierId', 'jobId', 'subtotal'],
    examples: [
      {
        supplierId: 1,
        jobId: 1,
        numfactura: 'A-1045',
        fechaemision: '2026-11-20',
        fechavencimiento: '2026-12-20',
        subtotal: 1000.5,
        tasa: 16,
      },
    ],
  });

export const invoiceChangeShape = z
  .strictObject({
    ...invoiceFields,
    id: idField('id'),
    /** old clients send back what they read; it must be what the server computes */
    totalamountpaid: moneyField('Total pagado'),
    version: versionField,
    allowDuplicate: flagField('Guardar aunque el proveedor ya tenga una factura con ese número'),
    motivo: motivoField,
  })
  .meta({ id: 'InvoiceChange', examples: [{ comments: 'Entregada en obra' }] });

export const invoiceAnswer = z
  .strictObject({
    id: rowId('Número de la factura en el sistema'),
    supplierId: rowId('Proveedor'),
    jobId: rowId('Obra'),
    rubroId: rowId('Rubro').nullable(),
    numfactura: text('Número de factura'),
    contrato: text('Contrato u orden de compra'),
    fechaemision: dayOrNone('Fecha de emisión'),
    fecharecepcion: dayOrNone('Fecha de recepción'),
    fechavencimiento: dayOrNone('Fecha de vencimiento'),
    vence: day(
      'Día en que vence: fechavencimiento; si falta, la recepción o la emisión más los días de crédito del proveedor; si también faltan, el día de su captura',
    ),
    vencimientoEstimado: flag('Si ese día se calculó por falta de fechavencimiento'),
    vencimientoTexto: text(
      '"Vence en 5 días (SEM 48)", a la fecha de hoy o del corte; estimado: " (estimado)"',
    ),
    status: oneOf(STATUSES, 'Estado, calculado a la fecha de hoy o del corte'),
    subtotal: amount('Subtotal'),
    tasa: z.number().nullable().meta({ description: 'Tasa del IVA, %; null: varias ("Mixta")' }),
    iva: amount('IVA'),
    otrosimpuestos: amount('Otros impuestos'),
    retenciones: amount('Retenciones'),
    total: amount('subtotal + iva + otrosimpuestos − retenciones'),
    totalamountpaid: amount('Suma de sus pagos'),
    comments: text('Observaciones'),
    uuid: textOrNone('Folio fiscal del CFDI al que está ligada'),
    metodopago: textOrNone('Método de pago del CFDI'),
    moneda: textOrNone('Moneda de la que se convirtieron sus importes; nulo: no se convirtieron'),
    tipocambio: z.number().nullable().meta({
      description:
        'Tipo de cambio de la propia factura: a él se debe, cualquiera que sea el del día del pago',
    }),
    createdAt: moment('Cuándo se capturó'),
    version: rowVersion,
    supplier: z.strictObject({
      id: rowId('Proveedor'),
      suppliername: text('Nombre'),
      rfc: textOrNone('RFC'),
    }),
    job: z.strictObject({ id: rowId('Obra'), jobtitle: text('Nombre de la obra') }),
    rubro: z.strictObject({ id: rowId('Rubro'), nombrerubro: textOrNone('Nombre') }).nullable(),
    payment: z.array(paymentAnswer).meta({ description: 'Sus pagos, del más antiguo al más reciente' }),
  })
  .meta({ id: 'Invoice', description: 'Una factura de proveedor.' });

export const oneInvoiceAnswer = invoiceAnswer
  .extend({
    programaciones: z
      .array(
        z.strictObject({
          id: rowId('Programación de pagos'),
          estado: oneOf(BATCH_STATES, '`enviada`: ya la tiene el banco'),
        }),
      )
      .meta({ description: 'Las programaciones abiertas que todavía la pagan' }),
  })
  .meta({ id: 'OneInvoice' });

export const savedInvoiceAnswer = invoiceAnswer.extend({ warnings }).meta({ id: 'SavedInvoice' });

const answerInvoice = answering(invoiceAnswer);

/** Status and due text are as of `today`. */
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

export const toInvoiceDraft = (sent: z.output<typeof invoiceChangeShape>): InvoiceDraft =>
  toDraft(SENT_FIELDS, sent);
