import { z } from 'zod';
import { DomainError } from '../../shared/errors.ts';
import { toDecimal } from '../../shared/money.ts';
import {
  BATCH_FIELDS,
  BATCH_STATES,
  BATCH_STEPS,
  type BatchDraft,
  type BatchLine,
  CHECK_LEVELS,
  type FullBatch,
  isHeld,
  isPartlyPaid,
  MOST_LINES,
  type PaymentBatch,
  splitOf,
} from '../../shared/payment-batches.ts';
import {
  dateField,
  idField,
  moneyField,
  motivoField,
  signedVersionField,
  textField,
  versionField,
} from './fields.ts';
import { membersOf } from './record-fields.ts';
import {
  amount,
  answering,
  count,
  day,
  dayOrNone,
  flag,
  moment,
  oneOf,
  person,
  rowId,
  rowVersion,
  text,
  textOrNone,
  warnings,
} from './wire.ts';

const lineShape = z.strictObject({
  facturaproveedorId: idField('Factura'),
  importe: moneyField('Importe').meta({
    description: 'Lo que se paga de ella; sin él, lo que se debe y no está en otra programación abierta',
  }),
});

const fields = {
  ...membersOf(BATCH_FIELDS),
  fecha: dateField('Fecha').meta({ description: 'La de sus pagos' }),
  partidas: z
    .array(lineShape)
    .max(MOST_LINES)
    .optional()
    .meta({ description: 'Las facturas que se pagan, cada una una vez' }),
};

export const newBatchShape = z.strictObject(fields).meta({
  id: 'NewPaymentBatch',
  required: ['fecha', 'origenderecursoId', 'partidas'],
  examples: [
    { fecha: '2026-11-27', origenderecursoId: 1, partidas: [{ facturaproveedorId: 1, importe: 100 }] },
  ],
});

export const batchChangeShape = z
  .strictObject({ ...fields, id: idField('id'), version: versionField })
  .meta({ id: 'PaymentBatchChange', examples: [{ comments: 'La del viernes' }] });

export const batchStepShape = z.strictObject({ version: versionField }).meta({ examples: [{}] });

/** Nobody can sign a version that he has not read. */
export const signBatchShape = z
  .strictObject({ version: signedVersionField })
  .meta({ id: 'SignPaymentBatch', required: ['version'], examples: [{ version: 1 }] });

/** A step that makes payments or deletes them may need a reason. */
export const datedStepShape = batchStepShape.extend({ motivo: motivoField }).meta({ examples: [{}] });

export const payBatchShape = datedStepShape
  .extend({
    cheque: textField('Primer número de cheque', 60, 'cheque').meta({
      description: 'Uno por proveedor, consecutivos, con los mismos ceros a la izquierda',
    }),
    referencia: textField('Referencia', 60, 'referencia').meta({
      description: 'La misma en todos los pagos; en vez de `cheque`',
    }),
  })
  .meta({ id: 'PayPaymentBatch', examples: [{ cheque: '0101' }] });

export const permitShape = signBatchShape
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

const findingAnswer = z.strictObject({
  code: text('Qué revisión lo encontró'),
  nivel: oneOf(CHECK_LEVELS, '`impedir` detiene la partida; `avisar` no'),
  motivo: text('Qué se encontró'),
  origen: text('De dónde se sabe'),
  fecha: dayOrNone('De qué día es'),
  remedio: text('La página donde se corrige'),
});

const lineAnswer = z.strictObject({
  facturaproveedorId: rowId('Factura'),
  importe: amount('Lo que se paga de ella'),
  pendiente: amount('Lo que se debe de ella ahora'),
  detenida: flag('No se paga mientras nadie la autorice de todos modos'),
  pagada: flag('Hay un pago de esta partida'),
  paymentId: rowId('Su pago').nullable(),
  veredicto: z.strictObject({
    paso: oneOf(BATCH_STEPS, 'Cuándo se revisó'),
    at: moment('Cuándo se revisó'),
    hallazgos: z.array(findingAnswer).meta({ description: 'Lo que se encontró; vacío: nada' }),
  }),
  permiso: z
    .strictObject({
      userId: rowId('Quién la autorizó de todos modos'),
      username: text('Quién la autorizó de todos modos'),
      at: moment('Cuándo'),
      codes: z.array(z.string()).meta({ description: 'Lo que se autorizó de todos modos' }),
      motivo: text('Por qué'),
    })
    .nullable(),
  facturaproveedor: z.strictObject({
    id: rowId('Factura'),
    numfactura: text('Número de factura'),
    vence: day('Vencimiento'),
    total: amount('Total de la factura'),
    supplier: z.strictObject({
      id: rowId('Proveedor'),
      suppliername: text('Proveedor'),
      rfc: textOrNone('RFC'),
    }),
    job: z.strictObject({ jobtitle: text('Obra') }),
  }),
});

