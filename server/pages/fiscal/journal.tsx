import { pluralize } from '../../../shared/counts.ts';
import type { Cents } from '../../../shared/money.ts';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';
import type { Filter } from '../../lists/filter.ts';
import { getPageShape, type QueryOf } from '../../lists/query-shapes.ts';
import { journalList } from '../../lists/reports.ts';
import { formatMonthAndYear } from '../../services/balances/closing-tasks.ts';
import { resolveMonth } from '../../services/fiscal/cross-check.ts';
import {
  filterJournal,
  type JournalRow,
  type MonthlyJournal,
  readJournal,
} from '../../services/fiscal/journal.ts';
import { fiscalPaths } from '../../services/fiscal/labels.ts';
import { monthField, wholeNumberField } from '../../shapes/fields.ts';
import { ViewTabs } from '../ui/choice-links.tsx';
import { moneyColumn } from '../ui/columns.tsx';
import { describeActiveFilters, renderFilterForm } from '../ui/list-filters.tsx';
import { parseListQuery } from '../ui/list-layout.tsx';
import { ActiveFilters, SearchFailure } from '../ui/list-parts.tsx';
import { LongTable, markGroupEnds, type RowInGroup } from '../ui/long-table.tsx';
import { formatMonthParameter, renderMonth } from './month-page.tsx';

const MAX_ROWS = 40;

type JournalQuery = QueryOf<typeof journalList> & { desde?: number };

const queryShape = getPageShape(journalList).extend({
  mes: monthField('mes'),
  desde: wholeNumberField('desde', 0, 1_000_000),
});

export async function showAccountingJournal(c: AppContext) {
  const asked: JournalQuery = parseListQuery(c, queryShape);
  const { db, config } = c.get('deps');
  const month = resolveMonth(asked.mes, c.get('today'));
  const mes = formatMonthParameter(month);
  const journal = await readJournal(db, month, config.timeZone);
  const { desde, ...filter } = { ...asked, mes };
  const isByAccount = filter.que === undefined;
  return renderMonth(c, journalList, month, {
    query: filter,
    content:
      journal.cuenta === 0 ? (
        <EmptyState title={`Ninguna póliza de ${formatMonthAndYear(month)}`}>
          Salen de las facturas, notas de crédito, pagos y movimientos de caja chica del mes.
        </EmptyState>
      ) : (
        <>
          <ViewTabs
            label="Ver"
            views={[
              { text: 'Por cuenta', href: journalHref({ mes }), isCurrent: isByAccount },
              { text: 'Pólizas', href: journalHref({ mes, que: 'polizas' }), isCurrent: !isByAccount },
            ]}
          />
          {isByAccount ? (
            <Accounts journal={journal} mes={mes} />
          ) : (
            await renderEntries(c, journal, filter, desde)
          )}
        </>
      ),
  });
}

async function renderEntries(c: AppContext, journal: MonthlyJournal, filter: JournalQuery, from = 0) {
  const { cuenta } = filter;
  const shownFilters = journalList.filters.filter(({ only }: Filter) => only !== 'link');
  const words: Record<string, string> = cuenta ? { cuenta: formatAccountPath(cuenta) } : {};
  const active = await describeActiveFilters(c, { ...journalList, filters: shownFilters }, filter, words);
  const filtered = filterJournal(journal, filter);
  return (
    <>
      {
        await renderFilterForm(c, journalList, filter, (fields) =>
          fields.map((field) =>
            field.kind === 'text' && field.name === 'cuenta'
              ? { ...field, kind: 'select', options: accountOptions(journal, cuenta) }
              : field,
          ),
        )
      }
      <SearchFailure />
      <div id="results" className="stack">
        <ActiveFilters c={c} activeFilters={active} isView={false} />
        {filtered.cuenta === 0 ? (
          <EmptyState title="Ninguna póliza con este filtro">
            Prueba con otra parte del texto o con otra cuenta.
          </EmptyState>
        ) : (
          <JournalEntries journal={filtered} filter={filter} from={from} />
        )}
      </div>
    </>
  );
}

