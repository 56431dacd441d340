import { z } from 'zod';
import { missingStatement } from '../../shared/bank-statements.ts';
import type { FullBatch } from '../../shared/payment-batches.ts';
import { requireConfirmation } from '../http/confirmation.ts';
import { sendBytes } from '../http/downloads.ts';
import { readOptionalJson } from '../http/request.ts';
import { actorOf } from '../http/session.ts';
import { readSentForm } from '../http/uploads.ts';
import { batchList } from '../lists/payment-batches.ts';
import { downloadFile, makeFile, offeredFiles, outdatedFiles } from '../services/bank-files/files.ts';
import { confirmLayout, readLayouts } from '../services/bank-files/layouts.ts';
import { loadStatementFile, MOST_STATEMENT_MB } from '../services/bank-statements/loading.ts';
import { getStatement, listStatements } from '../services/bank-statements/reading.ts';
import { payBatch, returnBatch } from '../services/payment-batches/paying.ts';
import { createBatch, deleteBatch, updateBatch } from '../services/payment-batches/payment-batches.ts';
import { getBatch, searchBatches, sumBatches } from '../services/payment-batches/reading.ts';
import {
  authorizeBatch,
  permitLine,
  requireApprover,
  requireRead,
  sendBatch,
} from '../services/payment-batches/stages.ts';
import {
  confirmLayoutShape,
  downloadShape,
  fileAnswer,
  layoutAnswer,
  madeFileAnswer,
  newFileShape,
  offeredAnswer,
  toFileJson,
  toLayoutJson,
  toOfferedJson,
} from '../shapes/bank-files.ts';
import {
  bankStatementAnswer,
  fullBankStatementAnswer,
  loadedAnswer,
  newStatementShape,
  statementListShape,
  toFullStatementJson,
  toLoadedJson,
  toStatementJson,
} from '../shapes/bank-statements.ts';
import { parseId, parseShape } from '../shapes/fields.ts';
import {
  batchAnswer,
  batchChangeShape,
  batchStepShape,
  datedStepShape,
  fullBatchAnswer,
  newBatchShape,
  paidBatchAnswer,
  payBatchShape,
  permitShape,
  signBatchShape,
  toBatchDraft,
  toBatchJson,
  toFullBatchJson,
} from '../shapes/payment-batches.ts';
import { callsOf, ONE, pathId } from './calls.ts';
import { APPROVERS, CONFIRMED, DATED, REFERRING } from './describe.ts';

const calls = callsOf('Programaciones');
export const paymentBatchesApi = calls.app;

const STALE: [z.ZodType, (batch: FullBatch) => object] = [fullBatchAnswer, toFullBatchJson];

calls.lists(
  { '/': { summary: 'La lista de programaciones de pagos' } },
  {
    list: batchList,
    example: { estado: 'borrador', limit: 50 },
    says: 'Sin sus partidas',
    row: batchAnswer,
    problems: ['bad_period'],
    async read(asked, c) {
      const { db } = c.get('deps');
      const { batches, cursor } = await searchBatches(db, asked);
      return { rows: batches.map(toBatchJson), total: (await sumBatches(db, asked)).count, cursor };
    },
  },
);

calls.reads(ONE, {
  summary: 'Leer una programación de pagos',
  says: 'Con sus partidas y lo que dijo el semáforo',
  answer: fullBatchAnswer,
  run: async ({ db, id }) => toFullBatchJson(await getBatch(db, id)),
});

calls.creates('/', {
  summary: 'Programar pagos',
  text: 'Queda en borrador: nada se paga todavía, pero lo programado ya no cabe en otra programación abierta.',
  body: newBatchShape,
  says: 'Programada',
  answer: fullBatchAnswer,
  problems: ['over_committed', ...REFERRING],
  run: async ({ db, actor, body }) => toFullBatchJson(await createBatch(db, actor, toBatchDraft(body))),
});

calls.changes(ONE, {
  summary: 'Cambiar una programación de pagos',
  text: 'Mientras está en borrador o autorizada; una autorizada vuelve a borrador y pierde sus firmas. Lo que ya decía no cambia nada.',
  body: batchChangeShape,
  says: 'Como quedó',
  answer: fullBatchAnswer,
  stale: STALE,
  problems: ['over_committed', 'batch_state', ...REFERRING],
  run: async ({ db, actor, id, body: { version, ...fields } }) =>
    toFullBatchJson(await updateBatch(db, actor, id, toBatchDraft(fields), version)),
});