export const batchAnswer = z
  .strictObject({
    id: rowId('Número de la programación'),
    fecha: day('La de sus pagos'),
    origenderecursoId: rowId('Origen de recurso'),
    estado: oneOf(BATCH_STATES, 'Hasta dónde ha llegado'),
    parcial: flag('Pagada, pero no toda: una partida estaba retenida, o su pago se eliminó'),
    comments: text('Observaciones'),
    facturas: count('Cuántas paga'),
    proveedores: count('A cuántos'),
    total: amount('Suma de sus partidas'),
    pagado: amount('De ello, lo que tiene pago'),
    autor: person('Quien la hizo'),
    editor: person('Quien dijo por última vez qué paga'),
    enviadaPor: textOrNone('Quien la mandó al banco'),
    enviada: dayOrNone('Cuándo se mandó al banco'),
    pagadaPor: textOrNone('Quien la pagó'),
    pagadaAt: moment('Cuándo se pagó').nullable(),
    createdAt: moment('Cuándo se hizo'),
    updatedAt: moment('Cuándo cambió por última vez'),
    version: rowVersion,
    origenderecurso: z.strictObject({
      id: rowId('Origen de recurso'),
      origenderecursonombre: text('Nombre'),
    }),
  })
  .meta({ id: 'PaymentBatch', description: 'Una programación de pagos.' });

export const fullBatchAnswer = batchAnswer
  .extend({
    pagable: amount('Suma de las partidas que no están retenidas'),
    detenido: amount('Suma de las retenidas; con lo pagable da el total'),
    firmas: z.array(
      z.strictObject({
        userId: rowId('Quién firmó'),
        username: text('Quién firmó'),
        at: moment('Cuándo'),
        vigente: flag('Quien firmó todavía puede firmar; si no, no cuenta'),
      }),
    ),
    partidas: z.array(lineAnswer),
  })
  .meta({ id: 'FullPaymentBatch', description: 'Una programación de pagos con sus partidas.' });

export const paidBatchAnswer = fullBatchAnswer
  .extend({ warnings })
  .meta({ id: 'PaidPaymentBatch', description: 'Una programación de pagos que se acaba de pagar.' });

const answerBatch = answering(batchAnswer);
const answerLine = answering(lineAnswer);

export const toBatchJson = (batch: PaymentBatch) =>
  answerBatch(batch, {
    parcial: isPartlyPaid(batch),
    facturas: batch.count,
    proveedores: batch.suppliers,
    pagado: toDecimal(batch.paidCents),
    autor: { id: batch.createdBy, username: batch.author },
    editor: { id: batch.editedBy, username: batch.editor },
    enviadaPor: batch.sender,
    enviada: batch.sentOn,
    pagadaPor: batch.payer,
    pagadaAt: batch.paidAt,
    origenderecurso: {
      id: batch.origenderecursoId,
      origenderecursonombre: batch.origenderecursonombre,
    },
  });

export function toFullBatchJson(batch: FullBatch): z.output<typeof fullBatchAnswer> {
  const { payableCents, heldCents } = splitOf(batch.lines);
  return {
    ...toBatchJson(batch),
    pagable: toDecimal(payableCents),
    detenido: toDecimal(heldCents),
    firmas: batch.signatures.map(({ isCurrent, ...firma }) => ({ ...firma, vigente: isCurrent })),
    partidas: batch.lines.map(toLineJson),
  };
}

function toLineJson(line: BatchLine) {
  const { verdict, permit, invoiceId, numfactura, vence, supplierId, suppliername, rfc, jobtitle } = line;
  return answerLine(line, {
    facturaproveedorId: invoiceId,
    importe: toDecimal(line.amountCents),
    pendiente: toDecimal(line.pendingCents),
    detenida: isHeld(line),
    pagada: line.paymentId !== null,
    veredicto: {
      paso: verdict.step,
      at: verdict.at,
      hallazgos: verdict.findings.map(({ code, level, reason, source, date, remedy }) => ({
        code,
        nivel: level,
        motivo: reason,
        origen: source,
        fecha: date,
        remedio: remedy,
      })),
    },
    permiso: permit && {
      userId: permit.userId,
      username: permit.username,
      at: permit.at,
      codes: [...permit.codes],
      motivo: permit.reason,
    },
    facturaproveedor: {
      id: invoiceId,
      numfactura,
      vence,
      total: toDecimal(line.totalCents),
      supplier: { id: supplierId, suppliername, rfc },
      job: { jobtitle },
    },
  });
}

/** Wire names → the draft in cents. @throws DomainError invalid where a line names no invoice */
export function toBatchDraft({ partidas, ...rest }: z.output<typeof newBatchShape>): BatchDraft {
  const lines = partidas?.map(({ facturaproveedorId: invoiceId, importe }, index) => {
    if (invoiceId) return { invoiceId, amountCents: importe };
    const message = `Partida ${index + 1}: falta la factura.`;
    throw new DomainError('invalid', message, { fields: { partidas: message } });
  });
  return { ...rest, lines };
}
