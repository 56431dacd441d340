import { z } from 'zod';
import { toDecimal } from '../../shared/money.ts';
import type { JournalRow, MonthlyJournal } from '../services/fiscal/journal.ts';
import * as member from './answer-members.ts';
import { answerFor, listAnswer } from './answers.ts';

export const accountingJournalRowAnswer = answerFor<JournalRow>('JournalRow').with({
  poliza: [
    member.text('F-12: de la factura 12; P-, de un pago; N-, de una nota de crédito; C-, de caja chica'),
    'code',
  ],
  fecha: member.day('De la póliza'),
  nombre: member.text('El proveedor o beneficiario'),
  concepto: member.text('De qué es'),
  uuid: member.nullableText('Del CFDI'),
  cuenta: [member.text('La cuenta, de las de Configuración'), 'account'],
  cargo: [z.number().meta({ description: 'Cargo' }), ({ cents }) => toDecimal(Math.max(cents, 0))],
  abono: [z.number().meta({ description: 'Abono' }), ({ cents }) => toDecimal(Math.max(-cents, 0))],
});

const ledgerAccountAnswer = answerFor<MonthlyJournal['accounts'][number]>('JournalAccount').with({
  cuenta: member.text('La cuenta'),
  cargo: member.amount('La suma de sus cargos'),
  abono: member.amount('La suma de sus abonos'),
});

export const accountingJournalAnswer = answerFor<MonthlyJournal>('Journal', 'Las pólizas de un mes.').with({
  mes: [member.text('AAAA-MM'), ({ month }) => month.from.slice(0, 7)],
  cuenta: member.count('Cuántas pólizas'),
  total: member.amount('La suma de todos los cargos, que es la de todos los abonos'),
  cuadra: member.boolean('Si los cargos de cada póliza son sus abonos'),
  cuentas: [listAnswer(ledgerAccountAnswer), 'accounts'],
  filas: [listAnswer(accountingJournalRowAnswer), 'rows'],
});
