import { z } from 'zod';
import { type FundRow, MOVEMENT_KINDS, type Movement, VOUCHER_KINDS } from '../../shared/petty-cash.ts';
import type { CashCount, Replenishment, ReplenishmentWithMovement } from '../../shared/petty-cash-counts.ts';
import * as member from './answer-members.ts';
import { answerFor, nullableAnswer, savedAnswer, signatureNoteMember } from './answers.ts';

const nullableAmountMember = (description: string) => member.amount(description).nullable();

export const fundAnswer = answerFor<FundRow>('PettyCashFund', 'Una caja chica.').with({
  id: member.rowId('Número de la caja'),
  nombre: member.text('Nombre'),
  responsableId: member.rowId('El usuario que la tiene'),
  responsable: member.text('Su nombre'),
  jobId: member.rowId('Obra de la caja').nullable(),
  montofijo: nullableAmountMember('Lo que tiene cuando todo está repuesto'),
  tope: nullableAmountMember('Lo más que puede ser un gasto; null: el de la configuración'),
  origenderecursoId: member.rowId('De dónde sale su dinero; null: nadie lo ha dicho').nullable(),
  pagosOrigenId: member.rowId('Los pagos a proveedores con este origen salen de ella').nullable(),
  openedOn: member.day('Fecha de apertura'),
  comments: member.text('Observaciones'),
  saldo: member.amount(
    'Lo que hay en ella: la suma de sus movimientos, menos los pagos a proveedores que salen de ella',
  ),
  porComprobar: member.amount('De lo gastado, lo que espera su comprobante'),
  vencido: member.amount('De ello, lo que ya debía estar comprobado'),
  porReponer: member.amount('De lo gastado, lo comprobado que no se ha repuesto, se haya pedido o no'),
  solicitado: member.amount('De ello, lo que ya se pidió'),
  porAutorizar: member.amount(
    'Lo que se pidió para la caja, por gastos o no, y espera a que otra persona lo autorice',
  ),
  closedOn: member.nullableDay('Cuándo se cerró; null: está abierta'),
  createdAt: member.moment('Cuándo se capturó'),
  version: member.rowVersion,
});

export const movementAnswer = answerFor<Movement>(
  'PettyCashMovement',
  'Un movimiento de una caja chica.',
).with({
  id: member.rowId('Número del movimiento'),
  fundId: member.rowId('Su caja'),
  tipo: member.choice(MOVEMENT_KINDS, 'Lo que es'),
  fecha: member.day('Fecha'),
  beneficiario: member.text('A quién se pagó'),
  concepto: member.text('Concepto'),
  comprobante: member.choice(VOUCHER_KINDS, 'Con qué se comprueba un gasto'),
  folio: member.text('Número del comprobante'),
  uuid: member.nullableText('De un CFDI'),
  subtotal: member.amount('Sin IVA'),
  iva: member.amount('IVA'),
  importe: member.amount('Subtotal más IVA; negativo solo en un ajuste'),
  jobId: member.rowId('Obra del gasto').nullable(),
  rubroId: member.rowId('Rubro del gasto').nullable(),
  comprobarAntes: member.nullableDay('Hasta cuándo se espera el comprobante; null: no se espera'),
  replenishmentId: member.rowId('La reposición que lo pide, o que es').nullable(),
  countId: member.rowId('El arqueo cuya diferencia es').nullable(),
  origenderecursoId: member.rowId('De dónde vino, o a dónde fue').nullable(),
  comments: member.text('Observaciones'),
  createdAt: member.moment('Cuándo se capturó'),
  version: member.rowVersion,
});

export const savedMovementAnswer = savedAnswer('movement', movementAnswer);

/** A row of the list, which leaves out the movement that paid the replenishment. */
export const replenishmentRowAnswer = answerFor<Replenishment>().with({
  id: member.rowId('Número de la reposición'),
  fundId: member.rowId('Su caja'),
  tipo: member.choice(['reposicion', 'apertura', 'ajuste'], 'Lo que entra a la caja'),
  concepto: member.text('Concepto, si no es de gastos'),
  fecha: member.day('La del dinero'),
  estado: member.choice(['solicitada', 'pagada'], '`solicitada` espera a que otra persona la autorice'),
  importe: member.amount('Lo que se pide; de una reposición, la suma de sus gastos'),
  gastos: [member.count('Cuántos gastos repone'), 'count'],
  requestedBy: member.rowId('Quien la pidió'),
  authorizedBy: member.rowId('Quien la autorizó').nullable(),
  aviso: [signatureNoteMember, ({ note }) => note?.text ?? null],
  comments: member.text('Observaciones'),
  createdAt: member.moment('Cuándo se pidió'),
  version: member.rowVersion,
});

export const replenishmentAnswer = answerFor<Replenishment & Pick<ReplenishmentWithMovement, 'movement'>>(
  'PettyCashReplenishment',
  'Dinero que se pide para la caja.',
).with({
  ...replenishmentRowAnswer.members,
  movimiento: [nullableAnswer(movementAnswer, 'El dinero que entró a la caja'), 'movement'],
});

export const cashCountAnswer = answerFor<CashCount>('PettyCashCount', 'Un arqueo de una caja chica.').with({
  id: member.rowId('Número del arqueo'),
  fundId: member.rowId('Su caja'),
  fecha: member.day('Fecha'),
  denominaciones: [
    z.record(z.string(), z.int()).meta({ description: 'Cuántas piezas había de cada una' }),
    'pieces',
  ],
  contado: member.amount('Lo que había'),
  esperado: member.amount('Lo que debía haber en ese momento'),
  diferencia: member.amount('Contado menos esperado: negativo es faltante'),
  porComprobar: member.amount('Lo que estaba por comprobar'),
  porReponer: member.amount('Lo que estaba por reponer'),
  lastMovementId: member.rowId('El último movimiento que contó').nullable(),
  sorpresa: member.boolean('Sin avisar'),
  comments: member.text('Observaciones'),
  userId: member.rowId('Quien contó'),
  responsableId: member.rowId('Quien tenía la caja; null: no se guardaba').nullable(),
  recibeId: member.rowId('A quien se entregó la caja con este arqueo; null: a nadie').nullable(),
  ajusteId: [member.rowId('El movimiento que ajustó la diferencia').nullable(), 'adjustmentId'],
  createdAt: member.moment('Cuándo'),
});
