import type { Generated } from 'kysely';
import type { Instant } from '../../shared/dates.ts';
import type { Cents } from '../../shared/money.ts';
import type { Kept } from './kept.ts';

export interface BudgetsTables {
  budgets: BudgetsTable;
  budget_changes: BudgetChangesTable;
}

/** A budget bounds the cost of an obra in one rubro; null stands for invoices without rubro. */
interface BudgetsTable extends Kept {
  jobId: number;
  rubroId: number | null;
  /** as it stands now: the last change's */
  amountCents: Cents;
}

/** Every amount that was set; the first one of a budget is its original. */
interface BudgetChangesTable {
  id: Generated<number>;
  budgetId: number;
  amountCents: Cents;
  motivo: string;
  userId: number;
  importId: number | null;
  createdAt: Instant;
}
