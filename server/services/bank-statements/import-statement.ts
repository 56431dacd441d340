import { createHash } from 'node:crypto';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import {
  type BankStatement,
  type BankStatementLoadOutcome,
  bankStatementTexts,
  type FullBankStatement,
  MATCH_OUTCOMES,
} from '../../../shared/bank-statements.ts';
import { businessZone, type PlainDate, plainDateIn } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Cents } from '../../../shared/money.ts';
import { batchTexts } from '../../../shared/payment-batches.ts';
import { createRefusal, throwIfRefused } from '../../../shared/refusal.ts';
import { badBankStatementError } from '../../formats/bank-statements/accounts.ts';
import { findBankStatementBalances, lastMovementDay } from '../../formats/bank-statements/balances.ts';
import { type BankStatementMovement, readMovements } from '../../formats/bank-statements/movements.ts';
import { readSantanderTable } from '../../formats/bank-statements/santander.ts';
import { readTable } from '../../formats/reading/read-table.ts';
import { describeHiddenRowsAndColumns } from '../../formats/tables/table.ts';
import { type Actor, queueAuditEntry } from '../audit/audit.ts';
import { toSafeFilename } from '../files.ts';
import { requireFundingSource } from '../missing-references.ts';
import { lockAndReadBatch } from '../payment-batches/payment-batches.ts';
import { getBatch } from '../payment-batches/reading.ts';
import { requireApprover } from '../payment-batches/stages.ts';
import { lockAndReadPayableInvoices } from '../payments/committed-amounts.ts';
import { bankStatementOptionsOf } from '../settings/bank-statement-columns.ts';
import { readSettings } from '../settings/settings.ts';
import { applyBankOutcomes, undoReturnedPayments } from './batch-outcomes.ts';
import { applyRules, readRules } from './classification-rules.ts';
import { lockAndReadTransfers, readSupplierIdsByAccount } from './expected-transfers.ts';
import { type MatchResult, TransferMatcher } from './matching.ts';
import {
  identifyMovements,
  type MovementWithMatch,
  readStoredMovements,
  recognizeStoredMovements,
  storeMovements,
} from './movements.ts';
import { getBankStatement, getMovement } from './reading.ts';
import { auditMovement, lockAccountMovements, lockAndReadMovement } from './resolving.ts';

interface StatementFileInput {
  origenderecursoId: number;
  filename: string;
  bytes: Uint8Array;
  /** The account to read, where the file has several. */
  cuenta?: string | undefined;
  /** The account's balance after the file's movements, if the user typed it. */
  saldofinalCents?: Cents | null | undefined;
}

export const MAX_BANK_STATEMENT_MB = 5;

/** Limits how long other writers wait while the movements are stored. */
const MAX_ROWS = 20_000;

/** @throws DomainError forbidden, invalid (bad_statement, no such source), too-large, busy, conflict closed_period */
export async function importBankStatementFile(
  db: Db,
  actor: Actor,
  { origenderecursoId, filename, bytes, cuenta, saldofinalCents }: StatementFileInput,
  signal?: AbortSignal,
): Promise<BankStatementLoadOutcome> {
  requireApprover(actor);
  if (bytes.length > MAX_BANK_STATEMENT_MB * 1024 * 1024)
    throw new DomainError('too-large', `El archivo pasa de ${MAX_BANK_STATEMENT_MB} MB.`);
  // Nobody reviews the rows of a statement before they are stored, so rows hidden by a filter are skipped.
  const options = { maxRows: MAX_ROWS, hidden: 'skip', userId: actor.userId, signal } as const;
  const table =
    readSantanderTable(bytes) ?? (await readTable({ bytes, filename }, options).catch(rethrowAsBadStatement));
  const source = await db
    .selectFrom('funding_sources')
    .select('clabe')
    .where('id', '=', origenderecursoId)
    .executeTakeFirst();
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const before = await db
    .selectFrom('bank_statements')
    .select('createdAt')
    .where('origenderecursoId', '=', origenderecursoId)
    .where('sha256', '=', sha256)
    .orderBy('id')
    .executeTakeFirst();
  return importBankStatement(db, actor, {
    ...{ origenderecursoId, filename, sha256, saldofinalCents },
    readUntil: before && plainDateIn(new Date(before.createdAt), businessZone()),
    movements: readMovements(table, {
      ...bankStatementOptionsOf(await readSettings(db)),
      cuenta: cuenta?.trim() || undefined,
      clabe: source?.clabe ?? undefined,
    }),
    warnings: describeHiddenRowsAndColumns(table),
  });
}

function rethrowAsBadStatement(error: unknown): never {
  if (!(error instanceof DomainError) || error.kind === 'busy') throw error;
  // Equal movements are numbered by their order within a file, so a day must not be split over two files.
  throw badBankStatementError(
    error.code === 'table_too_large'
      ? `${error.message} Que cada día quede completo en uno solo.`
      : error.message,
  );
}

