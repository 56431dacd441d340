import { z } from 'zod';
import type { Db } from '../../db/schema.ts';
import type { PettyCashFund } from '../../shared/petty-cash.ts';
import { EXPENSE_STATES, MOVEMENT_KINDS } from '../../shared/petty-cash.ts';
import type { Replenishment, ReplenishmentWithMovement } from '../../shared/petty-cash-counts.ts';
import { pettyCashTexts as texts } from '../../shared/petty-cash-texts.ts';
import type { AppContext } from '../http/session.ts';
import { requireApproverAndVersion } from '../services/payment-batches/stages.ts';
import {
  countCash,
  getCashCount,
  listCashCounts,
  postCountDifference,
} from '../services/petty-cash/counting.ts';
import { closeFund, createFund, deleteFund, handOverFund, updateFund } from '../services/petty-cash/funds.ts';
import {
  acceptWithoutVoucher,
  createMovement,
  deleteMovement,
  restoreMovement,
  updateMovement,
} from '../services/petty-cash/movements.ts';
import { getFund, getFundRow, getMovement, listFunds } from '../services/petty-cash/reading.ts';
import {
  authorizeReplenishment,
  requestReplenishment,
  withdrawReplenishment,
} from '../services/petty-cash/replenishing.ts';
import { listReplenishments } from '../services/petty-cash/requests.ts';
import { searchMovements, sumMovements } from '../services/petty-cash/searching.ts';
import { listAnswer } from '../shapes/answers.ts';
import {
  choiceField,
  cursorField,
  dateField,
  limitField,
  motivoOnlyShape,
  requireFilledFields,
  restoreShape,
} from '../shapes/fields.ts';
import {
  acceptWithoutVoucherShape,
  authorizeReplenishmentShape,
  cashCountShape,
  closeFundShape,
  fundChangeShape,
  fundsQueryShape,
  handOverShape,
  movementChangeShape,
  newFundShape,
  newMovementShape,
  newReplenishmentShape,
  postCountDifferenceShape,
  toFundFieldValues,
  toMovementFieldValues,
} from '../shapes/petty-cash.ts';
import {
  cashCountAnswer,
  fundAnswer,
  movementAnswer,
  replenishmentAnswer,
  replenishmentRowAnswer,
  savedMovementAnswer,
} from '../shapes/petty-cash-answers.ts';
import type { ProblemCode } from '../shapes/problems.ts';
import { APPROVERS_NOTE, CLOSED_PERIOD_PROBLEMS } from './call-descriptions.ts';
import { createEndpoints, ROW_PATH } from './calls.ts';
import { answerList } from './lists.ts';

const endpoints = createEndpoints('Caja chica');
export const pettyCashApi = endpoints.app;

const readFundRow = (c: AppContext, id: number, db: Db = c.get('deps').db) =>
  getFundRow(db, id, c.get('today'));

/** Adds the fund's figures, which are computed and not stored, to the row that somebody else saved meanwhile. */
const addFundFigures = async (stored: PettyCashFund, c: AppContext, db?: Db) => ({
  ...(await readFundRow(c, stored.id, db)),
  ...stored,
});

const STALE_FUND_OPTIONS = { stale: fundAnswer, complete: addFundFigures };

endpoints.reads('/', {
  summary: 'Las cajas chicas',
  text: 'Las abiertas, si no dice otra cosa.',
  query: fundsQueryShape,
  returns: 'Con lo que hay hoy en cada una',
  answer: listAnswer(fundAnswer),
  isCounted: true,
  run: ({ c, db, query: { estado } }) => listFunds(db, c.get('today'), estado),
});

endpoints.reads(ROW_PATH, {
  summary: 'Leer una caja chica',
  returns: 'Con lo que hay hoy en ella',
  answer: fundAnswer,
  run: ({ c, id }) => readFundRow(c, id),
});

endpoints.creates('/', {
  summary: 'Abrir una caja chica',
  text: `Lo que se le pone al abrirla es su primer movimiento, cuando otra persona lo autoriza. ${APPROVERS_NOTE}`,
  body: newFundShape,
  returns: 'Abierta',
  answer: fundAnswer,
  problems: ['fund_taken', 'fund_short', ...CLOSED_PERIOD_PROBLEMS],
  forApprovers: true,
  run: async ({ c, db, actor, body: { apertura, ...fields } }) => {
    const { id } = await createFund(db, actor, toFundFieldValues(fields), apertura);
    return readFundRow(c, id, db);
  },
});

