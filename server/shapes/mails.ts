import { z } from 'zod';
import { keysOf } from '../../shared/record-fields.ts';
import { MAIL_STATE_LABELS, type Mail } from '../services/mails/mail.ts';
import * as member from './answer-members.ts';
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
  id: member.rowId('Número del correo'),
  supplierId: member.rowId('Proveedor'),
  suppliername: member.text('Su nombre'),
  para: member.text('La dirección'),
  asunto: member.text('El asunto'),
  estado: member.choice(keysOf(MAIL_STATE_LABELS), '`fallo` no se intenta otra vez solo'),
  intentos: member.count('Veces que se ha intentado'),
  respuesta: member.nullableText('Lo último que respondió el servidor de correo, o por qué no se llegó a él'),
  proximo: member.moment('Cuándo se intenta otra vez').nullable(),
  pedidoPor: [member.text('Quién lo pidió'), 'username'],
  createdAt: member.moment('Cuándo se pidió'),
  updatedAt: member.moment('Cuándo cambió por última vez'),
});
