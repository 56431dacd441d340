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
  readonly #db: Db;
  readonly #rule: (typeof BUDGET_RULES)[number];
  /** by obra, undefined for one without a budget, and rubro */
  readonly #lines = new Map<number, Map<number, Line> | undefined>();

  /** by obra and rubro: what went beyond, and where that began */
  readonly #exceeded = new Map<string, Exceeded>();

  private constructor(db: Db, rule: string) {
    this.#db = db;
    this.#rule = rule as (typeof BUDGET_RULES)[number];
  }

  static open = async (db: Db): Promise<BudgetBook> =>
    new BudgetBook(db, (await readSettings(db)).presupuesto);

  /** Of these obras; nothing where none of them has a budget: most have none, and their invoices do not wait for more. */
  static async of(db: Db, jobIds: readonly number[]): Promise<BudgetBook | undefined> {
    if (jobIds.length === 0) return undefined;
    const budgets = db
      .selectFrom('budgets')
      .select('id')
      .where(isOneOf(db, 'jobId', jobIds));
    if ((await budgets.where('amountCents', '>', 0).limit(1).execute()).length === 0) return undefined;
    const book = await BudgetBook.open(db);
    await book.read(jobIds);
    return book;
  }

  /** Whether what goes beyond a budget is not stored, unless it is allowed. */
  get refuses(): boolean {
    return this.#rule === 'impedir';
  }

  /** What these obras may cost and have cost. Where that decides, nobody else spends by it until the transaction ends. */
  async read(jobIds: Iterable<number>): Promise<void> {
    if (this.#rule === 'ignorar') return;
    const db = this.#db;
    const asked = [...new Set(jobIds)].filter((id) => id > 0 && !this.#lines.has(id)).sort((a, b) => a - b);
    if (asked.length === 0) return;
    if (this.refuses && db.isTransaction) for (const id of asked) await lockBudget(db as Trx, id);
    const stored = await readBudgets(db, asked);
    const budgeted = asked.filter((id) => stored.some((one) => one.jobId === id && one.amountCents > 0));
    for (const id of asked) this.#lines.set(id, undefined);
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

  /**
   * What storing it comes to beyond its budget; nothing where it fits, or takes no more than it did.
   * @param former what it was, where it is on file
   */
  judge(spending: InvoiceCost, former?: InvoiceCost): BudgetExcess | undefined {
    const lines = this.#lines.get(spending.jobId);
    if (!lines) return undefined;
    const line = lines.get(spending.rubroId ?? NO_RUBRO) ?? NOTHING;
    const own = former && isSamePlace(spending, former) ? former.costCents : 0;
    if (spending.costCents <= own) return undefined;
    return excessOf({ ...line, gastadoCents: line.gastadoCents - own }, spending.costCents);
  }

  /**
   * The rule of budgets, for whatever spends: what stands against it, or by how much it goes beyond where it is stored
   * all the same.
   */
  check(
    actor: Actor,
    spending: InvoiceCost,
    { former, what = 'factura' }: { former?: InvoiceCost; what?: Spending } = {},
  ): { refused?: BrokenRule; excess?: BudgetExcess } {
    const excess = this.judge(spending, former);
    if (!excess || !this.refuses || mayOverrun(actor)) return { excess };
    return { refused: exceedsBudget(actor, excess, what) };
  }

  /** It is stored, instead of what it was. */
  take(spending: InvoiceCost, former?: InvoiceCost): void {
    this.#add(spending, spending.costCents);
    if (former) this.#add(former, -former.costCents);
  }

  /** What goes beyond its budget is stored all the same. @param at the row or document that it is */
  exceed(at: number, { jobId, rubroId }: InvoiceCost, excess: BudgetExcess): void {
    const key = `${jobId} ${rubroId ?? NO_RUBRO}`;
    const known = this.#exceeded.get(key);
    if (!known) this.#exceeded.set(key, { at, excess: { ...excess }, count: 1, isTold: false });
    else if (!known.isTold) {
      known.excess.importeCents += excess.importeCents;
      known.excess.excedeCents += excess.importeCents;
      known.count += 1;
    }
  }

  /** The same, and what is said of it by the first that goes beyond a budget: what those after it add is in it. */
  tell(spending: InvoiceCost, excess: BudgetExcess, what: Spending = 'factura'): Warning | undefined {
    const key = `${spending.jobId} ${spending.rubroId ?? NO_RUBRO}`;
    const isFirst = !this.#exceeded.has(key);
    this.exceed(0, spending, excess);
    const one = this.#exceeded.get(key)!;
    return isFirst
      ? {
          get says() {
            return excessText(one.excess, one.count, what);
          },
        }
      : undefined;
  }

  /** Each budget that was exceeded, told once, by the first that did, with what those after it have added. */
  tellExceeded(what: Spending = 'factura'): { at: number; text: string }[] {
    const untold = [...this.#exceeded.values()].filter(({ isTold }) => !isTold);
    for (const one of untold) one.isTold = true;
    return untold.map(({ at, excess, count }) => ({ at, text: excessText(excess, count, what) }));
  }

  #add({ jobId, rubroId }: InvoiceCost, cents: Cents): void {
    const lines = this.#lines.get(jobId);
    if (!lines) return;
    const line = lines.get(rubroId ?? NO_RUBRO) ?? { ...NOTHING };
    line.gastadoCents += cents;
    lines.set(rubroId ?? NO_RUBRO, line);
  }
}

interface Exceeded {
  at: number;
  excess: BudgetExcess;
  count: number;
  isTold: boolean;
}

const NOTHING: Line = { presupuestoCents: 0, comprometidoCents: 0, gastadoCents: 0 };

const isSamePlace = (one: InvoiceCost, other: InvoiceCost): boolean =>
  one.jobId === other.jobId && one.rubroId === other.rubroId;

/** What an invoice is held against a budget with: its cost without IVA. */
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
export function mayOverrun({ roles, motivo, passed }: Actor): boolean {
  if (!roles.includes(MAY_OVERRUN) || !motivo) return false;
  passed?.add('presupuesto');
  return true;
}

export const EXCEEDED = 'budget_exceeded';

/** Why it is not stored; who may allow it is asked for a reason. */
export function exceedsBudget(
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
