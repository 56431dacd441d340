import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { DomainError } from '../../../shared/errors.ts';
import { createRefusal, throwIfRefused } from '../../../shared/refusal.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button } from '../../../shared/ui/Button.tsx';
import { LeaveLink } from '../../../shared/ui/LeaveLink.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { isZip } from '../../formats/cfdi/xml.ts';
import { recognizeFile } from '../../formats/file-kinds.ts';
import { type AppContext, type AppEnv, actorOf } from '../../http/session.ts';
import { readUploadForm, type UploadedFile } from '../../http/uploads.ts';
import { requireAttachableFile } from '../../services/attachments.ts';
import { createLoad, MAX_DOCUMENTS } from '../../services/documents/loads.ts';
import { readDocument } from '../../services/documents/read-cfdi.ts';
import { addUpload } from '../../services/files.ts';
import { renderPage, saveOrRerender } from '../../shell/render.tsx';
import { ACCEPTED_DOCUMENT_TYPES } from '../ui/file-drop-form.tsx';
import { FileField } from '../ui/file-field.tsx';
import { rethrowAtField } from './choice-fields.ts';

const MAX_UPLOAD_MB = 40;

export const documentUploadPages = new Hono<AppEnv>({ strict: false })
  .get(pages.loadInvoice, (c) => renderDocumentUpload(c))
  .post(pages.loadInvoice, (c) =>
    saveOrRerender(
      c,
      async () => c.redirect(await receiveFiles(c), 303),
      (problem, status) => renderDocumentUpload(c, problem, status),
    ),
  );

/** @returns the address of the form for one document or of the review of several */
async function receiveFiles(c: AppContext): Promise<string> {
  const { files, several } = await readUploadForm(c, MAX_UPLOAD_MB, {
    name: 'xml',
    maxFiles: 2 * MAX_DOCUMENTS,
  });
  const { db } = c.get('deps');
  const actor = actorOf(c);
  const { signal } = c.req.raw;
  const [xml, pdf] = pickSingleDocument(several, files.pdf);
  if (xml) {
    if (pdf && requireAttachableFile(pdf.bytes, 'pdf').kind !== 'pdf')
      throwIfRefused(createRefusal('El segundo archivo no es un PDF.', 'pdf'));
    await readDocument(db, xml, { signal, userId: actor.userId }).catch(rethrowAtField('xml'));
    const storeUpload = (file: UploadedFile | undefined) => file && addUpload(db, actor, file);
    return withQuery(pages.newInvoice, { cfdi: await storeUpload(xml), pdf: await storeUpload(pdf) });
  }
  if (several.length === 0) throwIfRefused(createRefusal('Elige el archivo XML de la factura.', 'xml'));
  return pages.load(await createLoad(db, actor, files.pdf ? [...several, files.pdf] : several, signal));
}

/** @returns the XML and the PDF of a single document, from either control; an empty array for several documents */
function pickSingleDocument(
  uploadedFiles: readonly UploadedFile[],
  pdf: UploadedFile | undefined,
): readonly (UploadedFile | undefined)[] {
  const [one, other, ...more] = uploadedFiles;
  if (!one || more.length > 0 || uploadedFiles.some(({ bytes }) => isZip(Buffer.from(bytes)))) return [];
  if (!other) return [one, pdf];
  if (pdf) return [];
  const isPdf = (file: UploadedFile) => recognizeFile(file.bytes)?.kind === 'pdf';
  if (isPdf(one) === isPdf(other)) return [];
  return isPdf(one) ? [other, one] : [one, other];
}

export function renderDocumentUpload(
  c: AppContext,
  problem?: DomainError,
  status: ContentfulStatusCode = 200,
) {
  const errors = problem?.fields ?? {};
  return renderPage(
    c,
    { title: 'Cargar XML', status },
    <>
      {problem && <Alert tone="error">{problem.message}</Alert>}
      <form
        method="post"
        action={pages.loadInvoice}
        encType="multipart/form-data"
        className="form"
        data-busy=""
        data-sends=""
        noValidate
      >
        <p className="soft">
          Con el XML del CFDI los campos se llenan solos, y los revisas antes de guardar.
        </p>
        <div className="fields">
          <FileField
            name="xml"
            label="XML del CFDI"
            accept={ACCEPTED_DOCUMENT_TYPES}
            hint={`Hasta ${MAX_DOCUMENTS} a la vez, con su PDF del mismo nombre o en un zip. Máximo 2 MB cada uno.`}
            error={errors.xml}
            required
            multiple
            focus={!errors.pdf}
          />
          <FileField
            name="pdf"
            label="PDF de la factura"
            accept=".pdf,application/pdf"
            hint="Se guarda con la factura. Máximo 5 MB."
            error={errors.pdf}
            focus={Boolean(errors.pdf)}
          />
        </div>
        <div className="form-actions">
          <Button look="primary" icon="load">
            Cargar
          </Button>
          <LeaveLink href={pages.invoices} data-back="" />
        </div>
      </form>
    </>,
  );
}
