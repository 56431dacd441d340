import { z } from 'zod';
import { DomainError } from '../../shared/errors.ts';
import { toDecimal } from '../../shared/money.ts';
import {
  BATCH_FIELDS,
  BATCH_STATES,
  type BatchInput,
  type BatchLine,
  type BatchSignature,
  CHECK_LEVELS,
  CHECKED_STEPS,
  type Finding,
  type FindingsPermit,
  type FullBatch,
  isHeldLine,
  isPartlyPaid,
  MAX_BATCH_LINES,
  type PaymentBatch,
  type Verdict,
} from '../../shared/payment-batches.ts';
import * as member from './answer-members.ts';
import { answerFor, listAnswer, nullableAnswer, savedAnswer, signatureNoteMember } from './answers.ts';
import {
  dateField,
  idField,
  moneyField,
  motivoField,
  parseId,
  signatureVersionField,
  textField,
  versionField,
} from './fields.ts';
import { toRequestMembers } from './record-fields.ts';

const lineShape = z.strictObject({
  facturaproveedorId: idField('Factura'),
  importe: moneyField('Importe').meta({
    description: 'Lo que se paga de ella; sin él, lo que se debe y no está en otra programación abierta',
  }),
});

const batchMembers = {
  ...toRequestMembers(BATCH_FIELDS),
  fecha: dateField('Fecha').meta({ description: 'La de sus pagos' }),
  partidas: z
    .array(lineShape)
    .max(MAX_BATCH_LINES)
    .optional()
    .meta({ description: 'Las facturas que se pagan, cada una una vez' }),
};

export const newBatchShape = z.strictObject(batchMembers).meta({
  id: 'NewPaymentBatch',
  required: ['fecha', 'origenderecursoId', 'partidas'],
  examples: [
    { fecha: '2026-11-27', origenderecursoId: 1, partidas: [{ facturaproveedorId: 1, importe: 100 }] },
  ],
});

export const batchChangeShape = z
  .strictObject({ ...batchMembers, id: idField('id'), version: versionField })
  .meta({ id: 'PaymentBatchChange', examples: [{ comments: 'La del viernes' }] });

export const batchStepShape = z.strictObject({ version: versionField }).meta({ examples: [{}] });

export const signBatchShape = z
  .strictObject({ version: signatureVersionField })
  .meta({ id: 'SignPaymentBatch', required: ['version'], examples: [{ version: 1 }] });

export const batchStepWithReasonShape = batchStepShape
  .extend({ motivo: motivoField })
  .meta({ examples: [{}] });

export const payBatchShape = batchStepWithReasonShape
  .extend({
    cheque: textField('Primer número de cheque', 60, 'cheque').meta({
      description: 'Uno por proveedor, consecutivos, con los mismos ceros a la izquierda',
    }),
    importesbanco: z.record(z.string(), moneyField('Importe del banco')).optional().meta({
      description:
        'Lo que salió del banco por cada partida en otra moneda, por el número de su factura; hace falta para todas las que se pagan',
    }),
    referencia: textField('Referencia', 60, 'referencia').meta({
      description: 'La misma en todos los pagos; en vez de `cheque`',
    }),
  })
  .meta({ id: 'PayPaymentBatch', examples: [{ cheque: '0101' }] });

export const permitLineShape = signBatchShape
  .extend({
    motivo: textField('Motivo', 500, 'motivo').meta({
      description: 'Por qué se paga de todos modos: queda en la partida y en la bitácora',
    }),
  })
  .meta({
    id: 'PermitPaymentBatchLine',
    required: ['version', 'motivo'],
    examples: [{ version: 1, motivo: 'El proveedor corrige su RFC mañana' }],
  });

export const newBankFileShape = z
  .strictObject({
    plantilla: textField('Plantilla', 40, 'plantilla').meta({
      description: 'Una de las que sirven para su origen de recurso',
    }),
    version: versionField,
  })
  .meta({ id: 'NewBankFile', required: ['plantilla'], examples: [{ plantilla: 'csv' }] });

const findingAnswer = answerFor<Finding>().with({
  code: member.text('Qué revisión lo encontró'),
  nivel: [member.choice(CHECK_LEVELS, '`impedir` detiene la partida; `avisar` no'), 'level'],
  motivo: [member.text('Qué se encontró'), 'reason'],
  origen: [member.text('De dónde se sabe'), 'source'],
  fecha: [member.nullableDay('De qué día es'), 'date'],
  remedio: [member.text('La página donde se corrige'), 'remedy'],
});

const verdictAnswer = answerFor<Verdict>().with({
  paso: [member.choice(CHECKED_STEPS, 'Cuándo se revisó'), 'step'],
  at: member.moment('Cuándo se revisó'),
  hallazgos: [listAnswer(findingAnswer, 'Lo que se encontró; vacío: nada'), 'findings'],
});

const permitAnswer = answerFor<FindingsPermit>().with({
  userId: member.rowId('Quién la autorizó de todos modos'),
  username: member.text('Quién la autorizó de todos modos'),
  at: member.moment('Cuándo'),
  codes: z.array(z.string()).meta({ description: 'Lo que se autorizó de todos modos' }),
  motivo: [member.text('Por qué'), 'reason'],
});

