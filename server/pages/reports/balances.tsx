import { Hono } from 'hono';
import ListFilter, { type FilterField } from '../../../islands/ListFilter.tsx';
import type { BalanceReport } from '../../../shared/balances.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { ExportLinks } from '../../../shared/ui/ExportLinks.tsx';
import { pages } from '../../../shared/urls.ts';
import { errorBody, statusOf } from '../../http/errors.ts';
import type { AppContext, AppEnv } from '../../http/session.ts';
import { balanceList, balanceQueryOf } from '../../lists/reports.ts';
import { pageShape } from '../../lists/shapes.ts';
import { readBalances } from '../../services/balances/balances.ts';
import { readPaidLater } from '../../services/balances/dated-later.ts';
import { readInOpenBatches } from '../../services/payment-batches/committed.ts';
import { idField } from '../../shapes/fields.ts';
import { Island } from '../../shell/island.tsx';
import { Tray } from '../payment-batches/tick.tsx';
import { filterFields, filterWords, resolveNames, typedNames } from '../ui/list-filters.tsx';
import { isFragment, parseListQuery, readableQuery, renderList } from '../ui/lists.tsx';
import { type AskedBalancePage, filterOf } from './balances-address.ts';
import { BalanceResults } from './balances-results.tsx';
import { MOST_ROWS, type Taken } from './balances-table.tsx';

/** The supplier whose invoices show in a long report, and which part of many suppliers, are the page's own matter. */
const SHAPE = pageShape(balanceList).extend({
  abierto: idField('abierto'),
  parte: idField('parte'),
});

export const balancesPages = new Hono<AppEnv>({ strict: false }).get(pages.balances, async (c) => {
  const { asked, report, problem } = await tryToRead(c);
  if (problem && isFragment(c)) return c.json(errorBody(problem), statusOf(problem));
  const exporting = <ExportLinks list={pages.balances} first="pdf" query={filterOf(asked)} />;
  return renderList(
    c,
    { title: balanceList.title, status: problem && statusOf(problem), actions: exporting },
    {
      filter: async () => (
        <Island
          of={ListFilter}
          props={{ action: pages.balances, fields: await fieldsOf(c, asked), resultsId: 'results' }}
        />
      ),
      words: await filterWords(c, balanceList, filterOf(asked), weekIn(asked)),
      results: report ? (
        <BalanceResults report={report} asked={asked} taken={await readTaken(c, report)} />
      ) : (
        <>
          <Alert tone="error">{problem?.message}</Alert>
          <LinkButton href={pages.balances}>Ver la lista completa</LinkButton>
        </>
      ),
      below: <Tray />,
    },
  );
});

interface Read {
  asked: AskedBalancePage;
  report?: BalanceReport;
  problem?: DomainError;
}

/** The report, or why there is none: a date or a week that does not exist, a name that leads to nobody. */
async function tryToRead(c: AppContext): Promise<Read> {
  let asked = readableQuery(c, SHAPE);
  try {
    // Names stay in their text fields, whichever rows they lead to.
    const typed = parseListQuery(c, SHAPE);
    asked = { ...typed, ...(await resolveNames(c, balanceList, typed)) };
    return { asked, report: await read(c, asked) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { message } = error;
    return { asked, problem: new DomainError('malformed', message) };
  }
}

/** What is in open batches or paid later, where the report is of today: nobody pays what was owed on another day. */
async function readTaken(c: AppContext, { corte }: BalanceReport): Promise<Taken | undefined> {
  const { db, config } = c.get('deps');
  if (corte !== c.get('today')) return undefined;
  const paidLater = await readPaidLater(db, corte, { today: corte, timeZone: config.timeZone });
  return { committed: await readInOpenBatches(db), paidLater };
}

function read(c: AppContext, asked: AskedBalancePage): Promise<BalanceReport> {
  const { db, config } = c.get('deps');
  const day = { today: c.get('today'), timeZone: config.timeZone };
  return readBalances(db, balanceQueryOf(asked), day, { mostRows: MOST_ROWS, opened: asked.abierto });
}

async function fieldsOf(c: AppContext, asked: AskedBalancePage): Promise<FilterField[]> {
  const choices: Record<string, { value: string; label: string }[]> = {
    weeknum: [{ value: '', label: 'La del corte' }, ...WEEKS],
    yr: [{ value: '', label: 'El del corte' }, ...yearsAround(asked.corte ?? c.get('today'), asked.yr)],
  };
  const fields = await filterFields(c, balanceList, asked, { typed: typedNames(balanceList, asked) });
  return fields.map((field) => {
    const options = choices[field.name];
    return field.kind === 'text' && options ? { ...field, kind: 'select', options } : field;
  });
}

/** The week as the report heads it. */
const weekIn = ({ weeknum }: AskedBalancePage): Record<string, string> =>
  weeknum === undefined ? {} : { weeknum: `SEM ${weeknum}` };

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
