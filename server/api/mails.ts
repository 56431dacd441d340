import type { z } from 'zod';
import { suppliers } from '../../shared/catalogs/suppliers.ts';
import { queueMailsOnce, requireMailEnabled } from '../http/mailing.ts';
import { readOptionalJson } from '../http/request.ts';
import { sendJson } from '../http/send.ts';
import { mailList } from '../lists/mails.ts';
import { retryMail } from '../services/mails/delivering.ts';
import type { MailOptions, MailRequest } from '../services/mails/queueing.ts';
import { listAnswer } from '../shapes/answers.ts';
import { parseShape } from '../shapes/fields.ts';
import {
  mailAnswer,
  retryMailShape,
  sendBatchAdvicesShape,
  sendPaymentAdviceShape,
  sendPaymentReceiptRequestShape,
  sendSupplierStatementShape,
} from '../shapes/mails.ts';
import type { Description } from './call-descriptions.ts';
import { createEndpoints, pathIdWithoutQuery, ROW_PATH } from './calls.ts';

const MAIL_ROLES_NOTE = 'Solo para los roles 1, 2 y 3.';

const endpoints = createEndpoints('Correos');
export const mailsApi = endpoints.app;

endpoints.lists(
  { '/': { summary: 'La bandeja de salida', text: MAIL_ROLES_NOTE } },
  { list: mailList, example: { estado: 'fallo', limit: 50 }, row: mailAnswer },
);

endpoints.steps(`${ROW_PATH}/reintentar`, {
  summary: 'Intentar otra vez un correo',
  text: `También después del último intento. Uno que no se sabe si salió puede llegar dos veces. ${MAIL_ROLES_NOTE}`,
  body: retryMailShape,
  lacksBody: 'tolerated',
  answer: mailAnswer,
  problems: ['not_found', 'mail_off', 'mail_sent'],
  run: ({ c, db, actor, id }) => {
    requireMailEnabled(c);
    return retryMail(db, actor, id);
  },
});

const QUEUED_NOTE =
  'Quedan en la bandeja de salida, cada uno con el PDF de este momento, y salen en unos segundos.';

/** @returns an API with one call, to be mounted before the other routes of its resource */
function defineMailApi<Body extends z.ZodObject>(
  tag: string,
  path: string,
  body: Body,
  { summary, problems = [] }: Pick<Description, 'summary' | 'problems'>,
  read: (id: number, sent: z.output<Body>) => MailRequest,
) {
  const { app, call } = createEndpoints(tag);
  call('POST', path, {
    summary,
    text: `${QUEUED_NOTE} ${MAIL_ROLES_NOTE}`,
    body,
    isBodyOptional: true,
    isIdempotent: true,
    status: 202,
    returns: 'Los correos',
    answer: listAnswer(mailAnswer).shape,
    problems: ['not_found', 'mail_off', 'no_address', ...problems],
    async run(c) {
      requireMailEnabled(c);
      const id = pathIdWithoutQuery(c);
      const sent = await readOptionalJson(c);
      const asked = parseShape(body, sent) as z.output<Body> & MailOptions;
      const { para, omitir } = asked;
      return sendJson(c, await queueMailsOnce(c, read(id, asked), { para, omitir }, sent), 202);
    },
  });
  return app;
}

export const supplierStatementMailApi = defineMailApi(
  suppliers.texts.list,
  `${ROW_PATH}/statement/enviar`,
  sendSupplierStatementShape,
  { summary: 'Enviar por correo el estado de cuenta de un proveedor', problems: ['bad_period'] },
  (supplierId, { desde, hasta }) => ({ supplierId, desde, hasta }),
);

export const receiptsRequestMailApi = defineMailApi(
  suppliers.texts.list,
  `${ROW_PATH}/rep/enviar`,
  sendPaymentReceiptRequestShape,
  { summary: 'Pedir por correo los REP que le faltan a un proveedor' },
  (receiptsOf, { corte }) => ({ receiptsOf, corte }),
);

export const paymentAdviceMailApi = defineMailApi(
  'Pagos',
  `${ROW_PATH}/aviso/enviar`,
  sendPaymentAdviceShape,
  { summary: 'Enviar por correo el aviso de un pago' },
  (paymentId, { dia }) => ({ paymentId, dia }),
);

export const batchAdvicesMailApi = defineMailApi(
  'Programaciones',
  `${ROW_PATH}/avisos/enviar`,
  sendBatchAdvicesShape,
  { summary: 'Enviar por correo los avisos de una programación pagada', problems: ['batch_state'] },
  (batchId) => ({ batchId }),
);
