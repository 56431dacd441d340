import { z } from 'zod';
import type { CashFlow, CashFlowColumn, CashFlowFundingSource } from '../services/balances/cash-flow.ts';
import {
  amountMember,
  dayMember,
  nullableDayMember,
  nullableTextMember,
  rowIdMember,
  textMember,
} from './answer-members.ts';
import { answerFor, listAnswer } from './answers.ts';

const fundingSourceAnswer = answerFor<CashFlowFundingSource>('CashFlowSource').with({
  origenderecursoId: [rowIdMember('Origen de recurso'), 'id'],
  nombre: [textMember('Su nombre'), 'name'],
  saldo: amountMember(
    'El del último estado de cuenta, o el capturado si es de un día más nuevo; sin ninguno, 0',
  ),
  fecha: nullableDayMember('De qué día es'),
  fuente: z
    .enum(['estado', 'capturado'])
    .nullable()
    .meta({ description: 'De dónde se sabe; null: no se sabe' }),
  despues: amountMember(
    'Lo que salió después de ese día y hasta hoy: pagos, cajas chicas y movimientos del banco',
  ),
  disponible: amountMember('saldo − despues'),
});

export const cashFlowColumnAnswer = answerFor<CashFlowColumn>('CashFlowColumn').with({
  columna: [textMember('`ANTERIORES`, `SEM 47`, `SEM 7+ 2027`'), ({ column }) => column.key],
  desde: [nullableDayMember('Su primer día; null: sin principio'), ({ column }) => column.from],
  hasta: [nullableDayMember('El último; null: sin fin'), ({ column }) => column.to],
  vence: amountMember('Lo que se debe y no está en ninguna programación abierta'),
  programado: amountMember('Lo que falta por pagar de las programaciones abiertas, sin lo retenido'),
  fechado: amountMember('Lo que sale por pagos registrados con fecha posterior a hoy'),
  sale: amountMember('Las tres'),
  queda: amountMember('Lo disponible menos todo lo que sale hasta esta columna; puede ser negativo'),
});

export const cashFlowAnswer = answerFor<CashFlow>(
  'CashFlow',
  'Lo que sale del banco por semana, y hasta dónde alcanza.',
).with({
  hoy: [dayMember('Hoy'), 'today'],
  origenes: [listAnswer(fundingSourceAnswer), 'sources'],
  disponible: amountMember('De todos los orígenes'),
  columnas: [listAnswer(cashFlowColumnAnswer), 'columns'],
  alcanzaHasta: nullableTextMember('La última columna en que queda algo, o nada; null: ninguna'),
  pospuesto: [amountMember('Lo que se debe a los proveedores de `sin`'), 'postponedCents'],
});
