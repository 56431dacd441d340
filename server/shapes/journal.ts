import { z } from 'zod';
import { toDecimal } from '../../shared/money.ts';
import type { JournalRow, MonthlyJournal } from '../services/fiscal/journal.ts';
import {
  amountMember,
  booleanMember,
  countMember,
  dayMember,
  nullableTextMember,
  textMember,
} from './answer-members.ts';
import { answerFor, listAnswer } from './answers.ts';

export const accountingJournalRowAnswer = answerFor<JournalRow>('JournalRow').with({
  poliza: [
    textMember('F-12: de la factura 12; P-, de un pago; N-, de una nota de crédito; C-, de caja chica'),
    'code',
  ],
  fecha: dayMember('De la póliza'),
  nombre: textMember('El proveedor o beneficiario'),
  concepto: textMember('De qué es'),
  uuid: nullableTextMember('Del CFDI'),
  cuenta: [textMember('La cuenta, de las de Configuración'), 'account'],
  cargo: [z.number().meta({ description: 'Cargo' }), ({ cents }) => toDecimal(Math.max(cents, 0))],
  abono: [z.number().meta({ description: 'Abono' }), ({ cents }) => toDecimal(Math.max(-cents, 0))],
});

const ledgerAccountAnswer = answerFor<MonthlyJournal['accounts'][number]>('JournalAccount').with({
  cuenta: textMember('La cuenta'),
  cargo: amountMember('La suma de sus cargos'),
  abono: amountMember('La suma de sus abonos'),
});

export const accountingJournalAnswer = answerFor<MonthlyJournal>('Journal', 'Las pólizas de un mes.').with({
  mes: [textMember('AAAA-MM'), ({ month }) => month.from.slice(0, 7)],
  cuenta: countMember('Cuántas pólizas'),
  total: amountMember('La suma de todos los cargos, que es la de todos los abonos'),
  cuadra: booleanMember('Si los cargos de cada póliza son sus abonos'),
  cuentas: [listAnswer(ledgerAccountAnswer), 'accounts'],
  filas: [listAnswer(accountingJournalRowAnswer), 'rows'],
});
