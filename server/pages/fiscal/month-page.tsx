import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ReactNode } from 'react';
import { addDays, monthName } from '../../../shared/dates.ts';
import type { DomainError } from '../../../shared/errors.ts';
import type { Period } from '../../../shared/periods.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { ExportLinks } from '../../../shared/ui/ExportLinks.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';
import type { List } from '../../lists/list.ts';
import { formatMonthAndYear } from '../../services/balances/closing-tasks.ts';
import { fiscalTexts } from '../../services/fiscal/texts.ts';
import { renderPage } from '../../shell/render.tsx';

export const formatMonthParameter = ({ from }: Period) => from.slice(0, 7);

interface MonthPage {
  actions?: ReactNode;
  hasFiles?: boolean;
  /** parameters that the files and the other months keep */
  query?: object;
  problem?: DomainError;
  status?: ContentfulStatusCode;
  /** whether the page needs the firm's RFC, and the settings do not have it */
  lacksRfc?: boolean;
  content: ReactNode;
}

export function renderMonth(
  c: AppContext,
  { title, page }: Pick<List, 'title' | 'page'>,
  month: Period,
  { actions, hasFiles = true, query, problem, status, lacksRfc, content }: MonthPage,
) {
  const mes = formatMonthParameter(month);
  const days = [addDays(month.from, -1), addDays(month.to, 1)].filter((day) => day <= c.get('today'));
  return renderPage(
    c,
    {
      title,
      subtitle: formatMonthAndYear(month),
      status,
      besideTitle: (
        <nav className="periods" aria-label="Otros meses">
          {days.map((day) => (
            <a key={day} href={withQuery(page, { ...query, mes: day.slice(0, 7) })}>
              {day < month.from ? `‹ ${monthName(day)}` : `${monthName(day)} ›`}
            </a>
          ))}
        </nav>
      ),
      actions: hasFiles && (
        <>
          {actions}
          <ExportLinks list={page} defaultFormat="xlsx" query={{ mes, ...query }} />
        </>
      ),
    },
    <div className="stack">
      {problem && <Alert tone="error">{problem.message}</Alert>}
      {lacksRfc && (
        <Alert tone="warning" isDismissible={false}>
          {fiscalTexts.rfcMissing} <a href={pages.settings}>Ir a Configuración</a>
        </Alert>
      )}
      {content}
    </div>,
  );
}