endpoints.changes(ROW_PATH, {
  summary: 'Cambiar una caja chica',
  text: `Subir \`montofijo\` pide la diferencia, y vale cuando otra persona la autoriza. ${APPROVERS_NOTE}`,
  body: fundChangeShape.meta({ id: 'PettyCashFundChange', examples: [{ montofijo: 8000 }] }),
  answer: fundAnswer,
  ...STALE_FUND_OPTIONS,
  problems: ['fund_taken', 'fund_short', 'fund_closed', ...CLOSED_PERIOD_PROBLEMS],
  forApprovers: true,
  run: async ({ c, db, actor, id, body: { version, ...fields } }) => {
    await updateFund(db, actor, id, toFundFieldValues(fields), version);
    return readFundRow(c, id);
  },
});

const FINAL_CASH_COUNT_PROBLEMS = [
  'fund_moved',
  'fund_short',
  'same_author',
  'fund_closed',
  ...CLOSED_PERIOD_PROBLEMS,
] as const satisfies readonly ProblemCode[];

endpoints.steps(`${ROW_PATH}/cerrar`, {
  summary: 'Cerrar una caja chica',
  text: `Una de la que no falta ningún comprobante ni espera nada su autorización. Sin \`denominaciones\`, en la que no hay nada; con ellas, la que no tiene gastos por reponer: se guarda el arqueo, se ajusta la diferencia, y lo contado vuelve a su origen. Se queda entre las cerradas. ${APPROVERS_NOTE}`,
  body: closeFundShape,
  returns: 'Cerrada',
  answer: fundAnswer,
  ...STALE_FUND_OPTIONS,
  problems: ['fund_not_settled', ...FINAL_CASH_COUNT_PROBLEMS],
  forApprovers: true,
  run: async ({ c, db, actor, id, body: { version, ...counted } }) => {
    const hasCount = Object.values(counted).some((value) => value !== undefined && value !== null);
    const draft = hasCount ? { ...counted, motivo: actor.motivo } : undefined;
    return addFundFigures(await closeFund(db, actor, id, version, draft), c, db);
  },
});

endpoints.steps(`${ROW_PATH}/entregar`, {
  summary: 'Entregar una caja chica a otra persona',
  text: `Cuenta lo que hay, ajusta la diferencia, y guarda quién entrega y quién recibe. ${APPROVERS_NOTE}`,
  body: handOverShape,
  lacksBody: undefined,
  returns: 'El arqueo con el que se entregó',
  answer: cashCountAnswer,
  stale: fundAnswer,
  complete: addFundFigures,
  problems: FINAL_CASH_COUNT_PROBLEMS,
  forApprovers: true,
  run: ({ db, actor, id, body: { version, ...draft } }) =>
    handOverFund(db, actor, id, { ...draft, motivo: actor.motivo }, version),
});

endpoints.removes(ROW_PATH, {
  summary: 'Eliminar una caja chica',
  text: `Solo una sin movimientos ni arqueos. ${APPROVERS_NOTE}`,
  query: motivoOnlyShape,
  returns: 'Eliminada',
  problems: ['in_use', 'fund_closed', 'closed_period'],
  run: deleteFund,
});

endpoints.reads(`${ROW_PATH}/movimientos`, {
  summary: 'Los movimientos de una caja chica',
  query: z
    .strictObject({
      tipo: choiceField('Tipo', MOVEMENT_KINDS),
      estado: choiceField('Estado de los gastos', EXPENSE_STATES),
      desde: dateField('Desde'),
      hasta: dateField('Hasta'),
      limit: limitField,
      cursor: cursorField,
    })
    .meta({ examples: [{ estado: 'por-reponer', limit: 50 }] }),
  returns: 'En el orden en que se capturaron',
  answer: listAnswer(movementAnswer),
  headers: ['page'],
  problems: ['bad_period'],
  run: async ({ c, db, id, query: { limit = 1000, cursor, ...filter } }) => {
    const query = { ...filter, fundId: (await getFund(db, id)).id };
    const { rows: movements, cursor: next } = await searchMovements(db, { ...query, limit, cursor });
    const { count: total } = await sumMovements(db, query);
    return answerList(c, movements.map(movementAnswer.toJson), { total, cursor: next });
  },
});

