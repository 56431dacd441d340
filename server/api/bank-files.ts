import { requireConfirmation } from '../http/confirmation.ts';
import { sendBytes } from '../http/downloads.ts';
import { readOptionalJson } from '../http/request.ts';
import { actorOf } from '../http/session.ts';
import { downloadFile, makeFile, offeredFiles, outdatedFiles } from '../services/bank-files/files.ts';
import { confirmLayout, readLayouts } from '../services/bank-files/layouts.ts';
import { getBatch } from '../services/payment-batches/reading.ts';
import { requireApprover } from '../services/payment-batches/stages.ts';
import { listOf } from '../shapes/answers.ts';
import {
  confirmLayoutShape,
  downloadShape,
  fileAnswer,
  layoutAnswer,
  madeFileAnswer,
  newFileShape,
  offeredAnswer,
} from '../shapes/bank-files.ts';
import { parseId, parseShape } from '../shapes/fields.ts';
import { fullBatchAnswer } from '../shapes/payment-batches.ts';
import { callsOf, ONE, pathId } from './calls.ts';
import { APPROVERS, CONFIRMED } from './describe.ts';

const calls = callsOf('Programaciones');
/** Mounted under the address of batches. */
export const bankFilesApi = calls.app;

calls.reads('/plantillas', {
  summary: 'Las plantillas de los archivos para el banco',
  says: 'Las de fábrica y las propias',
  answer: listOf(layoutAnswer),
  run: ({ db }) => readLayouts(db),
});

calls.sends('POST', '/plantillas/confirmar', {
  summary: 'Confirmar una plantilla de banco',
  text: `Una plantilla propia sirve desde que la confirma otra persona que quienes la cambiaron. ${APPROVERS}`,
  body: confirmLayoutShape,
  answer: layoutAnswer,
  stale: layoutAnswer,
  problems: ['not_found', 'same_layout_author', 'bad_layout', ...CONFIRMED],
  run: async ({ c, db, actor, body: { plantilla: code = '', version, currentpassword } }) => {
    await requireConfirmation(c, currentpassword);
    return confirmLayout(db, actor, { code, version });
  },
});

calls.reads(`${ONE}/plantillas`, {
  summary: 'Las plantillas de banco que sirven para una programación',
  says: 'Con lo que llevaría cada una',
  answer: listOf(offeredAnswer),
  run: async ({ db, id }) => (await offeredFiles(db, await getBatch(db, id))).offered,
});

calls.reads(`${ONE}/archivos`, {
  summary: 'Los archivos para el banco de una programación',
  text: APPROVERS,
  says: 'El primero que se generó, primero',
  answer: listOf(fileAnswer),
  run: async ({ c, db, id }) => {
    requireApprover(actorOf(c));
    const batch = await getBatch(db, id);
    const outdated = await outdatedFiles(db, batch);
    return batch.files.map((file) => ({ ...file, isCurrent: !outdated.has(file.id) }));
  },
});

calls.creates(`${ONE}/archivos`, {
  summary: 'Generar un archivo para el banco',
  text: `De una programación autorizada o enviada, que queda enviada. Lo retenido, lo pagado y lo que no tiene cuenta confirmada no va. Antes de guardarse se lee de nuevo y se compara con la programación, cuenta por cuenta y centavo por centavo. El mismo archivo no se guarda dos veces. ${APPROVERS}`,
  body: newFileShape,
  says: 'Generado',
  answer: madeFileAnswer,
  stale: fullBatchAnswer,
  problems: ['batch_state', 'unsigned', 'layout_waits', 'bank_file_differs', 'nothing_to_send'],
  run: async ({ db, actor, id, body: { plantilla: layout = '', version } }) => {
    const { file, warnings } = await makeFile(db, actor, id, { layout, version });
    return { ...file, isCurrent: true, warnings };
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
