import { insertRows, reserveIds } from '../../../db/bulk.ts';
import { isOneOf } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import type { Movement } from '../../../shared/petty-cash.ts';
import { restoreAttachments } from '../attachments-kept.ts';
import { type Actor, audit } from '../audit/audit.ts';
import {
  type BulkOptions,
  oneWritten,
  type StoredDraft,
  type UnreadDraft,
  type Written,
  write,
} from '../writing.ts';
import { type Asked, type MovementToWrite, movementColumns } from './asked.ts';
import { type MovementFacts, type MovementOptions, readFacts } from './facts.ts';
import { readMovements } from './reading.ts';
import { allWarnings, beside, rules, take } from './rules.ts';

export const MOVEMENTS = 'petty-cash-movements';

/** Writes movements of petty cash, one or many, by the one list of rules that there is for them (rules.ts). */
export const writeMovements = (
  db: Db,
  actor: Actor,
  drafts: readonly (MovementToWrite | UnreadDraft)[],
  options: MovementOptions & BulkOptions<Asked> = {},
): Promise<Written<Asked, Movement>[]> =>
  write(
    db,
    drafts,
    {
      read: (trx, read) => readFacts(trx, actor, read, options),
      rules,
      warn: allWarnings,
      accept: take,
      beside,
      former: ({ former }) => former,
      idOf: ({ id }) => id,
      store: (trx, stored, facts) => store(trx, stored, facts, options),
    },
    options,
  );

/** What was asked for or counted, put in or taken out by who may. @throws DomainError, of the rule that refused it */
export const moveAuthorized = async (trx: Trx, actor: Actor, draft: MovementToWrite): Promise<Movement> =>
  oneWritten(await writeMovements(trx, actor, [draft], { isAuthorized: true })).row;

/** So many rows go into one statement: the memory holds no more of them as they are stored. */
const ROWS_AT_ONCE = 500;

async function store(
  trx: Trx,
  stored: readonly StoredDraft<Asked, Movement>[],
  { actor }: MovementFacts,
  { bring, onStored = async () => {} }: BulkOptions<Asked>,
): Promise<void> {
  const accepted = stored.map(({ asked }) => asked);
  const importId = bring ? await bring(trx, accepted) : null;
  const added = stored.filter(({ asked: { former } }) => !former);
  const ids = await reserveIds(
    trx,
    'petty_cash_movements',
    added.filter(({ asked }) => !asked.deleted).length,
  );
  for (const one of added) one.id = one.asked.deleted?.id ?? ids.shift()!;
  const rowOf = ({ id, asked }: StoredDraft<Asked, Movement>) => ({
    ...movementColumns(asked),
    id,
    fundId: asked.fundId,
    userId: asked.deleted?.userId ?? actor.userId,
    importId: importId ?? asked.deleted?.importId ?? null,
    createdAt: asked.deleted?.createdAt ?? actor.at,
    updatedAt: actor.at,
    version: (asked.deleted?.version ?? 0) + 1,
  });
  for (let from = 0; from < added.length; from += ROWS_AT_ONCE) {
    await insertRows(trx, 'petty_cash_movements', added.slice(from, from + ROWS_AT_ONCE).map(rowOf));
    await onStored(Math.min(1, (from + ROWS_AT_ONCE) / added.length));
  }
  for (const { asked } of stored)
    if (asked.former)
      await trx
        .updateTable('petty_cash_movements')
        .set({ ...movementColumns(asked), userId: actor.userId, updatedAt: actor.at })
        .set({ version: asked.former.version + 1 })
        .where('id', '=', asked.former.id)
        .execute();
  if (importId !== null) return;
  const storedIds = stored.map(({ id }) => id);
  const rows = new Map(
    (await readMovements(trx, isOneOf(trx, 'm.id', storedIds))).map((row) => [row.id, row]),
  );
  for (const written of stored) {
    const { former: before, deleted } = written.asked;
    if (deleted) {
      const lost = await restoreAttachments(
        trx,
        actor,
        { movementId: deleted.id },
        deleted.attachments ?? [],
      );
      written.warnings = [...written.warnings, ...lost.map((says) => ({ says }))];
    }
    const after = rows.get(written.id)!;
    written.row = after;
    const action = before ? 'update' : deleted ? 'restore' : 'create';
    audit(trx, actor, {
      action,
      entity: MOVEMENTS,
      entityId: written.id,
      ...(before && { before }),
      after,
    });
  }
}
