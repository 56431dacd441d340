import { z } from 'zod';
import { type FundRow, MOVEMENT_KINDS, type Movement, VOUCHER_KINDS } from '../../shared/petty-cash.ts';
import type { CashCount, Replenishment, ReplenishmentWithMovement } from '../../shared/petty-cash-counts.ts';
import {
  amountMember,
  booleanMember,
  choiceMember,
  countMember,
  dayMember,
  momentMember,
  nullableDayMember,
  nullableTextMember,
  rowIdMember,
  rowVersionMember,
  textMember,
} from './answer-members.ts';
import { answerFor, nullableAnswer, savedAnswer, signatureNoteMember } from './answers.ts';

const nullableAmountMember = (description: string) => amountMember(description).nullable();

export const fundAnswer = answerFor<FundRow>('PettyCashFund', 'Una caja chica.').with({
  id: rowIdMember('Número de la caja'),
  nombre: textMember('Nombre'),
  responsableId: rowIdMember('El usuario que la tiene'),
  responsable: textMember('Su nombre'),
  jobId: rowIdMember('Obra de la caja').nullable(),
  montofijo: nullableAmountMember('Lo que tiene cuando todo está repuesto'),
  tope: nullableAmountMember('Lo más que puede ser un gasto; null: el de la configuración'),
  origenderecursoId: rowIdMember('De dónde sale su dinero; null: nadie lo ha dicho').nullable(),
  pagosOrigenId: rowIdMember('Los pagos a proveedores con este origen salen de ella').nullable(),
  openedOn: dayMember('Fecha de apertura'),
  comments: textMember('Observaciones'),
  saldo: amountMember(
    'Lo que hay en ella: la suma de sus movimientos, menos los pagos a proveedores que salen de ella',
  ),
  porComprobar: amountMember('De lo gastado, lo que espera su comprobante'),
  vencido: amountMember('De ello, lo que ya debía estar comprobado'),
  porReponer: amountMember('De lo gastado, lo comprobado que no se ha repuesto, se haya pedido o no'),
  solicitado: amountMember('De ello, lo que ya se pidió'),
  porAutorizar: amountMember(
    'Lo que se pidió para la caja, por gastos o no, y espera a que otra persona lo autorice',
  ),
  closedOn: nullableDayMember('Cuándo se cerró; null: está abierta'),
  createdAt: momentMember('Cuándo se capturó'),
  version: rowVersionMember,
});

export const movementAnswer = answerFor<Movement>(
  'PettyCashMovement',
  'Un movimiento de una caja chica.',
).with({
  id: rowIdMember('Número del movimiento'),
  fundId: rowIdMember('Su caja'),
  tipo: choiceMember(MOVEMENT_KINDS, 'Lo que es'),
  fecha: dayMember('Fecha'),
  beneficiario: textMember('A quién se pagó'),
  concepto: textMember('Concepto'),
  comprobante: choiceMember(VOUCHER_KINDS, 'Con qué se comprueba un gasto'),
  folio: textMember('Número del comprobante'),
  uuid: nullableTextMember('De un CFDI'),
  subtotal: amountMember('Sin IVA'),
  iva: amountMember('IVA'),
  importe: amountMember('Subtotal más IVA; negativo solo en un ajuste'),
  jobId: rowIdMember('Obra del gasto').nullable(),
  rubroId: rowIdMember('Rubro del gasto').nullable(),
  comprobarAntes: nullableDayMember('Hasta cuándo se espera el comprobante; null: no se espera'),
  replenishmentId: rowIdMember('La reposición que lo pide, o que es').nullable(),
  countId: rowIdMember('El arqueo cuya diferencia es').nullable(),
  origenderecursoId: rowIdMember('De dónde vino, o a dónde fue').nullable(),
  comments: textMember('Observaciones'),
  createdAt: momentMember('Cuándo se capturó'),
  version: rowVersionMember,
});

export const savedMovementAnswer = savedAnswer('movement', movementAnswer);

/** A row of the list, which leaves out the movement that paid the replenishment. */
export const replenishmentRowAnswer = answerFor<Replenishment>().with({
  id: rowIdMember('Número de la reposición'),
  fundId: rowIdMember('Su caja'),
  tipo: choiceMember(['reposicion', 'apertura', 'ajuste'], 'Lo que entra a la caja'),
  concepto: textMember('Concepto, si no es de gastos'),
  fecha: dayMember('La del dinero'),
  estado: choiceMember(['solicitada', 'pagada'], '`solicitada` espera a que otra persona la autorice'),
  importe: amountMember('Lo que se pide; de una reposición, la suma de sus gastos'),
  gastos: [countMember('Cuántos gastos repone'), 'count'],
  requestedBy: rowIdMember('Quien la pidió'),
  authorizedBy: rowIdMember('Quien la autorizó').nullable(),
  aviso: [signatureNoteMember, ({ note }) => note?.text ?? null],
  comments: textMember('Observaciones'),
  createdAt: momentMember('Cuándo se pidió'),
  version: rowVersionMember,
});

export const replenishmentAnswer = answerFor<Replenishment & Pick<ReplenishmentWithMovement, 'movement'>>(
  'PettyCashReplenishment',
  'Dinero que se pide para la caja.',
).with({
  ...replenishmentRowAnswer.members,
  movimiento: [nullableAnswer(movementAnswer, 'El dinero que entró a la caja'), 'movement'],
});

export const cashCountAnswer = answerFor<CashCount>('PettyCashCount', 'Un arqueo de una caja chica.').with({
  id: rowIdMember('Número del arqueo'),
  fundId: rowIdMember('Su caja'),
  fecha: dayMember('Fecha'),
  denominaciones: [
    z.record(z.string(), z.int()).meta({ description: 'Cuántas piezas había de cada una' }),
    'pieces',
  ],
  contado: amountMember('Lo que había'),
  esperado: amountMember('Lo que debía haber en ese momento'),
  diferencia: amountMember('Contado menos esperado: negativo es faltante'),
  porComprobar: amountMember('Lo que estaba por comprobar'),
  porReponer: amountMember('Lo que estaba por reponer'),
  lastMovementId: rowIdMember('El último movimiento que contó').nullable(),
  sorpresa: booleanMember('Sin avisar'),
  comments: textMember('Observaciones'),
  userId: rowIdMember('Quien contó'),
  responsableId: rowIdMember('Quien tenía la caja; null: no se guardaba').nullable(),
  recibeId: rowIdMember('A quien se entregó la caja con este arqueo; null: a nadie').nullable(),
  ajusteId: [rowIdMember('El movimiento que ajustó la diferencia').nullable(), 'adjustmentId'],
  createdAt: momentMember('Cuándo'),
});
