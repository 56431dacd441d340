import { Alert } from '../../../shared/ui/Alert.tsx';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { LeaveLink } from '../../../shared/ui/LeaveLink.tsx';
import type { ExportFormat } from '../../../shared/urls.ts';
import type { ListExport } from '../../formats/sheets/sheet.ts';
import { sendExport } from '../../http/downloads.ts';
import { errorBody, explainError } from '../../http/errors.ts';
import { sendJson } from '../../http/send.ts';
import type { AppContext } from '../../http/session.ts';
import { renderPage } from '../../shell/render.tsx';

const FORMATS_FOR_MORE_ROWS: Partial<Record<ExportFormat, readonly ExportFormat[]>> = {
  pdf: ['xlsx', 'csv'],
  xlsx: ['csv'],
};

/** An error is answered by a page with a link back to the filtered list. */
export async function answerExport<Row>(
  c: AppContext,
  { title, format }: { title: string; format: ExportFormat },
  read: () => Promise<ListExport<Row>>,
): Promise<Response> {
  const { signal } = c.req.raw;
  try {
    return await sendExport(c, format, await read());
  } catch (error) {
    if (signal.aborted) return c.body(null, 400); // the client has closed the connection
    const { problem, status } = explainError(c, error);
    if (wantsJson(c)) return sendJson(c, errorBody(problem), status);
    const { pathname, search } = new URL(c.req.url);
    const addressInFormat = (other: ExportFormat) => pathname.replace(/\.\w+\/?$/, `.${other}`) + search;
    const others = problem.code === 'too_many_rows' ? (FORMATS_FOR_MORE_ROWS[format] ?? []) : [];
    const list = pathname.replace(/\/?export\.\w+\/?$/, '') || '/';
    return renderPage(
      c,
      { title, status },
      <>
        <Alert tone="error">{problem.message}</Alert>
        <p className="actions">
          {others.map((other, index) => (
            <LinkButton
              key={other}
              href={addressInFormat(other)}
              icon="export"
              look={index === 0 ? 'primary' : undefined}
            >
              Exportar en {other.toUpperCase()}
            </LinkButton>
          ))}
          <LeaveLink href={list + search} savesNothing />
        </p>
      </>,
    );
  }
}

const wantsJson = (c: AppContext) => {
  const accept = c.req.header('accept') ?? '';
  return accept.includes('application/json') && !accept.includes('text/html');
};
