import { NO_RUBRO, NO_RUBRO_NAME } from '../../shared/invoices.ts';
import { byNameWithLast, type Named } from './by-name.ts';
import type { Cost, CostCell } from './cost-rows.ts';
import { add, nothing, sumOf } from './costs.ts';

interface ResultsRow extends Cost {
  jobId: number;
  jobtitle: string;
  /** by rubro id; a rubro that is missing has no cost */
  byRubro: Readonly<Record<number, Cost>>;
}

export interface Results extends Cost {
  /** those with a cost, by name; NO_RUBRO last */
  rubros: readonly Named[];
  /** those with a cost, by name */
  rows: readonly ResultsRow[];
  byRubro: Readonly<Record<number, Cost>>;
  /** without issue date and captured in the period: in none of the figures above */
  undated: Cost;
}

export interface Names {
  jobs: ReadonlyMap<number, string>;
  rubros: ReadonlyMap<number, string>;
}

export const NO_JOB_NAME = 'Sin obra';

export function layOut(names: Names, cells: readonly CostCell[]): Omit<Results, 'undated'> {
  const jobs = new Map<number, ResultsRow & { byRubro: Record<number, Cost> }>();
  const byRubro: Record<number, Cost> = {};
  for (const { jobId, rubroId, month: _month, ...cell } of cells) {
    const row = jobs.get(jobId) ?? {
      jobId,
      jobtitle: names.jobs.get(jobId) ?? NO_JOB_NAME,
      byRubro: {},
      ...nothing(),
    };
    row.byRubro[rubroId] = { ...cell };
    byRubro[rubroId] ??= nothing();
    add(byRubro[rubroId], cell);
    add(row, cell);
    jobs.set(jobId, row);
  }
  return {
    ...sumOf(cells),
    rubros: Object.keys(byRubro)
      .map((id) => ({ id: Number(id), name: names.rubros.get(Number(id)) ?? NO_RUBRO_NAME }))
      .sort(inOrder),
    rows: [...jobs.values()].sort((a, b) => inOrder(nameOfRow(a), nameOfRow(b))),
    byRubro,
  };
}

const nameOfRow = ({ jobId: id, jobtitle: name }: ResultsRow): Named => ({ id, name });

/** Costs without rubro come last. */
const inOrder = byNameWithLast(NO_RUBRO);
