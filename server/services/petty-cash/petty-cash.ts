import { isViolation } from '../../../db/errors.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { DomainError } from '../../../shared/errors.ts';
import { checkFund, type FundDraft, fundTexts, type PettyCashFund } from '../../../shared/petty-cash.ts';
import { refusal, refuse } from '../../../shared/refusal.ts';
import { type Actor, audit } from '../audit/audit.ts';
import { requireOpen } from '../closing/closing.ts';
import { requireReferences } from '../references.ts';
import { lockRow, requireSeen } from '../stored-rows.ts';
import { getFund } from './reading.ts';

const ENTITY = 'petty-cash-funds';

/**
 * Opens a fund for a funding source, which has one at most.
 * @throws DomainError invalid (what is missing, an unknown source), conflict (fund_taken, closed_period)
 */
export async function createFund(db: Db, actor: Actor, draft: FundDraft): Promise<PettyCashFund> {
  refuse(checkFund(draft));
  return inTransaction(db, async (trx) => {
    const fundingSourceId = draft.fundingSourceId!;
    await requireOpen(trx, actor, [draft.openedOn!]);
    await requireReferences(trx, { fundingSourceId });
    await requireNoFund(trx, fundingSourceId);
    const { id } = await trx
      .insertInto('petty_cash_funds')
      .values({
        fundingSourceId,
        responsable: draft.responsable!,
        openedOn: draft.openedOn!,
        openingCents: draft.openingCents ?? 0,
        comments: draft.comments ?? '',
        importId: null,
        createdAt: actor.at,
        updatedAt: actor.at,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
      .catch((error: unknown) => {
        // another one was faster by a moment
        throw isViolation(error, 'unique') ? fundTaken('este origen de recurso') : error;
      });
    const fund = await getFund(trx, id);
    audit(trx, actor, { action: 'create', entity: ENTITY, entityId: id, after: fund });
    return fund;
  });
}

/**
 * Changes what the draft names; the funding source stays, since the box's payments hang on it.
 * @throws DomainError not-found, stale (with the stored fund), invalid, conflict closed_period
 */
export async function updateFund(
  db: Db,
  actor: Actor,
  id: number,
  draft: Omit<FundDraft, 'fundingSourceId'>,
  version?: number,
): Promise<PettyCashFund> {
  return inTransaction(db, async (trx) => {
    const before = await lockFund(trx, id, version);
    const changed = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));
    const after: PettyCashFund = { ...before, ...changed };
    refuse(checkFund(after));
    // Who answers for a box is no figure of the day on which it was opened.
    const isMoved = after.openedOn !== before.openedOn || after.openingCents !== before.openingCents;
    if (isMoved) await requireOpen(trx, actor, [before.openedOn, after.openedOn]);
    await requireNoneBefore(trx, after);
    await trx
      .updateTable('petty_cash_funds')
      .set({
        responsable: after.responsable,
        openedOn: after.openedOn,
        openingCents: after.openingCents,
        comments: after.comments,
        updatedAt: actor.at,
        version: before.version + 1,
      })
      .where('id', '=', id)
      .execute();
    const fund = await getFund(trx, id);
    audit(trx, actor, { action: 'update', entity: ENTITY, entityId: id, before, after: fund });
    return fund;
  });
}

/** @throws DomainError not-found, stale, conflict (in_use where the fund has movements, closed_period) */
export async function deleteFund(db: Db, actor: Actor, id: number, version?: number): Promise<PettyCashFund> {
  return inTransaction(db, async (trx) => {
    const before = await lockFund(trx, id, version);
    const { count } = await trx
      .selectFrom('petty_cash_movements')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('fundId', '=', id)
      .executeTakeFirstOrThrow();
    if (count > 0) {
      const of = count === 1 ? 'un movimiento' : `${count} movimientos`;
      const message = `No se puede eliminar la caja chica «${before.origenderecursonombre}»: tiene ${of}.`;
      throw new DomainError('conflict', message, { code: 'in_use' });
    }
    await requireOpen(trx, actor, [before.openedOn]);
    await trx.deleteFrom('petty_cash_funds').where('id', '=', id).execute();
    audit(trx, actor, { action: 'delete', entity: ENTITY, entityId: id, before });
    return before;
  });
}

/** The fund, held until the transaction ends: meanwhile its opening stays what it is. */
export async function lockFund(trx: Trx, id: number, version?: number): Promise<PettyCashFund> {
  await lockRow(trx, 'petty_cash_funds', id);
  const current = await getFund(trx, id);
  requireSeen(current, version, fundTexts.stale);
  return current;
}

async function requireNoFund(trx: Trx, fundingSourceId: number): Promise<void> {
  const taken = await trx
    .selectFrom('petty_cash_funds')
    .innerJoin('funding_sources', 'funding_sources.id', 'petty_cash_funds.fundingSourceId')
    .select('funding_sources.origenderecursonombre')
    .where('fundingSourceId', '=', fundingSourceId)
    .executeTakeFirst();
  if (taken) throw fundTaken(`«${taken.origenderecursonombre}»`);
}

function fundTaken(name: string): DomainError {
  const message = fundTexts.taken(name);
  return new DomainError('conflict', message, { code: 'fund_taken', fields: { fundingSourceId: message } });
}

/** A movement from before the box was opened would count in no balance. */
async function requireNoneBefore(trx: Trx, { id, openedOn }: PettyCashFund): Promise<void> {
  const first = await trx
    .selectFrom('petty_cash_movements')
    .select('movementdate')
    .where('fundId', '=', id)
    .where('movementdate', '<', openedOn)
    .orderBy('movementdate')
    .limit(1)
    .executeTakeFirst();
  if (first) refuse(refusal(fundTexts.opensAfterMovements(first.movementdate), 'openedOn'));
}
