import type { Updateable } from 'kysely';
import { isOneOf } from '../../../db/expressions.ts';
import type { Db, Schema, Trx } from '../../../db/schema.ts';
import type { Movement, PettyCashFund } from '../../../shared/petty-cash.ts';
import { type Actor, queueAuditEntry } from '../audit/audit.ts';
import { restoreAttachments } from '../retained-attachments.ts';
import {
  auditStoredDrafts,
  type BulkOptions,
  type ImportIdAndProgress,
  requireOneWritten,
  type StoredDraft,
  storeRows,
  type UnreadableInput,
  type WriteOutcome,
  writeDrafts,
} from '../write-drafts.ts';
import { type MovementDraft, type MovementInput, toMovementColumns } from './draft.ts';
import { type MovementFacts, type MovementOptions, readDraftsAndFacts } from './facts.ts';
import { FUND_ENTITY, getFund, readMovements } from './reading.ts';
import { addAcceptedDraftToFacts, applyCombinedRules, findAllWarnings, rules } from './rules.ts';

export const MOVEMENT_ENTITY = 'petty-cash-movements';

export const writeMovements = (
  db: Db,
  actor: Actor,
  inputs: readonly (MovementInput | UnreadableInput)[],
  options: MovementOptions & BulkOptions<MovementDraft> = {},
): Promise<WriteOutcome<MovementDraft, Movement>[]> =>
  writeDrafts(
    db,
    inputs,
    {
      read: (trx, read) => readDraftsAndFacts(trx, actor, read, options),
      rules,
      warn: findAllWarnings,
      accept: addAcceptedDraftToFacts,
      rejectTogether: applyCombinedRules,
      previous: ({ previous }) => previous,
      idOf: ({ id }) => id,
      store: storeMovements,
    },
    options,
  );

/** @throws DomainError of the broken rule */
export const writeAuthorizedMovement = async (
  trx: Trx,
  actor: Actor,
  input: MovementInput,
): Promise<Movement> =>
  requireOneWritten(await writeMovements(trx, actor, [input], { isAuthorized: true })).row;

export async function updateAndAuditFund(
  trx: Trx,
  actor: Actor,
  before: PettyCashFund,
  change: Updateable<Schema['petty_cash_funds']>,
): Promise<PettyCashFund> {
  const { id, version } = before;
  await trx
    .updateTable('petty_cash_funds')
    .set({ ...change, updatedAt: actor.at, version: version + 1 })
    .where('id', '=', id)
    .execute();
  const after = await getFund(trx, id);
  queueAuditEntry(trx, actor, { action: 'update', entity: FUND_ENTITY, entityId: id, before, after });
  return after;
}

async function storeMovements(
  trx: Trx,
  storedDrafts: readonly StoredDraft<MovementDraft, Movement>[],
  { actor }: MovementFacts,
  bulk: ImportIdAndProgress<MovementDraft>,
): Promise<void> {
  const { userId } = actor;
  await storeRows(trx, actor, 'petty_cash_movements', storedDrafts, {
    ...bulk,
    rowOf: (draft) => ({ ...toMovementColumns(draft), fundId: draft.fundId, userId }),
  });
  if (bulk.importId !== null) return;
  const ids = storedDrafts.map(({ id }) => id);
  const rows = await readMovements(trx, isOneOf(trx, 'm.id', ids));
  for (const storedDraft of storedDrafts) {
    const { deleted } = storedDraft.draft;
    if (!deleted) continue;
    const to = { movementId: deleted.id };
    const lostWarnings = await restoreAttachments(trx, actor, to, deleted.attachments ?? []);
    storedDraft.warnings = [...storedDraft.warnings, ...lostWarnings.map((message) => ({ message }))];
  }
  auditStoredDrafts(trx, actor, MOVEMENT_ENTITY, storedDrafts, rows);
}
