import type { ReactNode } from 'react';
import {
  type BalanceColumn,
  type BalanceRow,
  EARLIER_WEEKS_KEY,
  GRAND_TOTAL_LABEL,
} from '../../../shared/balances.ts';
import { formatCount } from '../../../shared/counts.ts';
import { formatLongDate, formatShortDayMonth } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import { lastOverdueDay } from '../../../shared/overdue.ts';
import { getNextPartOrFirst, resolveRowsPart, rowRangeOfPart } from '../../../shared/table-parts.ts';
import { EstimatedMark } from '../../../shared/ui/EstimatedMark.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { PaymentBatchChips } from '../../../shared/ui/PaymentBatchChips.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { InvoicePaidLater } from '../../services/balances/after-corte.ts';
import type { BalanceReport } from '../../services/balances/balances.ts';
import { type CommittedLine, sumCommitted } from '../../services/payments/committed-amounts.ts';
import {
  CHOSEN_INVOICE_FIELD,
  CHOSEN_SUPPLIER_FIELD,
  SelectionCheckbox,
  supplierCheckboxValue,
} from '../payment-batches/row-selection.tsx';
import { type BalancesPageQuery, balancesHref, openInvoicesHref } from './addresses.ts';

/** A report with more rows shows only totals by supplier, and the invoices of the one supplier that is opened. */
export const MAX_UNABBREVIATED_ROWS = 300;

const MAX_SUPPLIERS = 80;

/** Narrow windows show this many columns and the sum of the later weeks, until a checkbox shows all weeks. */
const NARROW_WINDOW_COLUMNS = 4;

const MAX_OPENED_SUPPLIER_INVOICES = 80;

export interface BalanceTableProps {
  report: BalanceReport;
  query: BalancesPageQuery;
  /** amounts in open batches or paid with a later date; where they are known, rows can be selected for payment */
  commitments?: { committedLines: readonly CommittedLine[]; paymentsDatedLater: readonly InvoicePaidLater[] };
}

export function selectLargestSuppliers({ report, query }: BalanceTableProps) {
  const rows = report.rows.filter((row) => row.isSummary && row.supplierId !== null);
  const ranks = resolveRowsPart(query.parte, MAX_SUPPLIERS, rows.length);
  const figureOf = ({ supplierId, totalCents }: BalanceRow) =>
    query.orden === 'vencido' ? (report.overdueBySupplier.get(supplierId!) ?? 0) : totalCents;
  const ranked = rows.toSorted((a, b) => figureOf(b) - figureOf(a) || b.totalCents - a.totalCents);
  const isOpened = ({ supplierId }: BalanceRow) => ranks.part === 1 && supplierId === query.abierto;
  const { start, end } = rowRangeOfPart(ranks);
  const chosen = new Set(
    ranked.toSorted((a, b) => Number(isOpened(b)) - Number(isOpened(a))).slice(start, end),
  );
  const { largest = [], rest = [] } = Object.groupBy(query.orden ? ranked : rows, (row) =>
    chosen.has(row) ? 'largest' : 'rest',
  );
  return { ranks, largest, rest };
}

function createOtherSuppliersRow(rows: readonly BalanceRow[]): BalanceRow {
  const amounts: Record<string, Cents> = {};
  for (const row of rows)
    for (const [key, cents] of Object.entries(row.amounts)) amounts[key] = (amounts[key] ?? 0) + cents;
  const estimated = new Set(rows.flatMap((row) => [...row.estimatedColumns]));
  const jobtitle = rows.length === 1 ? 'Otro proveedor' : `Otros ${formatCount(rows.length)} proveedores`;
  return {
    ...rows[0]!,
    jobtitle,
    amounts,
    estimatedColumns: estimated,
    totalCents: sumAmounts(rows.map((row) => row.totalCents)),
  };
}

/** Leaves the checkbox out where open batches or later dated payments cover the whole invoice. */
function InvoiceCheckbox({ invoice, roomCents }: { invoice: BalanceRow; roomCents: Cents }) {
  if (roomCents <= 0) return <span className="tick" />;
  const name = invoice.numfactura || `factura ${invoice.invoiceId}`;
  return (
    <SelectionCheckbox
      name={CHOSEN_INVOICE_FIELD}
      value={invoice.invoiceId!}
      cents={roomCents}
      label={`Marcar ${name}`}
    />
  );
}

