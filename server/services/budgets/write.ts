import { insertRows } from '../../../db/bulk.ts';
import { lockTables } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { type BudgetLineInput, budgetTexts as texts } from '../../../shared/budgets.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { rubros } from '../../../shared/catalogs/rubros.ts';
import { NO_RUBRO, NO_RUBRO_NAME } from '../../../shared/invoices.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import { type BrokenRule, createRefusal, throwIfRefused } from '../../../shared/refusal.ts';
import { conflictRemark, createRemark } from '../../../shared/remarks.ts';
import { cleanMotivo } from '../../../shared/text.ts';
import { requireArea } from '../area-access.ts';
import type { Actor } from '../audit/audit.ts';
import { rowNotFoundText } from '../catalogs/reading.ts';
import { distinctIds, readExistingIds } from '../stored-rows.ts';
import {
  auditStoredDrafts,
  type BulkOptions,
  cleanOrMarkInvalid,
  type ImportIdAndProgress,
  type RuleResult,
  requireNoneRefused,
  type StoredDraft,
  storeRows,
  type UnreadableInput,
  unchangedResult,
  type WriteOutcome,
  writeDrafts,
} from '../write-drafts.ts';
import {
  type BudgetRow,
  listBudget,
  lockBudgetsOfJob,
  readBudgetsOfJobs,
  type StoredBudget,
} from './reading.ts';

export interface BudgetInput extends Omit<BudgetLineInput, 'presupuestoCents'> {
  /** below zero for an obra that the caller is about to create; the same goes for rubroId */
  jobId: number | null;
  presupuestoCents: Cents | null;
  motivo: string;
  line?: number;
}

export interface BudgetDraft extends BudgetInput {
  previous?: StoredBudget;
  /** the current line, if somebody else has changed it since the user saw it */
  newerLine?: BudgetRow;
  /** an earlier draft is for the same obra and rubro */
  isRepeated: boolean;
  brokenRule?: BrokenRule;
}

interface BudgetOptions {
  /** for a table: a row equal to the stored budget is skipped, and a different one is refused */
  skipsExisting?: boolean;
  nameOf?: (catalog: Catalog, id: number) => string;
}

interface BudgetFacts extends BudgetOptions {
  jobs: ReadonlySet<number>;
  rubros: ReadonlySet<number>;
  acceptedByPlace: Map<string, { cents: Cents; line?: number }>;
}

/** The page, the API and tables are all checked by these rules. Only the first broken rule is reported. */
export const rules: readonly ((draft: BudgetDraft, facts: BudgetFacts) => RuleResult)[] = [
  refuseMissingReason,
  refuseInvalidTexts,
  refuseMissingAmount,
  refuseNegativeAmount,
  refuseUnknownJob,
  refuseUnknownRubro,
  skipOrRefuseStored,
  refuseRepeated,
  refuseStaleVersion,
  skipUnchanged,
];

/**
 * Stores each change with its reason in the history and the audit trail. Budgets that are not named stay as they are.
 * @throws DomainError forbidden
 */
export async function writeBudgets(
  db: Db,
  actor: Actor,
  budgets: readonly (BudgetInput | UnreadableInput)[],
  options: BudgetOptions & BulkOptions<BudgetDraft> = {},
): Promise<WriteOutcome<BudgetDraft, StoredBudget>[]> {
  requireArea(actor, 'budgets');
  return writeDrafts(
    db,
    budgets,
    {
      read: (trx, read) => readDraftsAndFacts(trx, read, options),
      rules,
      warn: () => [],
      accept: (draft, { acceptedByPlace }) =>
        acceptedByPlace.set(jobAndRubroKey(draft), { cents: draft.presupuestoCents!, line: draft.line }),
      previous: ({ previous }) => previous,
      idOf: ({ previous }) => previous?.id,
      store: (trx, stored, _facts, bulk) => storeBudgets(trx, actor, stored, bulk),
    },
    options,
  );
}

/**
 * Sets all of the budgets or none.
 * @returns how many of them changed
 * @throws DomainError of the rule that refuses one
 */
export async function saveBudgetOfJob(
  db: Db,
  actor: Actor,
  jobId: number,
  { motivo, partidas }: { motivo: string; partidas: readonly BudgetLineInput[] },
): Promise<number> {
  const inputs = partidas.map((line) => ({ ...line, jobId, motivo }));
  const written = requireNoneRefused(await writeBudgets(db, actor, inputs));
  if (partidas.length === 0) throwIfRefused(createRefusal(texts.noLines, 'partidas'));
  return written.length;
}

async function readDraftsAndFacts(
  trx: Trx,
  budgets: readonly BudgetInput[],
  options: BudgetOptions,
): Promise<{ facts: BudgetFacts; drafts: BudgetDraft[] }> {
  const idsOf = (member: 'jobId' | 'rubroId') => distinctIds(budgets.map((one) => one[member]));
  const jobIds = idsOf('jobId');
  await lockTables(trx, 'budgets');
  if (!options.skipsExisting) for (const id of jobIds) await lockBudgetsOfJob(trx, id);
  const facts: BudgetFacts = {
    ...options,
    jobs: await readExistingIds(trx, 'jobs', jobIds),
    rubros: await readExistingIds(trx, 'rubros', idsOf('rubroId')),
    acceptedByPlace: new Map(),
  };
  const onFile = new Map((await readBudgetsOfJobs(trx, jobIds)).map((one) => [jobAndRubroKey(one), one]));
  const drafts: BudgetDraft[] = [];
  const places = new Set<string>();
  for (const one of budgets) {
    const isRepeated = places.has(jobAndRubroKey(one));
    places.add(jobAndRubroKey(one));
    const previous = onFile.get(jobAndRubroKey(one));
    const isStale =
      one.version !== undefined && one.version !== (previous?.version ?? 0) && facts.jobs.has(one.jobId ?? 0);
    const lines = isStale ? await listBudget(trx, one.jobId!, { all: true }) : [];
    const newer = lines.find(({ rubroId }) => rubroId === one.rubroId);
    const { motivo } = one;
    const reason = cleanOrMarkInvalid({ motivo }, () => ({ motivo: cleanMotivo(motivo) ?? '' }));
    drafts.push({ ...one, ...reason, previous, newerLine: newer, isRepeated });
  }
  return { drafts, facts };
}

