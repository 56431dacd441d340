import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { pluralize } from '../../../shared/counts.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { DataTable } from '../../../shared/ui/DataTable.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { createZip } from '../../formats/zip/writing.ts';
import { contentDisposition } from '../../http/downloads.ts';
import { readFormWithList, writeOnce } from '../../http/request.ts';
import { type AppContext, type AppEnv, actorOf } from '../../http/session.ts';
import { retryWhileBusy } from '../../services/documents/import.ts';
import { previewLoad, storeLoadedDocuments } from '../../services/documents/loaded-documents.ts';
import { type DocumentLoad, readLoad, type StoredOutcome } from '../../services/documents/loads.ts';
import { readSentFiles } from '../../services/documents/read-cfdi.ts';
import { redirectWithMessage, renderPage, saveOrRerender } from '../../shell/render.tsx';
import { FileDropForm } from '../ui/file-drop-form.tsx';
import { LongTable, readFirstRowIndex } from '../ui/long-table.tsx';
import {
  CHOSEN_CONTROL_NAME,
  DOCUMENTS_PER_PAGE,
  FIRST_DOCUMENT_PARAMETER,
  MAX_CONTROLS_PER_DOCUMENT,
  type RefusedReview,
  readDocumentChoices,
  toChoiceParameters,
} from './choice-fields.ts';
import { collectSharedRemarks, type DocumentRow, documentColumns, WarningAlert } from './document-rows.tsx';
import { getNotStoredReason, renderReview } from './multiple-documents-review.tsx';
import { renderDocumentUpload } from './upload.tsx';

const LOAD_PATH = pages.load(':load{[\\w-]{32}}');
const REJECTS_PATH = pages.loadRejects(':load{[\\w-]{32}}');

export const multipleDocumentsPages = new Hono<AppEnv>({ strict: false })
  .get(REJECTS_PATH, (c) =>
    saveOrRerender(
      c,
      async () => sendUnsavedZip(c, await readLoadInPath(c)),
      (problem, status) => renderDocumentUpload(c, problem, status),
    ),
  )
  .get(LOAD_PATH, (c) => showLoad(c))
  .post(LOAD_PATH, async (c) => {
    const { fields, listed } = await readFormWithList(
      c,
      CHOSEN_CONTROL_NAME,
      MAX_CONTROLS_PER_DOCUMENT * DOCUMENTS_PER_PAGE,
    );
    const { idempotencyKey = '', ...form } = fields;
    return saveOrRerender(
      c,
      async () => {
        const { signal } = c.req.raw;
        const load = await readLoadInPath(c);
        const { ids, options } = await readDocumentChoices(c, load, form, listed);
        const chosen = load.documents.filter(({ id }) => ids.has(id));
        const documents = await readSentFiles(c.get('deps').db, chosen, {
          signal,
          userId: actorOf(c).userId,
        });
        const body = { idempotencyKey, ...form, [CHOSEN_CONTROL_NAME]: listed.join() };
        const storeOnce = () =>
          writeOnce(c, body, async (trx) => ({
            text: storedMessage(
              await storeLoadedDocuments(trx, actorOf(c), load, documents, { ...options, signal }),
            ),
          }));
        const stored = await retryWhileBusy(storeOnce, signal);
        const desde = c.req.query(FIRST_DOCUMENT_PARAMETER);
        const next =
          desde === undefined
            ? {}
            : { [FIRST_DOCUMENT_PARAMETER]: desde, ...toChoiceParameters(form, options) };
        return redirectWithMessage(c, withQuery(pages.load(load.id), next), stored);
      },
      (problem, status) => showLoad(c, { form: fields, offeredIds: listed, problem }, status),
    );
  });

const readLoadInPath = (c: AppContext): Promise<DocumentLoad> =>
  readLoad(c.get('deps').db, actorOf(c).userId, c.req.param('load') ?? '');

function showLoad(c: AppContext, sent?: RefusedReview, status?: ContentfulStatusCode): Promise<Response> {
  return saveOrRerender(
    c,
    async () => {
      const load = await readLoadInPath(c);
      const previews = await previewLoad(c.get('deps').db, actorOf(c), load, c.req.raw.signal);
      const isDone = previews.length === 0;
      const more = (
        <LinkButton href={pages.loadInvoice} icon="load">
          Cargar más XML
        </LinkButton>
      );
      return renderPage(
        c,
        { title: 'Cargar XML', status, actions: more },
        <div className="stack">
          {sent && isDone && <Alert tone="error">{sent.problem.message}</Alert>}
          <UnreadableFiles load={load} />
          <StoredDocuments load={load} isDone={isDone} from={readFirstRowIndex(c, FIRST_STORED_PARAMETER)} />
          {!isDone && (await renderReview(c, load, previews, sent))}
          <FileDropForm />
        </div>,
      );
    },
    (problem, status) => renderDocumentUpload(c, problem, status),
  );
}

