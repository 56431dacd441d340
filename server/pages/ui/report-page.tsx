import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ReactNode } from 'react';
import type { z } from 'zod';
import type { FilterField } from '../../../islands/ListFilter.tsx';
import { DomainError } from '../../../shared/errors.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { ExportLinks } from '../../../shared/ui/ExportLinks.tsx';
import type { ExportFormat } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';
import { listParameters } from '../../lists/filter.ts';
import { type List, orderFilters } from '../../lists/list.ts';
import {
  describeActiveFilters,
  renderFilterForm,
  renderInvertedPeriod,
  resolveTypedNames,
} from './list-filters.tsx';
import { parseListQuery, readValidQuery, renderListOrFragment, showListOrError } from './list-layout.tsx';

interface ReportContent {
  results: ReactNode;
  actions?: ReactNode;
}

interface ReportPage<Shape extends z.ZodObject> {
  /** the parameters: filters, and those that only the page has, such as the part of a long table */
  shape: Shape;
  /** the parameters besides the filters that a change of the filters keeps, such as an order */
  kept?: readonly (keyof z.output<Shape> & string)[];
  /** the record that the report is about, beside the title and in the browser's tab; called after the figures were read */
  subject?(): Promise<{ name: string; href: string }>;
  first: ExportFormat;
  loadFailed?: string;
  /** values for the controls besides the address's, such as defaults */
  shownFilter?(query: z.output<Shape>): object;
  controls?(fields: FilterField[], query: z.output<Shape>): FilterField[];
  /** if present, active filters are also shown as text; returns texts that the page gives itself, by filter */
  words?(query: z.output<Shape>): Readonly<Record<string, string>>;
  refused?: { problem: DomainError; status: ContentfulStatusCode };
  read(query: z.output<Shape>): Promise<ReportContent>;
  /** shown below the results, and not replaced by a search */
  below?: ReactNode;
}

/** Where filters are invalid, explains them instead of showing figures. Their controls remain, to be corrected. */
export function showReport<Shape extends z.ZodObject>(
  c: AppContext,
  report: Pick<List, 'title' | 'page' | 'filters' | 'leadingFilters' | 'alwaysVisible' | 'sorts'>,
  page: ReportPage<Shape>,
): Promise<Response> {
  const { shape, first, loadFailed, refused, below } = page;
  const { title, page: address } = report;
  const pickKeptParameters = (query: z.output<Shape>) =>
    Object.fromEntries((page.kept ?? []).flatMap((name) => (query[name] ? [[name, query[name]]] : [])));
  const renderFilter = (query: z.output<Shape>) =>
    renderFilterForm(c, report, { ...query, ...page.shownFilter?.(query) }, (fields) => [
      ...(page.controls?.(fields, query) ?? fields),
      ...Object.entries(pickKeptParameters(query)).map(
        ([name, value]): FilterField => ({ kind: 'hidden', name, value: String(value) }),
      ),
    ]);
  const fallback = { title, address, loadFailed, filter: () => renderFilter(readValidQuery(c, shape)) };
  return showListOrError(c, fallback, async () => {
    let query = parseListQuery(c, shape);
    let content: ReportContent;
    let status = refused?.status;
    try {
      // A typed name stays in its control even where no row has that name.
      query = { ...query, ...(await resolveTypedNames(c, report, query)) };
      content = await page.read(query);
    } catch (error) {
      if (!(error instanceof DomainError) || !['malformed', 'invalid'].includes(error.kind)) throw error;
      status = 400;
      const swapped = renderInvertedPeriod(report, query);
      content = { results: swapped ?? <ReportError message={error.message} address={address} /> };
    }
    const filters = pickFilterValues(report, query);
    const subject = await page.subject?.();
    return renderListOrFragment(
      c,
      {
        title,
        subtitle: subject && <a href={subject.href}>{subject.name}</a>,
        subject: subject?.name,
        status,
        actions: (
          <>
            <ExportLinks list={address} defaultFormat={first} query={filters} />
            {content.actions}
          </>
        ),
      },
      {
        alert: refused && <Alert tone="error">{refused.problem.message}</Alert>,
        renderFilter: () => renderFilter(query),
        words:
          page.words &&
          (await describeActiveFilters(
            c,
            report,
            { ...filters, ...pickKeptParameters(query) },
            page.words(query),
          )),
        results: content.results,
        below,
      },
    );
  });
}

const pickFilterValues = (report: Pick<List, 'filters' | 'leadingFilters'>, query: object) =>
  Object.fromEntries(
    orderFilters(report, 'page')
      .flatMap(listParameters)
      .map(({ name }) => [name, (query as Record<string, string | number>)[name]]),
  );

const ReportError = ({ message, address }: { message: string; address: string }) => (
  <>
    <Alert tone="error">{message}</Alert>
    <LinkButton href={address}>Ver la lista completa</LinkButton>
  </>
);
