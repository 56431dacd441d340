import { z } from 'zod';
import { missingBankStatementFieldsError } from '../../shared/bank-statements.ts';
import { sendJson } from '../http/send.ts';
import { actorOf } from '../http/session.ts';
import { readUploadForm } from '../http/uploads.ts';
import { deleteRule, readRules } from '../services/bank-statements/classification-rules.ts';
import {
  importBankStatementFile,
  MAX_BANK_STATEMENT_MB,
  markMovementReturned,
} from '../services/bank-statements/import-statement.ts';
import { proposeSettlements } from '../services/bank-statements/proposals.ts';
import {
  getBankStatement,
  getMovement,
  listBankStatements,
  searchMovements,
} from '../services/bank-statements/reading.ts';
import { reopenMovement, resolveMovement } from '../services/bank-statements/resolving.ts';
import { requireApprover, requireApproverAndVersion } from '../services/payment-batches/stages.ts';
import { listAnswer } from '../shapes/answers.ts';
import {
  bankStatementAnswer,
  fullBankStatementAnswer,
  importedBankStatementAnswer,
  movementAnswer,
  movementStepShape,
  movementsQueryShape,
  proposalAnswer,
  resolvedMovementAnswer,
  resolveMovementShape,
  ruleAnswer,
  toResolutionInput,
} from '../shapes/bank-statements.ts';
import {
  fileField,
  idField,
  limitField,
  moneyOrNoneField,
  motivoField,
  parseShape,
} from '../shapes/fields.ts';
import { APPROVERS_NOTE, CLOSED_PERIOD_PROBLEMS } from './call-descriptions.ts';
import { createEndpoints, ROW_PATH } from './calls.ts';
import { answerList } from './lists.ts';

