import { z } from 'zod';
import type { CashFlow, CashFlowColumn, CashFlowFundingSource } from '../services/balances/cash-flow.ts';
import * as member from './answer-members.ts';
import { answerFor, listAnswer } from './answers.ts';

const fundingSourceAnswer = answerFor<CashFlowFundingSource>('CashFlowSource').with({
  origenderecursoId: [member.rowId('Origen de recurso'), 'id'],
  nombre: [member.text('Su nombre'), 'name'],
  saldo: member.amount(
    'El del último estado de cuenta, o el capturado si es de un día más nuevo; sin ninguno, 0',
  ),
  fecha: member.nullableDay('De qué día es'),
  fuente: z
    .enum(['estado', 'capturado'])
    .nullable()
    .meta({ description: 'De dónde se sabe; null: no se sabe' }),
  despues: member.amount(
    'Lo que salió después de ese día y hasta hoy: pagos, cajas chicas y movimientos del banco',
  ),
  disponible: member.amount('saldo − despues'),
});

export const cashFlowColumnAnswer = answerFor<CashFlowColumn>('CashFlowColumn').with({
  columna: [member.text('`ANTERIORES`, `SEM 47`, `SEM 7+ 2027`'), ({ column }) => column.key],
  desde: [member.nullableDay('Su primer día; null: sin principio'), ({ column }) => column.from],
  hasta: [member.nullableDay('El último; null: sin fin'), ({ column }) => column.to],
  vence: member.amount('Lo que se debe y no está en ninguna programación abierta'),
  programado: member.amount('Lo que falta por pagar de las programaciones abiertas, sin lo retenido'),
  fechado: member.amount('Lo que sale por pagos registrados con fecha posterior a hoy'),
  sale: member.amount('Las tres'),
  queda: member.amount('Lo disponible menos todo lo que sale hasta esta columna; puede ser negativo'),
});

export const cashFlowAnswer = answerFor<CashFlow>(
  'CashFlow',
  'Lo que sale del banco por semana, y hasta dónde alcanza.',
).with({
  hoy: [member.day('Hoy'), 'today'],
  origenes: [listAnswer(fundingSourceAnswer), 'sources'],
  disponible: member.amount('De todos los orígenes'),
  columnas: [listAnswer(cashFlowColumnAnswer), 'columns'],
  alcanzaHasta: member.nullableText('La última columna en que queda algo, o nada; null: ninguna'),
  pospuesto: [member.amount('Lo que se debe a los proveedores de `sin`'), 'postponedCents'],
});
