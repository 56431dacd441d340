import { z } from 'zod';
import type { BatchFile } from '../../shared/payment-batches.ts';
import { formatLayout } from '../formats/bank-files/layout.ts';
import { requirePasswordConfirmation } from '../http/confirmation.ts';
import { sendBytes } from '../http/downloads.ts';
import { readOptionalJson } from '../http/request.ts';
import { actorOf } from '../http/session.ts';
import {
  downloadFile,
  findOutdatedFiles,
  generateFileAndMarkSent,
  type OfferedLayout,
  readOfferedLayouts,
} from '../services/bank-files/files.ts';
import {
  confirmLayout,
  isConfirmed,
  readLayouts,
  type StoredLayout,
} from '../services/bank-files/layouts.ts';
import { getBatch } from '../services/payment-batches/reading.ts';
import { requireApprover } from '../services/payment-batches/stages.ts';
import * as member from '../shapes/answer-members.ts';
import { answerFor, listAnswer, type Members, signatureNoteMember } from '../shapes/answers.ts';
import { flagField, parseId, parseShape, textField, versionField } from '../shapes/fields.ts';
import { fullBatchAnswer, newBankFileShape } from '../shapes/payment-batches.ts';
import { currentPasswordField } from '../shapes/users.ts';
import { APPROVERS_NOTE, PASSWORD_PROBLEMS } from './call-descriptions.ts';
import { createEndpoints, pathIdWithoutQuery, ROW_PATH } from './calls.ts';

const downloadShape = z
  .strictObject({
    otraVez: flagField('otraVez').meta({
      description: 'Que se sabe quién lo descargó antes, y que no está en el banco',
    }),
  })
  .meta({ examples: [{}] });

const confirmLayoutShape = z
  .strictObject({
    plantilla: textField('Plantilla', 40, 'plantilla'),
    version: versionField,
    currentpassword: currentPasswordField,
  })
  .meta({
    id: 'LayoutConfirmation',
    required: ['plantilla', 'version'],
    examples: [{ plantilla: 'bbva-spei', version: 412 }],
  });

const commonLayoutMembers = {
  plantilla: [member.text('Con qué nombre se pide'), ({ layout }) => layout.plantilla],
  nombre: [member.text('Para qué banco y qué cuentas es'), ({ layout }) => layout.nombre],
  sha256: member.text('De lo que la plantilla dice'),
  autor: [
    member.nullableText('Quién la cambió; null: como viene con Saldo'),
    ({ customization }) => customization?.author ?? null,
  ],
  confirmo: [
    member.nullableText('Quién la confirmó después; null: nadie, o es de fábrica'),
    ({ customization }) => customization?.confirmer ?? null,
  ],
  aviso: [signatureNoteMember, ({ customization }) => customization?.note?.text ?? null],
} as const satisfies Members<StoredLayout>;

const layoutAnswer = answerFor<StoredLayout>('BankLayout', 'Cómo quiere un banco su archivo.').with({
  ...commonLayoutMembers,
  sirve: [member.boolean('Es de fábrica, o alguien la confirmó'), isConfirmed],
  version: [
    z.int().nullable().meta({ description: 'La que se confirma; null: es de fábrica' }),
    ({ customization }) => customization?.version ?? null,
  ],
  definicion: [member.text('Lo que dice, como JSON'), ({ layout }) => formatLayout(layout)],
});

const layoutOfferAnswer = answerFor<OfferedLayout>(
  'BankLayoutOffer',
  'Una plantilla que sirve para el origen de la programación.',
).with({
  ...commonLayoutMembers,
  transferencias: [member.count('Cuántas llevaría, una por proveedor'), 'transfers'],
  total: member.amount('Lo que sumarían'),
});

type BankFileWithValidity = BatchFile & { isCurrent: boolean };

const fileAnswer = answerFor<BankFileWithValidity>(
  'BankFile',
  'Lo que se manda al banco de una programación de pagos.',
).with({
  id: member.rowId('Número del archivo'),
  plantilla: [member.text('Con cuál se escribió'), 'layout'],
  plantillaSha256: [
    member.nullableText('De lo que ella decía; null: es de antes de que se anotara'),
    'layoutSha256',
  ],
  plantillaAutor: [member.nullableText('Quién la cambió; null: como viene con Saldo'), 'layoutAuthor'],
  plantillaConfirmo: [member.nullableText('Quién la confirmó después'), 'layoutConfirmer'],
  nombre: [member.text('Nombre del archivo'), 'filename'],
  sha256: member.text('De sus bytes: los mismos mientras nada cambie'),
  transferencias: [member.count('Cuántas lleva, una por proveedor'), 'transfers'],
  total: member.amount('Lo que suman'),
  vigente: [
    member.boolean('Sigue siendo lo que dicen la programación, las cuentas y la plantilla'),
    'isCurrent',
  ],
  generadoPor: [member.text('Quién lo generó primero'), 'username'],
  generadoAt: [member.moment('Cuándo'), 'createdAt'],
  descargas: [
    z.array(z.strictObject({ username: member.text('Quién lo descargó'), at: member.moment('Cuándo') })),
    'downloads',
  ],
});

