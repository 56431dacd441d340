import { type BalanceColumn, type BalanceRow, columnOfDay, GRAND_TOTAL } from '../../../shared/balances.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Invoice } from '../../../shared/invoices.ts';
import { isDueEstimated } from '../../../shared/invoices-due.ts';
import type { Cents } from '../../../shared/money.ts';
import { byName, type NamesById } from '../by-name.ts';

/** An open invoice as it is read; there are many, so they are not copied. */
export interface DueRow
  extends Pick<Invoice, 'id' | 'supplierId' | 'jobId' | 'numfactura' | 'vence' | 'fechavencimiento'> {
  pendingCents: Cents;
}

interface Names {
  suppliers: NamesById;
  jobs: NamesById;
}

export interface Brevity {
  /** beyond so many rows only the suppliers' totals are laid out, and the invoices of the opened one */
  mostRows?: number;
  opened?: number | null;
}

/**
 * The rows of each supplier's invoices with its summary, and the total of all at the end. Suppliers come by name,
 * their invoices by obra, due day and number; ids keep equal names apart. `isLong`: there were more rows than asked
 * for, so these are the suppliers' sums and the invoices of the opened one.
 */
export function layOut(
  invoices: readonly DueRow[],
  { suppliers, jobs }: Names,
  columns: readonly BalanceColumn[],
  { mostRows = Infinity, opened }: Brevity = {},
): { rows: BalanceRow[]; total: BalanceRow; isLong: boolean } {
  const bySupplier = Map.groupBy(invoices, ({ supplierId }) => supplierId);
  const isLong = invoices.length + bySupplier.size + 1 > mostRows;
  const places = placesOf(
    invoices.map(({ jobId }) => jobId),
    jobs,
  );
  const inOrder = (a: DueRow, b: DueRow) =>
    places.get(a.jobId)! - places.get(b.jobId)! ||
    compareText(a.vence, b.vence) ||
    compareText(a.numfactura, b.numfactura) ||
    a.id - b.id;
  const keyOf = columnKeys(columns);
  const total = emptySum(null, GRAND_TOTAL, '');
  const rows: BalanceRow[] = [];
  for (const supplierId of placesOf(bySupplier.keys(), suppliers).keys()) {
    const own = bySupplier.get(supplierId)!;
    const suppliername = suppliers.get(supplierId)!;
    const sum = emptySum(supplierId, suppliername, `Total ${suppliername}`);
    const isTold = !isLong || supplierId === opened;
    for (const invoice of isTold ? own.sort(inOrder) : own) {
      const { id, jobId, numfactura, vence, pendingCents } = invoice;
      const key = keyOf(vence);
      const isEstimated = isDueEstimated(invoice);
      for (const { amounts, estimated } of [sum, total]) {
        amounts[key] = (amounts[key] ?? 0) + pendingCents;
        if (isEstimated) estimated.add(key);
      }
      sum.totalCents += pendingCents;
      if (isTold)
        rows.push({
          isSummary: false,
          supplierId,
          suppliername,
          jobtitle: jobs.get(jobId)!,
          invoiceId: id,
          numfactura,
          fechavencimiento: vence,
          vencimientoEstimado: isEstimated,
          amounts: { [key]: pendingCents },
          estimated: isEstimated ? new Set([key]) : NONE,
          totalCents: pendingCents,
        });
    }
    total.totalCents += sum.totalCents;
    rows.push(sum);
  }
  rows.push(total);
  return { rows, total, isLong };
}

const NONE: ReadonlySet<string> = new Set();

/** Each id once with its rank by name, in that order: few names are compared, however many rows have them. */
function placesOf(ids: Iterable<number>, names: NamesById): Map<number, number> {
  const named = [...new Set(ids)].map((id) => ({ id, name: names.get(id)! }));
  return new Map(named.sort(byName).map(({ id }, place) => [id, place]));
}

const compareText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** Day → the key of its column; few days occur, and often. */
function columnKeys(columns: readonly BalanceColumn[]): (day: PlainDate) => string {
  const known = new Map<PlainDate, string>();
  return (day) => {
    const key = known.get(day) ?? columnOfDay(columns, day).key;
    known.set(day, key);
    return key;
  };
}

const emptySum = (supplierId: number | null, suppliername: string, jobtitle: string) => ({
  isSummary: true,
  supplierId,
  suppliername,
  jobtitle,
  invoiceId: null,
  numfactura: '',
  fechavencimiento: null,
  vencimientoEstimado: false,
  amounts: {} as Record<string, Cents>,
  estimated: new Set<string>(),
  totalCents: 0,
});
