import { Hono } from 'hono';
import { formatCount, pluralize } from '../../../shared/counts.ts';
import { DomainError } from '../../../shared/errors.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { createRejectsSheet } from '../../formats/tables/rejects.ts';
import type { TableImportResult, TableKind } from '../../formats/tables/table.ts';
import { sendCsv } from '../../http/downloads.ts';
import { readForm, writeOnce } from '../../http/request.ts';
import { type AppContext, type AppEnv, actorOf } from '../../http/session.ts';
import { readUploadForm } from '../../http/uploads.ts';
import { addUpload, deleteUpload } from '../../services/files.ts';
import { redirectWithMessage, renderPage, saveOrRerender } from '../../shell/render.tsx';
import { createTemplate, IMPORT_KINDS, isImportKind, MAX_UPLOAD_MB } from './kinds.ts';
import { hasOpenQuestions, importUpload, type PlannedUpload, planUpload } from './plan.ts';
import { COLUMNS_WORKSHEET_PARAMETER, type ImportQuery, readImportQuery } from './query.ts';
import { countRefusedRows } from './refused-rows.tsx';
import { renderReviewBody } from './review.tsx';
import { readRequestedKind, renderProblem, renderStart, TITLE } from './start.tsx';

const UPLOAD_ID_SEGMENT = ':id{[\\w-]+}';

export const importPages = new Hono<AppEnv>({ strict: false })
  .get(pages.imports, (c) => renderStart(c, { kind: readRequestedKind(c) }))
  .get(pages.importTemplate, (c) => {
    const kind = readRequestedKind(c);
    return sendCsv(c, `Plantilla de ${IMPORT_KINDS[kind].label.toLowerCase()}`, createTemplate(kind));
  })
  .post(pages.imports, async (c) => {
    let kind = readRequestedKind(c);
    return saveOrRerender(
      c,
      async () => {
        const { fields, files } = await readUploadForm(c, MAX_UPLOAD_MB);
        const { file } = files;
        if (isImportKind(fields.kind ?? '')) kind = fields.kind as TableKind;
        if (!file) throw new DomainError('invalid', 'Elige el archivo que quieres importar.');
        if (file.bytes.length === 0)
          throw new DomainError('invalid', `El archivo «${file.filename}» está vacío. Elige otro.`);
        const id = await addUpload(c.get('deps').db, actorOf(c), file);
        return c.redirect(withQuery(pages.importUpload(id), { kind }), 303);
      },
      (problem, status) => renderStart(c, { kind, problem: problem.message }, status),
    );
  })
  .get(pages.importRejects(UPLOAD_ID_SEGMENT), (c) =>
    withImportQuery(c, async (query) => {
      const plannedUpload = await planUploadInPath(c, query);
      const options = { dryRun: true };
      const { refused } = await importUpload(c.get('deps').db, actorOf(c), plannedUpload, query, options);
      const name = plannedUpload.upload.filename.replace(/\.\w+$/, '');
      return sendCsv(c, `${name} rechazadas`, createRejectsSheet(plannedUpload.table, refused));
    }),
  )
  .get(pages.importUpload(UPLOAD_ID_SEGMENT), (c) => {
    // Forms also send empty fields; a redirect removes those from the address.
    const isTidy = Object.entries(c.req.query()).every(
      ([name, value]) => value !== '' && name !== COLUMNS_WORKSHEET_PARAMETER,
    );
    return withImportQuery(c, async (query) => {
      if (!isTidy) return c.redirect(withQuery(pages.importUpload(uploadIdInPath(c)), query.answers), 303);
      return renderReview(c, await planUploadInPath(c, query), query);
    });
  })
  .post(pages.importUpload(UPLOAD_ID_SEGMENT), (c) =>
    withImportQuery(c, async (query) => {
      const { idempotencyKey = '' } = await readForm(c);
      return importAndRedirect(c, query, idempotencyKey);
    }),
  );

const withImportQuery = (c: AppContext, handle: (query: ImportQuery) => Response | Promise<Response>) =>
  saveOrRerender(
    c,
    async () => handle(readImportQuery(c.req.query())),
    (problem, status) => renderProblem(c, problem, status),
  );

const uploadIdInPath = (c: AppContext) => c.req.param('id') ?? '';

