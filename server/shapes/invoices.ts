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
import { BATCH_STATES, type BatchOfInvoice } from '../../shared/payment-batches.ts';
import type { Payment } from '../../shared/payments.ts';
import { toFieldValues } from '../../shared/record-fields.ts';
import {
  describeAccountChange,
  describePayeeAccount,
  type PayeeAccount,
} from '../../shared/supplier-accounts.ts';
import type { SealState } from '../formats/cfdi/document.ts';
import type { SatState } from '../services/fiscal/sat-status.ts';
import * as member from './answer-members.ts';
import { answerFor, listAnswer, nullableAnswer, savedAnswer } from './answers.ts';
import { flagField, idField, moneyField, motivoField, rateField, versionField } from './fields.ts';
import { paymentAnswer } from './payments.ts';
import { toRequestMembers } from './record-fields.ts';

const REQUEST_FIELDS = [...INVOICE_FIELDS, ...COMPUTED_AMOUNT_FIELDS] as const;

const invoiceFieldsShape = z.strictObject({
  ...toRequestMembers(REQUEST_FIELDS),
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
  id: member.rowId('Número de la factura en el sistema'),
  supplierId: member.rowId('Proveedor'),
  jobId: member.rowId('Obra'),
  rubroId: member.rowId('Rubro').nullable(),
  numfactura: member.text('Número de factura'),
  contrato: member.text('Contrato u orden de compra'),
  fechaemision: member.nullableDay('Fecha de emisión'),
  fecharecepcion: member.nullableDay('Fecha de recepción'),
  fechavencimiento: member.nullableDay('Fecha de vencimiento'),
  vence: member.day(
    'Día en que vence: fechavencimiento; si falta, la recepción o la emisión más los días de crédito del proveedor; si también faltan, el día de su captura',
  ),
  vencimientoEstimado: [
    member.boolean('Si ese día se calculó por falta de fechavencimiento'),
    isDueEstimated,
  ],
  vencimientoTexto: [
    member.text('"Vence en 5 días (SEM 48)", a la fecha de hoy o del corte; estimado: " (estimado)"'),
    (invoice) => dueText(invoice, invoice.today),
  ],
  status: [
    member.choice(STATUSES, 'Estado, calculado a la fecha de hoy o del corte'),
    (invoice) => statusOf(invoice, invoice.today),
  ],
  subtotal: member.amount('Subtotal'),
  tasa: [
    z.number().nullable().meta({ description: 'Tasa del IVA, %; null: varias ("Mixta")' }),
    ({ tasa }) => (tasa === null ? null : Number(formatRate(tasa))),
  ],
  iva: member.amount('IVA'),
  otrosimpuestos: member.amount('Otros impuestos'),
  retenciones: member.amount('Retenciones'),
  total: member.amount('subtotal + iva + otrosimpuestos − retenciones'),
  totalamountpaid: [member.amount('Suma de sus pagos'), 'paidCents'],
  comments: member.text('Observaciones'),
  uuid: member.nullableText('Folio fiscal del CFDI al que está ligada'),
  metodopago: member.nullableText('Método de pago del CFDI'),
  moneda: member.nullableText('Moneda de la que se convirtieron sus importes; nulo: no se convirtieron'),
  tipocambio: [
    z.number().nullable().meta({
      description:
        'Tipo de cambio de la propia factura: a él se debe, cualquiera que sea el del día del pago',
    }),
    ({ tipocambio }) => (tipocambio === null ? null : Number(tipocambio)),
  ],
  createdAt: member.moment('Cuándo se capturó'),
  version: member.rowVersion,
  supplier: {
    id: [member.rowId('Proveedor'), 'supplierId'],
    suppliername: member.text('Nombre'),
    rfc: member.nullableText('RFC'),
  },
  job: { id: [member.rowId('Obra'), 'jobId'], jobtitle: member.text('Nombre de la obra') },
  rubro: [
    z.strictObject({ id: member.rowId('Rubro'), nombrerubro: member.nullableText('Nombre') }).nullable(),
    ({ rubroId: id, nombrerubro }) => (id === null ? null : { id, nombrerubro }),
  ],
  payment: [listAnswer(paymentAnswer, 'Sus pagos, del más antiguo al más reciente'), 'payments'],
});

const openBatchAnswer = answerFor<BatchOfInvoice>().with({
  id: [member.rowId('Programación de pagos'), 'batchId'],
  estado: member.choice(BATCH_STATES, '`enviada`: se mandó al banco, o tiene su archivo'),
  enBanco: [member.boolean('El banco ya tiene la transferencia que paga esta factura'), 'isAtBank'],
});

const payeeAccountAnswer = answerFor<PayeeAccount>().with({
  nombre: [member.text('Banco y últimos cuatro dígitos'), 'name'],
  confiable: [member.boolean('Otra persona la confirmó después de su último cambio'), 'isTrusted'],
  cambiadaEl: [member.day('Cuándo se capturó o cambió por última vez'), 'changedOn'],
  nueva: [member.boolean('Si fue en los últimos 30 días'), 'isNew'],
  texto: [member.text('"BBVA ··· 0066, sin confirmar"'), describePayeeAccount],
  aviso: [member.nullableText('"Cuenta nueva, 20 nov"; nulo: no es nueva'), describeAccountChange],
});

export const invoiceDetailAnswer = answerFor<
  InvoiceWithPayments & {
    programmed: readonly BatchOfInvoice[];
    account: PayeeAccount | null;
    remainingForeignCents: Cents | null;
    sat: SatState | null;
    sello: SealState | null;
  }
>('OneInvoice').with({
  ...invoiceAnswer.members,
  pendientemoneda: [
    member.amount('Lo que se debe de ella en su moneda; nulo: está en pesos').nullable(),
    'remainingForeignCents',
  ],
  programaciones: [
    listAnswer(openBatchAnswer, 'Las programaciones abiertas que todavía la pagan'),
    'programmed',
  ],
  cuenta: [
    nullableAnswer(payeeAccountAnswer, 'La cuenta en que se paga al proveedor; nulo: no tiene ninguna'),
    'account',
  ],
  sat: z
    .object({
      estatus: member.choice(['vigente', 'cancelado'], 'Según los metadatos del SAT que se han cargado'),
      visto: member.day('El día del archivo que lo dice'),
      fechaCancelacion: member.nullableDay('Cuándo se canceló'),
    })
    .nullable()
    .meta({ description: 'Lo que el SAT dice de su CFDI; nulo: ningún archivo lo trae' }),
  sello: member
    .choice(
      ['coincide', 'difiere', 'alterado'],
      'Si el sello de su CFDI es el que repite el timbre, o de otro contenido; nulo: no se puede comparar',
    )
    .nullable(),
});

export const savedInvoiceAnswer = savedAnswer('invoice', invoiceAnswer, { id: 'SavedInvoice' });

export const toInvoiceFieldValues = (body: z.output<typeof invoiceChangeShape>): InvoiceFieldValues =>
  toFieldValues(REQUEST_FIELDS, body);
