import { Hono } from 'hono';
import ListFilter, { type FilterField } from '../../islands/ListFilter.tsx';
import type { BalanceReport } from '../../shared/balances.ts';
import { catalogOf } from '../../shared/catalogs/all.ts';
import type { Catalog } from '../../shared/catalogs/catalog.ts';
import type { PlainDate } from '../../shared/dates.ts';
import { DomainError } from '../../shared/errors.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { ExportLinks } from '../../shared/ui/ExportLinks.tsx';
import { pages } from '../../shared/urls.ts';
import { Island } from '../island.tsx';
import { renderPage } from '../render.tsx';
import { readBalances } from '../services/balances.ts';
import type { AppContext, AppEnv } from '../session.ts';
import { type AskedBalances, balancePageShape, toBalanceQuery } from '../shapes/balances.ts';
import { parseId, parseQuery } from '../shapes/fields.ts';
import { BalanceResults, filterOf } from './balances-table.tsx';
import { catalogFallback, chosenName, pickedId, searchPicker } from './pickers.ts';

const suppliers = catalogOf('suppliers');
const jobs = catalogOf('jobs');

export const balancesPages = new Hono<AppEnv>({ strict: false }).get(pages.balances, async (c) => {
  const typed = parseQuery(balancePageShape, c.req.queries());
  const { asked, report, problem } = await tryToRead(c, typed);
  const fields = await filterFields(c, asked);
  const exporting = <ExportLinks list={pages.balances} formats={['csv']} query={filterOf(asked)} />;
  // Script that swaps the results finds the message among them and has no use for the status.
  const status = problem && !c.req.header('X-Fragment') ? 400 : 200;
  return renderPage(
    c,
    { title: 'Saldos por proveedor', status, actions: exporting },
    <>
      <Island of={ListFilter} props={{ action: pages.balances, fields, resultsId: 'results' }} />
      <div id="results">
        {problem && <Alert tone="error">{problem.message}</Alert>}
        {report && <BalanceResults report={report} asked={asked} />}
      </div>
    </>,
  );
});

/** What the page reports on. @throws DomainError malformed, or invalid where a typed name leads to no row */
export const readReport = async (c: AppContext): Promise<BalanceReport> =>
  read(c, await resolveNames(c, parseQuery(balancePageShape, c.req.queries())));

interface Read {
  asked: AskedBalances;
  report?: BalanceReport;
  problem?: DomainError;
}

/** The report, or why there is none: a week that does not exist, a name that leads to nobody. */
async function tryToRead(c: AppContext, typed: AskedBalances): Promise<Read> {
  let asked = typed;
  try {
    asked = await resolveNames(c, typed);
    return { asked, report: await read(c, asked) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { asked, problem: error };
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
      name: 'weeknum',
      label: 'Primera semana',
      value: String(asked.weeknum ?? ''),
      options: [{ value: '', label: 'La del corte' }, ...WEEKS],
    },
    {
      kind: 'select',
      name: 'yr',
      label: 'Año',
      value: String(asked.yr ?? ''),
      options: [{ value: '', label: 'El del corte' }, ...yearsAround(corte, asked.yr)],
    },
    await pickerField(c, suppliers, 'supplierId', 'Proveedor', 'Todos', asked.supplierId, asked.suppliername),
    await pickerField(c, jobs, 'jobId', 'Obra', 'Todas', asked.jobId, asked.jobtitle),
  ];
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
    name,
    label,
    value,
    chosen: await chosenName(db, catalog, value),
    emptyLabel,
    picker: searchPicker(catalog),
    noscript: await catalogFallback(db, catalog, typed),
  };
}
