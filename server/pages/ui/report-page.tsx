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
import { parametersOf } from '../../lists/filter.ts';
import { filtersFor, type List } from '../../lists/list.ts';
import { filterWords, invertedResults, renderFilter, resolveNames } from './list-filters.tsx';
import { answerList, parseListQuery, readableQuery, renderList } from './lists.tsx';

interface ReportContent {
  results: ReactNode;
  /** beside the heading, after "Exportar" */
  actions?: ReactNode;
}

/** What a report's page adds to its definition. */
interface ReportPage<Shape extends z.ZodObject> {
  /** of its address: the filters, and parameters of the page itself, such as the part of a long table */
  shape: Shape;
  /** the whole heading, where the report's title is not enough; read after the figures */
  heading?(): Promise<string>;
  /** the format that "Exportar" gives by default */
  first: ExportFormat;
  loadFailed?: string;
  hasCharts?: true;
  /** the filter as shown, where more is set than was asked for */
  shownFilter?(query: z.output<Shape>): object;
  /** the controls, where there are more than the filters' */
  controls?(fields: FilterField[], query: z.output<Shape>): FilterField[];
  /** shows the filter in words too; returns the page's own words, by filter */
  words?(query: z.output<Shape>): Readonly<Record<string, string>>;
  refused?: { problem: DomainError; status: ContentfulStatusCode };
  read(query: z.output<Shape>): Promise<ReportContent>;
  /** under the results, and left alone by a search */
  below?: ReactNode;
}

/**
 * A question that has no answer, such as a period that ends before it begins, is explained in place of the figures,
 * with a link that swaps its ends; the filter stays, to be corrected.
 */
export function showReport<Shape extends z.ZodObject>(
  c: AppContext,
  report: Pick<List, 'title' | 'page' | 'filters' | 'first' | 'inSight' | 'sorts'>,
  page: ReportPage<Shape>,
): Promise<Response> {
  const { shape, first, loadFailed, hasCharts, refused, below } = page;
  const { title, page: address } = report;
  const filter = (query: z.output<Shape>) =>
    renderFilter(c, report, { ...query, ...page.shownFilter?.(query) }, (fields) =>
      page.controls ? page.controls(fields, query) : fields,
    );
  const fallback = { title, address, loadFailed, filter: () => filter(readableQuery(c, shape)) };
  return answerList(c, fallback, async () => {
    let query = parseListQuery(c, shape);
    let content: ReportContent;
    let status = refused?.status;
    try {
      // A typed name stays in its control, whichever row it leads to.
      query = { ...query, ...(await resolveNames(c, report, query)) };
      content = await page.read(query);
    } catch (error) {
      if (!(error instanceof DomainError) || !['malformed', 'invalid'].includes(error.kind)) throw error;
      status = 400;
      const swapped = invertedResults(report, query);
      content = { results: swapped ?? <Unanswered message={error.message} address={address} /> };
    }
    const filters = reportFilters(report, query);
    return renderList(
      c,
      {
        title: (await page.heading?.()) ?? title,
        status,
        hasCharts,
        actions: (
          <>
            <ExportLinks list={address} first={first} query={filters} />
            {content.actions}
          </>
        ),
      },
      {
        alert: refused && <Alert tone="error">{refused.problem.message}</Alert>,
        filter: () => filter(query),
        words: page.words && (await filterWords(c, report, filters, page.words(query))),
        results: content.results,
        below,
      },
    );
  });
}

/** The filters that were asked for, without the page's own parameters. */
const reportFilters = (report: Pick<List, 'filters' | 'first'>, query: object) =>
  Object.fromEntries(
    filtersFor(report, 'page')
      .flatMap(parametersOf)
      .map(({ name }) => [name, (query as Record<string, string | number>)[name]]),
  );

const Unanswered = ({ message, address }: { message: string; address: string }) => (
  <>
    <Alert tone="error">{message}</Alert>
    <LinkButton href={address}>Ver la lista completa</LinkButton>
  </>
);
