import type { Db } from '../../../db/schema.ts';
import { type BudgetDraft, budgetTexts as texts } from '../../../shared/budgets.ts';
import { refusal, refuse } from '../../../shared/refusal.ts';
import type { Actor } from '../audit/audit.ts';
import { allWritten } from '../writing.ts';
import { writeBudgets } from './write.ts';

/**
 * Sets what an obra may cost in these rubros, all of them or none.
 * @returns how many differed
 * @throws DomainError, of the rule that has something against one (write.ts)
 */
export async function saveBudget(
  db: Db,
  actor: Actor,
  jobId: number,
  { motivo, partidas }: { motivo: string; partidas: readonly BudgetDraft[] },
): Promise<number> {
  const drafts = partidas.map((line) => ({ ...line, jobId, motivo }));
  const written = allWritten(await writeBudgets(db, actor, drafts));
  if (partidas.length === 0) refuse(refusal(texts.noLines, 'partidas'));
  return written.length;
}
