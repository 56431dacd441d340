import { Hono } from 'hono';
import ListFilter, { type FilterField } from '../../../islands/ListFilter.tsx';
import type { BalanceReport } from '../../../shared/balances.ts';
import { catalogOf } from '../../../shared/catalogs/all.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import { formatDate, type PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { ExportLinks } from '../../../shared/ui/ExportLinks.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { errorBody, statusOf } from '../../http/errors.ts';
import type { AppContext, AppEnv } from '../../http/session.ts';
import { readBalances } from '../../services/balances/balances.ts';
import { type AskedBalances, balancePageShape, toBalanceQuery } from '../../shapes/balances.ts';
import { parseId } from '../../shapes/fields.ts';
import { Island } from '../../shell/island.tsx';
import type { FilterWord } from '../ui/list-parts.tsx';
import { isFragment, parseListQuery, readableQuery, renderList } from '../ui/lists.tsx';
import { catalogFallback, chosenName, pickedId, searchPicker } from '../ui/pickers.ts';
import { BalanceResults, filterOf } from './balances-table.tsx';

const suppliers = catalogOf('suppliers');
const jobs = catalogOf('jobs');

export const balancesPages = new Hono<AppEnv>({ strict: false }).get(pages.balances, async (c) => {
  const { asked, report, problem } = await tryToRead(c);
  if (problem && isFragment(c)) return c.json(errorBody(problem), statusOf(problem));
  const exporting = <ExportLinks list={pages.balances} first="pdf" query={filterOf(asked)} />;
  const fields = () => filterFields(c, asked);
  return renderList(
    c,
    { title: 'Saldos por proveedor', status: problem && statusOf(problem), actions: exporting },
    {
      filter: async () => (
        <Island
          of={ListFilter}
          props={{ action: pages.balances, fields: await fields(), resultsId: 'results' }}
        />
      ),
      words: await filterWords(c, asked),
      results: report ? (
        <BalanceResults report={report} asked={asked} />
      ) : (
        <>
          <Alert tone="error">{problem?.message}</Alert>
          <LinkButton href={pages.balances}>Ver la lista completa</LinkButton>
        </>
      ),
    },
  );
});

/** What the page reports on. @throws DomainError malformed, or invalid where a typed name leads to no row */
export const readBalanceQuery = async (c: AppContext): Promise<AskedBalances> =>
  resolveNames(c, parseListQuery(c, balancePageShape));

interface Read {
  asked: AskedBalances;
  report?: BalanceReport;
  problem?: DomainError;
}

/** The report, or why there is none: a date or a week that does not exist, a name that leads to nobody. */
async function tryToRead(c: AppContext): Promise<Read> {
  let asked = readableQuery(c, balancePageShape);
  try {
    asked = await resolveNames(c, parseListQuery(c, balancePageShape));
    return { asked, report: await read(c, asked) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { message } = error;
    return { asked, problem: new DomainError('malformed', message) };
  }
}

const read = (c: AppContext, asked: AskedBalances): Promise<BalanceReport> =>
  readBalances(c.get('deps').db, toBalanceQuery(asked), {
    today: c.get('today'),
    timeZone: c.get('deps').config.timeZone,
  });

/** Without script, and in long lists, pickers are text fields that hold a name. */
async function resolveNames(c: AppContext, asked: AskedBalances): Promise<AskedBalances> {
  const { db } = c.get('deps');
  const idOf = async (catalog: Catalog, name: string, id?: number | null, text = '') => {
    const picked = await pickedId(db, catalog, name, {
      [name]: id ? String(id) : '',
      [catalog.nameField]: text,
    });
    return picked ? parseId(picked) : null;
  };
  return {
    ...asked,
    supplierId: await idOf(suppliers, 'supplierId', asked.supplierId, asked.suppliername),
    jobId: await idOf(jobs, 'jobId', asked.jobId, asked.jobtitle),
  };
}

async function filterFields(c: AppContext, asked: AskedBalances): Promise<FilterField[]> {
  const corte = asked.corte ?? c.get('today');
  return [
    { kind: 'date', name: 'corte', label: 'Corte', value: asked.corte ?? '' },
    {
      kind: 'select',
      more: true,
      name: 'weeknum',
      label: 'Primera semana',
      value: String(asked.weeknum ?? ''),
      options: [{ value: '', label: 'La del corte' }, ...WEEKS],
    },
    {
      kind: 'select',
      more: true,
      name: 'yr',
      label: 'Año',
      value: String(asked.yr ?? ''),
      options: [{ value: '', label: 'El del corte' }, ...yearsAround(corte, asked.yr)],
    },
    await pickerField(c, suppliers, 'supplierId', 'Proveedor', 'Todos', asked.supplierId, asked.suppliername),
    await pickerField(c, jobs, 'jobId', 'Obra', 'Todas', asked.jobId, asked.jobtitle),
  ];
}

/** What the filter is set to, with the names behind the chosen ids. */
async function filterWords(c: AppContext, asked: AskedBalances): Promise<FilterWord[]> {
  const { db } = c.get('deps');
  const { corte, weeknum, yr, supplierId = null, jobId = null } = asked;
  const words: [name: string, label: string, value: string | null | undefined][] = [
    ['corte', 'Corte', corte && formatDate(corte)],
    ['weeknum', 'Primera semana', weeknum === undefined ? null : `SEM ${weeknum}`],
    ['yr', 'Año', yr === undefined ? null : String(yr)],
    ['supplierId', 'Proveedor', await chosenName(db, suppliers, supplierId)],
    ['jobId', 'Obra', await chosenName(db, jobs, jobId)],
  ];
  return words.flatMap(([name, label, value]) =>
    value
      ? [{ label, value, without: withQuery(pages.balances, { ...filterOf(asked), [name]: undefined }) }]
      : [],
  );
}

const WEEKS = Array.from({ length: 53 }, (_, index) => ({
  value: String(index + 1),
  label: `SEM ${index + 1}`,
}));

function yearsAround(corte: PlainDate, chosen: number | undefined): { value: string; label: string }[] {
  const year = Number(corte.slice(0, 4));
  const years = new Set([-3, -2, -1, 0, 1, 2].map((offset) => year + offset));
  if (chosen !== undefined) years.add(chosen);
  return [...years].sort((a, b) => a - b).map((one) => ({ value: String(one), label: String(one) }));
}

async function pickerField(
  c: AppContext,
  catalog: Catalog,
  name: string,
  label: string,
  emptyLabel: string,
  id: number | null | undefined,
  typed: string | undefined,
): Promise<FilterField> {
  const { db } = c.get('deps');
  const value = id ?? null;
  return {
    kind: 'picker',
    more: true,
    name,
    label,
    value,
    chosen: await chosenName(db, catalog, value),
    emptyLabel,
    picker: searchPicker(catalog),
    noscript: await catalogFallback(db, catalog, typed),
  };
}
