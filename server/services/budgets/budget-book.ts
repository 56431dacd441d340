import { isOneOf } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import {
  type BUDGET_RULES,
  type BudgetExcess,
  excessOf,
  excessText,
  type Spending,
  sayExceeded,
  budgetTexts as texts,
} from '../../../shared/budgets.ts';
import { NO_RUBRO } from '../../../shared/invoices.ts';
import type { InvoiceCost } from '../../../shared/invoices-typing.ts';
import { type Cents, toDecimal } from '../../../shared/money.ts';
import type { BrokenRule } from '../../../shared/refusal.ts';
import type { Actor } from '../audit/audit.ts';
import { readSettings } from '../settings/settings.ts';
import type { Warning } from '../writing.ts';
import { lockBudget, readBudgets } from './reading.ts';
import { gastadoOf, readCommitted, readSpent } from './spending.ts';

type Line = Parameters<typeof excessOf>[0];

/** Overrunning a budget is Dirección's to allow. */
const MAY_OVERRUN = 1;

/**
 * The budgets that invoices are held against while they are stored, one or many: what is accepted counts for those
 * that follow. An obra without any budget is held to none; a rubro without one, of an obra that has some, to 0.
 */
export class BudgetBook {
  readonly #rule: (typeof BUDGET_RULES)[number];
  /** by obra that has a budget, and rubro */
  readonly #lines = new Map<number, Map<number, Line>>();

  /** by obra and rubro */
  readonly #exceeded = new Map<string, { excess: BudgetExcess; count: number }>();

  private constructor(rule: string) {
    this.#rule = rule as (typeof BUDGET_RULES)[number];
  }

  /** Of these obras; nothing where none of them has a budget: most have none, and their invoices do not wait for more. */
  static async of(db: Db, jobIds: readonly number[]): Promise<BudgetBook | undefined> {
    if (jobIds.length === 0) return undefined;
    const budgets = db
      .selectFrom('budgets')
      .select('id')
      .where(isOneOf(db, 'jobId', jobIds));
    if ((await budgets.where('amountCents', '>', 0).limit(1).execute()).length === 0) return undefined;
    const book = new BudgetBook((await readSettings(db)).presupuesto);
    await book.#read(db, jobIds);
    return book;
  }

  /** Nobody else spends by these budgets until the transaction ends, if the firm's rule is to refuse. */
  async #read(db: Db, jobIds: readonly number[]): Promise<void> {
    if (this.#rule === 'ignorar') return;
    const asked = [...new Set(jobIds)].filter((id) => id > 0).sort((a, b) => a - b);
    if (asked.length === 0) return;
    if (this.#rule === 'impedir' && db.isTransaction) for (const id of asked) await lockBudget(db as Trx, id);
    const stored = await readBudgets(db, asked);
    const budgeted = asked.filter((id) => stored.some((one) => one.jobId === id && one.amountCents > 0));
    const [spent, committed] = [
      await readSpent(db, budgeted, { isUnpaid: true }),
      await readCommitted(db, budgeted),
    ];
    for (const id of budgeted) {
      const lines = new Map<number, Line>();
      const at = (rubroId: number) => {
        const line = lines.get(rubroId) ?? { ...NOTHING };
        lines.set(rubroId, line);
        return line;
      };
      for (const { jobId, rubroId, amountCents } of stored)
        if (jobId === id) at(rubroId ?? NO_RUBRO).presupuestoCents = amountCents;
      for (const [rubroId, parts] of spent.get(id)!) at(rubroId).gastadoCents = gastadoOf(parts);
      for (const [rubroId, cents] of committed.get(id)!) at(rubroId).comprometidoCents = cents;
      this.#lines.set(id, lines);
    }
  }

  /** Refuses an excess where the firm's rule is to do so; Dirección may let it pass with a reason. */
  check(actor: Actor, spending: InvoiceCost, { former, what }: Spent = {}): BrokenRule | undefined {
    const excess = this.#rule === 'impedir' ? this.#excessOf(spending, former) : undefined;
    return excess && !mayOverrun(actor) ? exceedsBudget(actor, excess, what) : undefined;
  }

  /** The first that goes beyond a budget says so; what those after it add is in its figures. */
  warn(spending: InvoiceCost, { former, what = 'factura' }: Spent = {}): Warning | undefined {
    const excess = this.#excessOf(spending, former);
    if (!excess) return undefined;
    const key = `${spending.jobId} ${spending.rubroId ?? NO_RUBRO}`;
    const before = this.#exceeded.get(key);
    if (before) {
      before.excess.importeCents += excess.importeCents;
      before.excess.excedeCents += excess.importeCents;
      before.count += 1;
      return undefined;
    }
    const first = { excess: { ...excess }, count: 1 };
    this.#exceeded.set(key, first);
    return {
      get says() {
        return excessText(first.excess, first.count, what);
      },
    };
  }

  /** Nothing where it fits, or takes no more than it did. */
  #excessOf(spending: InvoiceCost, former?: InvoiceCost): BudgetExcess | undefined {
    const lines = this.#lines.get(spending.jobId);
    if (!lines) return undefined;
    const line = lines.get(spending.rubroId ?? NO_RUBRO) ?? NOTHING;
    const own = former && isSamePlace(spending, former) ? former.costCents : 0;
    if (spending.costCents <= own) return undefined;
    return excessOf({ ...line, gastadoCents: line.gastadoCents - own }, spending.costCents);
  }

  /** It is stored, instead of what it was. */
  take(spending: InvoiceCost, former?: InvoiceCost): void {
    this.#add(spending, spending.costCents);
    if (former) this.#add(former, -former.costCents);
  }

  #add({ jobId, rubroId }: InvoiceCost, cents: Cents): void {
    const lines = this.#lines.get(jobId);
    if (!lines) return;
    const line = lines.get(rubroId ?? NO_RUBRO) ?? { ...NOTHING };
    line.gastadoCents += cents;
    lines.set(rubroId ?? NO_RUBRO, line);
  }
}

interface Spent {
  /** what it was, where it is on file */
  former?: InvoiceCost;
  what?: Spending;
}

const NOTHING: Line = { presupuestoCents: 0, comprometidoCents: 0, gastadoCents: 0 };

const isSamePlace = (one: InvoiceCost, other: InvoiceCost): boolean =>
  one.jobId === other.jobId && one.rubroId === other.rubroId;

/** An invoice counts against a budget by its cost without IVA. */
export const costOf = (invoice: {
  jobId: number;
  rubroId: number | null;
  subtotalCents: Cents;
  otrosimpuestosCents: Cents;
}): InvoiceCost => ({
  jobId: invoice.jobId,
  rubroId: invoice.rubroId,
  costCents: invoice.subtotalCents + invoice.otrosimpuestosCents,
});

/** Whether who does it has said why it may go beyond; the audit trail says then that it did. */
function mayOverrun({ roles, motivo, passed }: Actor): boolean {
  if (!roles.includes(MAY_OVERRUN) || !motivo) return false;
  passed?.add('presupuesto');
  return true;
}

export const EXCEEDED = 'budget_exceeded';

/** Why it is not stored; who may allow it is asked for a reason. */
function exceedsBudget(
  { roles }: Pick<Actor, 'roles'>,
  excess: BudgetExcess,
  what: Spending = 'factura',
): BrokenRule {
  const mayPass = roles.includes(MAY_OVERRUN);
  const message = `${sayExceeded(excess, what)} ${mayPass ? texts.sayWhy(what) : texts.askDireccion(what)}`;
  const { presupuestoCents, gastadoCents, importeCents, excedeCents } = excess;
  return {
    message,
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
