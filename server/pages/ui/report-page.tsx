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

interface Drawn {
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
  draws?: true;
  /** the filter as shown, where more is set than was asked for */
  shown?(asked: z.output<Shape>): object;
  /** the controls, where there are more than the filters' */
  controls?(fields: FilterField[], asked: z.output<Shape>): FilterField[];
  /** shows the filter in words too; returns the page's own words, by filter */
  words?(asked: z.output<Shape>): Readonly<Record<string, string>>;
  refused?: { problem: DomainError; status: ContentfulStatusCode };
  read(asked: z.output<Shape>): Promise<Drawn>;
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
  const { shape, first, loadFailed, draws, refused, below } = page;
  const { title, page: address } = report;
  const filter = (asked: z.output<Shape>) =>
    renderFilter(c, report, { ...asked, ...page.shown?.(asked) }, (fields) =>
      page.controls ? page.controls(fields, asked) : fields,
    );
  const fallback = { title, address, loadFailed, filter: () => filter(readableQuery(c, shape)) };
  return answerList(c, fallback, async () => {
    let asked = parseListQuery(c, shape);
    let drawn: Drawn;
    let status = refused?.status;
    try {
      // A typed name stays in its control, whichever row it leads to.
      asked = { ...asked, ...(await resolveNames(c, report, asked)) };
      drawn = await page.read(asked);
    } catch (error) {
      if (!(error instanceof DomainError) || !['malformed', 'invalid'].includes(error.kind)) throw error;
      status = 400;
      const turned = invertedResults(report, asked);
      drawn = { results: turned ?? <Unanswered message={error.message} address={address} /> };
    }
    const own = ownOf(report, asked);
    return renderList(
      c,
      {
        title: (await page.heading?.()) ?? title,
        status,
        draws,
        actions: (
          <>
            <ExportLinks list={address} first={first} query={own} />
            {drawn.actions}
          </>
        ),
      },
      {
        alert: refused && <Alert tone="error">{refused.problem.message}</Alert>,
        filter: () => filter(asked),
        words: page.words && (await filterWords(c, report, own, page.words(asked))),
        results: drawn.results,
        below,
      },
    );
  });
}

/** The filters that were asked for, without the page's own parameters. */
const ownOf = (report: Pick<List, 'filters' | 'first'>, asked: object) =>
  Object.fromEntries(
    filtersFor(report, 'page')
      .flatMap(parametersOf)
      .map(({ name }) => [name, (asked as Record<string, string | number>)[name]]),
  );

const Unanswered = ({ message, address }: { message: string; address: string }) => (
  <>
    <Alert tone="error">{message}</Alert>
    <LinkButton href={address}>Ver la lista completa</LinkButton>
  </>
);
