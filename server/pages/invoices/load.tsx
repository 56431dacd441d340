import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { DomainError } from '../../../shared/errors.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { type AppContext, type AppEnv, actorOf } from '../../http/session.ts';
import { readSentForm, type SentFile } from '../../http/uploads.ts';
import { requireAttachable } from '../../services/attachments.ts';
import { readDocument } from '../../services/cfdi/loading.ts';
import { keepUpload } from '../../services/files.ts';
import { answerForm, renderPage } from '../../shell/render.tsx';
import { FileField } from '../ui/file-field.tsx';

/** An XML of 2 and a PDF of 5. */
const MOST_MB = 7;

/** "Cargar XML": takes a document, reads it, and leads to the form that it fills. */
export const loadInvoicePages = new Hono<AppEnv>({ strict: false })
  .get(pages.loadInvoice, (c) => renderLoad(c))
  .post(pages.loadInvoice, (c) =>
    answerForm(
      c,
      async () => {
        const { files } = await readSentForm(c, MOST_MB);
        if (!files.xml) throw missing();
        requirePdf(files.pdf);
        const { db } = c.get('deps');
        const reader = { signal: c.req.raw.signal, userId: actorOf(c).userId };
        await aboutField('xml', () => readDocument(db, files.xml!, reader));
        const keep = (file: SentFile | undefined) => file && keepUpload(db, actorOf(c), file);
        const to = { cfdi: await keep(files.xml), pdf: await keep(files.pdf) };
        return c.redirect(withQuery(pages.newInvoice, to), 303);
      },
      (problem, status) => renderLoad(c, problem, status),
    ),
  );

/** The page that asks for the file, with what was wrong with the one before. */
export function renderLoad(c: AppContext, problem?: DomainError, status: ContentfulStatusCode = 200) {
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
        noValidate
      >
        <p className="soft">
          Elige el XML del CFDI que te dio el proveedor. El formulario se llena con lo que dice, y lo revisas
          antes de guardar.
        </p>
        <div className="fields">
          <FileField
            name="xml"
            label="XML del CFDI"
            accept=".xml,text/xml,application/xml"
            hint="De 2 MB a lo más."
            error={errors.xml}
            required
            focus={!errors.pdf}
          />
          <FileField
            name="pdf"
            label="Su PDF"
            accept=".pdf,application/pdf"
            hint="Si lo tienes; se guarda con la factura. De 5 MB a lo más."
            error={errors.pdf}
            focus={Boolean(errors.pdf)}
          />
        </div>
        <div className="form-actions">
          <Button look="primary" icon="load">
            Cargar
          </Button>
          <LinkButton href={pages.invoices} data-back="">
            Regresar
          </LinkButton>
        </div>
      </form>
    </>,
  );
}

function missing(): DomainError {
  const message = 'Elige el archivo XML de la factura.';
  return new DomainError('invalid', message, { fields: { xml: message } });
}

function requirePdf(file: SentFile | undefined): void {
  if (!file || requireAttachable(file.bytes, 'pdf').kind === 'pdf') return;
  const message = 'El segundo archivo no es un PDF.';
  throw new DomainError('invalid', message, { fields: { pdf: message } });
}

/** What is wrong with a file is said beside its control too. */
async function aboutField<T>(field: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind === 'busy') throw error;
    const { code, retryAfter } = error;
    throw new DomainError(error.kind, error.message, {
      code,
      retryAfter,
      fields: { [field]: error.message },
    });
  }
}