const MAX_LISTED_UNREAD_FILES = 20;

function UnreadableFiles({ load: { id, problems } }: { load: DocumentLoad }) {
  const more = problems.length - MAX_LISTED_UNREAD_FILES;
  if (problems.length === 0) return null;
  return (
    <Alert tone="warning" isDismissible={false}>
      {problems.length === 1 ? 'Un archivo no se leyó:' : 'Estos archivos no se leyeron:'}
      <ul>
        {problems.slice(0, MAX_LISTED_UNREAD_FILES).map(({ name, problem }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, on the server
          <li key={index}>
            {name}: {problem}
          </li>
        ))}
        {more > 0 && (
          <li>
            <a href={pages.loadRejects(id)} download>
              Descarga los {more} más con lo que no se guarda
            </a>
            .
          </li>
        )}
      </ul>
    </Alert>
  );
}

/** Stored documents shown at a time, so that the page stays within 200 KB. */
const STORED_PER_PAGE = 20;
const FIRST_STORED_PARAMETER = 'guardados';

function StoredDocuments({ load, isDone, from }: { load: DocumentLoad; isDone: boolean; from: number }) {
  const rows = load.outcomes.flatMap(
    ({ outcome, invoiceIds: [id], warnings = [], ...stored }): DocumentRow | [] =>
      outcome === 'refused' || outcome === 'left'
        ? []
        : {
            ...stored,
            outcome,
            isStored: true,
            remarks: warnings,
            href: id === undefined ? undefined : pages.editInvoice(id),
          },
  );
  const shared = collectSharedRemarks(rows);
  const end = from + STORED_PER_PAGE;
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="settled">
      <div className="section-head">
        <h2 id="settled">{pluralize(rows.length, 'documento guardado', 'documentos guardados')}</h2>
        {isDone && (
          <LinkButton href={pages.invoices} look="primary">
            Ver facturas
          </LinkButton>
        )}
      </div>
      <WarningAlert {...shared} />
      <LongTable
        id={FIRST_STORED_PARAMETER}
        shown={end}
        total={rows.length}
        noun={['documento', 'documentos']}
        href={withQuery(pages.load(load.id), { [FIRST_STORED_PARAMETER]: end })}
      >
        <DataTable
          caption="Lo que se guardó de cada documento"
          columns={documentColumns('Resultado', shared)}
          rows={rows.slice(from, end)}
          rowKey={({ name }) => name}
        />
      </LongTable>
    </section>
  );
}

function storedMessage(outcomes: readonly StoredOutcome[]): string {
  const countOutcomes = (...of: StoredOutcome['outcome'][]) =>
    outcomes.filter(({ outcome }) => of.includes(outcome)).length;
  const [stored, unchanged, refused] = [
    countOutcomes('created', 'warned'),
    countOutcomes('unchanged'),
    countOutcomes('refused'),
  ];
  const parts = [
    `${stored === 1 ? 'Se guardó' : 'Se guardaron'} ${pluralize(stored, 'documento', 'documentos')}`,
    unchanged > 0 && pluralize(unchanged, 'ya estaba', 'ya estaban'),
    refused > 0 && pluralize(refused, 'no se guardó', 'no se guardaron'),
  ];
  return `${parts.filter(Boolean).join('; ')}.`;
}

async function sendUnsavedZip(c: AppContext, load: DocumentLoad): Promise<Response> {
  const previews = await previewLoad(c.get('deps').db, actorOf(c), load, c.req.raw.signal);
  const reasons = previews.map(({ upload, emisor, outcome }) => ({
    name: emisor ? `${upload.filename} (${emisor})` : upload.filename,
    problem: getNotStoredReason(load, upload.filename, outcome),
  }));
  const lines = [...reasons, ...load.problems].map(({ name, problem }) => `${name}: ${problem}`);
  const files = load.documents.flatMap(({ pdf, ...upload }) => [upload, pdf ?? []].flat());
  const zip = await createZip([
    { name: 'Motivos.txt', bytes: Buffer.from(`\ufeff${lines.join('\r\n')}\r\n`) },
    ...files.map(({ filename, bytes }) => ({ name: filename, bytes: Buffer.from(bytes) })),
  ]);
  return c.body(new Uint8Array(zip), 200, {
    'Content-Type': 'application/zip',
    'Content-Disposition': contentDisposition('CFDI sin guardar.zip'),
  });
}
