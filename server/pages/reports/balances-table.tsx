import type { ReactNode } from 'react';
import { type BalanceColumn, type BalanceRow, EARLIER, GRAND_TOTAL } from '../../../shared/balances.ts';
import { sayDate } from '../../../shared/dates.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import { nextPart } from '../../../shared/ranks.ts';
import { EstimatedMark } from '../../../shared/ui/EstimatedMark.tsx';
import { ProgrammedMarks } from '../../../shared/ui/ProgrammedMarks.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { PaidLater } from '../../services/balances/dated-later.ts';
import { type Committed, committedSum } from '../../services/payment-batches/committed.ts';
import { CHOSEN, CHOSEN_SUPPLIER, supplierValue, Tick } from '../payment-batches/tick.tsx';
import { balancesAddress } from './balances-address.ts';
import { largestSuppliers, sumOfRows, supplierRanks, type TableProps } from './balances-suppliers.tsx';
import { dueAddress } from './due-lists.tsx';

/** Beyond this the suppliers' totals show, and each opens. */
export const MOST_ROWS = 300;

/** Of the supplier that is opened; its list has the rest. */
const MOST_OPENED = 80;

/** What of the balances is in open batches, or paid with a later date. */
export interface Taken {
  committed: readonly Committed[];
  paidLater: readonly PaidLater[];
}

interface TickedProps extends TableProps {
  /** rows are chosen to be paid together, where what they say is so now */
  taken?: Taken;
}

/** Its box; one that cannot be ticked where all of it is in open batches or paid later, so that rows stay in line. */
function InvoiceTick({
  invoice,
  roomCents,
  isPaid,
}: {
  invoice: BalanceRow;
  roomCents: Cents;
  isPaid: boolean;
}) {
  const name = invoice.numfactura || `factura ${invoice.invoiceId}`;
  if (roomCents > 0)
    return <Tick name={CHOSEN} value={invoice.invoiceId!} cents={roomCents} label={`Marcar ${name}`} />;
  const why = `${name} ya está ${isPaid ? 'pagada' : 'programada'}`;
  return (
    <label className="tick" title={why}>
      <input type="checkbox" disabled aria-label={why} />
    </label>
  );
}

