import { z } from 'zod';
import { type FundRow, MOVEMENT_KINDS, type Movement, VOUCHER_KINDS } from '../../shared/petty-cash.ts';
import type { CashCount, Replenishment, ReplenishmentWithMovement } from '../../shared/petty-cash-counts.ts';
import {
  amount,
  count,
  day,
  flag,
  moment,
  nullableDay,
  nullableText,
  oneOf,
  rowId,
  rowVersion,
  text,
} from './answer-members.ts';
import { answerFor, nullableAnswer, savedAnswer, signatureNoteMember } from './answers.ts';

const nullableAmount = (description: string) => amount(description).nullable();

export const fundAnswer = answerFor<FundRow>('PettyCashFund', 'Una caja chica.').with({
  id: rowId('Número de la caja'),
  nombre: text('Nombre'),
  responsableId: rowId('El usuario que la tiene'),
  responsable: text('Su nombre'),
  jobId: rowId('Obra de la caja').nullable(),
  montofijo: nullableAmount('Lo que tiene cuando todo está repuesto'),
  tope: nullableAmount('Lo más que puede ser un gasto; null: el de la configuración'),
  origenderecursoId: rowId('De dónde sale su dinero; null: nadie lo ha dicho').nullable(),
  pagosOrigenId: rowId('Los pagos a proveedores con este origen salen de ella').nullable(),
  openedOn: day('Fecha de apertura'),
  comments: text('Observaciones'),
  saldo: amount(
    'Lo que hay en ella: la suma de sus movimientos, menos los pagos a proveedores que salen de ella',
  ),
  porComprobar: amount('De lo gastado, lo que espera su comprobante'),
  vencido: amount('De ello, lo que ya debía estar comprobado'),
  porReponer: amount('De lo gastado, lo comprobado que no se ha repuesto, se haya pedido o no'),
  solicitado: amount('De ello, lo que ya se pidió'),
  porAutorizar: amount(
    'Lo que se pidió para la caja, por gastos o no, y espera a que otra persona lo autorice',
  ),
  closedOn: nullableDay('Cuándo se cerró; null: está abierta'),
  createdAt: moment('Cuándo se capturó'),
  version: rowVersion,
});

export const movementAnswer = answerFor<Movement>(
  'PettyCashMovement',
  'Un movimiento de una caja chica.',
).with({
  id: rowId('Número del movimiento'),
  fundId: rowId('Su caja'),
  tipo: oneOf(MOVEMENT_KINDS, 'Lo que es'),
  fecha: day('Fecha'),
  beneficiario: text('A quién se pagó'),
  concepto: text('Concepto'),
  comprobante: oneOf(VOUCHER_KINDS, 'Con qué se comprueba un gasto'),
  folio: text('Número del comprobante'),
  uuid: nullableText('De un CFDI'),
  subtotal: amount('Sin IVA'),
  iva: amount('IVA'),
  importe: amount('Subtotal más IVA; negativo solo en un ajuste'),
  jobId: rowId('Obra del gasto').nullable(),
  rubroId: rowId('Rubro del gasto').nullable(),
  comprobarAntes: nullableDay('Hasta cuándo se espera el comprobante; null: no se espera'),
  replenishmentId: rowId('La reposición que lo pide, o que es').nullable(),
  countId: rowId('El arqueo cuya diferencia es').nullable(),
  origenderecursoId: rowId('De dónde vino, o a dónde fue').nullable(),
  comments: text('Observaciones'),
  createdAt: moment('Cuándo se capturó'),
  version: rowVersion,
});

export const savedMovementAnswer = savedAnswer('movement', movementAnswer);

/** A row of the list, which leaves out the movement that paid the replenishment. */
export const replenishmentRowAnswer = answerFor<Replenishment>().with({
  id: rowId('Número de la reposición'),
  fundId: rowId('Su caja'),
  tipo: oneOf(['reposicion', 'apertura', 'ajuste'], 'Lo que entra a la caja'),
  concepto: text('Concepto, si no es de gastos'),
  fecha: day('La del dinero'),
  estado: oneOf(['solicitada', 'pagada'], '`solicitada` espera a que otra persona la autorice'),
  importe: amount('Lo que se pide; de una reposición, la suma de sus gastos'),
  gastos: [count('Cuántos gastos repone'), 'count'],
  requestedBy: rowId('Quien la pidió'),
  authorizedBy: rowId('Quien la autorizó').nullable(),
  aviso: [signatureNoteMember, ({ note }) => note?.text ?? null],
  comments: text('Observaciones'),
  createdAt: moment('Cuándo se pidió'),
  version: rowVersion,
});

export const replenishmentAnswer = answerFor<Replenishment & Pick<ReplenishmentWithMovement, 'movement'>>(
  'PettyCashReplenishment',
  'Dinero que se pide para la caja.',
).with({
  ...replenishmentRowAnswer.members,
  movimiento: [nullableAnswer(movementAnswer, 'El dinero que entró a la caja'), 'movement'],
});

export const cashCountAnswer = answerFor<CashCount>('PettyCashCount', 'Un arqueo de una caja chica.').with({
  id: rowId('Número del arqueo'),
  fundId: rowId('Su caja'),
  fecha: day('Fecha'),
  denominaciones: [
    z.record(z.string(), z.int()).meta({ description: 'Cuántas piezas había de cada una' }),
    'pieces',
  ],
  contado: amount('Lo que había'),
  esperado: amount('Lo que debía haber en ese momento'),
  diferencia: amount('Contado menos esperado: negativo es faltante'),
  porComprobar: amount('Lo que estaba por comprobar'),
  porReponer: amount('Lo que estaba por reponer'),
  lastMovementId: rowId('El último movimiento que contó').nullable(),
  sorpresa: flag('Sin avisar'),
  comments: text('Observaciones'),
  userId: rowId('Quien contó'),
  responsableId: rowId('Quien tenía la caja; null: no se guardaba').nullable(),
  recibeId: rowId('A quien se entregó la caja con este arqueo; null: a nadie').nullable(),
  ajusteId: [rowId('El movimiento que ajustó la diferencia').nullable(), 'adjustmentId'],
  createdAt: moment('Cuándo'),
});
