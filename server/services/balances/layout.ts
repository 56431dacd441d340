import { type BalanceColumn, type BalanceRow, columnOfDay, GRAND_TOTAL } from '../../../shared/balances.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Invoice } from '../../../shared/invoices.ts';
import { isDueEstimated } from '../../../shared/invoices-due.ts';
import type { Cents } from '../../../shared/money.ts';
import { byName, type Named } from '../by-name.ts';

/**
 * The places of a list's rows in the order of their names, those of the same name by their ids. Thousands of names
 * take longer to compare than all else that a report does with them, and change seldom: while each is what it was, so
 * are their places.
 */
class NameOrder {
  #known: readonly Named[] = [];
  #places: ReadonlyMap<number, number> = new Map();

  /** @returns id → place */
  placesOf(list: readonly Named[]): ReadonlyMap<number, number> {
    const known = this.#known;
    const isSame = (row: Named, at: number) => row.id === known[at]!.id && row.name === known[at]!.name;
    if (list.length !== known.length || !list.every(isSame)) {
      const sorted = list.toSorted(byName);
      this.#known = list;
      this.#places = new Map(sorted.map(({ id }, place) => [id, place]));
    }
    return this.#places;
  }
}

/** An open invoice, as it is read: there are many of them, so they are not copied. */
export interface DueRow
  extends Pick<Invoice, 'id' | 'supplierId' | 'jobId' | 'numfactura' | 'vence' | 'fechavencimiento'> {
  pendingCents: Cents;
}

export interface Owing extends Pick<DueRow, 'supplierId' | 'vence' | 'fechavencimiento' | 'pendingCents'> {
  /** where it stands for several invoices, which are due in the same column: `vence` is one of their days */
  count?: number;
}

/** Of all suppliers, and of all obras. */
const orders = { suppliers: new NameOrder(), jobs: new NameOrder() };

interface Group {
  supplierId: number;
  suppliername: string;
  /** among all suppliers, by name */
  place: number;
  invoices: DueRow[];
  /** what has no rows of its own */
  others: Owing[];
}

/**
 * By name; suppliers of the same name stay apart by their ids.
 * @param others which count in the sums alone
 */
export function groupBySupplier(
  invoices: readonly DueRow[],
  suppliers: readonly Named[],
  others: readonly Owing[] = [],
): Group[] {
  const names = new Map(suppliers.map((supplier) => [supplier.id, supplier.name]));
  const places = orders.suppliers.placesOf(suppliers);
  const groups = new Map<number, Group>();
  const groupOf = (supplierId: number): Group => {
    let group = groups.get(supplierId);
    if (!group) {
      const [suppliername, place] = [names.get(supplierId)!, places.get(supplierId)!];
      group = { supplierId, suppliername, place, invoices: [], others: [] };
      groups.set(supplierId, group);
    }
    return group;
  };
  for (const invoice of invoices) groupOf(invoice.supplierId).invoices.push(invoice);
  for (const other of others) groupOf(other.supplierId).others.push(other);
  return [...groups.values()].sort((a, b) => a.place - b.place);
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
  for (const { supplierId, suppliername, invoices, others } of groups) {
    const { sums, marks } = sumByColumn([invoices, others], keyOf);
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
    for (const key in sums) totals[key] = (totals[key] ?? 0) + sums[key]!;
    for (const key of marks) marked.add(key);
  }
  rows.push(summary(null, GRAND_TOTAL, '', totals, marked));
  return rows;
}

const NONE: ReadonlySet<string> = new Set();

/** Sums by column, and the columns in which some of it is due on a day that was worked out. */
function sumByColumn(
  kinds: readonly (readonly Owing[])[],
  keyOf: (day: PlainDate) => string,
): { sums: Record<string, Cents>; marks: ReadonlySet<string> } {
  const sums: Record<string, Cents> = {};
  let marks: Set<string> | undefined;
  for (const owing of kinds)
    for (const one of owing) {
      const key = keyOf(one.vence);
      sums[key] = (sums[key] ?? 0) + one.pendingCents;
      if (isDueEstimated(one)) {
        marks ??= new Set();
        marks.add(key);
      }
    }
  return { sums, marks: marks ?? NONE };
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