interface StatementInput {
  origenderecursoId: number;
  filename: string;
  sha256: string;
  movements: readonly BankStatementMovement[];
  readUntil?: PlainDate;
  saldofinalCents?: Cents | null | undefined;
  warnings?: readonly string[];
}

/**
 * Transfers that the bank made become payments of that day, and returned ones are owed again. Other movements are only
 * stored. A movement counts once, even if several statements have it. Movements dated after today are refused.
 * @throws DomainError forbidden, invalid (no such source; bad_statement if all movements are dated after today),
 *   conflict closed_period
 */
export async function importBankStatement(
  db: Db,
  actor: Actor,
  statement: StatementInput,
): Promise<BankStatementLoadOutcome> {
  requireApprover(actor);
  const refused = statement.movements.filter(({ fecha }) => fecha > actor.today).map(({ line }) => line);
  const sent = { ...statement, movements: statement.movements.filter(({ fecha }) => fecha <= actor.today) };
  if (refused.length > 0 && sent.movements.length === 0)
    throw badBankStatementError(bankStatementTexts.notYet(refused));
  const { warning: balanceWarning, ...balance } = determineBalance(sent, refused);
  const movements = identifyMovements(sent.movements);
  return inTransaction(db, async (trx) => {
    const { origenderecursoId } = sent;
    await requireFundingSource(trx, origenderecursoId);
    await lockAccountMovements(trx, origenderecursoId);
    const transfers = await lockAndReadTransfers(trx, actor, origenderecursoId);
    const stored = await readStoredMovements(trx, origenderecursoId, movements, transfers);
    const recognized = recognizeStoredMovements(movements, stored, sent.readUntil);
    const open = recognized.filter(({ storedMovement: was }) => !was?.isResolved);
    const decided = matchMovements(open, new TransferMatcher(transfers, await readSupplierIdsByAccount(trx)));
    const counts = countOutcomes(decided);
    const bringsChanges =
      decided.some(({ storedMovement: was, outcome }) => !was || was.outcome !== outcome) ||
      (await isBalanceNotStored(trx, origenderecursoId, balance));
    const previous = bringsChanges
      ? undefined
      : await trx
          .selectFrom('bank_statements')
          .select('id')
          .where('origenderecursoId', '=', origenderecursoId)
          .orderBy('id', 'desc')
          .executeTakeFirst();
    const outcome = { movements: recognized.length, known: recognized.length - open.length, refused, counts };
    const fileWarnings = [
      ...(sent.warnings ?? []),
      ...balanceWarning,
      ...describeAmbiguousMovements(decided),
    ];
    if (previous) return { statementId: previous.id, bringsChanges, ...outcome, warnings: fileWarnings };
    const { filename, sha256 } = sent;
    const row = { origenderecursoId, layout: 'encabezados', filename: toSafeFilename(filename), sha256 };
    const { id: statementId } = await trx
      .insertInto('bank_statements')
      .values({ ...row, ...balance, userId: actor.userId, createdAt: actor.at })
      .returning('id')
      .executeTakeFirstOrThrow();
    const known = recognized.flatMap(({ storedMovement: was }) => (was?.isResolved ? was.id : []));
    const ids = await storeMovements(trx, statementId, origenderecursoId, decided, known);
    const warnings = await applyBankOutcomes(trx, actor, decided, ids);
    const after = {
      id: statementId,
      origenderecursoId,
      filename,
      sha256,
      movements: recognized.length,
      ...counts,
      ...balance,
    };
    queueAuditEntry(trx, actor, {
      action: 'create',
      entity: 'bank-statements',
      entityId: statementId,
      after,
    });
    const added = decided.filter(
      ({ storedMovement: was, outcome: result }) => !was && result === 'sin-partida',
    );
    const named = await applyRules(
      trx,
      actor,
      await readRules(trx, origenderecursoId),
      added.map(({ identity }) => ids.get(identity)!),
    );
    counts.nombrado = named.length;
    counts['sin-partida'] -= named.length;
    return { statementId, bringsChanges: true, ...outcome, warnings: [...fileWarnings, ...warnings] };
  });
}

type StoredBalance = Pick<
  BankStatement,
  'saldoinicialCents' | 'saldofinalCents' | 'saldofecha' | 'saldorenglon'
>;

const NO_BALANCE: StoredBalance = {
  saldoinicialCents: null,
  saldofinalCents: null,
  saldofecha: null,
  saldorenglon: null,
};

/**
 * Takes the balance from the file, or else the typed one.
 * @throws DomainError invalid: a balance was typed, and differs from the file's, or the file has movements after today
 */
