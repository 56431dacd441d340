import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { refusal, refuse } from '../../../shared/refusal.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { issuedOf } from '../../formats/cfdi/candidates.ts';
import { zipOf } from '../../formats/zip/writing.ts';
import { attachment } from '../../http/downloads.ts';
import { createOnce, readRowsForm } from '../../http/request.ts';
import { type AppContext, type AppEnv, actorOf } from '../../http/session.ts';
import { inTurn } from '../../services/cfdi/import.ts';
import {
  previewLoad,
  previewLoaded,
  type ReadLoaded,
  readLoaded,
  storeLoaded,
} from '../../services/cfdi/loaded-documents.ts';
import { type Load, readLoad } from '../../services/cfdi/loads.ts';
import { answerForm, redirectWith, renderPage } from '../../shell/render.tsx';
import { fromRow } from '../ui/long-table.tsx';
import { WaysOn } from './cfdi-confirmation.tsx';
import { renderLoad } from './load.tsx';
import { LoadOutcomes, reasonOf, SETTLED_FROM, sayStored } from './load-outcomes.tsx';
import {
  CHOSEN,
  type Chosen,
  chosenAgain,
  DOCUMENTS_ON_PAGE,
  FROM,
  MISSING_JOBS,
  MOST_EACH,
  readChosen,
  type Sent,
} from './load-posted.ts';
import { renderReview } from './load-review.tsx';

const LOAD = pages.load(':load{[\\w-]{32}}');
const REJECTS = pages.loadRejects(':load{[\\w-]{32}}');

/** Many documents are reviewed together and stored at once; what became of each stays to be seen. */
export const loadManyPages = new Hono<AppEnv>({ strict: false })
  .get(REJECTS, (c) =>
    answerForm(
      c,
      async () => sendUnsaved(c, await loadOfPath(c)),
      (problem, status) => renderLoad(c, problem, status),
    ),
  )
  .get(LOAD, (c) => showLoad(c))
  .post(LOAD, async (c) => {
    const { fields, listed } = await readRowsForm(c, CHOSEN, MOST_EACH * DOCUMENTS_ON_PAGE);
    const { idempotencyKey = '', ...form } = fields;
    return answerForm(
      c,
      async () => {
        const load = await loadOfPath(c);
        const chosen = await readChosen(c, load, form, listed);
        const documents = await readChosenDocuments(c, load, chosen);
        const body = { idempotencyKey, ...form, [CHOSEN]: listed.join() };
        const options = { ...chosen.options, signal: c.req.raw.signal };
        const stored = await inTurn(
          () =>
            createOnce(c, body, async (trx) => ({
              text: sayStored(await storeLoaded(trx, actorOf(c), load, documents, options)),
            })),
          c.req.raw.signal,
        );
        const desde = c.req.query(FROM);
        const next = desde === undefined ? {} : { [FROM]: desde, ...chosenAgain(c, chosen, form) };
        return redirectWith(c, withQuery(pages.load(load.id), next), stored);
      },
      (problem, status) => showLoad(c, { form: fields, listed, problem }, status),
    );
  });

const loadOfPath = (c: AppContext): Promise<Load> =>
  readLoad(c.get('deps').db, actorOf(c).userId, c.req.param('load') ?? '');

/** Read before anything is stored. @throws DomainError where one that needs it has no job */
async function readChosenDocuments(c: AppContext, load: Load, chosen: Chosen): Promise<ReadLoaded[]> {
  const { db } = c.get('deps');
  const { signal } = c.req.raw;
  const { ids, options } = chosen;
  const documents = await readLoaded(
    db,
    actorOf(c),
    load.documents.filter(({ id }) => ids.has(id)),
    signal,
  );
  if (options.jobId !== 0) return documents;
  for (const { upload, reading, outcome } of await previewLoaded(db, actorOf(c), documents, { signal })) {
    const isNew = 'candidate' in reading && !outcome.linked && /created|warned/.test(outcome.outcome);
    if (isNew && !options.placesOf.get(upload.id)?.jobId) refuse(refusal(MISSING_JOBS, 'jobId'));
  }
  return documents;
}

/** The stored documents, and the review of those that are left. */
function showLoad(c: AppContext, sent?: Sent, status?: ContentfulStatusCode): Promise<Response> {
  const { db } = c.get('deps');
  return answerForm(
    c,
    async () => {
      const load = await loadOfPath(c);
      const previews = await previewLoad(db, actorOf(c), load, c.req.raw.signal);
      const review = previews.length > 0 ? await renderReview(c, load, previews, sent) : undefined;
      return renderPage(
        c,
        { title: 'Cargar XML', status },
        <div className="stack">
          {sent && !review && <Alert tone="error">{sent.problem.message}</Alert>}
          <LoadOutcomes load={load} isLeft={previews.length > 0} from={fromRow(c, SETTLED_FROM)} />
          {review ??
            (load.outcomes.length === 0 && (
              <p className="actions">
                <WaysOn />
              </p>
            ))}
        </div>,
      );
    },
    (problem, status) => renderLoad(c, problem, status),
  );
}

/** A zip of the documents that were not stored, with the reasons. */
async function sendUnsaved(c: AppContext, load: Load): Promise<Response> {
  const { db } = c.get('deps');
  const previews = await previewLoad(db, actorOf(c), load, c.req.raw.signal);
  const reasons = previews.map(({ upload, reading, outcome }) => {
    const issuer = 'refused' in reading ? '' : ` (${issuedOf(reading).suppliername})`;
    return `${upload.filename}${issuer}: ${reasonOf(load, upload.filename, outcome)}`;
  });
  const said = [...reasons, ...load.problems.map(({ name, problem }) => `${name}: ${problem}`)];
  const files = load.documents.flatMap(({ pdf, ...upload }) => [upload, pdf ?? []].flat());
  const zip = await zipOf([
    { name: 'Motivos.txt', bytes: Buffer.from(`\ufeff${said.join('\r\n')}\r\n`) },
    ...files.map(({ filename, bytes }) => ({ name: filename, bytes: Buffer.from(bytes) })),
  ]);
  return c.body(new Uint8Array(zip), 200, {
    'Content-Type': 'application/zip',
    'Content-Disposition': attachment('CFDI sin guardar.zip'),
  });
}
