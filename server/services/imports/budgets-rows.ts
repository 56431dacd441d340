import { reserveIds } from '../../../db/bulk.ts';
import type { Db } from '../../../db/schema.ts';
import { budgetTexts } from '../../../shared/budgets.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { rubros } from '../../../shared/catalogs/rubros.ts';
import { NO_RUBRO_NAME } from '../../../shared/invoices.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import { conflictText, remark, sameAsLine } from '../../../shared/remarks.ts';
import { cleanLine, fold, LONGEST_MOTIVO } from '../../../shared/text.ts';
import type { ParsedRow } from '../../formats/tables/table.ts';
import type { ListEntry } from '../catalogs/known.ts';
import {
  type AuditEntry,
  centsOf,
  type Judge,
  type JudgeOptions,
  refused,
  textOf,
  type Verdict,
} from './judging.ts';
import type { MakingContext, NewRows } from './new-rows.ts';
import { References } from './references.ts';

/** A budget to be stored; its obra and rubro may be new themselves. */
export interface NewBudget {
  job: ListEntry;
  rubro: ListEntry | undefined;
  budgetCents: Cents;
  motivo: string;
}

/** What a row has to have said already: the amount, and the line of the file that said so. */
interface Known {
  cents: Cents;
  line?: number;
}

/**
 * Judges what obras may cost. A budget is known by its obra and rubro; known and equal is no change, known and different a
 * conflict: what changes one says why, and is typed.
 */
export class BudgetJudge implements Judge<NewBudget> {
  readonly references: References;
  readonly #known = new Map<string, Known>();
  readonly #accepted: NewBudget[] = [];

  constructor(options: JudgeOptions) {
    this.references = new References(options.createMissing, options.set);
  }

  async begin(db: Db): Promise<void> {
    await this.references.read(db, [jobs, rubros]);
    for (const { jobId, rubroId, amountCents } of await db.selectFrom('budgets').selectAll().execute())
      this.#known.set(placeOf(jobId, rubroId), { cents: amountCents });
  }

  async read(): Promise<void> {}

  judge({ values, line }: ParsedRow): Verdict<NewBudget> {
    const job = this.references.named(jobs, values, 'jobtitle');
    if (!job) return refused('jobtitle', 'Falta la obra.');
    const isNone = fold(textOf(values, 'nombrerubro')) === fold(NO_RUBRO_NAME);
    const rubro = isNone ? undefined : this.references.named(rubros, values, 'nombrerubro');
    const cents = centsOf(values, 'presupuesto') ?? 0;
    if (cents < 0) return refused('presupuesto', budgetTexts.negative);
    const place = placeOf(job.id, rubro?.id ?? null);
    const known = this.#known.get(place);
    if (known && known.cents !== cents) {
      const where = known.line === undefined ? '' : ` (renglón ${known.line})`;
      const what = remark`El presupuesto de «${job.name}» en ${rubro?.name ?? NO_RUBRO_NAME}${where}`;
      return refused(
        'presupuesto',
        conflictText(what, 'presupuesto', formatMoney(known.cents), formatMoney(cents)),
      );
    }
    if (known) return { unchanged: true, warnings: known.line === undefined ? [] : [sameAsLine(known.line)] };
    const said = cleanLine(textOf(values, 'motivo'), 'Motivo', 'motivo', LONGEST_MOTIVO);
    const accepted = { job, rubro, budgetCents: cents, motivo: said || IMPORTED };
    this.#known.set(place, { cents, line });
    this.#accepted.push(accepted);
    return { accepted, warnings: [] };
  }

  make = (context: MakingContext) => makeBudgets(context, this.#accepted);

  touches = ({ entity }: AuditEntry): boolean => entity === 'budgets';
}

/** Why an original is what it is, where the table does not say. */
const IMPORTED = 'Importado de una tabla';

const placeOf = (jobId: number, rubroId: number | null): string => `${jobId}/${rubroId ?? ''}`;

/** Budgets that are not on file, and what their histories begin with. */
async function makeBudgets(
  { db, actor, importId }: MakingContext,
  budgets: readonly NewBudget[],
): Promise<NewRows[]> {
  const ids = await reserveIds(db, 'budgets', budgets.length);
  const changeIds = await reserveIds(db, 'budget_changes', budgets.length);
  const made = { importId, createdAt: actor.at };
  // New obras and rubros have their ids only now.
  const rows = budgets.map(({ job, rubro, budgetCents: amountCents }, index) => ({
    id: ids[index]!,
    jobId: job.id,
    rubroId: rubro?.id ?? null,
    amountCents,
    ...made,
    updatedAt: actor.at,
  }));
  const changes = budgets.map(({ budgetCents: amountCents, motivo }, index) => ({
    id: changeIds[index]!,
    budgetId: ids[index]!,
    amountCents,
    motivo,
    userId: actor.userId,
    ...made,
  }));
  return [
    { entity: 'budgets', table: 'budgets', ids, make: (from, to) => rows.slice(from, to) },
    { table: 'budget_changes', ids: changeIds, make: (from, to) => changes.slice(from, to) },
  ];
}