const MOVEMENT_SAVING_PROBLEMS = [
  'fund_short',
  'over_cap',
  'amounts_disagree',
  'budget_exceeded',
  'uuid_taken',
  'same_author',
  'fund_closed',
  ...CLOSED_PERIOD_PROBLEMS,
] as const satisfies readonly ProblemCode[];

endpoints.creates(`${ROW_PATH}/movimientos`, {
  summary: 'Registrar un movimiento de caja chica',
  text: 'Un gasto, si no dice otra cosa. `apertura` y `ajuste` son de los roles 1 y 2; lo que entra a la caja se pide en `reposicion`, si lo autoriza otra persona.',
  body: newMovementShape,
  returns: 'Registrado',
  answer: savedMovementAnswer,
  problems: MOVEMENT_SAVING_PROBLEMS,
  run: ({ db, actor, id, body }) => createMovement(db, actor, id, toMovementFieldValues(body)),
});

endpoints.reads(`/movimientos${ROW_PATH}`, {
  summary: 'Leer un movimiento de caja chica',
  returns: 'El movimiento',
  answer: movementAnswer,
  run: ({ db, id }) => getMovement(db, id),
});

endpoints.changes(`/movimientos${ROW_PATH}`, {
  summary: 'Cambiar un movimiento de caja chica',
  text: 'También así se comprueba un gasto: con su `comprobante`.',
  body: movementChangeShape.meta({
    id: 'PettyCashMovementChange',
    examples: [{ comprobante: 'nota', folio: 'T-12' }],
  }),
  answer: savedMovementAnswer,
  stale: movementAnswer,
  problems: ['movement_fixed', ...MOVEMENT_SAVING_PROBLEMS],
  run: ({ db, actor, id, body: { version, ...fields }, sentBody }) => {
    requireFilledFields(sentBody, { importe: texts.required });
    return updateMovement(db, actor, id, toMovementFieldValues(fields), version);
  },
});

endpoints.steps(`/movimientos${ROW_PATH}/aceptar`, {
  summary: 'Aceptar un gasto sin comprobante',
  text: 'Ya no se espera ninguno, y queda por reponer. Solo para los roles 1 y 2.',
  body: acceptWithoutVoucherShape,
  answer: movementAnswer,
  stale: movementAnswer,
  problems: ['movement_fixed', 'fund_closed', 'closed_period'],
  run: ({ db, actor, id, body: { version } }) => acceptWithoutVoucher(db, actor, id, version),
});

endpoints.removes(`/movimientos${ROW_PATH}`, {
  summary: 'Eliminar un movimiento de caja chica',
  text: 'Lo que otra persona autorizó vuelve a pedirse.',
  query: motivoOnlyShape,
  returns: 'Eliminado',
  problems: ['movement_fixed', 'fund_short', 'fund_closed', 'closed_period'],
  run: deleteMovement,
});

endpoints.steps(`/movimientos${ROW_PATH}/restore`, {
  summary: 'Recuperar un movimiento de caja chica eliminado',
  body: restoreShape,
  returns: 'Recuperado, con el mismo id',
  answer: savedMovementAnswer,
  problems: [
    'not_deleted',
    'movement_fixed',
    'fund_short',
    'budget_exceeded',
    'uuid_taken',
    'fund_closed',
    ...CLOSED_PERIOD_PROBLEMS,
  ],
  run: ({ db, actor, id }) => restoreMovement(db, actor, id),
});

endpoints.reads(`${ROW_PATH}/reposiciones`, {
  summary: 'Las reposiciones de una caja chica',
  returns: 'La más nueva primero',
  answer: listAnswer(replenishmentRowAnswer),
  isCounted: true,
  run: async ({ db, id }) => listReplenishments(db, (await getFund(db, id)).id),
});

