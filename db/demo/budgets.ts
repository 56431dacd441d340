import type { Cents } from '../../shared/money.ts';
import type { DemoCompany } from './company.ts';
import type { DemoPettyCash } from './petty-cash.ts';

export interface DemoBudget {
  /** indexes into the company's lists */
  job: number;
  rubro: number | null;
  originalCents: Cents;
  /** what it was changed to since */
  amountCents: Cents;
}

/** By the obras' places: how much of each one's budget is used. One is nearly used up, one is exceeded. */
const USED = [0.85, 1.04, 0.62, 0.93, 0.4];
const ROUND: Cents = 100_000;

/**
 * What each obra may cost by rubro, from what it has cost, so that its use is what it is to be; the largest rubro of each
 * was raised once.
 */
export function makeBudgets({ invoices }: DemoCompany, { movements }: DemoPettyCash): DemoBudget[] {
  const spent = new Map<number, Map<number | null, Cents>>();
  const add = (job: number, rubro: number | null, cents: Cents) => {
    const rubros = spent.get(job) ?? new Map<number | null, Cents>();
    spent.set(job, rubros.set(rubro, (rubros.get(rubro) ?? 0) + cents));
  };
  for (const { job, rubro, subtotalCents } of invoices) add(job, rubro, subtotalCents);
  for (const { tipo, job, rubro, importeCents } of movements)
    if (tipo === 'gasto' && job !== null) add(job, rubro, importeCents);
  return [...spent]
    .sort(([a], [b]) => a - b)
    .flatMap(([job, rubros]) => {
      const share = USED[job % USED.length]!;
      const largest = Math.max(...rubros.values());
      return [...rubros].map(([rubro, cents]): DemoBudget => {
        const amountCents = Math.round(cents / share / ROUND) * ROUND;
        const raised = cents === largest ? Math.round(amountCents / 10 / ROUND) * ROUND : 0;
        return { job, rubro, originalCents: amountCents - raised, amountCents };
      });
    });
}
