import { z } from 'zod';
import { DomainError } from '../../shared/errors.ts';
import type { ExportFormat } from '../../shared/urls.ts';
import { sendExport } from '../http/downloads.ts';
import { sendJson } from '../http/send.ts';
import type { AppContext } from '../http/session.ts';
import { type Filter, requireOrderedPeriods } from '../lists/filter.ts';
import { type List, type ListContext, type ListQuery, resolveSortAlias } from '../lists/list.ts';
import { getApiShape } from '../lists/query-shapes.ts';
import { readExport } from '../lists/read-export.ts';
import type { Answer } from '../shapes/answers.ts';
import { deprecatedIdFilterField, exportFormatField, parseQuery } from '../shapes/fields.ts';
import type { Description } from './call-descriptions.ts';

export interface ListCall<Filters extends readonly Filter[], Sort extends string>
  extends Partial<Pick<Description, 'returns' | 'headers'>> {
  list: List<Filters, Sort>;
  /** the accepted parameters, where they are not just the list's filters and `format` */
  query?: z.ZodObject;
  example?: object;
  row: Answer<never>;
  /** reads the row that the deprecated parameter `id` names */
  findOne?: (c: AppContext, id: number) => Promise<object>;
  /** the limit where the request states none; 1000 by default */
  defaultLimit?: number;
  translateQuery?: (sent: Record<string, string[]>) => Record<string, string[]>;
  sum?(listQuery: ListQuery<Filters, Sort>, c: AppContext): Promise<Pick<ListPageMeta, 'total' | 'headers'>>;
}

interface ListPageMeta {
  total: number;
  cursor?: string;
  headers?: Record<string, string>;
}

interface CommonListQuery {
  id?: number;
  format?: ExportFormat;
  sortfield?: string;
  sorttype?: 'asc' | 'desc';
}

export function defineListCall<Filters extends readonly Filter[], Sort extends string>(
  listCall: ListCall<Filters, Sort>,
) {
  const { list, row, returns, headers = ['page'] } = listCall;
  const problems = list.filters.some(({ kind }) => kind === 'period') ? (['bad_period'] as const) : [];
  const query = listCall.query ?? listQueryShape(listCall);
  const run = async (c: AppContext) => {
    const sent = listCall.translateQuery?.(c.req.queries()) ?? c.req.queries();
    const { id, format, sortfield, sorttype, ...rest } = parseQuery(query, sent) as CommonListQuery;
    if (id && listCall.findOne) {
      if (!listCall.query) requireIdAlone(sent);
      return sendJson(c, await listCall.findOne(c, id));
    }
    requireOrderedPeriods(list.filters, rest);
    const sort = resolveSortAlias(list, sortfield);
    const listQuery = { ...rest, sort, direction: sorttype } as ListQuery<Filters, Sort>;
    if (format) return sendListExport(c, list, listQuery, format);
    const { limit = listCall.defaultLimit ?? 1000, cursor: from, ...filter } = listQuery;
    const filterAndOrder = filter as ListQuery<Filters, Sort>;
    const { readPage, count } = await list.readExport(filterAndOrder, {
      ...toListContext(c),
      appliedFilters: [],
    });
    const [{ rows, cursor }, sums] = await Promise.all([
      readPage!({ limit, cursor: from }),
      listCall.sum?.(filterAndOrder, c) ?? count!().then((total) => ({ total })),
    ]);
    return answerList(c, rows, { ...sums, cursor });
  };
  return { query, status: 200, returns, answer: z.array(row.shape), headers, problems, run } as const;
}

function listQueryShape<Filters extends readonly Filter[], Sort extends string>({
  list,
  findOne,
  example,
}: ListCall<Filters, Sort>): z.ZodObject {
  const shape = getApiShape(list) as z.ZodObject;
  return shape
    .extend({ ...(findOne && { id: deprecatedIdFilterField }), format: exportFormatField })
    .meta({ examples: [example] });
}

/** @throws DomainError malformed: a request for one row by its id takes no other parameter */
function requireIdAlone({ id: _id, ...others }: Record<string, string[]>): void {
  const [other] = Object.keys(others);
  if (other) throw new DomainError('malformed', `Con «id» no va el parámetro «${other}».`);
}

export function answerList(
  c: AppContext,
  rows: readonly object[],
  { total, cursor, headers }: ListPageMeta,
): Response {
  const counted = { ...headers, 'X-Total-Count': String(total) };
  if (!cursor) return sendJson(c, rows, 200, counted);
  const next = new URL(c.req.url);
  next.searchParams.set('cursor', cursor);
  if (!next.searchParams.has('limit')) next.searchParams.set('limit', String(Math.min(rows.length, 1000)));
  return sendJson(c, rows, 200, { ...counted, Link: `<${next.pathname}${next.search}>; rel="next"` });
}

export async function sendListExport<Filters extends readonly Filter[], Sort extends string>(
  c: AppContext,
  list: List<Filters, Sort>,
  listQuery: ListQuery<Filters, Sort>,
  format: ExportFormat,
): Promise<Response> {
  return sendExport(c, format, await readExport(list, listQuery, toListContext(c)));
}

function toListContext(c: AppContext): ListContext {
  const { db, config } = c.get('deps');
  return { db, today: c.get('today'), timeZone: config.timeZone, now: c.get('now') };
}
