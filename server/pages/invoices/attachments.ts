import { Hono } from 'hono';
import { inTransaction } from '../../../db/transaction.ts';
import { DomainError } from '../../../shared/errors.ts';
import { pages } from '../../../shared/urls.ts';
import { attachment } from '../../http/content-disposition.ts';
import { idInPath } from '../../http/request.ts';
import { type AppContext, type AppEnv, actorOf } from '../../http/session.ts';
import { readSentForm } from '../../http/uploads.ts';
import { attachFile, readAttachment, removeAttachment } from '../../services/attachments.ts';
import { safeFilename } from '../../services/files.ts';
import { getInvoice } from '../../services/invoices/reading.ts';
import { answerForm, redirectWith } from '../../shell/render.tsx';
import { invoiceTexts } from './form.tsx';
import { renderEdit } from './invoices.tsx';

const LIST = pages.attachments(':id{[0-9]+}');
const ONE = `${LIST}/:attachment{[0-9]+}`;

const MOST_MB = 5;

/** The files that are kept with an invoice: adding, downloading and removing one. */
export const attachmentPages = new Hono<AppEnv>({ strict: false })
  .post(LIST, (c) =>
    changed(c, async (invoiceId) => {
      const { file } = (await readSentForm(c, MOST_MB)).files;
      if (!file) throw new DomainError('invalid', 'Elige el archivo que quieres adjuntar.');
      await inTransaction(c.get('deps').db, (trx) => attachFile(trx, actorOf(c), invoiceId, file));
      return `Se adjuntó ${safeFilename(file.filename)}.`;
    }),
  )
  .get(ONE, async (c) => {
    const { filename, mediaType, bytes } = await readAttachment(
      c.get('deps').db,
      idInPath(c),
      attachmentId(c),
    );
    return c.body(new Uint8Array(bytes), 200, {
      'Content-Type': mediaType,
      'Content-Length': String(bytes.length),
      'Content-Disposition': attachment(filename),
      'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    });
  })
  .post(`${ONE}/quitar`, (c) =>
    changed(c, async (invoiceId) => {
      const removed = await removeAttachment(c.get('deps').db, actorOf(c), invoiceId, attachmentId(c));
      return `Se quitó ${removed.filename}.`;
    }),
  );

/** Back to the invoice with what was done, or to its form with what is against it. */
async function changed(c: AppContext, change: (invoiceId: number) => Promise<string>): Promise<Response> {
  const invoice = await getInvoice(c.get('deps').db, idInPath(c));
  return answerForm(
    c,
    async () => redirectWith(c, pages.editInvoice(invoice.id), await change(invoice.id)),
    (problem, status) => renderEdit(c, invoice, { values: invoiceTexts(invoice), problem, status }),
  );
}

function attachmentId(c: AppContext): number {
  const id = Number(c.req.param('attachment'));
  if (!Number.isSafeInteger(id) || id < 1)
    throw new DomainError('not-found', 'No existe ese archivo adjunto.');
  return id;
}
