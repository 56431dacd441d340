import { z } from 'zod';
import type { CashFlow, CashFlowColumn, CashFlowSource } from '../services/balances/cash-flow.ts';
import { amount, day, nullableDay, nullableText, rowId, text } from './answer-members.ts';
import { answerFor, listAnswer } from './answers.ts';

const fundingSourceAnswer = answerFor<CashFlowSource>('CashFlowSource').with({
  origenderecursoId: [rowId('Origen de recurso'), 'id'],
  nombre: [text('Su nombre'), 'name'],
  saldo: amount('El del último estado de cuenta, o el capturado si es de un día más nuevo; sin ninguno, 0'),
  fecha: nullableDay('De qué día es'),
  fuente: z
    .enum(['estado', 'capturado'])
    .nullable()
    .meta({ description: 'De dónde se sabe; null: no se sabe' }),
  despues: amount('Lo que salió después de ese día y hasta hoy: pagos, cajas chicas y movimientos del banco'),
  disponible: amount('saldo − despues'),
});

export const cashFlowColumnAnswer = answerFor<CashFlowColumn>('CashFlowColumn').with({
  columna: [text('`ANTERIORES`, `SEM 47`, `SEM 7+ 2027`'), ({ column }) => column.key],
  desde: [nullableDay('Su primer día; null: sin principio'), ({ column }) => column.from],
  hasta: [nullableDay('El último; null: sin fin'), ({ column }) => column.to],
  vence: amount('Lo que se debe y no está en ninguna programación abierta'),
  programado: amount('Lo que falta por pagar de las programaciones abiertas, sin lo retenido'),
  fechado: amount('Lo que sale por pagos registrados con fecha posterior a hoy'),
  sale: amount('Las tres'),
  queda: amount('Lo disponible menos todo lo que sale hasta esta columna; puede ser negativo'),
});

export const cashFlowAnswer = answerFor<CashFlow>(
  'CashFlow',
  'Lo que sale del banco por semana, y hasta dónde alcanza.',
).with({
  hoy: [day('Hoy'), 'today'],
  origenes: [listAnswer(fundingSourceAnswer), 'sources'],
  disponible: amount('De todos los orígenes'),
  columnas: [listAnswer(cashFlowColumnAnswer), 'columns'],
  alcanzaHasta: nullableText('La última columna en que queda algo, o nada; null: ninguna'),
  pospuesto: [amount('Lo que se debe a los proveedores de `sin`'), 'postponedCents'],
});
