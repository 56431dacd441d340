import { Hono } from 'hono';
import ListFilter, { type FilterField } from '../../../islands/ListFilter.tsx';
import { type BalanceReport, type CountAndSum, GRAND_TOTAL } from '../../../shared/balances.ts';
import { type PlainDate, sayDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { ESTIMATED_NOTE } from '../../../shared/invoices-due.ts';
import { formatMoney } from '../../../shared/money.ts';
import { overdueOf } from '../../../shared/overdue.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { ExportLinks } from '../../../shared/ui/ExportLinks.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { errorBody, statusOf } from '../../http/errors.ts';
import type { AppContext, AppEnv } from '../../http/session.ts';
import { type AskedBalances, balanceList, balanceQueryOf } from '../../lists/reports.ts';
import { pageShape } from '../../lists/shapes.ts';
import { readBalances } from '../../services/balances/balances.ts';
import { readPaidLater } from '../../services/balances/dated-later.ts';
import { readInOpenBatches } from '../../services/payment-batches/committed.ts';
import { idField } from '../../shapes/fields.ts';
import { Island } from '../../shell/island.tsx';
import { PaymentSelection } from '../payment-batches/tick.tsx';
import { filterFields, filterWords, resolveNames, typedNames } from '../ui/list-filters.tsx';
import { isFragment, parseListQuery, readableQuery, renderList } from '../ui/lists.tsx';
import { type AskedBalancePage, filterOf } from './balances-address.ts';
import { HowMuchShows } from './balances-suppliers.tsx';
import { BalanceTable, MOST_ROWS, type Taken } from './balances-table.tsx';
import { DueSumText } from './due-lists.tsx';
import { TieOut } from './tie-out.tsx';

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
      below: <PaymentSelection />,
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

interface ResultsProps {
  report: BalanceReport;
  asked: AskedBalancePage;
  taken?: Taken;
}

/** The report as it stands on its page. */
function BalanceResults({ report, asked, taken }: ResultsProps) {
  if (report.invoiceCount === 0) {
    return (
      <>
        <NothingOpen asked={asked} />
        <BalanceNotes report={report} asked={asked} />
      </>
    );
  }
  const { supplierId, jobId } = asked;
  const { corte } = report;
  return (
    <>
      {/* on a phone each begins a line: run together, how many lines they take goes by the typeface that is there */}
      <p className="note over-report">
        <span>
          Saldos al <time dateTime={corte}>{sayDate(corte)}</time>, por la semana en que vencen.
        </span>{' '}
        <span>
          <DueSumText sum={overdueOf(report)} of={{ corte, supplierId, jobId }} />.
        </span>{' '}
        <a href={withQuery(pages.newPaymentBatch, { supplierId, jobId })}>{'Programar\u00a0pagos'}</a>
      </p>
      <HowMuchShows report={report} asked={asked} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard */}
      <section className="report-frame fills" tabIndex={0} aria-label="Saldos por proveedor">
        <BalanceTable report={report} asked={asked} taken={taken} />
        <div className="below">
          <BalanceNotes report={report} asked={asked} />
        </div>
      </section>
    </>
  );
}

function NothingOpen({ asked }: { asked: AskedBalancePage }) {
  const isFiltered = Boolean(asked.supplierId || asked.jobId);
  return (
    <EmptyState
      title="Nada por pagar"
      action={isFiltered ? <LinkButton href={pages.balances}>Quitar filtros</LinkButton> : undefined}
    >
      {isFiltered
        ? 'A ese día no hay facturas con saldo para este proveedor y esta obra.'
        : 'Aquí se ve qué hay que pagar en qué semana: las facturas con saldo, por proveedor.'}
    </EmptyState>
  );
}

interface NotesProps {
  report: BalanceReport;
  asked: AskedBalances;
}

/** Under the table: what its marks mean, that it ties out with the list, and what is in neither. */
function BalanceNotes({ report, asked }: NotesProps) {
  const { corte, total, later } = report;
  const whose = { supplierId: asked.supplierId, jobId: asked.jobId };
  return (
    <>
      {report.anyEstimated && <p className="note">{ESTIMATED_NOTE}</p>}
      <TieOut says={GRAND_TOTAL} cents={total.totalCents} corte={corte} later={later} whose={whose} />
      {report.unapplied.length > 0 && <Unapplied {...report} />}
    </>
  );
}

/** No list has credit notes: what they leave stands here, beside whose it is. */
function Unapplied({ unapplied }: Pick<BalanceReport, 'unapplied'>) {
  const sumCents = unapplied.reduce((sum, one) => sum + one.sumCents, 0);
  return (
    <>
      <p className="note">
        Saldos a favor sin aplicar: <a href="#saldos-a-favor">{formatMoney(sumCents)}</a>, en ninguna de estas
        cifras.
      </p>
      <details className="note">
        <summary>De quién son</summary>
        <ul id="saldos-a-favor">
          {unapplied.map(({ supplierId, suppliername, ...figure }) => (
            <li key={supplierId}>
              <a href={pages.supplierCredit(supplierId)}>{suppliername}</a>,{' '}
              {counted(figure, 'nota de crédito', 'notas de crédito')}: {formatMoney(figure.sumCents)}
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

const counted = ({ count }: CountAndSum, one: string, many: string): string =>
  `${count.toLocaleString('es-MX')} ${count === 1 ? one : many}`;
