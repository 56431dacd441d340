import { z } from 'zod';
import {
  type BankMovement,
  type BankRule,
  type BankStatement,
  type BankStatementLoadOutcome,
  bankStatementTexts,
  type FullBankStatement,
  MOVEMENT_CLASSES,
  MOVEMENT_OUTCOMES,
  OUTCOME_LABELS,
  RESOLUTIONS,
  type ResolutionInput,
  type ResolutionProposal,
} from '../../shared/bank-statements.ts';
import { toDecimal } from '../../shared/money.ts';
import { createRefusal, toDomainError } from '../../shared/refusal.ts';
import type { ResolutionOutcome } from '../services/bank-statements/resolving.ts';
import * as member from './answer-members.ts';
import { answerFor, listAnswer } from './answers.ts';
import {
  choiceField,
  cursorField,
  dateField,
  flagField,
  idField,
  idsField,
  limitField,
  moneyField,
  motivoField,
  signatureVersionField,
  textField,
  versionField,
} from './fields.ts';

export const importedBankStatementAnswer = answerFor<BankStatementLoadOutcome>('LoadedBankStatement').with({
  id: [
    member.rowId('Número del estado de cuenta; si no trajo nada nuevo, el del último de ese origen'),
    'statementId',
  ],
  nuevo: [member.boolean('Trajo algo que no se sabía'), 'bringsChanges'],
  movimientos: [member.count('Cuántos trae el archivo hasta hoy'), 'movements'],
  conocidos: [member.count('Cuántos ya se habían cargado y decidido'), 'known'],
  rechazados: [
    z.array(z.int().min(1)).meta({
      description: 'Renglones de después de hoy: no se toman en cuenta hasta que llegue su día',
    }),
    'refused',
  ],
  resultados: [
    z
      .strictObject({
        pagado: member.count('De pagos programados'),
        devuelto: member.count('Devueltos por el banco: sus facturas vuelven a deberse'),
        ambiguo: member.count('Que pueden ser de varias partidas, o de una que algo detiene'),
        'sin-partida': member.count('Sin programación'),
        nombrado: member.count('Que nombró una regla'),
      })
      .meta({ description: 'Qué resultó de los que no se conocían' }),
    'counts',
  ],
  warnings: z.array(z.string()).meta({
    description:
      'Los renglones que la hoja oculta, los movimientos que pueden ser de varias programaciones, y lo que el semáforo retendría de lo que el banco ya pagó',
  }),
});

const nullableIdMember = (description: string) => z.int().min(1).nullable().meta({ description });

export const bankStatementAnswer = answerFor<BankStatement>(
  'BankStatement',
  'Lo que un banco dijo de una cuenta.',
).with({
  id: member.rowId('Número del estado de cuenta'),
  origenderecursoId: member.rowId('De qué origen de recurso es la cuenta'),
  origenderecursonombre: member.text('Su nombre'),
  archivo: [member.text('Nombre del archivo'), 'filename'],
  cargadoPor: [member.text('Quién lo cargó'), 'username'],
  cargadoAt: [member.moment('Cuándo'), 'createdAt'],
  saldoinicial: [
    member.amount('Lo que había antes de sus movimientos; null: el banco no lo dijo').nullable(),
    'saldoinicialCents',
  ],
  saldofinal: [member.amount('Lo que quedó después de ellos').nullable(), 'saldofinalCents'],
  saldofecha: member.nullableDay('Del último movimiento: el saldo final es al terminar ese día'),
  saldorenglon: z.int().nullable().meta({
    description:
      'El renglón del archivo con el primer saldo que no sale del anterior y del movimiento; null: todos salen',
  }),
});

export const movementAnswer = answerFor<BankMovement>('BankMovement', 'Lo que el banco movió.').with({
  id: member.rowId('Número del movimiento'),
  estadoDeCuentaId: [member.rowId('El primer estado de cuenta que lo trajo'), 'statementId'],
  origenderecursoId: member.rowId('De qué origen de recurso es la cuenta'),
  fecha: member.day('Del banco'),
  importe: [member.amount('Negativo: salió de la cuenta'), 'amountCents'],
  referencia: member.text('La del banco'),
  descripcion: member.text('La del banco'),
  resultado: [
    member.choice(
      MOVEMENT_OUTCOMES,
      MOVEMENT_OUTCOMES.map((one) => `${one}: ${OUTCOME_LABELS[one]}`).join('; '),
    ),
    'outcome',
  ],
  programacionId: [nullableIdMember('De qué programación es; null: de ninguna que se sepa'), 'batchId'],
  supplierId: nullableIdMember('El proveedor al que se le pagó'),
  suppliername: member.nullableText('Su nombre'),
  clase: member.choice(MOVEMENT_CLASSES, 'Qué es, si se nombró; si no, null').nullable(),
  pagos: [
    z.array(z.int()).meta({ description: 'Los pagos a los que se ligó, o que se capturaron de él' }),
    'paymentIds',
  ],
  reposicionId: nullableIdMember('La solicitud de caja chica que pagó'),
  movimientocajaId: nullableIdMember('Lo que una caja chica devolvió al banco'),
  version: member.rowVersion,
});

export const resolvedMovementAnswer = answerFor<ResolutionOutcome>('ResolvedBankMovement').with({
  movimiento: [movementAnswer, 'movement'],
  nombrados: [member.count('Cuántos otros nombró la regla nueva'), 'classifiedCount'],
  quedan: [
    z.array(z.int()).meta({ description: 'Pagos capturados de un movimiento que se soltó: se quedan' }),
    'keptPaymentIds',
  ],
  warnings: member.warnings,
});

