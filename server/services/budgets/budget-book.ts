import { isOneOf } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import {
  type BudgetExcess,
  excessOf,
  excessText,
  type Spending,
  budgetTexts as texts,
} from '../../../shared/budgets.ts';
import { NO_RUBRO } from '../../../shared/invoices.ts';
import type { InvoiceCost } from '../../../shared/invoices-typing.ts';
import { type Cents, toDecimal } from '../../../shared/money.ts';
import type { BrokenRule } from '../../../shared/refusal.ts';
import type { Actor } from '../audit/audit.ts';
import { netOf, readCosts } from '../costs.ts';
import { readSettings } from '../settings/settings.ts';
import { distinct } from '../stored-rows.ts';
import type { Warning } from '../writing.ts';
import { lockBudget, readBudgets } from './reading.ts';

interface Line {
  presupuestoCents: Cents;
  gastadoCents: Cents;
  warned?: { excess: BudgetExcess; count: number };
}

/** The role that may overrun a budget: Dirección. */
const MAY_OVERRUN = 1;

/**
 * The budgets that invoices are checked against while they are stored, one or many: each accepted one counts for
 * those after it. An obra without any budget has no limit; where an obra has some, a rubro without one has 0.
 */
export class BudgetBook {
  /** by obra that has a budget, then by rubro */
  readonly #lines = new Map<number, Map<number, Line>>();
  readonly #refuses: boolean;

  private constructor(refuses: boolean) {
    this.#refuses = refuses;
  }

  /**
   * The budgets of these obras; undefined where none has one: most have none, and their invoices do not wait. Where
   * the firm refuses what exceeds a budget, nobody else spends by these until the transaction ends.
   */
  static async of(db: Db, jobIds: readonly number[]): Promise<BudgetBook | undefined> {
    const drafts = distinct(jobIds);
    if (drafts.length === 0) return undefined;
    const isBudget = isOneOf(db, 'jobId', drafts);
    const any = db.selectFrom('budgets').select('id').where(isBudget).where('amountCents', '>', 0).limit(1);
    if ((await any.execute()).length === 0) return undefined;
    const { presupuesto: rule } = await readSettings(db);
    if (rule === 'ignorar') return undefined;
    const book = new BudgetBook(rule === 'impedir');
    if (book.#refuses && db.isTransaction) for (const id of drafts) await lockBudget(db as Trx, id);
    const stored = await readBudgets(db, drafts);
    for (const { jobId, amountCents } of stored) if (amountCents > 0) book.#lines.set(jobId, new Map());
    if (book.#lines.size === 0) return undefined;
    for (const { amountCents, ...place } of stored) book.#add(place, { presupuestoCents: amountCents });
    const query = { jobId: [...book.#lines.keys()], isUnsettled: true } as const;
    for (const cost of await readCosts(db, query, ['jobId', 'rubroId']))
      book.#add(cost, { gastadoCents: netOf(cost) });
    return book;
  }

  /** Refuses an excess where the firm's rule is to do so; Dirección may let it pass with a reason. */
  check(actor: Actor, spending: InvoiceCost, { previous, what }: Spent = {}): BrokenRule | undefined {
    const excess = this.#refuses ? this.#excessOf(spending, previous) : undefined;
    return excess && !mayOverrun(actor) ? exceedsBudget(actor, excess, what) : undefined;
  }

  /** The first invoice beyond a budget carries the warning; what later ones add is in its figures. */
  warn(spending: InvoiceCost, { previous, what = 'factura' }: Spent = {}): Warning | undefined {
    const line = this.#lineOf(spending);
    const excess = this.#excessOf(spending, previous);
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
        return excessText(first.excess, first.count, what);
      },
    };
  }

  /** Counts a stored invoice in place of its former state. */
  take(spending: InvoiceCost, previous?: InvoiceCost): void {
    this.#add(spending, { gastadoCents: spending.costCents });
    if (previous) this.#add(previous, { gastadoCents: -previous.costCents });
  }

  /** undefined where it fits, or takes no more than before. */
  #excessOf(spending: InvoiceCost, previous?: InvoiceCost): BudgetExcess | undefined {
    const line = this.#lineOf(spending);
    const isSamePlace = previous?.jobId === spending.jobId && previous.rubroId === spending.rubroId;
    const own = isSamePlace ? previous.costCents : 0;
    if (!line || spending.costCents <= own) return undefined;
    return excessOf({ ...line, gastadoCents: line.gastadoCents - own }, spending.costCents);
  }

  /** undefined for an obra without a budget. */
  #lineOf({ jobId, rubroId }: Place): Line | undefined {
    const lines = this.#lines.get(jobId);
    const line = lines?.get(rubroId ?? NO_RUBRO) ?? { presupuestoCents: 0, gastadoCents: 0 };
    lines?.set(rubroId ?? NO_RUBRO, line);
    return lines && line;
  }

  #add(place: Place, { presupuestoCents = 0, gastadoCents = 0 }: Partial<Line>): void {
    const line = this.#lineOf(place);
    if (!line) return;
    line.presupuestoCents += presupuestoCents;
    line.gastadoCents += gastadoCents;
  }
}

type Place = Pick<InvoiceCost, 'jobId' | 'rubroId'>;

interface Spent {
  previous?: InvoiceCost;
  what?: Spending;
}

/** An invoice counts against a budget by its cost without IVA. */
export const costOf = (
  invoice: Place & { subtotalCents: Cents; otrosimpuestosCents: Cents },
): InvoiceCost => ({
  jobId: invoice.jobId,
  rubroId: invoice.rubroId,
  costCents: invoice.subtotalCents + invoice.otrosimpuestosCents,
});

/** Whether the actor has given a reason to go beyond, which the audit trail then notes. */
function mayOverrun({ roles, motivo, passed }: Actor): boolean {
  if (!roles.includes(MAY_OVERRUN) || !motivo) return false;
  passed?.add('presupuesto');
  return true;
}

export const EXCEEDED = 'budget_exceeded';

function exceedsBudget({ roles }: Actor, excess: BudgetExcess, what: Spending = 'factura'): BrokenRule {
  const mayPass = roles.includes(MAY_OVERRUN);
  const { presupuestoCents, gastadoCents, importeCents, excedeCents } = excess;
  return {
    message: `${texts.exceeded(what)} ${excessText(excess, 1, what)}. ${mayPass ? texts.sayWhy(what) : texts.askDireccion(what)}`,
    code: EXCEEDED,
    fields: mayPass ? { motivo: 'Indica el motivo.' } : { subtotal: texts.exceeded(what) },
    extra: {
      presupuesto: toDecimal(presupuestoCents),
      gastado: toDecimal(gastadoCents),
      importe: toDecimal(importeCents),
      excede: toDecimal(excedeCents),
    },
  };
}