/** The matrix: a supplier's sums in one row, which opens and closes those of its invoices. */
export function BalanceTable({ report, asked, taken }: TickedProps) {
  const { columns } = report;
  const { largest, rest } = largestSuppliers({ report, asked });
  const invoices = Map.groupBy(
    report.rows.filter((row) => !row.isSummary),
    ({ supplierId }) => supplierId,
  );
  const cells = (row: BalanceRow, addressOf: (column?: BalanceColumn) => string | undefined) => (
    <>
      {columns.map((column) => (
        <td key={column.key} className={column.key === EARLIER ? 'late' : undefined}>
          {amountOf(row.amounts[column.key], () => addressOf(column), row.estimated.has(column.key))}
        </td>
      ))}
      <td className="sum">{amountOf(row.totalCents, addressOf, row.estimated.size > 0)}</td>
    </>
  );
  const { corte } = report;
  const { jobId } = asked;
  const dueOf = (supplierId?: number | null) => (column?: BalanceColumn) =>
    dueAddress({ corte, supplierId, jobId, from: column?.from, to: column?.to });
  const unpaidOf = (row: BalanceRow) =>
    row.totalCents - sumOf(ownRows(row, taken?.paidLater, jobId).map(({ paidCents }) => paidCents));
  const roomOf = (row: BalanceRow) =>
    taken ? unpaidOf(row) - committedSum(ownRows(row, taken.committed, jobId)) : 0;
  const others = rest.length > 0 ? sumOfRows(rest) : undefined;
  const ownOf = ({ supplierId }: BalanceRow) => invoices.get(supplierId) ?? [];
  const toldOf = (supplier: BalanceRow) =>
    report.isLong ? ownOf(supplier).slice(0, MOST_OPENED) : ownOf(supplier);
  const untoldOf = (supplier: BalanceRow) => ownOf(supplier).length - toldOf(supplier).length;
  return (
    <table className="data report balances">
      <caption className="visually-hidden">{`Saldos por proveedor y semana al ${sayDate(corte)}`}</caption>
      <thead>
        <tr>
          <th scope="col" className="c1">
            Proveedor y obra
          </th>
          <th scope="col" className="number">
            Factura
          </th>
          {columns.map(({ key, days }) => (
            <th key={key} scope="col" className={key === EARLIER ? 'late' : undefined}>
              {key}
              <small> ({days})</small>
            </th>
          ))}
          <th scope="col" className="sum">
            Total
          </th>
        </tr>
      </thead>
      {largest.map((supplier) => (
        <tbody key={supplier.supplierId}>
          <tr className="summary">
            <td className="c1" title={supplier.suppliername}>
              {roomOf(supplier) > 0 && (
                <Tick
                  name={CHOSEN_SUPPLIER}
                  value={supplierValue(supplier.supplierId!, jobId)}
                  cents={roomOf(supplier)}
                  label={`Marcar todo lo de ${supplier.suppliername}`}
                />
              )}
              <Opener supplier={supplier} asked={asked} isLong={report.isLong} />
            </td>
            <td className="number" />
            {cells(supplier, dueOf(supplier.supplierId))}
          </tr>
          {toldOf(supplier).map((invoice) => (
            <tr key={invoice.invoiceId}>
              <td className="c1" title={invoice.jobtitle}>
                {taken && (
                  <InvoiceTick
                    invoice={invoice}
                    roomCents={roomOf(invoice)}
                    isPaid={unpaidOf(invoice) <= 0}
                  />
                )}
                {taken && <ProgrammedMarks batches={ownRows(invoice, taken.committed)} />} {invoice.jobtitle}
                <InvoiceLink invoice={invoice} className="under" />
              </td>
              <td className="number">
                <InvoiceLink invoice={invoice} />
              </td>
              {cells(invoice, () => withQuery(pages.invoices, { invoiceId: invoice.invoiceId, corte }))}
            </tr>
          ))}
          {untoldOf(supplier) > 0 && (
            <tr>
              <td className="c1" colSpan={columns.length + 3}>
                <a href={dueOf(supplier.supplierId)()}>
                  y {untoldOf(supplier).toLocaleString('es-MX')} facturas más
                </a>
              </td>
            </tr>
          )}
        </tbody>
      ))}
      {others && (
        <tbody>
          <tr className="summary">
            <td className="c1">
              <a href={balancesAddress(asked, { parte: nextPart(supplierRanks({ report, asked })) })}>
                ▸ {others.jobtitle}
              </a>
            </td>
            <td className="number" />
            {cells(others, () => undefined)}
          </tr>
        </tbody>
      )}
      <tfoot>
        <tr>
          <td className="c1">{GRAND_TOTAL}</td>
          <td className="number" />
          {cells(report.total, dueOf(asked.supplierId))}
        </tr>
      </tfoot>
    </table>
  );
}

/** Those of a row's invoice, or of a supplier's in the obra that was asked for. */
const ownRows = <Of extends Pick<PaidLater, 'invoiceId' | 'supplierId' | 'jobId'>>(
  row: BalanceRow,
  all: readonly Of[] = [],
  jobId?: number | null,
): Of[] =>
  all.filter((one) =>
    row.isSummary
      ? one.supplierId === row.supplierId && (!jobId || one.jobId === jobId)
      : one.invoiceId === row.invoiceId,
  );

const sumOf = (all: readonly Cents[]): Cents => all.reduce((sum, cents) => sum + cents, 0);

/**
 * Nothing where nothing is due (the stylesheet draws a dash): there may be thousands of cells, and most are empty.
 * @param addressOf undefined where no list has these alone
 */
function amountOf(cents: Cents = 0, addressOf: () => string | undefined, isEstimated: boolean): ReactNode {
  if (cents === 0) return null;
  const href = addressOf();
  const text = isEstimated ? [formatMoney(cents), <EstimatedMark key="estimated" />] : formatMoney(cents);
  return href ? <a href={href}>{text}</a> : text;
}

/** The supplier's name, which shows its invoices and hides them: those of a long report by a page of its own. */
function Opener({
  supplier,
  asked,
  isLong,
}: Pick<TableProps, 'asked'> & { supplier: BalanceRow; isLong: boolean }) {
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
  const isOpen = asked.abierto === supplierId;
  const address = balancesAddress(asked, { parte: asked.parte, abierto: isOpen ? null : supplierId });
  return (
    <a id={anchor} href={`${address}#${anchor}`}>
      {isOpen ? '▾' : '▸'} {name}
    </a>
  );
}

const InvoiceLink = ({ invoice, className }: { invoice: BalanceRow; className?: string }) => (
  <a className={className} href={pages.editInvoice(invoice.invoiceId!)}>
    {invoice.numfactura || `#${invoice.invoiceId}`}
  </a>
);
