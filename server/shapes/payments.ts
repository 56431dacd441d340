import { z } from 'zod';
import type { PaymentDraft } from '../../shared/payments.ts';
import {
  choiceField,
  dateField,
  directionField,
  idField,
  moneyField,
  textField,
  versionField,
  wholeField,
} from './fields.ts';

const paymentFields = {
  facturaproveedorId: idField('Factura'),
  origenderecursoId: idField('Origen de recurso'),
  checknum: textField('Número de cheque', 60, 'checknum'),
  paymentdate: dateField('Fecha de pago'),
  paymentamount: moneyField('Cantidad pagada'),
  comments: textField('Observaciones', 4000, 'comments'),
  /** sent by old clients; the acting user is the session's */
  userId: idField('Usuario'),
};

export const newPaymentShape = z.strictObject(paymentFields);

export const paymentChangeShape = z.strictObject({
  ...paymentFields,
  id: idField('id'),
  version: versionField,
});

export const paymentQueryShape = z.strictObject({
  userId: idField('Usuario'),
  facturaproveedorId: idField('Factura'),
  checknum: textField('Número de cheque', 60, 'checknum'),
  paymentdateDesde: dateField('Pago desde'),
  paymentdateHasta: dateField('Pago hasta'),
  sortfield: choiceField('sortfield', ['id', 'paymentdate', 'fechavencimiento']),
  sorttype: directionField,
  limit: wholeField('limit', 1, 1000),
  cursor: textField('cursor', 400),
});

/** Wire names → the draft in cents; only members that were sent. The sender's userId counts for nothing. */
export function toPaymentDraft(fields: z.output<typeof newPaymentShape>): PaymentDraft {
  const { paymentamount, userId: _userId, ...rest } = fields;
  return { ...rest, amountCents: paymentamount };
}
