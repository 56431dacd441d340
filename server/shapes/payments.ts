import { z } from 'zod';
import { toDecimal } from '../../shared/money.ts';
import { PAYMENT_FIELDS, PAYMENT_KINDS, type Payment, RECEIPT_STATES } from '../../shared/payments.ts';
import { toDraft } from '../../shared/record-fields.ts';
import { flagField, idField, motivoField, restoreShape, versionField } from './fields.ts';
import { membersOf } from './record-fields.ts';
import {
  amount,
  answering,
  day,
  moment,
  oneOf,
  rowId,
  rowVersion,
  text,
  textOrNone,
  warnings,
} from './wire.ts';

const paymentFields = {
  ...membersOf(PAYMENT_FIELDS),
  userId: idField('Usuario').meta({
    description: 'No cuenta: queda el usuario de la sesión',
    deprecated: true,
  }),
};

const allowProgrammed = flagField(
  'Registrar el pago, con `motivo`, aunque lo que falta de la factura esté en una programación que ya tiene el banco',
);

export const newPaymentShape = z
  .strictObject({ ...paymentFields, allowProgrammed, motivo: motivoField })
  .meta({
    id: 'NewPayment',
    required: ['facturaproveedorId', 'paymentamount'],
    examples: [{ facturaproveedorId: 1, paymentamount: 100, checknum: '1021', paymentdate: '2026-11-20' }],
  });

export const paymentChangeShape = z
  .strictObject({
    ...paymentFields,
    id: idField('id'),
    version: versionField,
    allowProgrammed,
    motivo: motivoField,
  })
  .meta({ id: 'PaymentChange', examples: [{ checknum: '1022' }] });

export const restorePaymentShape = restoreShape
  .extend({ allowProgrammed })
  .meta({ examples: [{ motivo: 'La nota llegó tarde' }] });

const invoiceOf = idField('Factura').meta({ description: 'La factura cuyo saldo se pregunta' });

export const pendingQueryShape = z
  .strictObject({
    facturaproveedorid: invoiceOf,
    facturaproveedorId: invoiceOf.meta({ description: 'Otra forma de escribirlo' }),
  })
  .meta({ examples: [{ facturaproveedorid: 1 }] });

export const pendingAnswer = z
  .strictObject({
    facturaproveedorId: rowId('Factura'),
    total: amount('Total de la factura'),
    totalamountpaid: amount('Suma de sus pagos'),
    pending: amount('Lo que falta por pagar'),
  })
  .meta({ id: 'PendingPayment', description: 'Lo que se debe de una factura.' });

export const paymentAnswer = z
  .strictObject({
    id: rowId('Número del pago'),
    facturaproveedorId: rowId('Factura'),
    origenderecursoId: rowId('Origen de recurso').nullable(),
    checknum: text('Número de cheque'),
    paymentdate: day('Fecha de pago'),
    paymentamount: amount('Cantidad pagada: lo que se abona a la factura, a su propio tipo de cambio'),
    importebanco: amount('Lo que salió del banco; nulo donde es igual a `paymentamount`').nullable(),
    comments: text('Observaciones'),
    kind: oneOf(
      PAYMENT_KINDS,
      '`pago`: en dinero; `credito`: parte de una nota de crédito, sin cheque ni origen',
    ),
    creditNoteId: rowId('Nota de crédito de la que es parte').nullable(),
    rep: z.enum(RECEIPT_STATES).nullable().meta({
      description: 'Si ha llegado su recibo de pago (REP): `con` o `sin`; nulo donde no hace falta',
    }),
    userId: rowId('Quien lo registró o lo cambió por última vez'),
    createdAt: moment('Cuándo se registró'),
    version: rowVersion,
    facturaproveedor: z.strictObject({
      id: rowId('Factura'),
      numfactura: text('Número de factura'),
      supplier: z.strictObject({ suppliername: text('Proveedor') }),
    }),
    origenderecurso: z
      .strictObject({ id: rowId('Origen de recurso'), origenderecursonombre: textOrNone('Nombre') })
      .nullable(),
  })
  .meta({ id: 'Payment', description: 'Un pago a una factura.' });

export const savedPaymentAnswer = paymentAnswer.extend({ warnings }).meta({ id: 'SavedPayment' });

const answerPayment = answering(paymentAnswer);

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

export const toPaymentDraft = (sent: z.output<typeof paymentChangeShape>) => toDraft(PAYMENT_FIELDS, sent);
