import type { BalanceReport, BalanceRow, CountAndSum } from '../../../shared/balances.ts';
import { EARLIER, GRAND_TOTAL } from '../../../shared/balances.ts';
import { formatDate } from '../../../shared/dates.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AskedBalances } from '../../lists/reports.ts';
import { largestOf } from './largest.ts';

/** What the page is asked for: beside the report, the supplier whose invoices show, and whether all suppliers do. */
export type AskedBalancePage = AskedBalances & { abierto?: number | null; todo?: string };

/** Beyond this the suppliers' totals show, and each opens. */
export const MOST_ROWS = 300;

/** Beyond this those that are owed most show, and the rest in one row that opens. */
const MOST_SUPPLIERS = 150;

/** The report's own parameters, for its links and exports. */
export const filterOf = ({ corte, weeknum, yr, supplierId, jobId }: AskedBalances) => ({
  corte,
  weeknum,
  yr,
  supplierId,
  jobId,
});

interface ResultsProps {
  report: BalanceReport;
  asked: AskedBalancePage;
}

export function BalanceResults({ report, asked }: ResultsProps) {
  const isEmpty = report.invoiceCount === 0;
  return (
    <>
      {!isEmpty && (
        <p className="note">
          Saldos al <time dateTime={report.corte}>{formatDate(report.corte)}</time>, por la semana en que
          vencen.
        </p>
      )}
      {isEmpty ? <NothingOpen asked={asked} /> : <BalanceTable report={report} asked={asked} />}
      {report.anyEstimated && (
        <p className="note">
          * Vencimiento estimado: la factura no trae el suyo. Cuenta la recepción, o la emisión, más los días
          de crédito del proveedor; sin esas fechas, el día de su captura.
        </p>
      )}
      <TieOut report={report} asked={asked} />
    </>
  );
}

