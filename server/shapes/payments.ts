import { z } from 'zod';
import { toDecimal } from '../../shared/money.ts';
import {
  bankAmountOf,
  DOUBLE_PAYMENT_REASONS,
  type DoublePayment,
  PAYMENT_FIELDS,
  PAYMENT_KINDS,
  type Payment,
  REP_STATES,
} from '../../shared/payments.ts';
import { toFieldValues } from '../../shared/record-fields.ts';
import { MAX_MOTIVO_LENGTH } from '../../shared/text.ts';
import * as member from './answer-members.ts';
import { answerFor, savedAnswer } from './answers.ts';
import {
  flagField,
  idField,
  legacyUserField,
  motivoField,
  restoreShape,
  textField,
  versionField,
} from './fields.ts';
import { toRequestMembers } from './record-fields.ts';

const allowProgrammedField = flagField(
  'Registrar el pago, con `motivo`, aunque lo que falta de la factura esté en una programación que ya tiene el banco',
);

const paymentFieldsShape = z.strictObject({
  ...toRequestMembers(PAYMENT_FIELDS),
  userId: legacyUserField,
  allowProgrammed: allowProgrammedField,
  motivo: motivoField,
});

export const newPaymentShape = paymentFieldsShape.meta({
  id: 'NewPayment',
  required: ['facturaproveedorId', 'paymentamount'],
  examples: [{ facturaproveedorId: 1, paymentamount: 100, checknum: '1021', paymentdate: '2026-11-20' }],
});

export const paymentChangeShape = paymentFieldsShape
  .extend({ id: idField('id'), version: versionField })
  .meta({ id: 'PaymentChange', examples: [{ checknum: '1022' }] });

export const restorePaymentShape = restoreShape
  .extend({ allowProgrammed: allowProgrammedField })
  .meta({ examples: [{ motivo: 'La nota llegó tarde' }] });

export const paymentAnswer = answerFor<Payment>('Payment', 'Un pago a una factura.').with({
  id: member.rowId('Número del pago'),
  facturaproveedorId: member.rowId('Factura'),
  origenderecursoId: member.rowId('Origen de recurso').nullable(),
  checknum: member.text('Número de cheque'),
  paymentdate: member.day('Fecha de pago'),
  paymentamount: [
    member.amount('Cantidad pagada: lo que se abona a la factura, a su propio tipo de cambio'),
    'amountCents',
  ],
  importemoneda: [
    member
      .amount('De ello, lo que se indicó en la moneda de la factura; nulo: se indicó en pesos')
      .nullable(),
    'importemonedaCents',
  ],
  importebanco: [
    member.amount('Lo que salió del banco; nulo donde es igual a `paymentamount`').nullable(),
    ({ kind, importebancoCents: cents }) => (kind === 'pago' && cents !== null ? toDecimal(cents) : null),
  ],
  comments: member.text('Observaciones'),
  kind: member.choice(
    PAYMENT_KINDS,
    '`pago`: en dinero; `credito`: parte de una nota de crédito, sin cheque ni origen',
  ),
  creditNoteId: member.rowId('Nota de crédito de la que es parte').nullable(),
  rep: z.enum(REP_STATES).nullable().meta({
    description: 'Si ha llegado su recibo de pago (REP): `con` o `sin`; nulo donde no hace falta',
  }),
  userId: member.rowId('Quien lo registró o lo cambió por última vez'),
  createdAt: member.moment('Cuándo se registró'),
  version: member.rowVersion,
  facturaproveedor: {
    id: [member.rowId('Factura'), 'facturaproveedorId'],
    numfactura: member.text('Número de factura'),
    supplier: { suppliername: member.text('Proveedor') },
  },
  origenderecurso: [
    z
      .strictObject({
        id: member.rowId('Origen de recurso'),
        origenderecursonombre: member.nullableText('Nombre'),
      })
      .nullable(),
    ({ origenderecursoId: id, origenderecursonombre }) =>
      id === null ? null : { id, origenderecursonombre },
  ],
});

export const doublePaymentAnswer = answerFor<DoublePayment>(
  'DoublePayment',
  'Dos pagos que pudieron ser uno hecho dos veces.',
).with({
  id: [member.text('Los números de los dos, con un guion'), 'pair'],
  pagos: [
    z
      .array(member.rowId('Pago'))
      .length(2)
      .meta({ description: 'El más antiguo primero', examples: [[12, 31]] }),
    ({ payments }) => payments.map(({ id }) => id),
  ],
  importes: [
    z.array(member.amount('Importe')).length(2).meta({ description: 'Lo que salió del banco por cada uno' }),
    ({ payments }) => payments.map((payment) => toDecimal(bankAmountOf(payment))),
  ],
  razon: [
    member.choice(
      DOUBLE_PAYMENT_REASONS,
      '`importe`: el mismo en facturas que se parecen; `cheque`: el mismo número',
    ),
    'reason',
  ],
});

export const dismissDoublePaymentShape = z
  .strictObject({
    motivo: textField('Motivo', MAX_MOTIVO_LENGTH, 'motivo').meta({
      description: 'Por qué son dos pagos distintos',
    }),
  })
  .meta({ required: ['motivo'], examples: [{ motivo: 'Son dos entregas de la misma cantidad' }] });

export const savedPaymentAnswer = savedAnswer('payment', paymentAnswer, { id: 'SavedPayment' });

export const toPaymentFieldValues = (body: z.output<typeof paymentChangeShape>) =>
  toFieldValues(PAYMENT_FIELDS, body);
