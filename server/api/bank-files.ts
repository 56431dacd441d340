import { Hono } from 'hono';
import { z } from 'zod';
import { requireConfirmation } from '../http/confirmation.ts';
import { sendBytes } from '../http/downloads.ts';
import { readOptionalJson } from '../http/request.ts';
import { type AppEnv, actorOf } from '../http/session.ts';
import { downloadFile, makeFile, offeredFiles, outdatedFiles } from '../services/bank-files/files.ts';
import { confirmLayout, readLayouts } from '../services/bank-files/layouts.ts';
import { getBatch } from '../services/payment-batches/reading.ts';
import { requireApprover } from '../services/payment-batches/stages.ts';
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
import { parseId, parseShape } from '../shapes/fields.ts';
import { fullBatchAnswer, toFullBatchJson } from '../shapes/payment-batches.ts';
import { CREATES, pathId, takes } from './answers.ts';
import { APPROVERS, CONFIRMED, describes } from './describe.ts';

const tag = 'Programaciones';
const LIST = '/:id{[0-9]+}/archivos';

/** What a bank is sent of a batch; mounted under the batches' address. */
export const bankFilesApi = new Hono<AppEnv>({ strict: false })
  .get(
    '/plantillas',
    describes({
      tag,
      summary: 'Las plantillas de los archivos para el banco',
      success: { status: 200, says: 'Las de fábrica y las propias', shape: z.array(layoutAnswer) },
    }),
    async (c) => c.json((await readLayouts(c.get('deps').db)).map(toLayoutJson)),
  )
  .post(
    '/plantillas/confirmar',
    describes({
      tag,
      summary: 'Confirmar una plantilla de banco',
      text: `Una plantilla propia sirve desde que la confirma otra persona que quienes la cambiaron. ${APPROVERS}`,
      body: confirmLayoutShape,
      success: { status: 200, says: 'Como quedó', shape: layoutAnswer },
      stale: layoutAnswer,
      problems: ['not_found', 'same_layout_author', 'bad_layout', ...CONFIRMED],
    }),
    takes(confirmLayoutShape, { current: toLayoutJson }, async ({ c, db, actor, body }) => {
      const { plantilla: code = '', version, currentpassword } = body;
      await requireConfirmation(c, currentpassword);
      return toLayoutJson(await confirmLayout(db, actor, { code, version }));
    }),
  )
  .get(
    '/:id{[0-9]+}/plantillas',
    describes({
      tag,
      summary: 'Las plantillas de banco que sirven para una programación',
      success: { status: 200, says: 'Con lo que llevaría cada una', shape: z.array(offeredAnswer) },
    }),
    async (c) => {
      const { db } = c.get('deps');
      const { offered } = await offeredFiles(db, await getBatch(db, pathId(c)));
      return c.json(offered.map(toOfferedJson));
    },
  )
  .get(
    LIST,
    describes({
      tag,
      summary: 'Los archivos para el banco de una programación',
      text: APPROVERS,
      success: { status: 200, says: 'El primero que se generó, primero', shape: z.array(fileAnswer) },
    }),
    async (c) => {
      requireApprover(actorOf(c));
      const { db } = c.get('deps');
      const batch = await getBatch(db, pathId(c));
      const outdated = await outdatedFiles(db, batch);
      return c.json(batch.files.map((file) => toFileJson(file, !outdated.has(file.id))));
    },
  )
  .post(
    LIST,
    describes({
      tag,
      summary: 'Generar un archivo para el banco',
      text: `De una programación autorizada o enviada, que queda enviada. Lo detenido, lo pagado y lo que no tiene cuenta confiable no va. Antes de guardarse se lee de nuevo y se compara con la programación, cuenta por cuenta y centavo por centavo. El mismo archivo no se guarda dos veces. ${APPROVERS}`,
      body: newFileShape,
      once: true,
      success: { status: 201, says: 'Generado', shape: madeFileAnswer },
      stale: fullBatchAnswer,
      problems: ['batch_state', 'unsigned', 'layout_waits', 'bank_file_differs', 'nothing_to_send'],
    }),
    takes(newFileShape, { ...CREATES, current: toFullBatchJson }, async ({ db, actor, id, body }) => {
      const { plantilla: layout = '', version } = body;
      const { file, warnings } = await makeFile(db, actor, id, { layout, version });
      return { ...toFileJson(file, true), avisos: warnings };
    }),
  )
  .post(
    `${LIST}/:archivoId{[0-9]+}/descargar`,
    describes({
      tag,
      summary: 'Descargar un archivo para el banco',
      text: `La primera vez sin más; después solo con \`otraVez\`. Cada descarga queda en la bitácora. ${APPROVERS}`,
      body: downloadShape,
      mayLackBody: true,
      success: { status: 200, says: 'El archivo', type: 'application/octet-stream' },
      problems: ['batch_state', 'unsigned', 'file_outdated', 'already_downloaded'],
    }),
    async (c) => {
      const { db, config } = c.get('deps');
      const asked = {
        batchId: pathId(c),
        fileId: parseId(c.req.param('archivoId') ?? '', 'Archivo'),
        again: parseShape(downloadShape, await readOptionalJson(c)).otraVez,
      };
      return sendBytes(c, await downloadFile(db, actorOf(c), asked, config.timeZone));
    },
  );
