import { computeExcess, describeExcess } from '../../shared/budgets.ts';
import type { InvoiceCost } from '../../shared/invoices-typing.ts';
import { type Cents, tryParseMoney } from '../../shared/money.ts';
import { api } from '../../shared/urls.ts';

interface Line {
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

const budgets = new Map<string, Promise<Line[]>>();

/** Says that the typed cost exceeds the budget of its obra, or ''. @param former the invoice's cost before */
export async function budgetWarning(typed: TypedCost, former: InvoiceCost | undefined): Promise<string> {
  const costCents = costOf(typed);
  if (!typed.jobId || costCents <= 0) return '';
  const lines = await budgetOf(typed.jobId);
  if (!lines.some(({ presupuesto }) => presupuesto > 0)) return '';
  const rubroId = Number(typed.rubroId) || null;
  const line = lines.find((one) => one.rubroId === rubroId);
  const isSame = former?.jobId === Number(typed.jobId) && former.rubroId === rubroId;
  const ownCents = isSame ? former.costCents : 0;
  if (costCents <= ownCents) return '';
  const excess = computeExcess(
    {
      presupuestoCents: centsOf(line?.presupuesto),
      gastadoCents: centsOf(line?.gastado) - ownCents,
    },
    costCents,
  );
  return excess ? describeExcess(excess) : '';
}

function budgetOf(jobId: string): Promise<Line[]> {
  const known = budgets.get(jobId);
  if (known) return known;
  const asked = fetch(`${api.budgets}/${jobId}/`).then((answer) => {
    if (!answer.ok) throw new Error(answer.statusText);
    return answer.json() as Promise<Line[]>;
  });
  budgets.set(jobId, asked);
  return asked.catch(() => {
    budgets.delete(jobId);
    return [];
  });
}

const centsOf = (decimal = 0): Cents => Math.round(decimal * 100);

function costOf({ subtotal, otrosimpuestos }: TypedCost): Cents {
  const parts = [subtotal, otrosimpuestos].map((text) => (text.trim() ? tryParseMoney(text) : 0));
  return parts.includes(undefined) ? 0 : parts.reduce<Cents>((sum, cents) => sum + cents!, 0);
}
