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
  amount,
  day,
  flag,
  moment,
  nullableDay,
  nullableText,
  oneOf,
  rowId,
  rowVersion,
  text,
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
  id: rowId('Número de la factura en el sistema'),
  supplierId: rowId('Proveedor'),
  jobId: rowId('Obra'),
  rubroId: rowId('Rubro').nullable(),
  numfactura: text('Número de factura'),
  contrato: text('Contrato u orden de compra'),
  fechaemision: nullableDay('Fecha de emisión'),
  fecharecepcion: nullableDay('Fecha de recepción'),
  fechavencimiento: nullableDay('Fecha de vencimiento'),
  vence: day(
    'Día en que vence: fechavencimiento; si falta, la recepción o la emisión más los días de crédito del proveedor; si también faltan, el día de su captura',
  ),
  vencimientoEstimado: [flag('Si ese día se calculó por falta de fechavencimiento'), isDueEstimated],
  vencimientoTexto: [
    text('"Vence en 5 días (SEM 48)", a la fecha de hoy o del corte; estimado: " (estimado)"'),
    (invoice) => dueText(invoice, invoice.today),
  ],
  status: [
    oneOf(STATUSES, 'Estado, calculado a la fecha de hoy o del corte'),
    (invoice) => statusOf(invoice, invoice.today),
  ],
  subtotal: amount('Subtotal'),
  tasa: [
    z.number().nullable().meta({ description: 'Tasa del IVA, %; null: varias ("Mixta")' }),
    ({ tasa }) => (tasa === null ? null : Number(formatRate(tasa))),
  ],
  iva: amount('IVA'),
  otrosimpuestos: amount('Otros impuestos'),
  retenciones: amount('Retenciones'),
  total: amount('subtotal + iva + otrosimpuestos − retenciones'),
  totalamountpaid: [amount('Suma de sus pagos'), 'paidCents'],
  comments: text('Observaciones'),
  uuid: nullableText('Folio fiscal del CFDI al que está ligada'),
  metodopago: nullableText('Método de pago del CFDI'),
  moneda: nullableText('Moneda de la que se convirtieron sus importes; nulo: no se convirtieron'),
  tipocambio: [
    z.number().nullable().meta({
      description:
        'Tipo de cambio de la propia factura: a él se debe, cualquiera que sea el del día del pago',
    }),
    ({ tipocambio }) => (tipocambio === null ? null : Number(tipocambio)),
  ],
  createdAt: moment('Cuándo se capturó'),
  version: rowVersion,
  supplier: {
    id: [rowId('Proveedor'), 'supplierId'],
    suppliername: text('Nombre'),
    rfc: nullableText('RFC'),
  },
  job: { id: [rowId('Obra'), 'jobId'], jobtitle: text('Nombre de la obra') },
  rubro: [
    z.strictObject({ id: rowId('Rubro'), nombrerubro: nullableText('Nombre') }).nullable(),
    ({ rubroId: id, nombrerubro }) => (id === null ? null : { id, nombrerubro }),
  ],
  payment: [listAnswer(paymentAnswer, 'Sus pagos, del más antiguo al más reciente'), 'payments'],
});

const openBatchAnswer = answerFor<BatchIdAndState>().with({
  id: [rowId('Programación de pagos'), 'batchId'],
  estado: oneOf(BATCH_STATES, '`enviada`: ya la tiene el banco'),
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
    amount('Lo que se debe de ella en su moneda; nulo: está en pesos').nullable(),
    'remainingForeignCents',
  ],
  programaciones: [
    listAnswer(openBatchAnswer, 'Las programaciones abiertas que todavía la pagan'),
    'programmed',
  ],
  sat: z
    .object({
      estatus: oneOf(['vigente', 'cancelado'], 'Según los metadatos del SAT que se han cargado'),
      visto: day('El día del archivo que lo dice'),
      fechaCancelacion: nullableDay('Cuándo se canceló'),
    })
    .nullable()
    .meta({ description: 'Lo que el SAT dice de su CFDI; nulo: ningún archivo lo trae' }),
  sello: oneOf(
    ['coincide', 'difiere', 'alterado'],
    'Si el sello de su CFDI es el que repite el timbre, o de otro contenido; nulo: no se puede comparar',
  ).nullable(),
});

export const savedInvoiceAnswer = savedAnswer('invoice', invoiceAnswer, { id: 'SavedInvoice' });

export const toInvoiceFieldValues = (draft: z.output<typeof invoiceChangeShape>): InvoiceFieldValues =>
  toFieldValues(SENT_FIELDS, draft);
