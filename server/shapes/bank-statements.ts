import { z } from 'zod';
import {
  type BankStatement,
  type FullStatement,
  MOVEMENT_OUTCOMES,
  OUTCOME_LABELS,
  type StatementOutcome,
} from '../../shared/bank-statements.ts';
import { toDecimal } from '../../shared/money.ts';
import { idField, limitField } from './fields.ts';
import { amount, answering, count, day, flag, moment, oneOf, rowId, text, textOrNone } from './wire.ts';

/** The fields of the form that a statement is sent with; the file's own bytes are read beside them. */
export const newStatementShape = z
  .strictObject({
    origenderecursoId: idField('Origen de recurso').meta({ description: 'De la cuenta que paga' }),
    file: z.unknown().optional().meta({
      type: 'string',
      format: 'binary',
      description: 'CSV, TSV o XLSX como lo da el banco, hasta 5 MB',
    }),
  })
  .meta({
    id: 'NewBankStatement',
    required: ['origenderecursoId', 'file'],
    examples: [{ origenderecursoId: 1, file: '@estado.csv' }],
  });

export const statementListShape = z
  .strictObject({ limit: limitField.meta({ description: 'Cuántos, de los últimos; sin él, 20' }) })
  .meta({ examples: [{ limit: 50 }] });

const LABELS = MOVEMENT_OUTCOMES.map((one) => `${one}: ${OUTCOME_LABELS[one]}`).join('; ');

export const loadedAnswer = z
  .strictObject({
    id: rowId('Número del estado de cuenta; si no trajo nada nuevo, el del último de ese origen'),
    nuevo: flag('Trajo algo que no se sabía'),
    movimientos: count('Cuántos trae el archivo hasta hoy'),
    conocidos: count('Cuántos ya se habían cargado y decidido'),
    rechazados: z
      .array(z.int().min(1))
      .meta({ description: 'Renglones de después de hoy: no se toman en cuenta hasta que llegue su día' }),
    resultados: z
      .strictObject({
        pagado: count('De pagos programados'),
        devuelto: count('Devueltos por el banco: sus facturas vuelven a deberse'),
        ambiguo: count('Que pueden ser de varias partidas, o de una que algo detiene'),
        'sin-partida': count('Sin programación'),
      })
      .meta({ description: 'Qué resultó de los que no se conocían' }),
  })
  .meta({ id: 'LoadedBankStatement' });

const idOrNone = (description: string) => z.int().min(1).nullable().meta({ description });

export const bankStatementAnswer = z
  .strictObject({
    id: rowId('Número del estado de cuenta'),
    origenderecursoId: rowId('De qué origen de recurso es la cuenta'),
    origenderecursonombre: text('Su nombre'),
    archivo: text('Nombre del archivo'),
    cargadoPor: text('Quién lo cargó'),
    cargadoAt: moment('Cuándo'),
  })
  .meta({ id: 'BankStatement', description: 'Lo que un banco dijo de una cuenta.' });

const movementAnswer = z.strictObject({
  id: rowId('Número del movimiento'),
  fecha: day('Del banco'),
  importe: amount('Negativo: salió de la cuenta'),
  referencia: text('La del banco'),
  descripcion: text('La del banco'),
  resultado: oneOf(MOVEMENT_OUTCOMES, LABELS),
  programacionId: idOrNone('De qué programación es; null: de ninguna que se sepa'),
  supplierId: idOrNone('El proveedor al que se le pagó'),
  suppliername: textOrNone('Su nombre'),
});

export const fullBankStatementAnswer = bankStatementAnswer
  .extend({ movimientos: z.array(movementAnswer) })
  .meta({
    id: 'FullBankStatement',
    description: 'El mismo, con los movimientos que no venían en otro anterior.',
  });

export const toLoadedJson = (outcome: StatementOutcome): z.output<typeof loadedAnswer> => ({
  id: outcome.statementId,
  nuevo: outcome.isNew,
  movimientos: outcome.movements,
  conocidos: outcome.known,
  rechazados: [...outcome.refused],
  resultados: outcome.counts,
});

const answerStatement = answering(bankStatementAnswer);
const answerMovement = answering(movementAnswer);

export const toStatementJson = (statement: BankStatement) =>
  answerStatement(statement, {
    archivo: statement.filename,
    cargadoPor: statement.username,
    cargadoAt: statement.createdAt,
  });

export const toFullStatementJson = ({ movements, ...statement }: FullStatement) => ({
  ...toStatementJson(statement),
  movimientos: movements.map((movement) =>
    answerMovement(movement, {
      importe: toDecimal(movement.amountCents),
      resultado: movement.outcome,
      programacionId: movement.batchId,
    }),
  ),
});
