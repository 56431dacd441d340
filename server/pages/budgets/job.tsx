import { availableOf, type BudgetChange, type BudgetLine } from '../../../shared/budgets.ts';
import { plainDateIn } from '../../../shared/dates.ts';
import { NO_RUBRO } from '../../../shared/invoices.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { BudgetRow } from '../../services/budgets/reading.ts';
import { moneyColumn } from '../ui/columns.tsx';
import type { Cell } from './grid.tsx';
import { GridCell, GridForm, type GridState } from './grid.tsx';
import { Left, Used } from './used.tsx';

/** So many rubros are shown at a time; the total is that of all. */
const MOST_LINES = 80;

interface JobGridProps {
  job: { id: number; jobtitle: string };
  rows: readonly BudgetRow[];
  from: number;
  history: readonly BudgetChange[];
  state: GridState;
  timeZone: string;
}

/** The budget of an obra by rubro, beside what it has cost. */
export function JobGrid({ job, rows, from, history, state, timeZone }: JobGridProps) {
  const cellOf = (row: BudgetLine): Cell => ({
    jobId: job.id,
    rubroId: row.rubroId ?? NO_RUBRO,
    cents: row.presupuestoCents,
    version: row.version,
  });
  const total = sumOf(rows);
  const shown = rows.slice(from, from + MOST_LINES);
  const next = from + shown.length;
  const address = (desde?: number) => withQuery(pages.budgets, { jobId: job.id, desde });
  return (
    <>
      <p className="note">
        <a href={pages.budgets}>Todas las obras</a>. El presupuesto y lo facturado son sin IVA; lo pagado, con
        IVA. Facturado cuenta la caja chica y descuenta las notas de crédito.
      </p>
      <GridForm action={address(from || undefined)} cells={shown.map(cellOf)} state={state}>
        <DataTable
          caption={`Presupuesto de ${job.jobtitle}`}
          columns={columnsOf(job.id, state, (row) => (
            <GridCell cell={cellOf(row)} label={`Vigente de ${row.nombrerubro}`} state={state} />
          ))}
          rows={shown}
          rowKey={(row) => row.rubroId ?? NO_RUBRO}
          footer={{
            nombrerubro: 'Total',
            original: <Money cents={total.originalCents} />,
            cambios: <Money cents={total.presupuestoCents - total.originalCents} />,
            presupuesto: <Money cents={total.presupuestoCents} />,
            comprometido: <Money cents={total.comprometidoCents} />,
            facturado: <Money cents={total.gastadoCents} />,
            pagado: <Money cents={total.paidCents} />,
            disponible: <Money cents={availableOf(total)} />,
            porcentaje: <Used line={total} />,
          }}
        />
      </GridForm>
      {shown.length < rows.length && (
        <p className="actions">
          {from > 0 && <LinkButton href={address()}>Primeros rubros</LinkButton>}
          {next < rows.length && <LinkButton href={address(next)}>Siguientes rubros</LinkButton>}
        </p>
      )}
      {history.length > 0 && <History changes={history} timeZone={timeZone} />}
    </>
  );
}

const figure = (key: string, label: string, centsOf: (row: BudgetRow) => Cents) =>
  moneyColumn(key, label, centsOf, { isBlank: true });

const columnsOf = (
  jobId: number,
  { isReadOnly }: GridState,
  input: (row: BudgetRow) => React.ReactNode,
): Column<BudgetRow>[] => [
  { key: 'nombrerubro', label: 'Rubro', card: 'title', clip: true },
  figure('original', 'Original', (row) => row.originalCents),
  figure('cambios', 'Cambios', (row) => row.presupuestoCents - row.originalCents),
  {
    key: 'presupuesto',
    label: 'Vigente',
    align: 'end',
    className: isReadOnly ? undefined : 'typed',
    render: input,
  },
  figure('comprometido', 'Comprometido', (row) => row.comprometidoCents),
  {
    key: 'facturado',
    label: 'Facturado',
    align: 'end',
    render: (row) =>
      row.gastadoCents !== 0 && (
        <Money
          cents={row.gastadoCents}
          href={withQuery(pages.invoices, { jobId, rubroId: row.rubroId ?? NO_RUBRO })}
          title={partsOf(row)}
        />
      ),
  },
  figure('pagado', 'Pagado', (row) => row.spent.paidCents),
  {
    key: 'disponible',
    label: 'Por ejercer',
    align: 'end',
    render: (row) => <Left cents={availableOf(row)} />,
  },
  { key: 'porcentaje', label: '%', align: 'end', render: (row) => <Used line={row} /> },
];

/** The parts of a figure that is more than invoices. */
function partsOf({ spent: { invoicedCents, creditCents, pettyCents } }: BudgetRow): string | undefined {
  if (creditCents === 0 && pettyCents === 0) return undefined;
  return [
    `Facturas ${formatMoney(invoicedCents)}`,
    ...(creditCents > 0 ? [`menos notas de crédito ${formatMoney(creditCents)}`] : []),
    ...(pettyCents > 0 ? [`más caja chica ${formatMoney(pettyCents)}`] : []),
  ].join(', ');
}

/** So many changes are shown; the API has them all. */
const MOST_CHANGES = 100;

function History({ changes, timeZone }: { changes: readonly BudgetChange[]; timeZone: string }) {
  const columns: Column<BudgetChange>[] = [
    {
      key: 'at',
      label: 'Fecha',
      render: ({ at }) => <DateText date={plainDateIn(new Date(at), timeZone)} />,
    },
    { key: 'nombrerubro', label: 'Rubro', card: 'title', clip: true },
    {
      key: 'antes',
      label: 'Antes',
      align: 'end',
      render: ({ antesCents }) => antesCents !== null && <Money cents={antesCents} />,
    },
    moneyColumn('despues', 'Después', ({ despuesCents }) => despuesCents),
    { key: 'motivo', label: 'Motivo', clip: true },
    { key: 'username', label: 'Quién' },
  ];
  return (
    <Disclosure summary="Historia">
      <DataTable
        caption="Historia del presupuesto"
        columns={columns}
        rows={changes.slice(0, MOST_CHANGES)}
        rowKey={({ id }) => id}
      />
    </Disclosure>
  );
}

function sumOf(rows: readonly BudgetRow[]) {
  const sum = { originalCents: 0, presupuestoCents: 0, comprometidoCents: 0, gastadoCents: 0 };
  for (const row of rows) for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += row[name];
  return { ...sum, paidCents: rows.reduce((all, { spent }) => all + spent.paidCents, 0) };
}
