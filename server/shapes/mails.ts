import { z } from 'zod';
import { keysOf } from '../../shared/record-fields.ts';
import { MAIL_STATE_LABELS, type Mail } from '../services/mails/mail.ts';
import {
  choiceMember,
  countMember,
  momentMember,
  nullableTextMember,
  rowIdMember,
  textMember,
} from './answer-members.ts';
import { answerFor } from './answers.ts';
import { dateField, flagField, textField } from './fields.ts';

const recipientFields = {
  para: textField('Para', 254, 'para').meta({
    description: 'Otra dirección que la del proveedor; una sola',
  }),
  omitir: flagField('omitir').meta({
    description: 'Deja fuera a los proveedores sin dirección de correo; sin él no se escribe a nadie',
  }),
};

export const sendSupplierStatementShape = z
  .strictObject({ ...recipientFields, desde: dateField('Desde'), hasta: dateField('Hasta') })
  .meta({ id: 'SendStatement', examples: [{ para: 'cobranza@ejemplo.mx' }] });

export const sendPaymentReceiptRequestShape = z
  .strictObject({ ...recipientFields, corte: dateField('Corte').meta({ description: 'Por omisión hoy' }) })
  .meta({ id: 'SendReceiptsRequest', examples: [{ para: 'cobranza@ejemplo.mx' }] });

export const sendPaymentAdviceShape = z
  .strictObject({
    ...recipientFields,
    dia: flagField('dia').meta({ description: 'Con todo lo que se le pagó al proveedor ese día' }),
  })
  .meta({ id: 'SendAdvice', examples: [{ para: 'cobranza@ejemplo.mx' }] });

export const sendBatchAdvicesShape = z
  .strictObject(recipientFields)
  .meta({ id: 'SendAdvices', examples: [{ omitir: true }] });

export const retryMailShape = z.strictObject({}).meta({ examples: [{}] });

export const mailAnswer = answerFor<Mail>('Mail', 'Un correo de la bandeja de salida.').with({
  id: rowIdMember('Número del correo'),
  supplierId: rowIdMember('Proveedor'),
  suppliername: textMember('Su nombre'),
  para: textMember('La dirección'),
  asunto: textMember('El asunto'),
  estado: choiceMember(keysOf(MAIL_STATE_LABELS), '`fallo` no se intenta otra vez solo'),
  intentos: countMember('Veces que se ha intentado'),
  respuesta: nullableTextMember('Lo último que respondió el servidor de correo, o por qué no se llegó a él'),
  proximo: momentMember('Cuándo se intenta otra vez').nullable(),
  pedidoPor: [textMember('Quién lo pidió'), 'username'],
  createdAt: momentMember('Cuándo se pidió'),
  updatedAt: momentMember('Cuándo cambió por última vez'),
});
