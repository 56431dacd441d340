import { z } from 'zod';
import {
  type BankStatement,
  type FullStatement,
  MOVEMENT_OUTCOMES,
  OUTCOME_LABELS,
  type StatementOutcome,
} from '../../shared/bank-statements.ts';
import { answerFor, listAnswer } from './answers.ts';
import { amount, count, day, flag, moment, oneOf, rowId, text, textOrNone } from './wire.ts';

export const loadedAnswer = answerFor<StatementOutcome>('LoadedBankStatement').with({
  id: [
    rowId('Número del estado de cuenta; si no trajo nada nuevo, el del último de ese origen'),
    'statementId',
  ],
  nuevo: [flag('Trajo algo que no se sabía'), 'isNew'],
  movimientos: [count('Cuántos trae el archivo hasta hoy'), 'movements'],
  conocidos: [count('Cuántos ya se habían cargado y decidido'), 'known'],
  rechazados: [
    z.array(z.int().min(1)).meta({
      description: 'Renglones de después de hoy: no se toman en cuenta hasta que llegue su día',
    }),
    'refused',
  ],
  resultados: [
    z
      .strictObject({
        pagado: count('De pagos programados'),
        devuelto: count('Devueltos por el banco: sus facturas vuelven a deberse'),
        ambiguo: count('Que pueden ser de varias partidas, o de una que algo detiene'),
        'sin-partida': count('Sin programación'),
      })
      .meta({ description: 'Qué resultó de los que no se conocían' }),
    'counts',
  ],
  warnings: z.array(z.string()).meta({
    description:
      'Los renglones que la hoja oculta, los movimientos que pueden ser de varias programaciones, y lo que el semáforo retendría de lo que el banco ya pagó',
  }),
});

const idOrNone = (description: string) => z.int().min(1).nullable().meta({ description });

export const bankStatementAnswer = answerFor<BankStatement>(
  'BankStatement',
  'Lo que un banco dijo de una cuenta.',
).with({
  id: rowId('Número del estado de cuenta'),
  origenderecursoId: rowId('De qué origen de recurso es la cuenta'),
  origenderecursonombre: text('Su nombre'),
  archivo: [text('Nombre del archivo'), 'filename'],
  cargadoPor: [text('Quién lo cargó'), 'username'],
  cargadoAt: [moment('Cuándo'), 'createdAt'],
});

const movementAnswer = answerFor<FullStatement['movements'][number]>().with({
  id: rowId('Número del movimiento'),
  fecha: day('Del banco'),
  importe: [amount('Negativo: salió de la cuenta'), 'amountCents'],
  referencia: text('La del banco'),
  descripcion: text('La del banco'),
  resultado: [
    oneOf(MOVEMENT_OUTCOMES, MOVEMENT_OUTCOMES.map((one) => `${one}: ${OUTCOME_LABELS[one]}`).join('; ')),
    'outcome',
  ],
  programacionId: [idOrNone('De qué programación es; null: de ninguna que se sepa'), 'batchId'],
  supplierId: idOrNone('El proveedor al que se le pagó'),
  suppliername: textOrNone('Su nombre'),
});

export const fullBankStatementAnswer = answerFor<FullStatement>(
  'FullBankStatement',
  'El mismo, con los movimientos que no venían en otro anterior.',
).with({ ...bankStatementAnswer.members, movimientos: [listAnswer(movementAnswer), 'movements'] });
