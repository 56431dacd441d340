import { z } from 'zod';
import { toDecimal } from '../../shared/money.ts';
import type { JournalRow, MonthlyJournal } from '../services/fiscal/journal.ts';
import { amount, count, day, flag, nullableText, text } from './answer-members.ts';
import { answerFor, listAnswer } from './answers.ts';

export const accountingJournalRowAnswer = answerFor<JournalRow>('JournalRow').with({
  poliza: [
    text('F-12: de la factura 12; P-, de un pago; N-, de una nota de crédito; C-, de caja chica'),
    'code',
  ],
  fecha: day('De la póliza'),
  nombre: text('El proveedor o beneficiario'),
  concepto: text('De qué es'),
  uuid: nullableText('Del CFDI'),
  cuenta: [text('La cuenta, de las de Configuración'), 'account'],
  cargo: [z.number().meta({ description: 'Cargo' }), ({ cents }) => toDecimal(Math.max(cents, 0))],
  abono: [z.number().meta({ description: 'Abono' }), ({ cents }) => toDecimal(Math.max(-cents, 0))],
});

const ledgerAccountAnswer = answerFor<MonthlyJournal['accounts'][number]>('JournalAccount').with({
  cuenta: text('La cuenta'),
  cargo: amount('La suma de sus cargos'),
  abono: amount('La suma de sus abonos'),
});

export const accountingJournalAnswer = answerFor<MonthlyJournal>('Journal', 'Las pólizas de un mes.').with({
  mes: [text('AAAA-MM'), ({ month }) => month.from.slice(0, 7)],
  cuenta: count('Cuántas pólizas'),
  total: amount('La suma de todos los cargos, que es la de todos los abonos'),
  cuadra: flag('Si los cargos de cada póliza son sus abonos'),
  cuentas: [listAnswer(ledgerAccountAnswer), 'accounts'],
  filas: [listAnswer(accountingJournalRowAnswer), 'rows'],
});