const newStatementShape = z
  .strictObject({
    origenderecursoId: idField('Origen de recurso').meta({ description: 'De la cuenta que paga' }),
    cuenta: z
      .string()
      .max(60)
      .optional()
      .meta({ description: 'Cuál, de un archivo que trae varias cuentas; sin ella, la única' }),
    saldofinal: moneyOrNoneField('Saldo final').meta({
      description:
        'Lo que quedó en la cuenta después del último movimiento, si el archivo no trae una columna de saldos',
    }),
    file: fileField('CSV, TSV, TXT o XLSX como lo da el banco, hasta 5 MB'),
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

const endpoints = createEndpoints('Programaciones');
export const bankStatementsApi = endpoints.app;

endpoints.reads('/estados-de-cuenta', {
  summary: 'Los estados de cuenta del banco que se cargaron',
  query: z
    .strictObject({ limit: limitField.meta({ description: 'Cuántos, de los últimos; sin él, 20' }) })
    .meta({ examples: [{ limit: 50 }] }),
  returns: 'El último, primero',
  answer: listAnswer(bankStatementAnswer),
  run: ({ db, query: { limit } }) => listBankStatements(db, limit),
});

endpoints.reads(`/estados-de-cuenta${ROW_PATH}`, {
  summary: 'Leer un estado de cuenta del banco',
  returns: 'Con sus movimientos',
  answer: fullBankStatementAnswer,
  run: ({ db, id }) => getBankStatement(db, id),
});

endpoints.steps(`/estados-de-cuenta/movimientos${ROW_PATH}/devolver`, {
  summary: 'Marcar como devuelto lo que pagó un movimiento del banco',
  text: `Lo que pagó de una programación vuelve a deberse, como cuando el banco lo devuelve. ${APPROVERS_NOTE}`,
  body: returnMovementShape,
  forApprovers: true,
  lacksBody: undefined,
  returns: 'Su estado de cuenta',
  answer: fullBankStatementAnswer,
  problems: ['movement_not_paid', ...CLOSED_PERIOD_PROBLEMS],
  run: ({ db, actor, id }) => markMovementReturned(db, actor, id),
});

endpoints.reads('/estados-de-cuenta/movimientos', {
  summary: 'Los movimientos del banco',
  text: 'En el orden de sus días. Uno abierto es el que nadie ha resuelto: `sin-partida` o `ambiguo`.',
  query: movementsQueryShape,
  returns: 'Sus movimientos',
  headers: ['page'],
  answer: listAnswer(movementAnswer),
  async run({ c, db, query: { limit = 1000, cursor, ...filter } }) {
    const page = await searchMovements(db, { ...filter, limit, cursor });
    return answerList(c, page.rows.map(movementAnswer.toJson), page);
  },
});

endpoints.reads(`/estados-de-cuenta/movimientos${ROW_PATH}`, {
  summary: 'Leer un movimiento del banco',
  returns: 'Con lo que lo resolvió',
  answer: movementAnswer,
  run: ({ db, id }) => getMovement(db, id),
});

endpoints.reads(`/estados-de-cuenta/movimientos${ROW_PATH}/propuestas`, {
  summary: 'Lo que puede resolver un movimiento abierto del banco',
  text: 'A lo más cinco, la mejor primero; lo que quedaría bien con dos por igual no se propone. Cada una se manda tal cual a `resolver`, sin `tipo` ni `razon`, con la versión del movimiento.',
  returns: 'Las propuestas; de uno resuelto, ninguna',
  answer: listAnswer(proposalAnswer),
  async run({ db, id }) {
    const movement = await getMovement(db, id);
    return (await proposeSettlements(db, [movement])).get(id) ?? [];
  },
});

endpoints.steps(`/estados-de-cuenta/movimientos${ROW_PATH}/resolver`, {
  summary: 'Resolver un movimiento abierto del banco',
  text: `Con una sola cosa: \`pagos\` ya capturados, \`facturas\` de las que se capturan pagos con su fecha y todas las reglas de los pagos, \`reposicionId\` o \`movimientocajaId\` de caja chica, o \`clase\`. Lo elegido suma lo que el movimiento, al centavo: si no, 422 \`sum_differs\` con \`importe\` y \`suma\`. ${APPROVERS_NOTE}`,
  body: resolveMovementShape,
  forApprovers: true,
  lacksBody: undefined,
  returns: 'El movimiento como quedó',
  answer: resolvedMovementAnswer,
  stale: movementAnswer,
  problems: [
    'movement_settled',
    'sum_differs',
    'bank_matched',
    'duplicate_rule',
    'overpayment',
    'in_open_batch',
    'fund_short',
    ...CLOSED_PERIOD_PROBLEMS,
  ],
  run({ db, actor, id, body }) {
    const { allowProgrammed } = body;
    const version = requireApproverAndVersion(actor, body.version);
    return resolveMovement(db, actor, id, toResolutionInput(body), { version, allowProgrammed });
  },
});

endpoints.steps(`/estados-de-cuenta/movimientos${ROW_PATH}/soltar`, {
  summary: 'Soltar un movimiento del banco que se resolvió',
  text: `Queda abierto otra vez. Los pagos que se capturaron de él se quedan, y la respuesta los nombra. Lo que pagó una programación se suelta con \`devolver\`. ${APPROVERS_NOTE}`,
  body: movementStepShape,
  forApprovers: true,
  returns: 'El movimiento como quedó',
  answer: resolvedMovementAnswer,
  stale: movementAnswer,
  problems: ['movement_open', 'movement_of_batch'],
  run: ({ db, actor, id, body: { version } }) => reopenMovement(db, actor, id, version),
});

endpoints.reads('/estados-de-cuenta/reglas', {
  summary: 'Las reglas que nombran movimientos del banco',
  query: z.strictObject({ origenderecursoId: idField('De qué origen de recurso') }),
  returns: 'Las reglas',
  answer: listAnswer(ruleAnswer),
  isCounted: true,
  run: ({ db, query: { origenderecursoId } }) => readRules(db, origenderecursoId ?? undefined),
});

endpoints.removes(`/estados-de-cuenta/reglas${ROW_PATH}`, {
  summary: 'Quitar una regla del banco',
  text: `Lo que nombró se queda. ${APPROVERS_NOTE}`,
  run: deleteRule,
});

endpoints.call('POST', '/estados-de-cuenta/cargar', {
  summary: 'Cargar un estado de cuenta del banco',
  text: 'Lo que el banco pagó de las programaciones enviadas queda pagado con su fecha; lo que devolvió vuelve a deberse. Se reconoce por el importe junto con la referencia o la CLABE. Un movimiento cuenta una vez: repetir la carga no paga dos veces. Hasta 20,000 renglones. Solo para los roles 1 y 2.',
  body: newStatementShape,
  isForm: true,
  status: 200,
  returns: 'Qué resultó de sus movimientos',
  answer: importedBankStatementAnswer.shape,
  problems: ['bad_statement', ...CLOSED_PERIOD_PROBLEMS],
  run: async (c) => {
    requireApprover(actorOf(c));
    const { fields, files } = await readUploadForm(c, MAX_BANK_STATEMENT_MB);
    const { origenderecursoId, cuenta, saldofinal } = parseShape(newStatementShape, { ...fields });
    const { file } = files;
    if (!origenderecursoId || !file) throw missingBankStatementFieldsError(!origenderecursoId, !file);
    const sent = { origenderecursoId, cuenta, saldofinalCents: saldofinal, ...file };
    const outcome = await importBankStatementFile(c.get('deps').db, actorOf(c), sent, c.req.raw.signal);
    return sendJson(c, importedBankStatementAnswer.toJson(outcome));
  },
});