calls.removes(ONE, {
  summary: 'Eliminar una programación de pagos',
  text: 'Solo un borrador.',
  says: 'Eliminada',
  problems: ['batch_state'],
  run: deleteBatch,
});

/** The part that all steps of a batch say alike. */
const STEP = { says: 'Como quedó', answer: fullBatchAnswer, stale: STALE, lacksBody: 'tolerated' } as const;

calls.steps(`${ONE}/autorizar`, {
  ...STEP,
  summary: 'Autorizar una programación de pagos',
  text: `La firma quien la revisó; la última firma que hace falta la autoriza. ${APPROVERS}`,
  body: signBatchShape,
  problems: ['batch_state', 'not_found', 'same_author', 'already_signed'],
  run: async ({ db, actor, id, body: { version } }) =>
    toFullBatchJson(await authorizeBatch(db, actor, id, requireRead(actor, version))),
});

calls.steps(`${ONE}/enviar`, {
  ...STEP,
  summary: 'Marcar como enviada al banco',
  text: APPROVERS,
  body: batchStepShape,
  problems: ['batch_state', 'not_found', 'unsigned'],
  run: async ({ db, actor, id, body: { version } }) =>
    toFullBatchJson(await sendBatch(db, actor, id, version)),
});

calls.steps(`${ONE}/pagar`, {
  ...STEP,
  summary: 'Pagar una programación',
  text: `Registra todos sus pagos o ninguno; las partidas detenidas se quedan sin pagar. ${APPROVERS}`,
  body: payBatchShape,
  answer: paidBatchAnswer,
  problems: ['batch_state', 'not_found', 'unsigned', 'all_held', 'overpayment', ...DATED],
  run: async ({ db, actor, id, body: { version, ...numbers } }) => {
    const { batch, warnings } = await payBatch(db, actor, id, numbers, version);
    return { ...toFullBatchJson(batch), warnings };
  },
});

calls.steps(`${ONE}/regresar`, {
  ...STEP,
  summary: 'Regresar una programación',
  text: 'Una autorizada o enviada vuelve a borrador; de una pagada se eliminan todos sus pagos y vuelve a autorizada, lo que solo pueden los roles 1 y 2. De lo que se mandó al banco hace falta `motivo`, y con `autorizacion` = `otra` otra persona que quien lo mandó.',
  body: datedStepShape,
  problems: ['batch_state', 'not_found', 'over_committed', 'same_sender', ...DATED],
  run: async ({ db, actor, id, body: { version } }) =>
    toFullBatchJson(await returnBatch(db, actor, id, version)),
});

calls.steps(`${ONE}/partidas/:facturaproveedorId{[0-9]+}/permitir`, {
  ...STEP,
  summary: 'Dejar pasar una partida detenida',
  text: `Con un motivo, y solo en esta programación. ${APPROVERS}`,
  body: permitShape,
  problems: ['batch_state', 'not_found', 'same_author', 'not_held', 'firm_check'],
  run: async ({ c, db, actor, id, body: { version } }) => {
    const invoiceId = parseId(c.req.param('facturaproveedorId') ?? '', 'Factura');
    const asked = { invoiceId, reason: actor.motivo ?? '', version: requireRead(actor, version) };
    // The reason is the line's.
    return toFullBatchJson(await permitLine(db, { ...actor, motivo: undefined }, id, asked));
  },
});

calls.reads('/plantillas', {
  summary: 'Las plantillas de los archivos para el banco',
  says: 'Las de fábrica y las propias',
  answer: z.array(layoutAnswer),
  run: async ({ db }) => (await readLayouts(db)).map(toLayoutJson),
});

calls.sends('POST', '/plantillas/confirmar', {
  summary: 'Confirmar una plantilla de banco',
  text: `Una plantilla propia sirve desde que la confirma otra persona que quienes la cambiaron. ${APPROVERS}`,
  body: confirmLayoutShape,
  says: 'Como quedó',
  answer: layoutAnswer,
  stale: [layoutAnswer, toLayoutJson],
  problems: ['not_found', 'same_layout_author', 'bad_layout', ...CONFIRMED],
  run: async ({ c, db, actor, body: { plantilla: code = '', version, currentpassword } }) => {
    await requireConfirmation(c, currentpassword);
    return toLayoutJson(await confirmLayout(db, actor, { code, version }));
  },
});

