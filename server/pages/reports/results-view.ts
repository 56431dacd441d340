import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import type { Period } from '../../../shared/periods.ts';
import type { AskedResults } from '../../lists/reports.ts';
import type { JobBudget } from '../../services/budgets/overview.ts';
import type { Cost, CostCell } from '../../services/cost-rows.ts';
import type { CostQuery } from '../../services/costs.ts';
import type { UndatedInvoice } from '../../services/results.ts';
import type { ResultsByJob } from '../../services/results-by-job.ts';
import type { Names } from '../../services/results-layout.ts';
import type { ResultsPlace } from './results-address.ts';
import type { Iva } from './results-figures.tsx';

/** All that Resultados shows. */
export interface ResultsView {
  asked: AskedResults & ResultsPlace;
  query: CostQuery;
  iva: Iva;
  names: Pick<Names, 'rubros'>;
  byJob: ResultsByJob;
  /** of the obras shown those that have a budget, in the rubro that was asked for or in all; and what all that was asked for may cost */
  budgets: ReadonlyMap<number, JobBudget>;
  budgetCents: Cents;
  byRubro: readonly CostCell[];
  /** rubro and month, where that is the view */
  byMonth: readonly CostCell[];
  /** the last twelve */
  months: readonly CostCell[];
  /** the rubros of the obra that is open */
  opened: readonly CostCell[];
  undated: { sum: Cost; invoices: readonly UndatedInvoice[] };
  /** the days of issue that there are */
  all?: Period;
  today: PlainDate;
  timeZone: string;
}
