import { z } from 'zod';
import { toDecimal } from '../../shared/money.ts';
import { readSettingsOnce, requireSession } from '../http/session.ts';
import { type AwaitedSignature, readAwaitedSignatures, SIGNATURE_KINDS } from '../services/notices/tasks.ts';
import * as member from '../shapes/answer-members.ts';
import { answerFor, listAnswer } from '../shapes/answers.ts';
import { createEndpoints } from './calls.ts';

const awaitedSignatureAnswer = answerFor<AwaitedSignature>(
  'AwaitedSignature',
  'Lo que espera la firma de quien pregunta.',
).with({
  tipo: [member.choice(SIGNATURE_KINDS, 'Qué se firma; `aumento`: más dinero para una caja abierta'), 'kind'],
  id: z
    .union([z.int().min(1), z.string()])
    .meta({ description: 'Del documento o de la solicitud; de una plantilla, su clave', examples: [1] }),
  titulo: [member.text('La programación, la caja, el proveedor o la plantilla'), 'title'],
  importe: [
    member.amount('Lo que se firma, sin lo retenido; null en cuentas y plantillas').nullable(),
    ({ cents }) => (cents === null ? null : toDecimal(cents)),
  ],
  desde: [member.moment('Desde cuándo espera'), 'since'],
  href: member.text('La página en la que se firma'),
});

const endpoints = createEndpoints('Firmas');
export const signaturesApi = endpoints.app;

endpoints.reads('/firmas', {
  summary: 'Lo que espera mi firma',
  text: 'Programaciones, dinero de cajas, cuentas de proveedores y plantillas de banco que quien pregunta puede firmar; lo que hizo, cambió o tiene en su caja, no. La campana cuenta lo mismo.',
  returns: 'Lo que más espera, primero; vacía para quien no firma',
  answer: listAnswer(awaitedSignatureAnswer),
  run: async ({ c, db }) =>
    readAwaitedSignatures(db, requireSession(c), await readSettingsOnce(c), c.get('now')),
});
