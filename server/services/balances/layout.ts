import { type BalanceColumn, type BalanceRow, columnOfDay, GRAND_TOTAL } from '../../../shared/balances.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Invoice } from '../../../shared/invoices.ts';
import { isDueEstimated } from '../../../shared/invoices-due.ts';
import type { Cents } from '../../../shared/money.ts';
import type { Named } from '../by-name.ts';
import { NameOrder } from './name-order.ts';

/** An open invoice, as it is read: there are many of them, so they are not copied. */
export interface DueRow
  extends Pick<Invoice, 'id' | 'supplierId' | 'jobId' | 'numfactura' | 'vence' | 'fechavencimiento'> {
  pendingCents: Cents;
}

/** Of all suppliers, and of all obras. */
const orders = { suppliers: new NameOrder(), jobs: new NameOrder() };

interface Group {
  supplierId: number;
  suppliername: string;
  invoices: DueRow[];
}

/** By name; suppliers of the same name stay apart by their ids. */
export function groupBySupplier(invoices: readonly DueRow[], suppliers: readonly Named[]): Group[] {
  const names = new Map(suppliers.map((supplier) => [supplier.id, supplier.name]));
  const places = orders.suppliers.placesOf(suppliers);
  const groups = new Map<number, Group>();
  for (const invoice of invoices) {
    const { supplierId } = invoice;
    const group = groups.get(supplierId);
    if (group) group.invoices.push(invoice);
    else groups.set(supplierId, { supplierId, suppliername: names.get(supplierId)!, invoices: [invoice] });
  }
  return [...groups.values()].sort((a, b) => places.get(a.supplierId)! - places.get(b.supplierId)!);
}

/** A supplier's invoices by obra, due day, number; obras of the same name stay apart by their ids. */
function inOrder(jobs: readonly Named[]): (a: DueRow, b: DueRow) => number {
  const places = orders.jobs.placesOf(jobs);
  return (a, b) =>
    (a.jobId === b.jobId ? 0 : places.get(a.jobId)! - places.get(b.jobId)!) ||
    compareText(a.vence, b.vence) ||
    compareText(a.numfactura, b.numfactura) ||
    a.id - b.id;
}

const compareText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/**
 * The rows of all groups, each with its summary, and the total of all at the end.
 * @param isTold whose invoices have rows of their own
 */
export function layOut(
  groups: readonly Group[],
  jobs: readonly Named[],
  columns: readonly BalanceColumn[],
  isTold: (supplierId: number) => boolean,
): BalanceRow[] {
  const titles = new Map(jobs.map((job) => [job.id, job.name]));
  const keyOf = columnKeys(columns);
  const rows: BalanceRow[] = [];
  const totals: Record<string, Cents> = {};
  const marked = new Set<string>();
  let order: ReturnType<typeof inOrder> | undefined;
  for (const { supplierId, suppliername, invoices } of groups) {
    const { sums, marks } = sumByColumn(invoices, keyOf);
    if (isTold(supplierId)) {
      order ??= inOrder(jobs);
      for (const invoice of invoices.sort(order)) {
        const { id, jobId, numfactura, vence, pendingCents } = invoice;
        rows.push({
          isSummary: false,
          supplierId,
          suppliername,
          jobtitle: titles.get(jobId)!,
          invoiceId: id,
          numfactura,
          fechavencimiento: vence,
          vencimientoEstimado: isDueEstimated(invoice),
          amounts: { [keyOf(vence)]: pendingCents },
          estimated: isDueEstimated(invoice) ? new Set([keyOf(vence)]) : NONE,
          totalCents: pendingCents,
        });
      }
    }
    rows.push(summary(supplierId, suppliername, `Total ${suppliername}`, sums, marks));
    for (const [key, cents] of Object.entries(sums)) totals[key] = (totals[key] ?? 0) + cents;
    for (const key of marks) marked.add(key);
  }
  rows.push(summary(null, GRAND_TOTAL, '', totals, marked));
  return rows;
}

const NONE: ReadonlySet<string> = new Set();

/** What is due in each column, and in which of them some of it is due on a day that was worked out. */
function sumByColumn(
  invoices: readonly DueRow[],
  keyOf: (day: PlainDate) => string,
): { sums: Record<string, Cents>; marks: Set<string> } {
  const sums: Record<string, Cents> = {};
  const marks = new Set<string>();
  for (const invoice of invoices) {
    const key = keyOf(invoice.vence);
    sums[key] = (sums[key] ?? 0) + invoice.pendingCents;
    if (isDueEstimated(invoice)) marks.add(key);
  }
  return { sums, marks };
}

/** Day → the key of its column; few days occur, and often. */
function columnKeys(columns: readonly BalanceColumn[]): (day: PlainDate) => string {
  const known = new Map<PlainDate, string>();
  return (day) => {
    let key = known.get(day);
    if (key === undefined) {
      key = columnOfDay(columns, day).key;
      known.set(day, key);
    }
    return key;
  };
}

function summary(
  supplierId: number | null,
  suppliername: string,
  jobtitle: string,
  amounts: Record<string, Cents>,
  estimated: ReadonlySet<string>,
): BalanceRow {
  return {
    isSummary: true,
    supplierId,
    suppliername,
    jobtitle,
    invoiceId: null,
    numfactura: '',
    fechavencimiento: null,
    vencimientoEstimado: false,
    amounts,
    estimated,
    totalCents: Object.values(amounts).reduce((sum, cents) => sum + cents, 0),
  };
}
