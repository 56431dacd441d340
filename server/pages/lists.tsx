import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { z } from 'zod';
import { DomainError } from '../../shared/errors.ts';
import { Button, LinkButton } from '../../shared/ui/Button.tsx';
import type { Column } from '../../shared/ui/DataTable.tsx';
import { errorBody, explain, statusOf } from '../errors.tsx';
import { type PageOptions, renderPage } from '../render.tsx';
import type { AppContext } from '../session.ts';
import { parseQuery } from '../shapes/fields.ts';

export const ROWS_ON_PAGE = 50;

interface ListParts {
  /** above the filter: what went wrong */
  alert?: ReactNode;
  /** made only for a whole page */
  filter: () => Promise<ReactNode>;
  /** rows, totals and pager: all that a new search replaces */
  results: ReactNode;
}

/** A list's page, or its results alone where script asks for no more. */
export async function renderList(
  c: AppContext,
  options: PageOptions,
  { alert, filter, results }: ListParts,
): Promise<Response> {
  const region = <div id="results">{results}</div>;
  if (isFragment(c)) return c.html(renderToStaticMarkup(region));
  return renderPage(
    c,
    options,
    <>
      {alert}
      {await filter()}
      {region}
    </>,
  );
}

/** Where a list can't be shown: a dialog titled Error! that closes without script, or JSON for script. */
export async function answerList(
  c: AppContext,
  { loadFailed, address, ...options }: PageOptions & { loadFailed: string; address: string },
  show: () => Promise<Response>,
): Promise<Response> {
  try {
    return await show();
  } catch (error) {
    if (error instanceof DomainError && ['unauthenticated', 'forbidden'].includes(error.kind)) throw error;
    const problem = explain(c, error);
    const status = problem.status ?? statusOf(problem);
    // explain's sentence says nothing about the list; its id stays
    const message =
      status === 500 ? problem.message.replace('Ocurrió un error.', loadFailed) : problem.message;
    if (isFragment(c)) return c.json({ ...errorBody(problem), message }, status);
    return renderPage(
      c,
      { ...options, status },
      <>
        <dialog open className="dialog small" aria-labelledby="error-title">
          <form method="dialog">
            <div className="dialog-head">
              <h2 id="error-title">Error!</h2>
            </div>
            <div className="dialog-body" role="alert">
              {message}
            </div>
            <div className="dialog-foot">
              <Button look="primary">Cerrar</Button>
            </div>
          </form>
        </dialog>
        <p>
          <LinkButton href={address}>Ver la lista completa</LinkButton>
        </p>
      </>,
    );
  }
}

const isFragment = (c: AppContext) => c.req.header('x-fragment') === 'results';

/** The page's parameters; what the list does not know is left out, as old bookmarks and trackers bring it. */
export function parseListQuery<S extends z.ZodObject>(c: AppContext, shape: S): z.output<S> {
  const known = Object.entries(c.req.queries()).filter(([name]) => Object.hasOwn(shape.shape, name));
  return parseQuery(shape, Object.fromEntries(known));
}

/** The header's link: by this column, or the other way round where the list is sorted by it already. */
export function sortLink(
  field: string,
  current: { sort: string; direction: 'asc' | 'desc' },
  addressOf: (sort: { sortfield: string; sorttype?: 'DESC' }) => string,
): Column<unknown>['sort'] {
  const isCurrent = current.sort === field;
  const descends = isCurrent && current.direction === 'asc';
  return {
    href: addressOf({ sortfield: field, sorttype: descends ? 'DESC' : undefined }),
    direction: isCurrent ? current.direction : undefined,
  };
}