calls.reads(`${ONE}/plantillas`, {
  summary: 'Las plantillas de banco que sirven para una programación',
  says: 'Con lo que llevaría cada una',
  answer: z.array(offeredAnswer),
  run: async ({ db, id }) => (await offeredFiles(db, await getBatch(db, id))).offered.map(toOfferedJson),
});

calls.reads(`${ONE}/archivos`, {
  summary: 'Los archivos para el banco de una programación',
  text: APPROVERS,
  says: 'El primero que se generó, primero',
  answer: z.array(fileAnswer),
  run: async ({ c, db, id }) => {
    requireApprover(actorOf(c));
    const batch = await getBatch(db, id);
    const outdated = await outdatedFiles(db, batch);
    return batch.files.map((file) => toFileJson(file, !outdated.has(file.id)));
  },
});

calls.creates(`${ONE}/archivos`, {
  summary: 'Generar un archivo para el banco',
  text: `De una programación autorizada o enviada, que queda enviada. Lo detenido, lo pagado y lo que no tiene cuenta confiable no va. Antes de guardarse se lee de nuevo y se compara con la programación, cuenta por cuenta y centavo por centavo. El mismo archivo no se guarda dos veces. ${APPROVERS}`,
  body: newFileShape,
  says: 'Generado',
  answer: madeFileAnswer,
  stale: STALE,
  problems: ['batch_state', 'unsigned', 'layout_waits', 'bank_file_differs', 'nothing_to_send'],
  run: async ({ db, actor, id, body: { plantilla: layout = '', version } }) => {
    const { file, warnings } = await makeFile(db, actor, id, { layout, version });
    return { ...toFileJson(file, true), avisos: warnings };
  },
});

calls.call('POST', `${ONE}/archivos/:archivoId{[0-9]+}/descargar`, {
  summary: 'Descargar un archivo para el banco',
  text: `La primera vez sin más; después solo con \`otraVez\`. Cada descarga queda en la bitácora. ${APPROVERS}`,
  body: downloadShape,
  mayLackBody: true,
  status: 200,
  says: 'El archivo',
  type: 'application/octet-stream',
  problems: ['batch_state', 'unsigned', 'file_outdated', 'already_downloaded'],
  run: async (c) => {
    const { db, config } = c.get('deps');
    const asked = {
      batchId: pathId(c),
      fileId: parseId(c.req.param('archivoId') ?? '', 'Archivo'),
      again: parseShape(downloadShape, await readOptionalJson(c)).otraVez,
    };
    return sendBytes(c, await downloadFile(db, actorOf(c), asked, config.timeZone));
  },
});

calls.reads('/estados-de-cuenta', {
  summary: 'Los estados de cuenta del banco que se cargaron',
  query: statementListShape,
  says: 'El último, primero',
  answer: z.array(bankStatementAnswer),
  run: async ({ db, query: { limit } }) => (await listStatements(db, limit)).map(toStatementJson),
});

calls.reads(`/estados-de-cuenta${ONE}`, {
  summary: 'Leer un estado de cuenta del banco',
  says: 'Con sus movimientos',
  answer: fullBankStatementAnswer,
  run: async ({ db, id }) => toFullStatementJson(await getStatement(db, id)),
});

calls.call('POST', '/estados-de-cuenta/cargar', {
  summary: 'Cargar un estado de cuenta del banco',
  text: 'Lo que el banco pagó de las programaciones enviadas queda pagado con su fecha; lo que devolvió vuelve a deberse. Se reconoce por el importe junto con la referencia o la CLABE. Un movimiento cuenta una vez: repetir la carga no paga dos veces. Hasta 20,000 renglones. Solo para los roles 1 y 2.',
  body: newStatementShape,
  isForm: true,
  status: 200,
  says: 'Qué resultó de sus movimientos',
  answer: loadedAnswer,
  problems: ['bad_statement', ...DATED],
  run: async (c) => {
    requireApprover(actorOf(c));
    const { fields, files } = await readSentForm(c, MOST_STATEMENT_MB);
    const { origenderecursoId } = parseShape(newStatementShape, { ...fields });
    const { file } = files;
    if (!origenderecursoId || !file) throw missingStatement(!origenderecursoId, !file);
    const sent = { origenderecursoId, ...file };
    const outcome = await loadStatementFile(c.get('deps').db, actorOf(c), sent, c.req.raw.signal);
    return c.json(toLoadedJson(outcome));
  },
});
