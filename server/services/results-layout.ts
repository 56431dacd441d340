import { NO_RUBRO, NO_RUBRO_NAME } from '../../shared/invoices.ts';
import type { Cents } from '../../shared/money.ts';

/** What the invoices of a place in the matrix cost, and what credit notes took off; both without IVA. */
export interface Cost {
  /** subtotal + otros impuestos */
  costCents: Cents;
  /** each note's own share of what of it was applied */
  creditCents: Cents;
}

/** What is left of a cost. */
export const netOf = ({ costCents, creditCents }: Cost): Cents => costCents - creditCents;

export interface CostFigure extends Cost {
  /** invoices */
  count: number;
  /** what the invoices say in all, IVA and withholdings included */
  totalCents: Cents;
  /** what credit notes covered of them, IVA included */
  creditTotalCents: Cents;
}

export interface ResultsRow extends CostFigure {
  jobId: number;
  jobtitle: string;
  /** by rubro id; a rubro that is missing has no cost */
  byRubro: Readonly<Record<number, Cost>>;
}

export interface Results extends CostFigure {
  /** those with a cost, by name; NO_RUBRO last */
  rubros: readonly { id: number; name: string }[];
  /** those with a cost, by name */
  rows: readonly ResultsRow[];
  /** all the others together, where they were not to be told apart */
  others?: Omit<ResultsRow, 'jobId' | 'jobtitle'> & { jobs: number };
  byRubro: Readonly<Record<number, Cost>>;
  /** without issue date and captured in the period: in none of the figures above */
  undated: CostFigure;
}

/** Invoices, or credit notes, of one obra and rubro. */
export interface Cell extends CostFigure {
  jobId: number;
  rubroId: number | null;
}

export interface Names {
  jobs: ReadonlyMap<number, string>;
  rubros: ReadonlyMap<number, string>;
}

/** Cells of the same place are added up. */
export function layOut(names: Names, cells: readonly Cell[]): Omit<Results, 'undated'> {
  const rubros = new Map<number, string>();
  const jobs = new Map<number, ResultsRow & { byRubro: Record<number, Cost> }>();
  const byRubro: Record<number, Cost> = {};
  for (const cell of cells) {
    const { jobId } = cell;
    const rubroId = cell.rubroId ?? NO_RUBRO;
    const row = jobs.get(jobId) ?? {
      jobId,
      jobtitle: names.jobs.get(jobId) ?? '',
      byRubro: {},
      ...nothing(),
    };
    row.byRubro[rubroId] = together(row.byRubro[rubroId], cell);
    byRubro[rubroId] = together(byRubro[rubroId], cell);
    add(row, cell);
    jobs.set(jobId, row);
    rubros.set(rubroId, names.rubros.get(rubroId) ?? NO_RUBRO_NAME);
  }
  return {
    ...sumOf(cells),
    rubros: [...rubros].map(([id, name]) => ({ id, name })).sort(byNameWithNoneLast),
    rows: [...jobs.values()].sort((a, b) => spanish.compare(a.jobtitle, b.jobtitle) || a.jobId - b.jobId),
    byRubro,
  };
}

export function sumOf(figures: readonly CostFigure[]): CostFigure {
  const sum = nothing();
  for (const figure of figures) add(sum, figure);
  return sum;
}

export const nothing = (): CostFigure => ({
  count: 0,
  costCents: 0,
  totalCents: 0,
  creditCents: 0,
  creditTotalCents: 0,
});

function add(sum: CostFigure, figure: CostFigure): void {
  for (const name of Object.keys(nothing()) as (keyof CostFigure)[]) sum[name] += figure[name];
}

const together = (one: Cost | undefined, other: Cost): Cost => ({
  costCents: (one?.costCents ?? 0) + other.costCents,
  creditCents: (one?.creditCents ?? 0) + other.creditCents,
});

/** As Spanish readers look names up: case and accents last, 9 before 10. */
const spanish = new Intl.Collator('es-MX', { numeric: true });

type Named = Results['rubros'][number];

const byNameWithNoneLast = (a: Named, b: Named): number =>
  Number(a.id === NO_RUBRO) - Number(b.id === NO_RUBRO) || spanish.compare(a.name, b.name) || a.id - b.id;
