import { z } from 'zod';
import { missingStatementError } from '../../shared/bank-statements.ts';
import { sendJson } from '../http/send.ts';
import { actorOf } from '../http/session.ts';
import { readSentForm } from '../http/uploads.ts';
import { getStatement, listStatements } from '../services/bank-statements/reading.ts';
import {
  loadStatementFile,
  MAX_STATEMENT_MB,
  returnMovement,
} from '../services/bank-statements/statements.ts';
import { requireApprover } from '../services/payment-batches/stages.ts';
import { listAnswer } from '../shapes/answers.ts';
import { bankStatementAnswer, fullBankStatementAnswer, loadedAnswer } from '../shapes/bank-statements.ts';
import { idField, limitField, motivoField, parseShape } from '../shapes/fields.ts';
import { defineCalls, ROW_PATH } from './calls.ts';
import { APPROVERS, CLOSED_PERIOD_PROBLEMS } from './describe.ts';

const newStatementShape = z
  .strictObject({
    origenderecursoId: idField('Origen de recurso').meta({ description: 'De la cuenta que paga' }),
    cuenta: z
      .string()
      .max(60)
      .optional()
      .meta({ description: 'Cuál, de un archivo que trae varias cuentas; sin ella, la única' }),
    file: z.unknown().optional().meta({
      type: 'string',
      format: 'binary',
      description: 'CSV, TSV, TXT o XLSX como lo da el banco, hasta 5 MB',
    }),
  })
  .meta({
    id: 'NewBankStatement',
    required: ['origenderecursoId', 'file'],
    examples: [{ origenderecursoId: 1, file: '@estado.csv' }],
  });

const returnMovementShape = z
  .strictObject({ motivo: motivoField.meta({ description: 'Cómo se sabe: queda en la bitácora' }) })
  .meta({
    id: 'ReturnMovement',
    required: ['motivo'],
    examples: [{ motivo: 'El banco avisó que la cuenta no existe' }],
  });

const calls = defineCalls('Programaciones');
export const bankStatementsApi = calls.app;

calls.reads('/estados-de-cuenta', {
  summary: 'Los estados de cuenta del banco que se cargaron',
  query: z
    .strictObject({ limit: limitField.meta({ description: 'Cuántos, de los últimos; sin él, 20' }) })
    .meta({ examples: [{ limit: 50 }] }),
  returns: 'El último, primero',
  answer: listAnswer(bankStatementAnswer),
  run: ({ db, query: { limit } }) => listStatements(db, limit),
});

calls.reads(`/estados-de-cuenta${ROW_PATH}`, {
  summary: 'Leer un estado de cuenta del banco',
  returns: 'Con sus movimientos',
  answer: fullBankStatementAnswer,
  run: ({ db, id }) => getStatement(db, id),
});

calls.steps(`/estados-de-cuenta/movimientos${ROW_PATH}/devolver`, {
  summary: 'Marcar como devuelto lo que pagó un movimiento del banco',
  text: `Lo que pagó de una programación vuelve a deberse, como cuando el banco lo devuelve. ${APPROVERS}`,
  body: returnMovementShape,
  forApprovers: true,
  lacksBody: undefined,
  returns: 'Su estado de cuenta',
  answer: fullBankStatementAnswer,
  problems: ['movement_not_paid', ...CLOSED_PERIOD_PROBLEMS],
  run: ({ db, actor, id }) => returnMovement(db, actor, id),
});

calls.call('POST', '/estados-de-cuenta/cargar', {
  summary: 'Cargar un estado de cuenta del banco',
  text: 'Lo que el banco pagó de las programaciones enviadas queda pagado con su fecha; lo que devolvió vuelve a deberse. Se reconoce por el importe junto con la referencia o la CLABE. Un movimiento cuenta una vez: repetir la carga no paga dos veces. Hasta 20,000 renglones. Solo para los roles 1 y 2.',
  body: newStatementShape,
  isForm: true,
  status: 200,
  returns: 'Qué resultó de sus movimientos',
  answer: loadedAnswer.shape,
  problems: ['bad_statement', ...CLOSED_PERIOD_PROBLEMS],
  run: async (c) => {
    requireApprover(actorOf(c));
    const { fields, files } = await readSentForm(c, MAX_STATEMENT_MB);
    const { origenderecursoId, cuenta } = parseShape(newStatementShape, { ...fields });
    const { file } = files;
    if (!origenderecursoId || !file) throw missingStatementError(!origenderecursoId, !file);
    const sent = { origenderecursoId, cuenta, ...file };
    const outcome = await loadStatementFile(c.get('deps').db, actorOf(c), sent, c.req.raw.signal);
    return sendJson(c, loadedAnswer.toJson(outcome));
  },
});