export const proposalAnswer = answerFor<ResolutionProposal>('BankMovementProposal').with({
  tipo: member.choice(RESOLUTIONS, 'El resultado que tendría el movimiento'),
  pagos: [
    z.array(z.int()).optional().meta({ description: 'Pagos ya capturados' }),
    ({ draft }) => draft.paymentIds,
  ],
  facturas: [
    z
      .array(
        z.strictObject({
          facturaproveedorId: member.rowId('La factura'),
          importe: member.amount('Lo que se debe de ella'),
        }),
      )
      .optional()
      .meta({ description: 'Facturas que suman lo que salió' }),
    ({ draft }) =>
      draft.invoices?.map(({ invoiceId, amountCents }) => ({
        facturaproveedorId: invoiceId,
        importe: toDecimal(amountCents!),
      })),
  ],
  reposicionId: [
    z.int().optional().meta({ description: 'Una solicitud de caja chica' }),
    ({ draft }) => draft.reposicionId,
  ],
  movimientocajaId: [
    z.int().optional().meta({ description: 'Una devolución de caja chica' }),
    ({ draft }) => draft.movimientocajaId,
  ],
  clase: [member.choice(MOVEMENT_CLASSES, 'Qué dice que es').optional(), ({ draft }) => draft.clase],
  razon: [
    member.text('Por qué, qué es, y qué hay que ver antes'),
    ({ razon, warning }) => (warning ? `${razon.replace(/\.$/, '')}. ${warning}` : razon),
  ],
});

export const ruleAnswer = answerFor<BankRule>('BankRule', 'Nombra lo que el banco dice siempre igual.').with({
  id: member.rowId('Número de la regla'),
  origenderecursoId: member.rowId('De qué origen de recurso es la cuenta'),
  origenderecursonombre: member.text('Su nombre'),
  siempre: [member.text('Lo que el movimiento dice, sin distinguir mayúsculas ni acentos'), 'texto'],
  entra: member.boolean('Nombra lo que entra a la cuenta; si no, lo que sale'),
  clase: member.choice(MOVEMENT_CLASSES, 'Cómo lo nombra'),
  username: member.text('Quién la hizo'),
  createdAt: member.moment('Cuándo'),
});

const settledInvoiceShape = z.strictObject({
  facturaproveedorId: idField('Factura'),
  importe: moneyField('Importe').meta({ description: 'Lo que se le abona; sin él, lo que se debe de ella' }),
  importebanco: moneyField('Salió del banco').meta({
    description: 'Lo que salió del banco por ella: solo de una factura en otra moneda, y ahí es necesario',
  }),
});

export const resolveMovementShape = z
  .strictObject({
    version: signatureVersionField,
    pagos: idsField('Los pagos que ya están capturados y suman lo que el movimiento'),
    facturas: z
      .array(settledInvoiceShape)
      .max(100)
      .optional()
      .meta({ description: 'Las facturas de las que se captura un pago, con su fecha' }),
    reposicionId: idField('La solicitud de caja chica que pagó'),
    movimientocajaId: idField('Lo que una caja chica devolvió al banco'),
    clase: choiceField('Qué es', MOVEMENT_CLASSES),
    siempre: textField('siempre', 60).meta({
      description: 'Con `clase`: nombra así todo lo que lo diga en esta cuenta, ahora y en cada carga',
    }),
    allowProgrammed: flagField('Captura aunque la factura esté en una programación enviada; con `motivo`'),
    motivo: motivoField,
  })
  .meta({ id: 'ResolveBankMovement', required: ['version'], examples: [{ version: 1, clase: 'comision' }] });

export const movementStepShape = z
  .strictObject({ version: versionField })
  .meta({ examples: [{ version: 1 }] });

export const movementsQueryShape = z
  .strictObject({
    origenderecursoId: idField('De qué origen de recurso'),
    desde: dateField('Desde qué día'),
    hasta: dateField('Hasta qué día'),
    abierto: flagField('Solo los abiertos; `false`: solo los resueltos'),
    limit: limitField,
    cursor: cursorField,
  })
  .meta({ examples: [{ origenderecursoId: 1, abierto: true }] });

/** @throws DomainError invalid where one of `facturas` names no invoice */
export function toResolutionInput(body: z.output<typeof resolveMovementShape>): ResolutionInput {
  const { pagos, facturas, reposicionId, movimientocajaId, clase, siempre } = body;
  return {
    paymentIds: pagos,
    invoices: facturas?.map(({ facturaproveedorId, importe, importebanco }) => {
      if (!facturaproveedorId) throw toDomainError(createRefusal(bankStatementTexts.noInvoice, 'facturas'));
      return { invoiceId: facturaproveedorId, amountCents: importe, importebancoCents: importebanco };
    }),
    reposicionId: reposicionId ?? undefined,
    movimientocajaId: movimientocajaId ?? undefined,
    clase,
    siempre,
  };
}

export const fullBankStatementAnswer = answerFor<FullBankStatement>(
  'FullBankStatement',
  'El mismo, con todos los movimientos de su archivo.',
).with({ ...bankStatementAnswer.members, movimientos: [listAnswer(movementAnswer), 'movements'] });
