import { z } from 'zod';
import { pluralize } from '../../../shared/counts.ts';
import type { Cents } from '../../../shared/money.ts';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';
import { journalList } from '../../lists/reports.ts';
import { nameOfMonth } from '../../services/balances/closing-tasks.ts';
import { resolveMonth } from '../../services/fiscal/cross-check.ts';
import { type JournalRow, type MonthlyJournal, readJournal } from '../../services/fiscal/journal.ts';
import { fiscalPaths } from '../../services/fiscal/labels.ts';
import { monthField, wholeField } from '../../shapes/fields.ts';
import { moneyColumn } from '../ui/columns.tsx';
import { parseListQuery } from '../ui/list-layout.tsx';
import { LongTable, markRuns, type RunRow } from '../ui/long-table.tsx';
import { monthParameter, renderMonth } from './month-page.tsx';

const MAX_ROWS = 40;

const queryShape = z.strictObject({ mes: monthField('mes'), desde: wholeField('desde', 0, 1_000_000) });

export async function showJournal(c: AppContext) {
  const { mes: asked, desde = 0 } = parseListQuery(c, queryShape);
  const { db, config } = c.get('deps');
  const month = resolveMonth(asked, c.get('today'));
  const journal = await readJournal(db, month, config.timeZone);
  return renderMonth(c, journalList, month, {
    content:
      journal.cuenta === 0 ? (
        <EmptyState title={`Ninguna póliza de ${nameOfMonth(month)}`}>
          Salen de las facturas, notas de crédito, pagos y movimientos de caja chica del mes.
        </EmptyState>
      ) : (
        <Entries journal={journal} from={desde} mes={monthParameter(month)} />
      ),
  });
}

function Entries({ journal, from, mes }: { journal: MonthlyJournal; from: number; mes: string }) {
  const { cuenta, totalCents, cuadra, accounts, rows } = journal;
  let end = Math.min(from + MAX_ROWS, rows.length);
  while (end < rows.length && isSameEntry(rows[end - 1]!, rows[end]!)) end++;
  const part = markRuns(rows.slice(from, end), isSameEntry);
  return (
    <>
      <section aria-labelledby="cuentas">
        <h2 id="cuentas">
          {pluralize(cuenta, 'póliza', 'pólizas')} por <Money cents={totalCents} />
          {'\u2002'}
          <Chip tone={cuadra ? 'done' : 'danger'}>{cuadra ? 'Sumas iguales' : 'No cuadra'}</Chip>
        </h2>
        <p className="note">
          Las cuentas se eligen en <a href={pages.settingsOf('contabilidad')}>Configuración</a>.
        </p>
        <DataTable
          caption="Cargos y abonos por cuenta"
          columns={ACCOUNT_COLUMNS}
          rows={accounts}
          rowKey={(row) => row.cuenta}
          footer={{
            cuenta: 'Total',
            cargo: <Money cents={totalCents} />,
            abono: <Money cents={accounts.reduce((sum, { abonoCents }) => sum + abonoCents, 0)} />,
          }}
        />
      </section>
      <section aria-labelledby="renglones">
        <h2 id="renglones">Renglones</h2>
        <LongTable
          id="renglones-tabla"
          shown={end}
          total={rows.length}
          noun={['renglón', 'renglones']}
          href={withQuery(fiscalPaths.journal, { mes, desde: end })}
        >
          <DataTable
            caption="Renglones de las pólizas"
            columns={ROW_COLUMNS}
            rows={part.flatMap(toPostingRows)}
            rowKey={({ code, fecha, account }) => `${code} ${fecha} ${account}`}
            rowHref={({ isFirst, href }) => (isFirst ? href : undefined)}
            rowClass={({ isSum }) => (isSum ? 'sums' : 'joined')}
          />
        </LongTable>
      </section>
    </>
  );
}

const isSameEntry = (one: JournalRow, other: JournalRow) =>
  one.code === other.code && one.fecha === other.fecha;

const formatAccountName = (account: string) => account.replaceAll(':', ' · ');

const ACCOUNT_COLUMNS: Column<MonthlyJournal['accounts'][number]>[] = [
  {
    ...{ key: 'cuenta', label: 'Cuenta', card: 'title', className: 'wraps' },
    render: ({ cuenta }) => formatAccountName(cuenta),
  },
  moneyColumn('cargo', 'Cargos', ({ cargoCents }) => cargoCents, { dash: true, card: 'half' }),
  moneyColumn('abono', 'Abonos', ({ abonoCents }) => abonoCents, { dash: true, card: 'half' }),
];

/** Only an entry's first posting shows code, date and description. The entry's sums follow its last posting. */
interface PostingRow extends RunRow<JournalRow> {
  cargoCents: Cents;
  abonoCents: Cents;
  /** shows the entry's name, which is on the first line of a card */
  isSecond?: boolean;
  isSum?: true;
}

function toPostingRows(row: RunRow<JournalRow>, index: number, rows: RunRow<JournalRow>[]): PostingRow[] {
  const isSecond = !row.isFirst && rows[index - 1]!.isFirst;
  const amounts = { cargoCents: Math.max(row.cents, 0), abonoCents: Math.max(-row.cents, 0) };
  const posting = { ...row, isSecond, ...amounts };
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
    link: true,
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
    render: ({ isFirst, isSecond, concepto, nombre }) =>
      isFirst ? (
        <>
          {concepto} <br className="on-card" />
          <span className="on-card">{nombre}</span>
        </>
      ) : (
        isSecond && <span className="soft">{nombre}</span>
      ),
  },
  {
    ...{ key: 'account', label: 'Cuenta', card: 'foot', className: 'wraps', cardLabel: () => '' },
    render: ({ account }) => formatAccountName(account),
  },
  amountColumn('cargo', 'Cargo', ({ cargoCents }) => cargoCents),
  amountColumn('abono', 'Abono', ({ abonoCents }) => abonoCents),
];

/** On a card both amounts are in the same place, so each has its label there. */
function amountColumn(key: string, label: string, centsOf: (row: PostingRow) => Cents): Column<PostingRow> {
  return {
    ...{ key, label, align: 'end', card: 'end' },
    render: (row) =>
      centsOf(row) > 0 && (
        <>
          {!row.isSum && <span className="on-card">{label} </span>}
          <Money cents={centsOf(row)} />
        </>
      ),
  };
}