const generatedFileAnswer = answerFor<BankFileWithValidity & { warnings: readonly string[] }>(
  'MadeBankFile',
).with({
  ...fileAnswer.members,
  avisos: [
    z.array(z.string()).meta({ description: 'Textos que no cupieron en su campo y se cortaron' }),
    'warnings',
  ],
});

const endpoints = createEndpoints('Programaciones');
export const bankFilesApi = endpoints.app;

endpoints.reads('/plantillas', {
  summary: 'Las plantillas de los archivos para el banco',
  returns: 'Las de fábrica y las propias',
  answer: listAnswer(layoutAnswer),
  run: ({ db }) => readLayouts(db),
});

endpoints.sends('POST', '/plantillas/confirmar', {
  summary: 'Confirmar una plantilla de banco',
  text: `Una plantilla propia sirve desde que la confirma otra persona que quienes la cambiaron. ${APPROVERS_NOTE}`,
  body: confirmLayoutShape,
  answer: layoutAnswer,
  stale: layoutAnswer,
  problems: ['not_found', 'same_author', 'same_layout_author', 'bad_layout', ...PASSWORD_PROBLEMS],
  run: async ({ c, db, actor, body: { plantilla: code = '', version, currentpassword } }) => {
    await requirePasswordConfirmation(c, currentpassword);
    return confirmLayout(db, actor, { code, version });
  },
});

endpoints.reads(`${ROW_PATH}/plantillas`, {
  summary: 'Las plantillas de banco que sirven para una programación',
  returns: 'Con lo que llevaría cada una',
  answer: listAnswer(layoutOfferAnswer),
  run: async ({ db, id }) => (await readOfferedLayouts(db, await getBatch(db, id))).offered,
});

endpoints.reads(`${ROW_PATH}/archivos`, {
  summary: 'Los archivos para el banco de una programación',
  text: APPROVERS_NOTE,
  returns: 'El primero que se generó, primero',
  answer: listAnswer(fileAnswer),
  run: async ({ c, db, id }) => {
    requireApprover(actorOf(c));
    const batch = await getBatch(db, id);
    const outdated = await findOutdatedFiles(db, batch);
    return batch.files.map((file) => ({ ...file, isCurrent: !outdated.has(file.id) }));
  },
});

endpoints.creates(`${ROW_PATH}/archivos`, {
  summary: 'Generar un archivo para el banco',
  text: `De una programación autorizada o enviada, que queda enviada. Lo retenido, lo pagado y lo que no tiene cuenta confirmada no va. Antes de guardarse se lee de nuevo y se compara con la programación, cuenta por cuenta y centavo por centavo. El mismo archivo no se guarda dos veces. ${APPROVERS_NOTE}`,
  body: newBankFileShape,
  returns: 'Generado',
  answer: generatedFileAnswer,
  stale: fullBatchAnswer,
  problems: ['batch_state', 'unsigned', 'layout_waits', 'bank_file_differs', 'nothing_to_send'],
  run: async ({ db, actor, id, body: { plantilla: layout = '', version } }) => {
    const { file, warnings } = await generateFileAndMarkSent(db, actor, id, { layout, version });
    return { ...file, isCurrent: true, warnings };
  },
});

endpoints.call('POST', `${ROW_PATH}/archivos/:archivoId{[0-9]+}/descargar`, {
  summary: 'Descargar un archivo para el banco',
  text: `La primera vez sin más; después solo con \`otraVez\`. Cada descarga queda en la bitácora. ${APPROVERS_NOTE}`,
  body: downloadShape,
  isBodyOptional: true,
  status: 200,
  returns: 'El archivo',
  type: 'application/octet-stream',
  problems: ['batch_state', 'unsigned', 'file_outdated', 'already_downloaded'],
  run: async (c) => {
    const { db, config } = c.get('deps');
    const download = {
      batchId: pathIdWithoutQuery(c),
      fileId: parseId(c.req.param('archivoId') ?? '', 'Archivo'),
      allowsSecondDownload: parseShape(downloadShape, await readOptionalJson(c)).otraVez,
    };
    return sendBytes(c, await downloadFile(db, actorOf(c), download, config.timeZone));
  },
});