export function BalanceTable({ report, query, commitments }: BalanceTableProps) {
  const { columns } = report;
  const later = columns.length > NARROW_WINDOW_COLUMNS + 1 ? columns.slice(NARROW_WINDOW_COLUMNS) : [];
  const { ranks, largest, rest } = selectLargestSuppliers({ report, query });
  const invoices = Map.groupBy(
    report.rows.filter((row) => !row.isSummary),
    ({ supplierId }) => supplierId,
  );
  const isZeroColumn = ({ key }: BalanceColumn) => !report.total.amounts[key];
  const columnClassOf = (column: BalanceColumn) =>
    column.key === EARLIER_WEEKS_KEY ? 'late' : isZeroColumn(column) ? 'no-print' : undefined;
  const renderAmountCells = (row: BalanceRow, addressOf: (column?: BalanceColumn) => string | undefined) => (
    <>
      {columns.map((column) => (
        <td
          key={column.key}
          className={columnClassOf(column)}
          data-label={row !== report.total && row.amounts[column.key] ? column.key : undefined}
        >
          {renderAmount(
            row.amounts[column.key],
            () => addressOf(column),
            row.estimatedColumns.has(column.key),
          )}
        </td>
      ))}
      {later[0] && (
        <td className="later">
          {renderAmount(
            sumAmounts(later.map(({ key }) => row.amounts[key] ?? 0)),
            () => addressOf({ ...later[0]!, to: null }),
            later.some(({ key }) => row.estimatedColumns.has(key)),
          )}
        </td>
      )}
      <td className="sum">{renderAmount(row.totalCents, addressOf, row.estimatedColumns.size > 0)}</td>
    </>
  );
  const { corte } = report;
  const { jobId } = query;
  const dueInvoicesHrefOf = (supplierId?: number | null) => (column?: BalanceColumn) =>
    openInvoicesHref({ corte, supplierId, jobId, from: column?.from, to: column?.to });
  const unpaidOf = (row: BalanceRow) =>
    row.totalCents -
    sumAmounts(
      commitmentsOfRow(row, commitments?.paymentsDatedLater, jobId).map(({ paidCents }) => paidCents),
    );
  const uncommittedOf = (row: BalanceRow) =>
    commitments ? unpaidOf(row) - sumCommitted(commitmentsOfRow(row, commitments.committedLines, jobId)) : 0;
  const others = rest.length > 0 ? createOtherSuppliersRow(rest) : undefined;
  return (
    <table className="data report balances">
      <caption className="visually-hidden">
        <h2>{`Saldos por proveedor y semana al ${formatLongDate(corte)}`}</h2>
      </caption>
      <thead>
        <tr>
          <th scope="col" className="c1">
            Proveedor, obra y factura
          </th>
          {columns.map((column) => (
            <th key={column.key} scope="col" className={columnClassOf(column)}>
              {column.key}
              <small> ({column.days})</small>
            </th>
          ))}
          {later[0] && (
            <th scope="col" className="later">
              Después
              <small> (desde el {formatShortDayMonth(later[0].from!)})</small>
              {/* the line on which the checkbox of the last column is shown */}
              <small>{'\u00a0'}</small>
            </th>
          )}
          <th scope="col" className="sum">
            {later[0] && (
              <label className="check">
                <input type="checkbox" className="visually-hidden" />+{later.length} semanas
              </label>
            )}
            Total
          </th>
        </tr>
      </thead>
      {largest.map((supplier) => {
        const shownInvoices = invoices.get(supplier.supplierId) ?? [];
        const shown = report.isAbbreviated
          ? shownInvoices.slice(0, MAX_OPENED_SUPPLIER_INVOICES)
          : shownInvoices;
        const hidden = shownInvoices.length - shown.length;
        return (
          <tbody key={supplier.supplierId}>
            <tr className="summary">
              <td className="c1">
                {uncommittedOf(supplier) > 0 && (
                  <SelectionCheckbox
                    name={CHOSEN_SUPPLIER_FIELD}
                    value={supplierCheckboxValue(supplier.supplierId!, jobId)}
                    cents={uncommittedOf(supplier)}
                    label={`Marcar todo lo de ${supplier.suppliername}`}
                  />
                )}
                <SupplierUnfoldLink supplier={supplier} query={query} isLong={report.isAbbreviated} />
              </td>
              {renderAmountCells(supplier, dueInvoicesHrefOf(supplier.supplierId))}
              <OverdueOnPhone {...{ report, jobId, supplier }} />
            </tr>
            {shown.map((invoice) => (
              <tr key={invoice.invoiceId}>
                <td className="c1">
                  {commitments && <InvoiceCheckbox invoice={invoice} roomCents={uncommittedOf(invoice)} />}
                  <a className="own" href={pages.editInvoice(invoice.invoiceId!)}>
                    {invoice.numfactura || `#${invoice.invoiceId}`}
                  </a>{' '}
                  {invoice.jobtitle}{' '}
                  {commitments && (
                    <PaymentBatchChips batches={commitmentsOfRow(invoice, commitments.committedLines)} />
                  )}
                  {commitments && unpaidOf(invoice) <= 0 && <span className="chip done">Pagada</span>}
                </td>
                {renderAmountCells(invoice, () =>
                  withQuery(pages.invoices, { invoiceId: invoice.invoiceId, corte }),
                )}
              </tr>
            ))}
            {hidden > 0 && (
              <tr>
                <td className="c1" colSpan={columns.length + 3}>
                  <a href={dueInvoicesHrefOf(supplier.supplierId)()}>y {formatCount(hidden)} facturas más</a>
                </td>
              </tr>
            )}
          </tbody>
        );
      })}
      {others && (
        <tbody>
          <tr className="summary">
            <td className="c1">
              <a href={balancesHref(query, { parte: getNextPartOrFirst(ranks) })}>▸ {others.jobtitle}</a>
            </td>
            {renderAmountCells(others, () => undefined)}
          </tr>
        </tbody>
      )}
      <tfoot id="total">
        <tr>
          <td className="c1">{GRAND_TOTAL_LABEL}</td>
          {renderAmountCells(report.total, dueInvoicesHrefOf(query.supplierId))}
        </tr>
      </tfoot>
    </table>
  );
}