const journalHref = (query: JournalQuery) => withQuery(fiscalPaths.journal, query);

/** An account that the month does not have is offered too, since the address has it. */
const accountOptions = ({ accounts }: MonthlyJournal, chosen = '') => [
  { value: '', label: 'Todas' },
  ...[...new Set([...accounts.map(({ cuenta }) => cuenta), chosen])]
    .filter(Boolean)
    .map((cuenta) => ({ value: cuenta, label: formatAccountPath(cuenta) })),
];

const EntryCount = ({ cuenta, totalCents, cuadra, id }: MonthlyJournal & { id?: string }) => (
  <h2 id={id}>
    {pluralize(cuenta, 'póliza', 'pólizas')} por <Money cents={totalCents} />
    {'\u2002'}
    <Chip tone={cuadra ? 'done' : 'danger'}>{cuadra ? 'Sumas iguales' : 'No cuadra'}</Chip>
  </h2>
);

function Accounts({ journal, mes }: { journal: MonthlyJournal; mes: string }) {
  const { totalCents, accounts } = journal;
  const accountHref = (account: string) => journalHref({ mes, cuenta: account, que: 'polizas' });
  return (
    <section aria-labelledby="cuentas">
      <EntryCount {...journal} id="cuentas" />
      <DataTable
        caption="Cargos y abonos por cuenta"
        columns={[
          {
            ...{ key: 'cuenta', label: 'Cuenta', card: 'title', className: 'wraps' },
            render: (row) => formatAccountPath(row.cuenta),
          },
          accountSumColumn('cargo', 'Cargos', ({ cargoCents }) => cargoCents, accountHref),
          accountSumColumn('abono', 'Abonos', ({ abonoCents }) => abonoCents, accountHref),
        ]}
        rows={accounts}
        rowKey={(row) => row.cuenta}
        rowHref={(row) => accountHref(row.cuenta)}
        footer={{
          cuenta: 'Total',
          cargo: <Money cents={totalCents} />,
          abono: <Money cents={accounts.reduce((sum, { abonoCents }) => sum + abonoCents, 0)} />,
        }}
      />
      <p className="note">
        Las cuentas se eligen en <a href={pages.settingsOf('contabilidad')}>Configuración</a>.
      </p>
    </section>
  );
}

type AccountSums = MonthlyJournal['accounts'][number];

const accountSumColumn = (
  key: string,
  label: string,
  centsOf: (row: AccountSums) => Cents,
  href: (account: string) => string,
) =>
  moneyColumn<AccountSums>(key, label, centsOf, {
    ...{ dash: true, card: 'half' },
    href: (row) => (centsOf(row) > 0 ? href(row.cuenta) : undefined),
  });

interface EntriesProps {
  journal: MonthlyJournal;
  filter: JournalQuery;
  from: number;
}

/** If an account is chosen, only its own postings are shown, which add up to its sums. */
function JournalEntries({ journal, filter, from }: EntriesProps) {
  const { accounts, rows } = journal;
  const { cuenta } = filter;
  let end = Math.min(from + MAX_ROWS, rows.length);
  while (!cuenta && end < rows.length && isSameEntry(rows[end - 1]!, rows[end]!)) end++;
  const part = rows.slice(from, end);
  const sums = accounts.find((one) => one.cuenta === cuenta);
  return (
    <section aria-label="Pólizas">
      {!cuenta && <EntryCount {...journal} />}
      <LongTable
        id="renglones"
        shown={end}
        total={rows.length}
        noun={['renglón', 'renglones']}
        href={journalHref({ ...filter, desde: end })}
      >
        <DataTable<PostingRow>
          caption="Renglones de las pólizas"
          columns={ROW_COLUMNS.filter(({ key }) => key !== 'account' || !cuenta)}
          rows={
            cuenta
              ? part.map((row) => ({ ...row, isFirst: true, isLast: true, ...toDebitAndCredit(row) }))
              : markGroupEnds(part, isSameEntry).flatMap(toPostingAndSumRows)
          }
          rowKey={({ code, fecha, account }) => `${code} ${fecha} ${account}`}
          rowHref={({ isFirst, href }) => (isFirst ? href : undefined)}
          rowClass={({ isSum }) => (cuenta ? undefined : isSum ? 'sums' : 'joined')}
          footer={
            sums && {
              code: 'Total',
              cargo: <LabelledAmount label="Cargo" cents={sums.cargoCents} />,
              abono: <LabelledAmount label="Abono" cents={sums.abonoCents} />,
            }
          }
        />
      </LongTable>
    </section>
  );
}