endpoints.creates(`${ROW_PATH}/reposicion`, {
  summary: 'Pedir dinero para la caja',
  text: 'Agrupa los gastos comprobados que nadie ha pedido; con `tipo` `apertura` o `ajuste`, solo para los roles 1 y 2, pide `importe` por `concepto`. Queda `solicitada` hasta que otra persona la autoriza; si el ajuste `autorizacion` es `misma` y quien la pide puede autorizarla, entra de una vez.',
  body: newReplenishmentShape,
  lacksBody: 'tolerated',
  returns: 'Pedida, o pagada',
  answer: replenishmentAnswer,
  problems: ['fund_closed', ...CLOSED_PERIOD_PROBLEMS],
  run: async ({ db, actor, id, body: { importe, ...request } }) =>
    toReplenishmentWithMovement(
      await requestReplenishment(db, actor, id, { ...request, importeCents: importe }),
    ),
});

endpoints.steps(`/reposiciones${ROW_PATH}/autorizar`, {
  summary: 'Autorizar lo que se pidió',
  text: `Pone el dinero en la caja, desde su origen. ${APPROVERS_NOTE} No la autoriza quien la pidió, quien tiene o tenía la caja, ni quien capturó o cambió los gastos sin reponer.`,
  body: authorizeReplenishmentShape,
  lacksBody: 'tolerated',
  returns: 'Pagada',
  answer: replenishmentAnswer,
  stale: replenishmentAnswer,
  complete: (stored: Replenishment) => ({ ...stored, movement: null }),
  problems: ['same_author', 'already_replenished', 'fund_closed', ...CLOSED_PERIOD_PROBLEMS],
  run: async ({ db, actor, id, body: { fecha, version } }) => {
    const request = { fecha, version: requireApproverAndVersion(actor, version) };
    return toReplenishmentWithMovement(await authorizeReplenishment(db, actor, id, request));
  },
});

endpoints.removes(`/reposiciones${ROW_PATH}`, {
  summary: 'Retirar una solicitud de reposición',
  text: 'Sus gastos quedan otra vez por reponer. Una apertura o un ajuste lo retiran los roles 1 y 2. Una pagada se retira después de eliminar su movimiento.',
  returns: 'Retirada',
  problems: ['already_replenished', 'fund_closed'],
  run: withdrawReplenishment,
});

endpoints.reads(`${ROW_PATH}/arqueos`, {
  summary: 'Los arqueos de una caja chica',
  returns: 'Los últimos, el más nuevo primero',
  answer: listAnswer(cashCountAnswer),
  isCounted: true,
  run: async ({ db, id }) => listCashCounts(db, (await getFund(db, id)).id),
});

endpoints.creates(`${ROW_PATH}/arqueo`, {
  summary: 'Contar una caja chica',
  text: 'A ciegas: solo la respuesta dice cuánto debía haber.',
  body: cashCountShape,
  returns: 'Guardado, con su diferencia',
  answer: cashCountAnswer,
  problems: ['fund_short', 'same_author', 'fund_closed', ...CLOSED_PERIOD_PROBLEMS],
  run: ({ db, actor, id, body }) => countCash(db, actor, id, { ...body, motivo: actor.motivo }),
});

endpoints.steps(`/arqueos${ROW_PATH}/ajustar`, {
  summary: 'Ajustar la diferencia de un arqueo',
  text: `${APPROVERS_NOTE} Un sobrante, otra persona que quien contó, quien tiene la caja y quien capturó sus gastos sin reponer.`,
  body: postCountDifferenceShape,
  lacksBody: undefined,
  returns: 'El arqueo con su ajuste',
  answer: cashCountAnswer,
  problems: [
    'no_difference',
    'movement_fixed',
    'fund_short',
    'same_author',
    'fund_closed',
    ...CLOSED_PERIOD_PROBLEMS,
  ],
  run: async ({ db, actor, id }) => {
    await postCountDifference(db, actor, id, actor.motivo ?? '');
    return getCashCount(db, id);
  },
});

const toReplenishmentWithMovement = ({ replenishment, movement }: ReplenishmentWithMovement) => ({
  ...replenishment,
  movement,
});