const planUploadInPath = (c: AppContext, query: ImportQuery) =>
  planUpload(c.get('deps').db, actorOf(c), uploadIdInPath(c), query, c.req.raw.signal);

interface StoredCounts {
  created: number;
  unchanged: number;
  refused: number;
}

async function importAndRedirect(
  c: AppContext,
  query: ImportQuery,
  idempotencyKey: string,
): Promise<Response> {
  const actor = actorOf(c);
  const id = uploadIdInPath(c);
  // Read before the transaction. After a repeated click the file may be gone; then the idempotency key has the answer.
  const plannedUpload = await planUploadInPath(c, query).catch((error: unknown) => {
    if (error instanceof DomainError && error.kind === 'not-found' && idempotencyKey) return error;
    throw error;
  });
  if (!(plannedUpload instanceof DomainError) && hasOpenQuestions(plannedUpload)) {
    const problem = new DomainError('invalid', 'No se importó nada: falta contestar lo que está marcado.');
    return renderReview(c, plannedUpload, query, problem);
  }
  const body = { idempotencyKey, address: withQuery(c.req.path, query.answers) };
  try {
    if (plannedUpload instanceof DomainError) {
      const stored = await writeOnce<StoredCounts>(c, body, () => Promise.reject(plannedUpload));
      return redirectAfterImport(c, query, stored);
    }
    let stored: StoredCounts | undefined;
    await importUpload(c.get('deps').db, actor, plannedUpload, query, {
      async storeOnce(write) {
        let imported: TableImportResult | undefined;
        stored = await writeOnce<StoredCounts>(c, body, async (trx) => {
          imported = await write(trx);
          const refused = countRefusedRows(imported);
          if (!imported.stored) throw nothingStoredError(refused); // rolls back, so that the idempotency key can be used again
          if (refused === 0) await deleteUpload(trx, actor.userId, id);
          return { created: imported.created, unchanged: imported.unchanged, refused };
        });
        return imported!; // undefined after a repeated click, which gets the stored answer
      },
    });
    return redirectAfterImport(c, query, stored!);
  } catch (error) {
    if (plannedUpload instanceof DomainError || !(error instanceof DomainError)) throw error;
    return renderReview(c, plannedUpload, query, error);
  }
}

function nothingStoredError(refused: number): DomainError {
  const rows = pluralize(refused, 'fila se rechazó', 'filas se rechazaron');
  return new DomainError('invalid', `No se importó nada: ${rows}.`);
}

function redirectAfterImport(c: AppContext, query: ImportQuery, stored: StoredCounts): Response {
  const { list, many } = IMPORT_KINDS[query.kind];
  const text = importedMessage(query.kind, stored);
  if (stored.refused === 0) return redirectWithMessage(c, list, text);
  // The permission for duplicates is removed, so that the remaining rows are compared with those just stored.
  const rest = withQuery(pages.importUpload(uploadIdInPath(c)), { ...query.answers, allowDuplicates: '' });
  const warning = {
    text: 'Las filas rechazadas siguen aquí por 48 horas: descárgalas, corrígelas y vuelve a importarlas.',
    href: list,
    link: `Ver ${many}`,
  };
  return redirectWithMessage(c, rest, { text, warnings: [warning] });
}

function importedMessage(kind: TableKind, { created, unchanged, refused }: StoredCounts): string {
  const { one, many } = IMPORT_KINDS[kind];
  const parts = [
    `${created === 1 ? 'Se importó' : 'Se importaron'} ${pluralize(created, one, many)}`,
    unchanged > 0 && `${formatCount(unchanged)} sin cambio`,
    refused > 0 && pluralize(refused, 'rechazada', 'rechazadas'),
  ];
  return `${parts.filter(Boolean).join('; ')}.`;
}

async function renderReview(
  c: AppContext,
  plannedUpload: PlannedUpload,
  query: ImportQuery,
  problem?: DomainError,
) {
  const content = await renderReviewBody(c, plannedUpload, query);
  return renderPage(
    c,
    {
      title: TITLE,
      subtitle: plannedUpload.upload.filename,
      status: problem ? 422 : 200,
      actions: (
        <LinkButton href={withQuery(pages.imports, { kind: query.kind })}>Elegir otro archivo</LinkButton>
      ),
    },
    <>
      {problem && <Alert tone="error">{problem.message}</Alert>}
      {content}
    </>,
  );
}