const toDebitAndCredit = ({ cents }: JournalRow) => ({
  cargoCents: Math.max(cents, 0),
  abonoCents: Math.max(-cents, 0),
});

const isSameEntry = (one: JournalRow, other: JournalRow) =>
  one.code === other.code && one.fecha === other.fecha;

const formatAccountPath = (account: string) => account.replaceAll(':', ' · ');

/** Only an entry's first posting shows code, date and description. The entry's sums follow its last posting. */
interface PostingRow extends RowInGroup<JournalRow> {
  cargoCents: Cents;
  abonoCents: Cents;
  /** the entry's second posting, whose description column shows the name; a card shows the name on its first line */
  isSecond?: boolean;
  isSum?: true;
}

function toPostingAndSumRows(
  row: RowInGroup<JournalRow>,
  index: number,
  rows: RowInGroup<JournalRow>[],
): PostingRow[] {
  const isSecond = !row.isFirst && rows[index - 1]!.isFirst;
  const posting = { ...row, isSecond, ...toDebitAndCredit(row) };
  if (!row.isLast) return [posting];
  const sumOf = (sign: 1 | -1) =>
    rows.reduce((sum, one) => sum + (isSameEntry(one, row) ? Math.max(sign * one.cents, 0) : 0), 0);
  const [cargoCents, abonoCents] = [sumOf(1), sumOf(-1)];
  const account = cargoCents === abonoCents ? 'Sumas iguales' : 'Sumas, que no son iguales';
  return [posting, { ...row, isFirst: false, isSum: true, account, cargoCents, abonoCents }];
}

const ROW_COLUMNS: Column<PostingRow>[] = [
  {
    key: 'code',
    label: 'Póliza',
    isRowLink: true,
    card: 'title',
    render: ({ isFirst, code }) => isFirst && code,
  },
  {
    key: 'fecha',
    label: 'Fecha',
    card: 'corner',
    render: ({ isFirst, fecha }) => isFirst && <DateText date={fecha} />,
  },
  {
    key: 'concepto',
    label: 'Concepto',
    card: 'line',
    className: 'wraps',
    render: ({ isFirst, isLast, isSecond, concepto, nombre }) =>
      isFirst ? (
        <>
          {concepto} <br className={isLast ? undefined : 'on-card'} />
          <span className={isLast ? 'soft' : 'on-card'}>{nombre}</span>
        </>
      ) : (
        isSecond && <span className="soft">{nombre}</span>
      ),
  },
  {
    ...{ key: 'account', label: 'Cuenta', card: 'foot', className: 'wraps', cardLabel: () => '' },
    render: ({ account }) => formatAccountPath(account),
  },
  amountColumn('cargo', 'Cargo', ({ cargoCents }) => cargoCents),
  amountColumn('abono', 'Abono', ({ abonoCents }) => abonoCents),
];

function amountColumn(key: string, label: string, centsOf: (row: PostingRow) => Cents): Column<PostingRow> {
  return {
    ...{ key, label, align: 'end', card: 'end' },
    render: (row) =>
      centsOf(row) > 0 && <LabelledAmount label={row.isSum ? '' : label} cents={centsOf(row)} />,
  };
}

/** On a card both amounts are in the same place, so each has its label there. */
const LabelledAmount = ({ label, cents }: { label: string; cents: Cents }) => (
  <>
    {label && <span className="on-card">{label} </span>}
    <Money cents={cents} />
  </>
);