/** A supplier's overdue sum, which phones show instead of the weeks. */
function OverdueOnPhone({ report, jobId, supplier: { supplierId } }: OverdueOnPhoneProps) {
  const cents = report.overdueBySupplier.get(supplierId!);
  if (!cents) return null;
  const { corte } = report;
  return (
    <td className="overdue on-card">
      <span className="hint">Vencido&nbsp;</span>
      <Money cents={cents} href={openInvoicesHref({ corte, supplierId, jobId, to: lastOverdueDay(corte) })} />
    </td>
  );
}

interface OverdueOnPhoneProps {
  report: BalanceReport;
  jobId?: number | null;
  supplier: BalanceRow;
}

/** @returns the entries of the row's invoice; for a supplier's row, the supplier's entries in the requested job */
const commitmentsOfRow = <Of extends Pick<InvoicePaidLater, 'invoiceId' | 'supplierId' | 'jobId'>>(
  row: BalanceRow,
  all: readonly Of[] = [],
  jobId?: number | null,
): Of[] =>
  all.filter((one) =>
    row.isSummary
      ? one.supplierId === row.supplierId && (!jobId || one.jobId === jobId)
      : one.invoiceId === row.invoiceId,
  );

const sumAmounts = (all: readonly Cents[]): Cents => all.reduce((sum, cents) => sum + cents, 0);

/**
 * Renders a bare dash where nothing is due, since there may be thousands of such cells.
 * @param addressOf returns undefined where no list has exactly these invoices
 */
function renderAmount(
  cents: Cents = 0,
  addressOf: () => string | undefined,
  isEstimated: boolean,
): ReactNode {
  if (cents === 0) return '–';
  return <Money cents={cents} href={addressOf()} mark={isEstimated && <EstimatedMark />} />;
}

/** The supplier's name, which folds and unfolds its invoices; in a long report, it links to the page with them. */
function SupplierUnfoldLink({
  supplier,
  query,
  isLong,
}: Pick<BalanceTableProps, 'query'> & { supplier: BalanceRow; isLong: boolean }) {
  const { supplierId, suppliername } = supplier;
  const name = (
    <>
      <span className="visually-hidden">Total </span>
      {suppliername}
    </>
  );
  if (!isLong) {
    return (
      <details open>
        <summary>{name}</summary>
      </details>
    );
  }
  const anchor = `proveedor-${supplierId}`;
  const isOpen = query.abierto === supplierId;
  const address = balancesHref(query, { parte: query.parte, abierto: isOpen ? null : supplierId });
  return (
    <a id={anchor} href={`${address}#${anchor}`}>
      {isOpen ? '▾' : '▸'} {name}
    </a>
  );
}