const jobAndRubroKey = ({ jobId, rubroId }: Pick<BudgetInput, 'jobId' | 'rubroId'>): string =>
  `${jobId}/${rubroId ?? NO_RUBRO}`;

function refuseMissingReason({ motivo }: BudgetDraft): RuleResult {
  return motivo ? undefined : createRefusal(texts.noReason, 'motivo');
}

function refuseInvalidTexts({ brokenRule }: BudgetDraft): RuleResult {
  return brokenRule;
}

function refuseMissingAmount({ presupuestoCents }: BudgetDraft): RuleResult {
  return presupuestoCents === null ? createRefusal(texts.noAmount, 'presupuesto') : undefined;
}

function refuseNegativeAmount({ presupuestoCents }: BudgetDraft): RuleResult {
  return presupuestoCents! < 0 ? createRefusal(texts.negative, 'presupuesto') : undefined;
}

function refuseUnknownJob({ jobId }: BudgetDraft, facts: BudgetFacts): RuleResult {
  if (jobId === null) return createRefusal(texts.noJob, 'jobId');
  if (jobId < 0 || facts.jobs.has(jobId)) return undefined;
  return { kind: 'not-found', message: rowNotFoundText(jobs, jobId), field: 'jobId' };
}

function refuseUnknownRubro({ rubroId }: BudgetDraft, facts: BudgetFacts): RuleResult {
  if (rubroId === null || rubroId < 0 || facts.rubros.has(rubroId)) return undefined;
  return createRefusal(rowNotFoundText(rubros, rubroId), 'rubroId');
}

/**
 * For a table: skips an amount that is stored already or in an earlier row. A different amount is refused, because a
 * change needs a reason and has to be typed.
 */
function skipOrRefuseStored(draft: BudgetDraft, facts: BudgetFacts): RuleResult {
  const { jobId, rubroId, presupuestoCents, previous } = draft;
  const { skipsExisting, acceptedByPlace, nameOf = (_catalog, id) => String(id) } = facts;
  const same: { cents: Cents; line?: number } | undefined =
    (previous && { cents: previous.amountCents }) ?? acceptedByPlace.get(jobAndRubroKey(draft));
  if (!skipsExisting || !same) return undefined;
  if (same.cents === presupuestoCents) return unchangedResult(same.line);
  const where = same.line === undefined ? '' : ` (renglón ${same.line})`;
  const rubro = rubroId === null ? NO_RUBRO_NAME : nameOf(rubros, rubroId);
  const what = createRemark`El presupuesto de «${nameOf(jobs, jobId!)}» en ${rubro}${where}`;
  const [stored, here] = [formatMoney(same.cents), formatMoney(presupuestoCents!)];
  return createRefusal(conflictRemark(what, 'presupuesto', stored, here), 'presupuesto');
}

function refuseRepeated({ isRepeated }: BudgetDraft, { skipsExisting }: BudgetFacts): RuleResult {
  return isRepeated && !skipsExisting ? createRefusal(texts.twice, 'rubroId') : undefined;
}

function refuseStaleVersion({ newerLine }: BudgetDraft): RuleResult {
  return newerLine && { kind: 'stale', message: texts.stale, extra: { current: newerLine } };
}

/** A table may state a budget of 0; on the page an empty cell means no budget. */
function skipUnchanged(
  { previous, presupuestoCents }: BudgetDraft,
  { skipsExisting }: BudgetFacts,
): RuleResult {
  const isSame = previous
    ? previous.amountCents === presupuestoCents
    : !skipsExisting && presupuestoCents === 0;
  return isSame ? { unchanged: true, warnings: [] } : undefined;
}

async function storeBudgets(
  trx: Trx,
  actor: Actor,
  storedDrafts: readonly StoredDraft<BudgetDraft, StoredBudget>[],
  bulk: ImportIdAndProgress<BudgetDraft>,
): Promise<void> {
  const { importId } = bulk;
  const { userId, at: createdAt } = actor;
  await storeRows(trx, actor, 'budgets', storedDrafts, {
    ...bulk,
    rowOf: ({ jobId, rubroId, presupuestoCents: amountCents }) => ({ jobId, rubroId, amountCents }),
  });
  const changes = storedDrafts.map(({ id: budgetId, draft: { presupuestoCents: amountCents, motivo } }) => ({
    budgetId,
    amountCents: amountCents!,
    motivo,
    userId,
    importId,
    createdAt,
  }));
  await insertRows(trx, 'budget_changes', changes);
  if (importId !== null) return;
  const reasons = new Map(storedDrafts.map(({ id, draft: { motivo } }) => [id, motivo]));
  const rows = await readBudgetsOfJobs(trx, [...new Set(storedDrafts.map(({ draft }) => draft.jobId!))]);
  const audited = rows.map((row) => ({ ...row, motivo: reasons.get(row.id) }));
  auditStoredDrafts(trx, actor, 'budgets', storedDrafts, audited);
}
