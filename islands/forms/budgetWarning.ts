import { computeExcess, describeExcess } from '../../shared/budgets.ts';
import type { InvoiceCost } from '../../shared/invoice-form-amounts.ts';
import { type Cents, tryParseMoney } from '../../shared/money.ts';
import { api } from '../../shared/urls.ts';

interface BudgetLine {
  rubroId: number | null;
  presupuesto: number;
  gastado: number;
}

interface TypedCost {
  jobId: string;
  rubroId: string;
  subtotal: string;
  otrosimpuestos: string;
}

const budgetCache = new Map<string, Promise<BudgetLine[]>>();

/** Returns '' where the cost is within the budget of its obra. */
export async function findBudgetWarning(
  typed: TypedCost,
  previous: InvoiceCost | undefined,
): Promise<string> {
  const costCents = sumTypedCost(typed);
  if (!typed.jobId || costCents <= 0) return '';
  const lines = await fetchBudget(typed.jobId);
  if (!lines.some(({ presupuesto }) => presupuesto > 0)) return '';
  const rubroId = Number(typed.rubroId) || null;
  const line = lines.find((one) => one.rubroId === rubroId);
  const isSame = previous?.jobId === Number(typed.jobId) && previous.rubroId === rubroId;
  const previousCents = isSame ? previous.costCents : 0;
  if (costCents <= previousCents) return '';
  const overBudget = computeExcess(
    {
      presupuestoCents: decimalToCents(line?.presupuesto),
      gastadoCents: decimalToCents(line?.gastado) - previousCents,
    },
    costCents,
  );
  return overBudget ? describeExcess(overBudget) : '';
}

function fetchBudget(jobId: string): Promise<BudgetLine[]> {
  const cached = budgetCache.get(jobId);
  if (cached) return cached;
  const request = fetch(`${api.budgets}/${jobId}/`).then((answer) => {
    if (!answer.ok) throw new Error(answer.statusText);
    return answer.json() as Promise<BudgetLine[]>;
  });
  budgetCache.set(jobId, request);
  return request.catch(() => {
    budgetCache.delete(jobId);
    return [];
  });
}

const decimalToCents = (decimal = 0): Cents => Math.round(decimal * 100);

function sumTypedCost({ subtotal, otrosimpuestos }: TypedCost): Cents {
  const parts = [subtotal, otrosimpuestos].map((text) => (text.trim() ? tryParseMoney(text) : 0));
  return parts.includes(undefined) ? 0 : parts.reduce<Cents>((sum, cents) => sum + cents!, 0);
}
