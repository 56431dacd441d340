import { Hono } from 'hono';
import { inTransaction } from '../../../db/transaction.ts';
import { DomainError } from '../../../shared/errors.ts';
import { contentDisposition } from '../../http/downloads.ts';
import { type AppContext, type AppEnv, actorOf } from '../../http/session.ts';
import { readUploadForm } from '../../http/uploads.ts';
import {
  type AttachmentOwner,
  attachFile,
  readAttachment,
  removeAttachment,
} from '../../services/attachments.ts';
import { toSafeFilename } from '../../services/files.ts';
import { showDocument } from './document-page.tsx';

const MAX_UPLOAD_MB = 5;

interface AttachmentRouteOptions {
  /** address to which files are posted; each file's own address is below it */
  listPath: string;
  ownerOf(c: AppContext): AttachmentOwner;
  /** redirects to the owner with the message, or renders the owner's form with the refusal */
  handleChange(c: AppContext, change: () => Promise<string>): Promise<Response>;
}

export const attachmentRoutes = ({ listPath, ownerOf, handleChange }: AttachmentRouteOptions) =>
  new Hono<AppEnv>({ strict: false })
    .post(listPath, (c) =>
      handleChange(c, async () => {
        const { file } = (await readUploadForm(c, MAX_UPLOAD_MB)).files;
        if (!file) throw new DomainError('invalid', 'Elige el archivo que quieres adjuntar.');
        await inTransaction(c.get('deps').db, (trx) => attachFile(trx, actorOf(c), ownerOf(c), file));
        return `Se adjuntó ${toSafeFilename(file.filename)}.`;
      }),
    )
    .get(`${listPath}/:attachment{[0-9]+}`, async (c) => {
      const stored = await readAttachment(c.get('deps').db, ownerOf(c), attachmentIdInPath(c));
      const { filename, mediaType, bytes } = stored;
      return c.body(new Uint8Array(bytes), 200, {
        'Content-Type': mediaType,
        'Content-Length': String(bytes.length),
        'Content-Disposition': contentDisposition(filename),
        'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      });
    })
    .get(`${listPath}/:attachment{[0-9]+}/ver`, async (c) => {
      const stored = await readAttachment(c.get('deps').db, ownerOf(c), attachmentIdInPath(c));
      return showDocument(c, { ...stored, href: c.req.path.replace(/\/ver\/?$/, '') });
    })
    // Reloading a refused removal sends a GET. It goes to the owner's page, since the next path up is the file itself.
    .get(`${listPath}/:attachment{[0-9]+}/quitar`, (c) =>
      c.redirect(c.req.path.replace(/\/adjuntos\/.*$/, ''), 303),
    )
    .post(`${listPath}/:attachment{[0-9]+}/quitar`, (c) =>
      handleChange(c, async () => {
        const removed = await removeAttachment(
          c.get('deps').db,
          actorOf(c),
          ownerOf(c),
          attachmentIdInPath(c),
        );
        return `Se quitó ${removed.filename}.`;
      }),
    );

function attachmentIdInPath(c: AppContext): number {
  const id = Number(c.req.param('attachment'));
  if (!Number.isSafeInteger(id) || id < 1)
    throw new DomainError('not-found', 'No existe ese archivo adjunto.');
  return id;
}
