import { isOneOf } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import {
  type BudgetExcess,
  computeExcess,
  describeExcess,
  type SpendingKind,
  budgetTexts as texts,
} from '../../../shared/budgets.ts';
import type { InvoiceCost } from '../../../shared/invoice-form-amounts.ts';
import { NO_RUBRO } from '../../../shared/invoices.ts';
import { type Cents, toDecimal } from '../../../shared/money.ts';
import type { BrokenRule } from '../../../shared/refusal.ts';
import type { Actor } from '../audit/audit.ts';
import { computeCostAfterCredits, readCosts } from '../costs.ts';
import { readSettings } from '../settings/settings.ts';
import { distinctIds } from '../stored-rows.ts';
import type { Warning } from '../write-drafts.ts';
import { lockBudgetsOfJob, readBudgetsOfJobs } from './reading.ts';

interface BudgetLine {
  presupuestoCents: Cents;
  gastadoCents: Cents;
  warned?: { excess: BudgetExcess; count: number };
}

/** The role that may overrun a budget: Dirección. */
const OVERRUN_ROLE_ID = 1;

/** An obra without any budget has no limit. If an obra has some budget, its rubros without one have a limit of 0. */
export class BudgetBook {
  /** by obra, then by rubro; only obras that have a budget */
  readonly #lines = new Map<number, Map<number, BudgetLine>>();
  readonly #isEnforced: boolean;

  private constructor(isEnforced: boolean) {
    this.#isEnforced = isEnforced;
  }

  /** @returns undefined if no obra has a budget. Budgets that may refuse an excess stay locked until the commit. */
  static async readAndLock(db: Db, jobIds: readonly number[]): Promise<BudgetBook | undefined> {
    const ids = distinctIds(jobIds);
    if (ids.length === 0) return undefined;
    const isBudget = isOneOf(db, 'jobId', ids);
    const anyBudget = db
      .selectFrom('budgets')
      .select('id')
      .where(isBudget)
      .where('amountCents', '>', 0)
      .limit(1);
    if ((await anyBudget.execute()).length === 0) return undefined;
    const { presupuesto: rule } = await readSettings(db);
    if (rule === 'ignorar') return undefined;
    const book = new BudgetBook(rule === 'impedir');
    if (book.#isEnforced && db.isTransaction) for (const id of ids) await lockBudgetsOfJob(db as Trx, id);
    const stored = await readBudgetsOfJobs(db, ids);
    for (const { jobId, amountCents } of stored) if (amountCents > 0) book.#lines.set(jobId, new Map());
    if (book.#lines.size === 0) return undefined;
    for (const { amountCents, ...place } of stored)
      book.#addAmounts(place, { presupuestoCents: amountCents });
    const query = { jobId: [...book.#lines.keys()], skipsSettled: true } as const;
    for (const cost of await readCosts(db, query, ['jobId', 'rubroId']))
      book.#addAmounts(cost, { gastadoCents: computeCostAfterCredits(cost) });
    return book;
  }

  /** Refuses an excess if the firm's setting demands it; Dirección may still allow it with a reason. */
  refuseExcess(
    actor: Actor,
    spending: InvoiceCost,
    { previous, kind }: PreviousCostAndKind = {},
  ): BrokenRule | undefined {
    const excess = this.#isEnforced ? this.#findExcess(spending, previous) : undefined;
    return excess && !tryOverrideBudget(actor) ? budgetExceededRefusal(actor, excess, kind) : undefined;
  }

  /** Only the first invoice beyond a budget gets a warning. Its figures include what later invoices add. */
  warnOfExcess(
    spending: InvoiceCost,
    { previous, kind = 'factura' }: PreviousCostAndKind = {},
  ): Warning | undefined {
    const line = this.#getOrCreateLine(spending);
    const excess = this.#findExcess(spending, previous);
    if (!line || !excess) return undefined;
    if (line.warned) {
      line.warned.excess.importeCents += excess.importeCents;
      line.warned.excess.excedeCents += excess.importeCents;
      line.warned.count += 1;
      return undefined;
    }
    const first = { excess, count: 1 };
    line.warned = first;
    return {
      get message() {
        return describeExcess(first.excess, first.count, kind);
      },
    };
  }

  recordSpending(spending: InvoiceCost, previous?: InvoiceCost): void {
    this.#addAmounts(spending, { gastadoCents: spending.costCents });
    if (previous) this.#addAmounts(previous, { gastadoCents: -previous.costCents });
  }

  /** @returns undefined if the cost fits into the budget, or is no higher than before */
  #findExcess(spending: InvoiceCost, previous?: InvoiceCost): BudgetExcess | undefined {
    const line = this.#getOrCreateLine(spending);
    const isSamePlace = previous?.jobId === spending.jobId && previous.rubroId === spending.rubroId;
    const previousCents = isSamePlace ? previous.costCents : 0;
    if (!line || spending.costCents <= previousCents) return undefined;
    return computeExcess({ ...line, gastadoCents: line.gastadoCents - previousCents }, spending.costCents);
  }

  #getOrCreateLine({ jobId, rubroId }: JobAndRubro): BudgetLine | undefined {
    const lines = this.#lines.get(jobId);
    const line = lines?.get(rubroId ?? NO_RUBRO) ?? { presupuestoCents: 0, gastadoCents: 0 };
    lines?.set(rubroId ?? NO_RUBRO, line);
    return lines && line;
  }

  #addAmounts(place: JobAndRubro, { presupuestoCents = 0, gastadoCents = 0 }: Partial<BudgetLine>): void {
    const line = this.#getOrCreateLine(place);
    if (!line) return;
    line.presupuestoCents += presupuestoCents;
    line.gastadoCents += gastadoCents;
  }
}

type JobAndRubro = Pick<InvoiceCost, 'jobId' | 'rubroId'>;

interface PreviousCostAndKind {
  previous?: InvoiceCost;
  kind?: SpendingKind;
}

/** An invoice counts against a budget by its cost without IVA. */
export const toInvoiceCost = (
  invoice: JobAndRubro & { subtotalCents: Cents; otrosimpuestosCents: Cents },
): InvoiceCost => ({
  jobId: invoice.jobId,
  rubroId: invoice.rubroId,
  costCents: invoice.subtotalCents + invoice.otrosimpuestosCents,
});

function tryOverrideBudget({ roles, motivo, overriddenRules }: Actor): boolean {
  if (!roles.includes(OVERRUN_ROLE_ID) || !motivo) return false;
  overriddenRules?.add('presupuesto');
  return true;
}

export const BUDGET_EXCEEDED_CODE = 'budget_exceeded';

function budgetExceededRefusal(
  { roles }: Actor,
  excess: BudgetExcess,
  kind: SpendingKind = 'factura',
): BrokenRule {
  const mayOverrideRule = roles.includes(OVERRUN_ROLE_ID);
  const { presupuestoCents, gastadoCents, importeCents, excedeCents } = excess;
  return {
    message: `${texts.exceeded(kind)} ${describeExcess(excess, 1, kind)}. ${mayOverrideRule ? texts.sayWhy(kind) : texts.askDireccion(kind)}`,
    code: BUDGET_EXCEEDED_CODE,
    fields: mayOverrideRule ? { motivo: 'Indica el motivo.' } : { subtotal: texts.exceeded(kind) },
    extra: {
      presupuesto: toDecimal(presupuestoCents),
      gastado: toDecimal(gastadoCents),
      importe: toDecimal(importeCents),
      excede: toDecimal(excedeCents),
    },
  };
}