function determineBalance(
  { movements, saldofinalCents: typed }: StatementInput,
  refusedLines: readonly number[],
): StoredBalance & { warning: string[] } {
  const { balanceDiffers, balanceOfFuture, balanceBroken, balanceAmbiguous } = bankStatementTexts;
  const found = findBankStatementBalances(movements);
  const isFound = found !== undefined && found !== 'ambiguous';
  if (typed !== undefined && typed !== null) {
    if (refusedLines.length > 0) throwIfRefused(createRefusal(balanceOfFuture(refusedLines), 'saldofinal'));
    if (isFound && found.saldofinalCents !== typed)
      throwIfRefused(createRefusal(balanceDiffers(found.saldofinalCents, typed), 'saldofinal'));
    const movedCents = movements.reduce((sum, { amountCents }) => sum + amountCents, 0);
    if (!isFound)
      return {
        ...{
          saldoinicialCents: typed - movedCents,
          saldofinalCents: typed,
          saldofecha: lastMovementDay(movements),
        },
        ...{ saldorenglon: null, warning: [] },
      };
  }
  if (!isFound) return { ...NO_BALANCE, warning: found === 'ambiguous' ? [balanceAmbiguous] : [] };
  const { saldorenglon } = found;
  const warning = saldorenglon === null ? [] : [balanceBroken(saldorenglon)];
  return { ...found, saldofecha: lastMovementDay(movements), warning };
}

/** True also for a file imported before, if its balance was not read then or is typed only now. */
async function isBalanceNotStored(
  trx: Trx,
  origenderecursoId: number,
  { saldofecha, saldofinalCents }: StoredBalance,
): Promise<boolean> {
  if (saldofecha === null) return false;
  const same = await trx
    .selectFrom('bank_statements')
    .select('id')
    .where('origenderecursoId', '=', origenderecursoId)
    .where('saldofecha', '=', saldofecha)
    .where('saldofinalCents', '=', saldofinalCents)
    .executeTakeFirst();
  return same === undefined;
}

/** @throws DomainError forbidden, not-found, invalid (no reason), conflict (movement_not_paid, closed_period) */
export async function markMovementReturned(db: Db, actor: Actor, id: number): Promise<FullBankStatement> {
  requireApprover(actor);
  if (!actor.motivo) throwIfRefused(createRefusal(batchTexts.reason, 'motivo'));
  return inTransaction(db, async (trx) => {
    const movement = await lockAndReadMovement(trx, id);
    const { outcome, batchId } = movement;
    if (outcome !== 'pagado' || batchId === null)
      throw new DomainError('conflict', bankStatementTexts.notPaid, { code: 'movement_not_paid' });
    const batch = await lockAndReadBatch(trx, batchId);
    await lockAndReadPayableInvoices(trx, batch.lines, batchId);
    const { lines } = await getBatch(trx, batchId);
    const paid = lines.filter(({ movementId }) => movementId === id).map(({ invoiceId }) => invoiceId);
    if (paid.length > 0) await undoReturnedPayments(trx, actor, batch, paid);
    await trx
      .updateTable('bank_movements')
      .set(({ eb }) => ({ outcome: 'devuelto', version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .execute();
    auditMovement(trx, actor, movement, await getMovement(trx, id));
    return getBankStatement(trx, movement.statementId);
  });
}

/** Matches movements day by day; within a day outgoing ones come first, because a return follows its payment. */
function matchMovements<One extends Omit<MovementWithMatch, keyof MatchResult> & { isDoubtful: boolean }>(
  openMovements: readonly One[],
  matcher: TransferMatcher,
): (One & MatchResult)[] {
  const chronological = openMovements.toSorted(
    ({ movement: a }, { movement: b }) =>
      Number(a.fecha > b.fecha) - Number(a.fecha < b.fecha) ||
      Number(a.amountCents > 0) - Number(b.amountCents > 0),
  );
  const matches = new Map(chronological.map((one) => [one, matcher.match(one.movement, one.isDoubtful)]));
  return openMovements.map((one) => ({ ...one, ...matches.get(one)! }));
}

function describeAmbiguousMovements(matchedMovements: readonly MovementWithMatch[]): string[] {
  const open = matchedMovements.flatMap(({ movement, outcome, batchIds = [] }) =>
    outcome === 'ambiguo' && batchIds.length > 1 ? { ...movement, batchIds } : [],
  );
  return open
    .slice(0, MAX_DESCRIBED_MOVEMENTS)
    .map((one) => bankStatementTexts.fitsSeveral(one, one.batchIds));
}

const MAX_DESCRIBED_MOVEMENTS = 5;

function countOutcomes(matchedMovements: readonly MovementWithMatch[]): BankStatementLoadOutcome['counts'] {
  const counts = MATCH_OUTCOMES.map((outcome) => [
    outcome,
    matchedMovements.filter((one) => one.outcome === outcome).length,
  ]);
  return { ...Object.fromEntries(counts), nombrado: 0 };
}
