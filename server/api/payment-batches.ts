import { batchList } from '../lists/payment-batches.ts';
import { moveBatchBackOneStage, payBatch } from '../services/payment-batches/paying.ts';
import { createBatch, deleteBatch, updateBatch } from '../services/payment-batches/payment-batches.ts';
import { getBatch } from '../services/payment-batches/reading.ts';
import {
  markBatchSent,
  permitLine,
  requireApproverAndVersion,
  signBatch,
} from '../services/payment-batches/stages.ts';
import { parseId } from '../shapes/fields.ts';
import {
  batchAnswer,
  batchChangeShape,
  batchStepShape,
  batchStepWithReasonShape,
  fullBatchAnswer,
  newBatchShape,
  paidBatchAnswer,
  payBatchShape,
  permitLineShape,
  signBatchShape,
  toBankAmounts,
  toBatchInput,
} from '../shapes/payment-batches.ts';
import { APPROVERS_NOTE, CLOSED_PERIOD_PROBLEMS, REFERENCE_PROBLEMS } from './call-descriptions.ts';
import { createEndpoints, ROW_PATH } from './calls.ts';

const endpoints = createEndpoints('Programaciones');
export const paymentBatchesApi = endpoints.app;

endpoints.lists(
  { '/': { summary: 'La lista de programaciones de pagos' } },
  {
    list: batchList,
    example: { estado: 'borrador', limit: 50 },
    returns: 'Sin sus partidas',
    row: batchAnswer,
  },
);

endpoints.reads(ROW_PATH, {
  summary: 'Leer una programación de pagos',
  returns: 'Con sus partidas y lo que dijo el semáforo',
  answer: fullBatchAnswer,
  run: ({ db, id }) => getBatch(db, id),
});

endpoints.creates('/', {
  summary: 'Programar pagos',
  text: 'Queda en borrador: nada se paga todavía, pero lo programado ya no cabe en otra programación abierta.',
  body: newBatchShape,
  returns: 'Programada',
  answer: fullBatchAnswer,
  problems: ['over_committed', ...REFERENCE_PROBLEMS],
  run: ({ db, actor, body }) => createBatch(db, actor, toBatchInput(body)),
});

endpoints.changes(ROW_PATH, {
  summary: 'Cambiar una programación de pagos',
  text: 'Mientras está en borrador o autorizada; una autorizada vuelve a borrador y pierde sus firmas. Lo que ya decía no cambia nada.',
  body: batchChangeShape,
  answer: fullBatchAnswer,
  stale: fullBatchAnswer,
  problems: ['over_committed', 'batch_state', ...REFERENCE_PROBLEMS],
  run: ({ db, actor, id, body: { version, ...fields } }) =>
    updateBatch(db, actor, id, toBatchInput(fields), version),
});

endpoints.removes(ROW_PATH, {
  summary: 'Eliminar una programación de pagos',
  text: 'Solo un borrador.',
  returns: 'Eliminada',
  problems: ['batch_state'],
  run: deleteBatch,
});

const COMMON_STEP_OPTIONS = {
  answer: fullBatchAnswer,
  stale: fullBatchAnswer,
  lacksBody: 'tolerated',
} as const;

endpoints.steps(`${ROW_PATH}/autorizar`, {
  ...COMMON_STEP_OPTIONS,
  summary: 'Autorizar una programación de pagos',
  text: `La firma quien la revisó; la última firma que hace falta la autoriza. ${APPROVERS_NOTE}`,
  body: signBatchShape,
  problems: ['batch_state', 'not_found', 'same_author', 'already_signed'],
  run: ({ db, actor, id, body: { version } }) =>
    signBatch(db, actor, id, requireApproverAndVersion(actor, version)),
});

endpoints.steps(`${ROW_PATH}/enviar`, {
  ...COMMON_STEP_OPTIONS,
  summary: 'Marcar como enviada al banco',
  text: APPROVERS_NOTE,
  body: batchStepShape,
  problems: ['batch_state', 'not_found', 'unsigned'],
  run: ({ db, actor, id, body: { version } }) => markBatchSent(db, actor, id, version),
});

endpoints.steps(`${ROW_PATH}/pagar`, {
  ...COMMON_STEP_OPTIONS,
  summary: 'Pagar una programación',
  text: `Registra todos sus pagos o ninguno; las partidas retenidas se quedan sin pagar. ${APPROVERS_NOTE}`,
  body: payBatchShape,
  answer: paidBatchAnswer,
  problems: ['batch_state', 'not_found', 'unsigned', 'all_held', 'overpayment', ...CLOSED_PERIOD_PROBLEMS],
  run: ({ db, actor, id, body: { version, cheque, referencia, importesbanco } }) => {
    const terms = { cheque, referencia, importesbanco: toBankAmounts(importesbanco) };
    return payBatch(db, actor, id, terms, version);
  },
});

endpoints.steps(`${ROW_PATH}/regresar`, {
  ...COMMON_STEP_OPTIONS,
  summary: 'Regresar una programación',
  text: 'Una autorizada o enviada vuelve a borrador; de una pagada se eliminan todos sus pagos y vuelve a autorizada, lo que solo pueden los roles 1 y 2. De lo que se mandó al banco hace falta `motivo`, y con `autorizacion` = `otra` otra persona que quien lo mandó.',
  body: batchStepWithReasonShape,
  problems: [
    'batch_state',
    'not_found',
    'over_committed',
    'same_sender',
    'bank_matched',
    ...CLOSED_PERIOD_PROBLEMS,
  ],
  run: ({ db, actor, id, body: { version } }) => moveBatchBackOneStage(db, actor, id, version),
});

endpoints.steps(`${ROW_PATH}/partidas/:facturaproveedorId{[0-9]+}/permitir`, {
  ...COMMON_STEP_OPTIONS,
  summary: 'Autorizar de todos modos una partida retenida',
  text: `Con un motivo, y solo en esta programación. ${APPROVERS_NOTE}`,
  body: permitLineShape,
  problems: ['batch_state', 'not_found', 'same_author', 'not_held', 'firm_check'],
  run: ({ c, db, actor, id, body: { version } }) => {
    const invoiceId = parseId(c.req.param('facturaproveedorId') ?? '', 'Factura');
    const permission = {
      invoiceId,
      reason: actor.motivo ?? '',
      version: requireApproverAndVersion(actor, version),
    };
    return permitLine(db, actor, id, permission);
  },
});
