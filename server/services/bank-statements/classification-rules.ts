import { isOneOf } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import {
  type BankMovement,
  type BankRule,
  bankStatementTexts,
  MOVEMENT_CLASS_LABELS,
} from '../../../shared/bank-statements.ts';
import type { Instant } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { createRefusal, throwIfRefused } from '../../../shared/refusal.ts';
import { fold } from '../../../shared/text.ts';
import { type Actor, queueAuditEntry } from '../audit/audit.ts';
import { requireApprover } from '../payment-batches/stages.ts';
import { openMovementCondition, readMovements } from './reading.ts';

const AUDIT_ENTITY = 'bank-rules';

export async function readRules(db: Db, origenderecursoId?: number): Promise<BankRule[]> {
  const rows = await db
    .selectFrom('bank_rules as rules')
    .innerJoin('funding_sources', 'funding_sources.id', 'rules.origenderecursoId')
    .innerJoin('users', 'users.id', 'rules.userId')
    .select(['rules.id', 'origenderecursoId', 'origenderecursonombre', 'texto', 'entra', 'rules.clase'])
    .select(['users.username', 'rules.createdAt'])
    .$if(origenderecursoId !== undefined, (query) =>
      query.where('origenderecursoId', '=', origenderecursoId!),
    )
    .orderBy('origenderecursonombreFold')
    .orderBy('textoFold')
    .orderBy('rules.id')
    .execute();
  return rows.map((row) => ({ ...row, entra: row.entra === 1 }));
}

type ComparedMovement = Pick<BankMovement, 'amountCents' | 'referencia' | 'descripcion'>;

/**
 * A rule was made from one movement. It matches movements of the same direction that contain the rule's text as whole
 * words: "IVA" does not match the payments of "Rivas".
 */
function createRuleTest({ texto, entra }: Pick<BankRule, 'texto' | 'entra'>) {
  const needle = fold(texto).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const [before, after] = [needle.at(0)!, needle.at(-1)!].map((end) =>
    /\p{L}/u.test(end) ? '\\p{L}' : /\d/.test(end) ? '\\d' : '(?!)',
  );
  const pattern = new RegExp(`(?<!${before})${needle}(?!${after})`, 'u');
  return ({ amountCents, referencia, descripcion }: ComparedMovement): boolean =>
    amountCents > 0 === entra && pattern.test(fold(`${referencia} ${descripcion}`.replace(/\s+/g, ' ')));
}

/**
 * Classifies the open movements that no batch expects. A movement that matches rules of different classes stays open.
 * @returns the ids of the classified movements
 */
export async function applyRules(
  trx: Trx,
  actor: Actor,
  rules: readonly BankRule[],
  ids: readonly number[],
): Promise<number[]> {
  if (rules.length === 0 || ids.length === 0) return [];
  const tests = rules.map((rule) => ({ rule, fits: createRuleTest(rule) }));
  const movements = await readMovements(trx, ids);
  const named = movements.flatMap((movement) => {
    if (movement.outcome !== 'sin-partida') return [];
    const fitting = tests.flatMap(({ rule, fits }) => (fits(movement) ? rule : []));
    const [first] = fitting;
    return first && fitting.every(({ clase }) => clase === first.clase) ? { movement, rule: first } : [];
  });
  for (const [rule, ofRule] of Map.groupBy(named, (one) => one.rule)) {
    const movementIds = ofRule.map(({ movement }) => movement.id);
    await trx
      .updateTable('bank_movements')
      .set(({ eb }) => ({ resolution: 'nombrado', clase: rule.clase, version: eb('version', '+', 1) }))
      .where(isOneOf(trx, 'id', movementIds))
      .execute();
    for (const [statementId, ofStatement] of Map.groupBy(ofRule, ({ movement }) => movement.statementId))
      queueAuditEntry(trx, actor, {
        action: 'update',
        entity: 'bank-statements',
        entityId: statementId,
        after: {
          regla: `${rule.texto}: ${MOVEMENT_CLASS_LABELS[rule.clase]}`,
          nombrados: ofStatement.length,
          movimientos: ofStatement.map(({ movement }) => movement.id),
        },
      });
  }
  return named.map(({ movement }) => movement.id);
}

/** @returns the ids of the movements that rules classified for this actor at that moment, from the audit trail */
export async function readIdsClassifiedByRulesAt(
  trx: Trx,
  { userId }: Actor,
  at: Instant,
): Promise<number[]> {
  const entries = await trx
    .selectFrom('audit')
    .select('after')
    .where('at', '=', at)
    .where('userId', '=', userId)
    .where('entity', '=', 'bank-statements')
    .where('action', '=', 'update')
    .execute();
  return entries.flatMap(({ after }) => (JSON.parse(after!) as { movimientos?: number[] }).movimientos ?? []);
}

/**
 * Also applies the rule to the open movements of the movement's account.
 * @returns how many movements the rule classified
 * @throws DomainError invalid (words that the movement does not contain), conflict duplicate_rule
 */
export async function createAndApplyRule(
  trx: Trx,
  actor: Actor,
  movement: BankMovement,
  { texto, clase }: Pick<BankRule, 'texto' | 'clase'>,
): Promise<number> {
  const { origenderecursoId } = movement;
  const entra = movement.amountCents > 0;
  const letters = texto.match(/\p{L}/gu)?.length ?? 0;
  if (letters < MIN_LETTERS || !createRuleTest({ texto, entra })(movement))
    throwIfRefused(
      createRefusal(
        bankStatementTexts.ruleText(`${movement.referencia} ${movement.descripcion}`.trim()),
        'siempre',
      ),
    );
  const rules = await readRules(trx, origenderecursoId);
  const same = rules.find((one) => one.entra === entra && fold(one.texto) === fold(texto));
  if (same && same.clase !== clase)
    throw new DomainError('conflict', bankStatementTexts.otherRule(same.clase), {
      code: 'duplicate_rule',
      fields: { siempre: bankStatementTexts.otherRule(same.clase) },
    });
  if (!same) {
    const row = { origenderecursoId, texto, clase, userId: actor.userId, createdAt: actor.at };
    const { id } = await trx
      .insertInto('bank_rules')
      .values({ ...row, textoFold: fold(texto), entra: entra ? 1 : 0 })
      .returning('id')
      .executeTakeFirstOrThrow();
    queueAuditEntry(trx, actor, {
      action: 'create',
      entity: AUDIT_ENTITY,
      entityId: id,
      after: { id, ...row, entra },
    });
  }
  const open = await trx
    .selectFrom('bank_movements')
    .select('id')
    .where('origenderecursoId', '=', origenderecursoId)
    .where(openMovementCondition)
    .execute();
  const all = await readRules(trx, origenderecursoId);
  const ids = open.map(({ id }) => id).filter((id) => id !== movement.id);
  return (await applyRules(trx, actor, all, ids)).length;
}

const MIN_LETTERS = 3;

/** Movements that the rule classified stay classified. @throws DomainError forbidden, not-found */
export async function deleteRule(db: Db, actor: Actor, id: number): Promise<void> {
  requireApprover(actor);
  await inTransaction(db, async (trx) => {
    const before = (await readRules(trx)).find((one) => one.id === id);
    const deleted = await trx
      .deleteFrom('bank_rules')
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (!before || !deleted) throw new DomainError('not-found', `No existe la regla ${id}.`);
    queueAuditEntry(trx, actor, { action: 'delete', entity: AUDIT_ENTITY, entityId: id, before });
  });
}
