import { z } from 'zod';
import type { InvoiceFieldValues } from '../../shared/invoices.ts';
import {
  COMPUTED_AMOUNT_FIELDS,
  dueText,
  INVOICE_FIELDS,
  type Invoice,
  STATUSES,
  statusOf,
} from '../../shared/invoices.ts';
import { isDueEstimated } from '../../shared/invoices-due.ts';
import { type Cents, formatRate } from '../../shared/money.ts';
import { BATCH_STATES, type BatchIdAndState } from '../../shared/payment-batches.ts';
import type { Payment } from '../../shared/payments.ts';
import { toFieldValues } from '../../shared/record-fields.ts';
import type { SealState } from '../formats/cfdi/document.ts';
import type { SatState } from '../services/fiscal/sat-status.ts';
import {
  amountMember,
  booleanMember,
  choiceMember,
  dayMember,
  momentMember,
  nullableDayMember,
  nullableTextMember,
  rowIdMember,
  rowVersionMember,
  textMember,
} from './answer-members.ts';
import { answerFor, listAnswer, savedAnswer } from './answers.ts';
import { flagField, idField, moneyField, motivoField, rateField, versionField } from './fields.ts';
import { paymentAnswer } from './payments.ts';
import { toRequestMembers } from './record-fields.ts';

const SENT_FIELDS = [...INVOICE_FIELDS, ...COMPUTED_AMOUNT_FIELDS] as const;

const invoiceFieldsShape = z.strictObject({
  ...toRequestMembers(SENT_FIELDS),
  tasa: rateField('Tasa'),
  allowDuplicate: flagField('Guardar aunque el proveedor ya tenga una factura con ese número'),
  motivo: motivoField,
});

export const newInvoiceShape = invoiceFieldsShape.meta({
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

export const invoiceChangeShape = invoiceFieldsShape
  .extend({
    id: idField('id'),
    /** old clients send back this computed sum; a different value is refused */
    totalamountpaid: moneyField('Total pagado'),
    version: versionField,
  })
  .meta({ id: 'InvoiceChange', examples: [{ comments: 'Entregada en obra' }] });

interface InvoiceWithPayments extends Invoice {
  payments: readonly Payment[];
  today: string;
}

export const invoiceAnswer = answerFor<InvoiceWithPayments>('Invoice', 'Una factura de proveedor.').with({
  id: rowIdMember('Número de la factura en el sistema'),
  supplierId: rowIdMember('Proveedor'),
  jobId: rowIdMember('Obra'),
  rubroId: rowIdMember('Rubro').nullable(),
  numfactura: textMember('Número de factura'),
  contrato: textMember('Contrato u orden de compra'),
  fechaemision: nullableDayMember('Fecha de emisión'),
  fecharecepcion: nullableDayMember('Fecha de recepción'),
  fechavencimiento: nullableDayMember('Fecha de vencimiento'),
  vence: dayMember(
    'Día en que vence: fechavencimiento; si falta, la recepción o la emisión más los días de crédito del proveedor; si también faltan, el día de su captura',
  ),
  vencimientoEstimado: [booleanMember('Si ese día se calculó por falta de fechavencimiento'), isDueEstimated],
  vencimientoTexto: [
    textMember('"Vence en 5 días (SEM 48)", a la fecha de hoy o del corte; estimado: " (estimado)"'),
    (invoice) => dueText(invoice, invoice.today),
  ],
  status: [
    choiceMember(STATUSES, 'Estado, calculado a la fecha de hoy o del corte'),
    (invoice) => statusOf(invoice, invoice.today),
  ],
  subtotal: amountMember('Subtotal'),
  tasa: [
    z.number().nullable().meta({ description: 'Tasa del IVA, %; null: varias ("Mixta")' }),
    ({ tasa }) => (tasa === null ? null : Number(formatRate(tasa))),
  ],
  iva: amountMember('IVA'),
  otrosimpuestos: amountMember('Otros impuestos'),
  retenciones: amountMember('Retenciones'),
  total: amountMember('subtotal + iva + otrosimpuestos − retenciones'),
  totalamountpaid: [amountMember('Suma de sus pagos'), 'paidCents'],
  comments: textMember('Observaciones'),
  uuid: nullableTextMember('Folio fiscal del CFDI al que está ligada'),
  metodopago: nullableTextMember('Método de pago del CFDI'),
  moneda: nullableTextMember('Moneda de la que se convirtieron sus importes; nulo: no se convirtieron'),
  tipocambio: [
    z.number().nullable().meta({
      description:
        'Tipo de cambio de la propia factura: a él se debe, cualquiera que sea el del día del pago',
    }),
    ({ tipocambio }) => (tipocambio === null ? null : Number(tipocambio)),
  ],
  createdAt: momentMember('Cuándo se capturó'),
  version: rowVersionMember,
  supplier: {
    id: [rowIdMember('Proveedor'), 'supplierId'],
    suppliername: textMember('Nombre'),
    rfc: nullableTextMember('RFC'),
  },
  job: { id: [rowIdMember('Obra'), 'jobId'], jobtitle: textMember('Nombre de la obra') },
  rubro: [
    z.strictObject({ id: rowIdMember('Rubro'), nombrerubro: nullableTextMember('Nombre') }).nullable(),
    ({ rubroId: id, nombrerubro }) => (id === null ? null : { id, nombrerubro }),
  ],
  payment: [listAnswer(paymentAnswer, 'Sus pagos, del más antiguo al más reciente'), 'payments'],
});

const openBatchAnswer = answerFor<BatchIdAndState>().with({
  id: [rowIdMember('Programación de pagos'), 'batchId'],
  estado: choiceMember(BATCH_STATES, '`enviada`: ya la tiene el banco'),
});

export const oneInvoiceAnswer = answerFor<
  InvoiceWithPayments & {
    programmed: readonly BatchIdAndState[];
    remainingForeignCents: Cents | null;
    sat: SatState | null;
    sello: SealState | null;
  }
>('OneInvoice').with({
  ...invoiceAnswer.members,
  pendientemoneda: [
    amountMember('Lo que se debe de ella en su moneda; nulo: está en pesos').nullable(),
    'remainingForeignCents',
  ],
  programaciones: [
    listAnswer(openBatchAnswer, 'Las programaciones abiertas que todavía la pagan'),
    'programmed',
  ],
  sat: z
    .object({
      estatus: choiceMember(['vigente', 'cancelado'], 'Según los metadatos del SAT que se han cargado'),
      visto: dayMember('El día del archivo que lo dice'),
      fechaCancelacion: nullableDayMember('Cuándo se canceló'),
    })
    .nullable()
    .meta({ description: 'Lo que el SAT dice de su CFDI; nulo: ningún archivo lo trae' }),
  sello: choiceMember(
    ['coincide', 'difiere', 'alterado'],
    'Si el sello de su CFDI es el que repite el timbre, o de otro contenido; nulo: no se puede comparar',
  ).nullable(),
});

export const savedInvoiceAnswer = savedAnswer('invoice', invoiceAnswer, { id: 'SavedInvoice' });

export const toInvoiceFieldValues = (draft: z.output<typeof invoiceChangeShape>): InvoiceFieldValues =>
  toFieldValues(SENT_FIELDS, draft);