function BalanceTable({ report, asked }: ResultsProps) {
  const { isLong } = report;
  const totalsOf = report.rows.filter((row) => row.isSummary && row.supplierId !== null);
  const { largest, rest } = largestOf(
    totalsOf,
    asked.todo === '1' ? Infinity : MOST_SUPPLIERS,
    (row) => row.totalCents,
    (row) => row.supplierId === asked.abierto,
  );
  const named = new Set(largest.map((row) => row.supplierId));
  const shown = report.rows.filter(({ supplierId }) => named.has(supplierId));
  const others = rest.length > 0 ? sumOfRows(rest) : undefined;
  if (others) shown.push(others);
  const first = firstRows(shown);
  const columns: Column<BalanceRow>[] = [
    {
      key: 'supplier',
      label: 'Proveedor',
      className: 'c1',
      render: (row) => <SupplierCell row={row} isFirst={first.has(row)} asked={asked} opens={isLong} />,
    },
    {
      key: 'job',
      label: 'Obra',
      className: 'c2',
      render: (row) => (row.isSummary ? '' : <span title={row.jobtitle}>{row.jobtitle}</span>),
    },
    { key: 'number', label: 'Factura', className: 'c3', link: true, render: numberOf },
    ...report.columns.map(
      ({ key, days }): Column<BalanceRow> => ({
        key,
        label: key,
        note: days,
        className: key === EARLIER ? 'late' : undefined,
        render: (row) => amountOf(row.amounts[key]),
      }),
    ),
    { key: 'total', label: 'Total', render: (row) => amountOf(row.totalCents) },
  ];
  const totals = report.columns.map(({ key }) => [key, amountOf(report.total.amounts[key])]);
  return (
    <>
      {isLong && (
        <p className="note">
          Son {report.invoiceCount.toLocaleString('es-MX')} facturas con saldo: se muestra el total de cada
          proveedor; al abrir uno aparecen las suyas.
          {others &&
            ` Están los ${largest.length} a los que más se debe; los demás están juntos al final de la tabla.`}{' '}
          {asked.todo === '1' && totalsOf.length > MOST_SUPPLIERS && (
            <a href={withQuery(pages.balances, filterOf(asked))}>Mostrar solo a los que más se debe</a>
          )}
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard */}
      <section className="report-frame" tabIndex={0} aria-label="Saldos por proveedor">
        <DataTable
          className="report"
          caption={`Saldos por proveedor y semana al ${report.corte}`}
          columns={columns}
          rows={shown}
          rowKey={(row) => (row.isSummary ? `total-${row.supplierId}` : String(row.invoiceId))}
          rowHref={(row) => (row.invoiceId === null ? undefined : pages.editInvoice(row.invoiceId))}
          rowClass={(row) => (row.isSummary ? 'summary' : undefined)}
          footer={{
            ...Object.fromEntries(totals),
            supplier: <span className="across">{GRAND_TOTAL}</span>,
            total: amountOf(report.total.totalCents),
          }}
        />
      </section>
    </>
  );
}

/** In the place of a row's supplier: it stands for several. */
const OTHERS = 0;

function sumOfRows(rows: readonly BalanceRow[]): BalanceRow {
  const amounts: Record<string, Cents> = {};
  for (const row of rows)
    for (const [key, cents] of Object.entries(row.amounts)) amounts[key] = (amounts[key] ?? 0) + cents;
  const totalCents = rows.reduce((sum, row) => sum + row.totalCents, 0);
  const name =
    rows.length === 1 ? 'Otro proveedor' : `Otros ${rows.length.toLocaleString('es-MX')} proveedores`;
  return { ...rows[0]!, supplierId: OTHERS, suppliername: name, jobtitle: name, amounts, totalCents };
}

/** Plain text, and nothing where nothing is due (the stylesheet draws a dash): there may be thousands of rows. */
const amountOf = (cents: Cents = 0): string => (cents === 0 ? '' : formatMoney(cents));

/** The first row of each supplier: there its name is new, below it is repeated quietly. */
function firstRows(rows: BalanceRow[]): Set<BalanceRow> {
  return new Set(rows.filter((row, index) => row.supplierId !== rows[index - 1]?.supplierId));
}

interface SupplierCellProps {
  row: BalanceRow;
  isFirst: boolean;
  asked: AskedBalancePage;
  /** the supplier's invoices show on demand */
  opens: boolean;
}

function SupplierCell({ row, isFirst, asked, opens }: SupplierCellProps) {
  const { supplierId, suppliername, jobtitle } = row;
  if (!row.isSummary) {
    return (
      <>
        <span className={isFirst ? undefined : 'again'} title={suppliername}>
          {suppliername}
        </span>
        {/* on phones the column of obras gives its place to an amount */}
        <small className="under" title={jobtitle}>
          {jobtitle}
        </small>
      </>
    );
  }
  if (supplierId === OTHERS) {
    return (
      <a className="across" href={withQuery(pages.balances, { ...filterOf(asked), todo: '1' })}>
        ▸ {jobtitle}
      </a>
    );
  }
  const anchor = `proveedor-${supplierId}`;
  if (!opens) {
    return (
      <span className="across" title={jobtitle}>
        {jobtitle}
      </span>
    );
  }
  const isOpen = asked.abierto === supplierId;
  const address = withQuery(pages.balances, {
    ...filterOf(asked),
    todo: asked.todo,
    abierto: isOpen ? null : supplierId,
  });
  return (
    <a className="across" id={anchor} href={`${address}#${anchor}`}>
      {isOpen ? '▾' : '▸'} {jobtitle}
    </a>
  );
}

/** The asterisk comes first: a long number ends in an ellipsis, and what follows it would not show. */
function numberOf(row: BalanceRow) {
  if (row.isSummary) return '';
  const number = row.numfactura || `#${row.invoiceId}`;
  const title = row.vencimientoEstimado ? `${number}, vencimiento estimado` : number;
  return <span title={title}>{row.vencimientoEstimado ? `* ${number}` : number}</span>;
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

/** The report and the list say the same; what is dated later is in neither, and named here. */
function TieOut({ report, asked }: ResultsProps) {
  const { corte, total, laterPayments, laterInvoices, unapplied } = report;
  const { supplierId, jobId } = asked;
  const list = withQuery(pages.invoices, { corte, supplierId, jobId });
  const later = [
    laterPayments.count > 0 && `${counted(laterPayments, 'pago', 'pagos')} por ${sum(laterPayments)}`,
    laterInvoices.count > 0 &&
      `${counted(laterInvoices, 'factura', 'facturas')} con saldo de ${sum(laterInvoices)}`,
  ].filter((text) => typeof text === 'string');
  return (
    <p className="note">
      {GRAND_TOTAL} {formatMoney(total.totalCents)} ={' '}
      <a href={list}>pendiente de la lista de facturas al {formatDate(corte)}</a>.{' '}
      {later.length === 0
        ? 'No hay pagos ni facturas con fecha posterior.'
        : `Con fecha posterior, y por eso sin contar: ${later.join(' y ')}.`}
      {unapplied.count > 0 && ` Saldos a favor sin aplicar: ${sum(unapplied)}.`}
    </p>
  );
}

const counted = ({ count }: CountAndSum, one: string, many: string): string =>
  `${count.toLocaleString('es-MX')} ${count === 1 ? one : many}`;

const sum = ({ sumCents }: CountAndSum): string => formatMoney(sumCents);
