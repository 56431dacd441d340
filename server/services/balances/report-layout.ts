import {
  type BalanceColumn,
  type BalanceRow,
  GRAND_TOTAL_LABEL,
  getColumnOfDay,
} from '../../../shared/balances.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Invoice } from '../../../shared/invoices.ts';
import { isDueEstimated } from '../../../shared/invoices-due.ts';
import type { Cents } from '../../../shared/money.ts';
import { compareByName, type NamesById } from '../by-name.ts';

/** A row of the query. Rows are never copied, because there are many. */
export interface OpenInvoiceRow
  extends Pick<Invoice, 'id' | 'supplierId' | 'jobId' | 'numfactura' | 'vence' | 'fechavencimiento'> {
  pendingCents: Cents;
}

interface SupplierAndJobNamesById {
  suppliers: NamesById;
  jobs: NamesById;
}

export interface LayoutLimits {
  /** with more rows than this, only the suppliers' totals and the invoices of the opened supplier are laid out */
  maxRows?: number;
  expandedSupplierId?: number | null;
}

/**
 * Sorts suppliers by name, and their invoices by obra, due day and number; equal names by id. `isAbbreviated`: there
 * were more than `maxRows` invoices, so `rows` has only the suppliers' sums and the opened supplier's invoices.
 */
export function layOutReport(
  invoices: readonly OpenInvoiceRow[],
  names: SupplierAndJobNamesById,
  columns: readonly BalanceColumn[],
  { maxRows = Infinity, expandedSupplierId }: LayoutLimits = {},
): { rows: BalanceRow[]; total: BalanceRow; isAbbreviated: boolean } {
  const suppliers = new Set(invoices.map(({ supplierId }) => supplierId)).size;
  const isAbbreviated = invoices.length + suppliers + 1 > maxRows;
  const isListed = (supplierId: number) => !isAbbreviated || supplierId === expandedSupplierId;
  const rows = [...layOutRows(invoices, names, columns, isListed)];
  return { rows, total: rows.at(-1)!, isAbbreviated };
}

/** Yields each row as it is asked for, the grand total last: many rows kept in memory slow garbage collection. */
export function* layOutRows(
  invoices: readonly OpenInvoiceRow[],
  { suppliers, jobs }: SupplierAndJobNamesById,
  columns: readonly BalanceColumn[],
  isListed: (supplierId: number) => boolean = () => true,
): Generator<BalanceRow, void> {
  const bySupplier = Map.groupBy(invoices, ({ supplierId }) => supplierId);
  const ranks = rankByName(
    invoices.map(({ jobId }) => jobId),
    jobs,
  );
  const compareInvoices = (a: OpenInvoiceRow, b: OpenInvoiceRow) =>
    ranks.get(a.jobId)! - ranks.get(b.jobId)! ||
    compareByCodeUnit(a.vence, b.vence) ||
    compareByCodeUnit(a.numfactura, b.numfactura) ||
    a.id - b.id;
  const columnKeyOf = createColumnLookup(columns);
  const total = createSumRow(null, GRAND_TOTAL_LABEL, '');
  for (const supplierId of rankByName(bySupplier.keys(), suppliers).keys()) {
    const supplierInvoices = bySupplier.get(supplierId)!;
    const suppliername = suppliers.get(supplierId)!;
    const sum = createSumRow(supplierId, suppliername, `Total ${suppliername}`);
    const lists = isListed(supplierId);
    for (const invoice of lists ? supplierInvoices.sort(compareInvoices) : supplierInvoices) {
      const { id, jobId, numfactura, vence, pendingCents } = invoice;
      const key = columnKeyOf(vence);
      const isEstimated = isDueEstimated(invoice);
      addAmount(sum, key, pendingCents);
      if (isEstimated) sum.estimatedColumns.add(key);
      if (lists)
        yield {
          isSummary: false,
          supplierId,
          suppliername,
          jobtitle: jobs.get(jobId)!,
          invoiceId: id,
          numfactura,
          fechavencimiento: vence,
          vencimientoEstimado: isEstimated,
          amounts: { [key]: pendingCents },
          estimatedColumns: isEstimated ? new Set([key]) : NO_ESTIMATED_COLUMNS,
          totalCents: pendingCents,
        };
    }
    for (const [key, cents] of Object.entries(sum.amounts)) addAmount(total, key, cents);
    for (const key of sum.estimatedColumns) total.estimatedColumns.add(key);
    yield sum;
  }
  yield total;
}

const NO_ESTIMATED_COLUMNS: ReadonlySet<string> = new Set();

/** Each name is compared once, however many rows have it. */
function rankByName(ids: Iterable<number>, names: NamesById): Map<number, number> {
  const named = [...new Set(ids)].map((id) => ({ id, name: names.get(id)! }));
  return new Map(named.sort(compareByName).map(({ id }, rank) => [id, rank]));
}

const compareByCodeUnit = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** Caches the keys, because many rows share few days. */
function createColumnLookup(columns: readonly BalanceColumn[]): (day: PlainDate) => string {
  const cache = new Map<PlainDate, string>();
  return (day) => {
    const key = cache.get(day) ?? getColumnOfDay(columns, day).key;
    cache.set(day, key);
    return key;
  };
}

function addAmount(sum: ReturnType<typeof createSumRow>, key: string, cents: Cents) {
  sum.amounts[key] = (sum.amounts[key] ?? 0) + cents;
  sum.totalCents += cents;
}

const createSumRow = (supplierId: number | null, suppliername: string, jobtitle: string) => ({
  isSummary: true,
  supplierId,
  suppliername,
  jobtitle,
  invoiceId: null,
  numfactura: '',
  fechavencimiento: null,
  vencimientoEstimado: false,
  amounts: {} as Record<string, Cents>,
  estimatedColumns: new Set<string>(),
  totalCents: 0,
});
