import { lockKey } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type BudgetDraft, budgetTexts as texts } from '../../../shared/budgets.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { NO_RUBRO } from '../../../shared/invoices.ts';
import { refusal, refuse } from '../../../shared/refusal.ts';
import { type Actor, audit } from '../audit/audit.ts';
import { getRow } from '../catalogs/reading.ts';
import { requireReferences } from '../references.ts';
import { requireSeen } from '../stored-rows.ts';
import { requireArea } from '../users/may-act.ts';
import { listBudget, readBudgets, type StoredBudget } from './reading.ts';

/**
 * Sets what an obra may cost in these rubros, all of them or none, each that differs with its reason in the history and
 * in the audit trail; what is not named stays.
 * @returns how many differed
 * @throws DomainError forbidden, not-found (no such obra), invalid, stale (with the first line that somebody else changed)
 */
export async function saveBudget(
  db: Db,
  actor: Actor,
  jobId: number,
  { motivo, partidas }: { motivo: string; partidas: readonly BudgetDraft[] },
): Promise<number> {
  requireArea(actor, 'budgets');
  refuse(checkLines(motivo, partidas));
  return inTransaction(db, async (trx) => {
    await getRow(trx, jobs, jobId);
    await lockBudget(trx, jobId);
    for (const { rubroId } of partidas) await requireReferences(trx, { rubroId });
    const stored = new Map((await readBudgets(trx, [jobId])).map((one) => [one.rubroId, one]));
    for (const line of partidas) await requireSeenLine(trx, jobId, line, stored.get(line.rubroId)?.version);
    const differing = partidas.filter(
      ({ rubroId, presupuestoCents }) => (stored.get(rubroId)?.amountCents ?? 0) !== presupuestoCents,
    );
    const ids: number[] = [];
    for (const line of differing) ids.push(await setLine(trx, actor, { jobId, motivo, line, stored }));
    const after = new Map((await readBudgets(trx, [jobId])).map((one) => [one.id, one]));
    for (const [index, id] of ids.entries()) {
      const before = stored.get(differing[index]!.rubroId);
      const action = before ? 'update' : 'create';
      audit(trx, actor, {
        action,
        entity: 'budgets',
        entityId: id,
        before,
        after: { ...after.get(id)!, motivo },
      });
    }
    return ids.length;
  });
}

/** Who changes an obra's budget, or spends by it, waits for the others who do, until the transaction ends. */
export const lockBudget = (trx: Trx, jobId: number): Promise<void> => lockKey(trx, `budget:${jobId}`);

function checkLines(motivo: string, partidas: readonly BudgetDraft[]) {
  if (!motivo.trim()) return refusal(texts.noReason, 'motivo');
  if (partidas.length === 0) return refusal(texts.noLines, 'partidas');
  const seen = new Set<number>();
  for (const { rubroId, presupuestoCents } of partidas) {
    if (presupuestoCents < 0) return refusal(texts.negative, 'presupuesto');
    if (seen.has(rubroId ?? NO_RUBRO)) return refusal(texts.twice, 'rubroId');
    seen.add(rubroId ?? NO_RUBRO);
  }
  return undefined;
}

async function requireSeenLine(trx: Trx, jobId: number, { version, rubroId }: BudgetDraft, stored = 0) {
  if (version === undefined || version === stored) return;
  const current = (await listBudget(trx, jobId, { all: true })).find((line) => line.rubroId === rubroId)!;
  requireSeen(current, version, texts.stale);
}

interface Setting {
  jobId: number;
  motivo: string;
  line: BudgetDraft;
  stored: ReadonlyMap<number | null, StoredBudget>;
}

/** @returns the budget's id */
async function setLine(trx: Trx, actor: Actor, { jobId, motivo, line, stored }: Setting): Promise<number> {
  const { rubroId, presupuestoCents: amountCents } = line;
  const before = stored.get(rubroId);
  const kept = { amountCents, updatedAt: actor.at };
  const budgetId =
    before?.id ??
    (
      await trx
        .insertInto('budgets')
        .values({ jobId, rubroId, ...kept, importId: null, createdAt: actor.at })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  if (before)
    await trx
      .updateTable('budgets')
      .set({ ...kept, version: before.version + 1 })
      .where('id', '=', before.id)
      .execute();
  const change = { budgetId, amountCents, motivo, userId: actor.userId, importId: null, createdAt: actor.at };
  await trx.insertInto('budget_changes').values(change).execute();
  return budgetId;
}
