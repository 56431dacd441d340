import { Alert } from '../../shared/ui/Alert.tsx';
import { LinkButton } from '../../shared/ui/Button.tsx';
import { exportOf } from '../../shared/urls.ts';
import { errorBody, explain, statusOf } from '../errors.tsx';
import { renderPage } from '../render.tsx';
import { streamCsv } from '../services/csv.ts';
import type { Sheet } from '../services/sheet.ts';
import type { AppContext } from '../session.ts';

/** A sheet as a file of this name (without its ending), read while it is sent. */
export async function sendCsv<Row>(c: AppContext, name: string, sheet: Sheet<Row>): Promise<Response> {
  const { log } = c.get('deps');
  const body = await streamCsv(sheet, (error) =>
    log.error({ err: error, requestId: c.get('requestId'), path: c.req.path }, 'an export broke off'),
  );
  return c.body(body, 200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': attachment(`${name}.csv`),
  });
}

export function sendPdf(c: AppContext, name: string, bytes: Uint8Array<ArrayBuffer>): Response {
  return c.body(bytes, 200, {
    'Content-Type': 'application/pdf',
    'Content-Length': String(bytes.length),
    'Content-Disposition': attachment(`${name}.pdf`),
  });
}

/** RFC 6266: the name in plain letters for old readers, and as it is. */
function attachment(file: string): string {
  const plain = file
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .replace(/[^\x20-\x7e]|["\\%]/g, '_');
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(file)}`;
}

/** The file, or a page that says why there is none and leads back to the list as it was filtered. */
export async function answerExport(
  c: AppContext,
  { title, list, signal }: { title: string; list: string; signal?: AbortSignal },
  send: () => Promise<Response>,
): Promise<Response> {
  try {
    return await send();
  } catch (error) {
    if (signal?.aborted) return c.body(null, 400); // nobody reads it
    const problem = explain(c, error);
    const status = problem.status ?? statusOf(problem);
    if (problem.retryAfter) c.header('Retry-After', String(Math.ceil(problem.retryAfter)));
    if (wantsJson(c)) return c.json(errorBody(problem), status);
    const { pathname, search } = new URL(c.req.url);
    return renderPage(
      c,
      { title, status },
      <>
        <Alert tone="error">{problem.message}</Alert>
        <p className="actions">
          {/\.pdf\/?$/.test(pathname) && (
            <LinkButton href={exportOf(list, 'csv') + search} icon="export" look="primary">
              Exportar en CSV
            </LinkButton>
          )}
          <LinkButton href={list + search}>Regresar a la lista</LinkButton>
        </p>
      </>,
    );
  }
}

const wantsJson = (c: AppContext) => {
  const accept = c.req.header('accept') ?? '';
  return accept.includes('application/json') && !accept.includes('text/html');
};