const lineAnswer = answerFor<BatchLine>().with({
  facturaproveedorId: [member.rowId('Factura'), 'invoiceId'],
  importe: [member.amount('Lo que se paga de ella'), 'amountCents'],
  moneda: [
    member.nullableText('Moneda de la factura; nulo: está en pesos'),
    ({ foreign }) => foreign?.moneda ?? null,
  ],
  importemoneda: [
    member.amount('Lo que se paga de ella en su moneda, al tipo de cambio de la factura').nullable(),
    ({ foreign }) => (foreign ? toDecimal(foreign.cents) : null),
  ],
  pendiente: [member.amount('Lo que se debe de ella ahora'), 'pendingCents'],
  detenida: [member.boolean('No se paga mientras nadie la autorice de todos modos'), isHeldLine],
  pagada: [member.boolean('Hay un pago de esta partida'), ({ paymentId }) => paymentId !== null],
  paymentId: member.rowId('Su pago').nullable(),
  veredicto: [verdictAnswer, 'verdict'],
  permiso: [nullableAnswer(permitAnswer), 'permit'],
  facturaproveedor: {
    id: [member.rowId('Factura'), 'invoiceId'],
    numfactura: member.text('Número de factura'),
    vence: member.day('Vencimiento'),
    total: member.amount('Total de la factura'),
    supplier: {
      id: [member.rowId('Proveedor'), 'supplierId'],
      suppliername: member.text('Proveedor'),
      rfc: member.nullableText('RFC'),
    },
    job: { jobtitle: member.text('Obra') },
  },
});

const personMembers = <const Id, const Name>(description: string, id: Id, username: Name) =>
  ({ id: [member.rowId(description), id], username: [member.text(description), username] }) as const;

export const batchAnswer = answerFor<PaymentBatch>('PaymentBatch', 'Una programación de pagos.').with({
  id: member.rowId('Número de la programación'),
  fecha: member.day('La de sus pagos'),
  origenderecursoId: member.rowId('Origen de recurso'),
  estado: member.choice(BATCH_STATES, 'Hasta dónde ha llegado'),
  parcial: [
    member.boolean('Pagada, pero no toda: una partida estaba retenida, o su pago se eliminó'),
    isPartlyPaid,
  ],
  comments: member.text('Observaciones'),
  facturas: [member.count('Cuántas paga'), 'count'],
  proveedores: [member.count('A cuántos'), 'suppliers'],
  total: member.amount('Suma de sus partidas'),
  pagado: [member.amount('De ello, lo que tiene pago'), 'paidCents'],
  autor: personMembers('Quien la hizo', 'createdBy', 'author'),
  editor: personMembers('Quien dijo por última vez qué paga', 'editedBy', 'editor'),
  enviadaPor: [member.nullableText('Quien la mandó al banco'), 'sender'],
  enviada: [member.nullableDay('Cuándo se mandó al banco'), 'sentOn'],
  pagadaPor: [member.nullableText('Quien la pagó'), 'payer'],
  pagadaAt: [member.moment('Cuándo se pagó').nullable(), 'paidAt'],
  createdAt: member.moment('Cuándo se hizo'),
  updatedAt: member.moment('Cuándo cambió por última vez'),
  version: member.rowVersion,
  origenderecurso: {
    id: [member.rowId('Origen de recurso'), 'origenderecursoId'],
    origenderecursonombre: member.text('Nombre'),
  },
});

const signatureAnswer = answerFor<BatchSignature>().with({
  userId: member.rowId('Quién firmó'),
  username: member.text('Quién firmó'),
  at: member.moment('Cuándo'),
  vigente: [member.boolean('Quien firmó todavía puede firmar; si no, no cuenta'), 'isCurrent'],
  aviso: [signatureNoteMember, ({ note }) => note?.text ?? null],
});

export const fullBatchAnswer = answerFor<FullBatch>(
  'FullPaymentBatch',
  'Una programación de pagos con sus partidas.',
).with({
  ...batchAnswer.members,
  pagable: [
    member.amount('Suma de las partidas que no están retenidas'),
    ({ totalCents, heldCents }) => toDecimal(totalCents - heldCents),
  ],
  detenido: [member.amount('Suma de las retenidas; con lo pagable da el total'), 'heldCents'],
  firmas: [listAnswer(signatureAnswer), 'signatures'],
  partidas: [listAnswer(lineAnswer), 'lines'],
});

export const paidBatchAnswer = savedAnswer('batch', fullBatchAnswer, {
  id: 'PaidPaymentBatch',
  description: 'Una programación de pagos que se acaba de pagar.',
});

/** @throws DomainError invalid where a key names no invoice */
export const toBankAmounts = (amounts: z.output<typeof payBatchShape>['importesbanco'] = {}) =>
  new Map(
    Object.entries(amounts).flatMap(([id, cents]) =>
      cents === undefined ? [] : [[parseId(id, 'Factura'), cents] as const],
    ),
  );

/** @throws DomainError invalid where a line names no invoice */
export function toBatchInput({ partidas, ...rest }: z.output<typeof newBatchShape>): BatchInput {
  const lines = partidas?.map(({ facturaproveedorId: invoiceId, importe }, index) => {
    if (invoiceId) return { invoiceId, amountCents: importe };
    const message = `Partida ${index + 1}: falta la factura.`;
    throw new DomainError('invalid', message, { fields: { partidas: message } });
  });
  return { ...rest, lines };
}
