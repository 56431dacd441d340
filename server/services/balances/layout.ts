import { type BalanceColumn, type BalanceRow, columnOfDay, GRAND_TOTAL } from '../../../shared/balances.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';

export interface Supplier {
  id: number;
  suppliername: string;
}

export interface Job {
  id: number;
  jobtitle: string;
}

/** An open invoice with the day it counts as due. */
export interface DueRow {
  due: PlainDate;
  /** worked out, for want of one that the invoice states */
  estimated: boolean;
  id: number;
  supplierId: number;
  jobId: number;
  numfactura: string;
  pendingCents: Cents;
}

/** As Spanish readers look names up: case and accents last, 9 before 10. */
const spanish = new Intl.Collator('es-MX', { numeric: true });

interface Group {
  supplier: Supplier;
  invoices: DueRow[];
}

/** By name; suppliers of the same name stay apart by their ids. */
export function groupBySupplier(
  invoices: readonly DueRow[],
  suppliers: ReadonlyMap<number, Supplier>,
): Group[] {
  const groups = new Map<number, Group>();
  for (const invoice of invoices) {
    const group = groups.get(invoice.supplierId);
    if (group) group.invoices.push(invoice);
    else
      groups.set(invoice.supplierId, { supplier: suppliers.get(invoice.supplierId)!, invoices: [invoice] });
  }
  return [...groups.values()].sort(
    ({ supplier: a }, { supplier: b }) => spanish.compare(a.suppliername, b.suppliername) || a.id - b.id,
  );
}

/** A supplier's invoices by obra, due day, number; obras of the same name stay apart by their ids. */
function inOrder(jobs: readonly Job[]): (a: DueRow, b: DueRow) => number {
  const sorted = jobs.toSorted((a, b) => spanish.compare(a.jobtitle, b.jobtitle) || a.id - b.id);
  const rank = new Map(sorted.map((job, index) => [job.id, index]));
  return (a, b) =>
    (a.jobId === b.jobId ? 0 : rank.get(a.jobId)! - rank.get(b.jobId)!) ||
    compareText(a.due, b.due) ||
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
  jobs: readonly Job[],
  columns: readonly BalanceColumn[],
  isTold: (supplierId: number) => boolean,
): BalanceRow[] {
  const titles = new Map(jobs.map((job) => [job.id, job.jobtitle]));
  const keyOf = columnKeys(columns);
  const rows: BalanceRow[] = [];
  const totals: Record<string, Cents> = {};
  const marked = new Set<string>();
  let order: ReturnType<typeof inOrder> | undefined;
  for (const { supplier, invoices } of groups) {
    const { id: supplierId, suppliername } = supplier;
    const sums: Record<string, Cents> = {};
    const marks = new Set<string>();
    for (const { due, estimated, pendingCents } of invoices) {
      const key = keyOf(due);
      sums[key] = (sums[key] ?? 0) + pendingCents;
      if (estimated) marks.add(key);
    }
    if (isTold(supplierId)) {
      order ??= inOrder(jobs);
      for (const { id, jobId, numfactura, due, estimated, pendingCents } of invoices.sort(order))
        rows.push({
          isSummary: false,
          supplierId,
          suppliername,
          jobtitle: titles.get(jobId)!,
          invoiceId: id,
          numfactura,
          fechavencimiento: due,
          vencimientoEstimado: estimated,
          amounts: { [keyOf(due)]: pendingCents },
          estimated: estimated ? new Set([keyOf(due)]) : NONE,
          totalCents: pendingCents,
        });
    }
    rows.push(summary(supplierId, suppliername, `Total ${suppliername}`, sums, marks));
    for (const [key, cents] of Object.entries(sums)) totals[key] = (totals[key] ?? 0) + cents;
    for (const key of marks) marked.add(key);
  }
  rows.push(summary(null, GRAND_TOTAL, '', totals, marked));
  return rows;
}

const NONE: ReadonlySet<string> = new Set();

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
