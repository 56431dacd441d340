import { type Cents, toDecimalText } from '../../../shared/money.ts';
import {
  checkMovement,
  checkRequiredFields,
  type Movement,
  type MovementKind,
  signedAmountOf,
} from '../../../shared/petty-cash.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import { type BrokenRule, createRefusal } from '../../../shared/refusal.ts';
import { duplicateLineRemark, type Remark, withRemedyCode } from '../../../shared/remarks.ts';
import { describeMissingPrivileges, mayEnter } from '../../../shared/roles.ts';
import { bankMatchedRefusal } from '../bank-matches.ts';
import { closedPeriodRefusal } from '../closing/closing.ts';
import { haveSameValues } from '../stored-rows.ts';
import type { RuleResult, StoredDraft, Warning } from '../write-drafts.ts';
import { KINDS_WITH_FUNDING_SOURCE, type MovementDraft, toMovementColumns } from './draft.ts';
import type { MovementFacts } from './facts.ts';
import { insufficientCashRefusal, type LockedFund } from './fund-cash.ts';
import { findReplacedUuidRefusal, findTakenUuidRefusal } from './voucher-uuids.ts';

type Rule = (draft: MovementDraft, facts: MovementFacts) => RuleResult;

type RejectedDrafts = [MovementDraft, BrokenRule][];
type CombinedRule = (remaining: readonly MovementDraft[], facts: MovementFacts) => RejectedDrafts;

/** Kinds that the holder of a fund may capture; the others change what the firm has put into it. */
export const UNRESTRICTED_KINDS: readonly MovementKind[] = ['gasto', 'devolucion'];

/** Only the first broken rule is reported, so the order counts. */
const RULES: Record<string, Rule> = {
  refuseMissingRow: ({ id, previous, deleted }) =>
    id === undefined || previous || deleted
      ? undefined
      : { kind: 'not-found', message: `No existe el movimiento de caja chica ${id}.` },

  refuseNotDeleted: ({ id, deleted }, { existingIds }) =>
    deleted && existingIds.has(id!)
      ? { kind: 'conflict', message: `El movimiento ${id} no está eliminado.`, code: 'not_deleted' }
      : undefined,

  refuseStaleVersion: ({ seenVersion, previous }) =>
    !previous || seenVersion === undefined || seenVersion === previous.version
      ? undefined
      : { kind: 'stale', message: texts.stale, extra: { current: previous } },

  refuseReplenishmentByHand: ({ id, tipo }, { options: { tableImport, isAuthorized } }) =>
    id !== undefined || tipo !== 'reposicion' || tableImport || isAuthorized
      ? undefined
      : createRefusal(texts.ownWay, 'tipo'),

  refuseUnauthorizedKind({ tipo, previous }, { actor, options: { tableImport } }) {
    if (UNRESTRICTED_KINDS.includes(previous?.tipo ?? tipo) || mayEnter('approval', actor.roles))
      return undefined;
    const { username } = actor;
    const message = tableImport
      ? withRemedyCode(texts.approverKind(username), 'act-as')
      : describeMissingPrivileges(username);
    return { kind: 'forbidden', message, field: 'tipo' };
  },

  refuseUnauthorizedAcceptance: ({ isWithoutReceipt }, { actor }) =>
    !isWithoutReceipt || mayEnter('approval', actor.roles)
      ? undefined
      : { kind: 'forbidden', message: withRemedyCode(texts.approverAccepts, 'act-as'), field: 'comprobante' },

  refuseInvalidTexts: ({ brokenRule }) => brokenRule,

  refuseWrongSum({ subtotalCents, ivaCents, importeCents }) {
    const sum = subtotalCents + ivaCents;
    if (sum === importeCents) return undefined;
    const message = `El importe debe ser ${toDecimalText(sum)}: subtotal más IVA.`;
    return { ...createRefusal(message, 'importe'), code: 'amounts_disagree' };
  },

  refuseMissingFields: (draft) => checkRequiredFields(draft),

  refuseUnknownFund: ({ fundId }, { funds }) =>
    funds.has(fundId)
      ? undefined
      : { kind: 'not-found', message: `No existe la caja chica ${fundId}.`, field: 'fundId' },

  refuseKindChange: ({ previous, tipo }) =>
    previous?.tipo === 'reposicion'
      ? movementFixedRefusal(texts.replenishmentFixed)
      : previous && tipo !== previous.tipo
        ? movementFixedRefusal(texts.kindFixed)
        : undefined,

  refuseCountedChange: (draft) =>
    changesAmount(draft) && draft.previous!.countId !== null
      ? movementFixedRefusal(texts.countFixed)
      : undefined,

  refuseAuthorizedChange: (draft, { authorizedIds }) =>
    changesAmount(draft) && authorizedIds.has(draft.id!)
      ? movementFixedRefusal(texts.requestFixed)
      : undefined,

  refuseBankMatchedChange({ previous, fecha, importeCents, origenderecursoId }, { bankMovementsById }) {
    const movement = previous && bankMovementsById.get(previous.id);
    const hasSameTerms =
      fecha === previous?.fecha &&
      importeCents === previous.importeCents &&
      origenderecursoId === previous.origenderecursoId;
    return movement && !hasSameTerms ? bankMatchedRefusal(movement) : undefined;
  },

  refuseReplenishedChange(draft) {
    const { previous, comprobante } = draft;
    if (!previous || previous.replenishmentId === null) return undefined;
    const losesReceipt = comprobante === 'ninguno' && previous.comprobante !== 'ninguno';
    return changesAmount(draft) || losesReceipt ? movementFixedRefusal(texts.grouped) : undefined;
  },

  /** Deleting a deposit reopened its request. If the deposit were restored, the money could be put in twice. */
  refuseRestoredDeposit: ({ deleted }) =>
    deleted && signedAmountOf(deleted) > 0 ? movementFixedRefusal(texts.noRestore) : undefined,

  skipUnchanged: (draft, facts) =>
    draft.previous && haveSameValues(toMovementColumns(draft), toMovementColumns(draft.previous))
      ? { unchanged: true, warnings: findAllWarnings(draft, facts) }
      : undefined,

  refuseInvalidFields(draft, facts) {
    const { openedOn } = fundOf(draft, facts);
    return checkMovement({ ...draft, uuid: draft.uuid ?? '' }, { openedOn, today: facts.actor.today });
  },

  refuseUnusedOrigin: ({ statesOrigin, tipo }) =>
    statesOrigin && !KINDS_WITH_FUNDING_SOURCE.includes(tipo)
      ? createRefusal(texts.onlyOrigin, 'origenderecursoId')
      : undefined,

  refuseUnreplenishable({ replenishmentName, tipo, comprobante, isWithoutReceipt }) {
    if (replenishmentName === '' || tipo === 'reposicion') return undefined;
    if (tipo !== 'gasto') return createRefusal(texts.onlyReplenished, 'reposicion');
    return comprobante === 'ninguno' && !isWithoutReceipt
      ? createRefusal(texts.notProved, 'reposicion')
      : undefined;
  },

  refuseUnknownReferences({ jobId, rubroId }, { jobIds, rubroIds }) {
    // Ids below zero belong to rows that the same file creates.
    if (jobId !== null && jobId > 0 && !jobIds.has(jobId))
      return createRefusal(`No existe la obra ${jobId}.`, 'jobId');
    if (rubroId === null || rubroId < 0 || rubroIds.has(rubroId)) return undefined;
    return createRefusal(`No existe el rubro ${rubroId}.`, 'rubroId');
  },

  /** A row counts as stored if a movement has its UUID, fund and amount or, for a row without UUID, equals the row. */
  skipStored(draft, { options: { tableImport }, movementIndex, expensesByUuid }) {
    const { uuid, fundId, importeCents } = draft;
    if (!tableImport || (!uuid && tableImport.allowDuplicates)) return undefined;
    const line = movementIndex.findOrRecordLine(draft);
    const owner = expensesByUuid.get(uuid ?? '');
    const isOnFile = uuid
      ? owner?.fundId === fundId && owner.importeCents === importeCents
      : movementIndex.consumeEqualMovement(draft);
    if (isOnFile && !(uuid && line)) return { unchanged: true, warnings: [] };
    return line === undefined
      ? undefined
      : { unchanged: true, warnings: [{ message: duplicateLineRemark(line) }] };
  },

  refuseReplaced: ({ uuid, previous }, facts) =>
    uuid === previous?.uuid ? undefined : findReplacedUuidRefusal(uuid, facts),

  refuseTakenReceipt: ({ id, uuid }, facts) =>
    uuid === null ? undefined : findTakenUuidRefusal(uuid, id, facts),

  refuseClosedPeriod({ previous, fecha }, { actor, closing }) {
    const broken =
      (previous && closedPeriodRefusal(actor, previous.fecha, closing)) ??
      closedPeriodRefusal(actor, fecha, closing);
    return broken && { ...broken, field: 'fecha' };
  },

  refuseClosedFund(draft, facts) {
    const { nombre, closedOn } = fundOf(draft, facts);
    if (closedOn === null) return undefined;
    return {
      kind: 'conflict',
      message: texts.closed(nombre, closedOn),
      code: 'fund_closed',
      field: 'fundId',
    };
  },

  /** If the firm requires it, money goes in only with a second person's consent; by a file, only into unused funds. */
  refuseFundingByOnePerson(draft, { options, needsSecondPerson, fundsWithMovements }) {
    const { tipo, fundId } = draft;
    if (options.tableImport)
      return UNRESTRICTED_KINDS.includes(tipo) || !fundsWithMovements.has(fundId)
        ? undefined
        : createRefusal(texts.movingIn, 'tipo');
    if (options.isAuthorized || !needsSecondPerson || signedAmountOf(draft) <= 0 || cashChangeOf(draft) <= 0)
      return undefined;
    return { kind: 'conflict', message: texts.asksFirst, code: 'same_author' };
  },

  refuseOverCap(draft, facts) {
    const { tipo, importeCents, previous, deleted } = draft;
    const cap = fundOf(draft, facts).topeCents ?? facts.maxExpenseCents;
    const before = (previous ?? deleted)?.importeCents ?? 0;
    if (tipo !== 'gasto' || cap === null || importeCents <= cap || importeCents <= before) return undefined;
    return { ...createRefusal(texts.overCap(cap), 'importe'), code: 'over_cap' };
  },

  refuseBudgetExcess(draft, { actor, budgets, options }) {
    const spending = toExpenseCost(draft);
    // Exceeding a budget takes an approver and a reason. A file states no reason, so the approver's role is ignored.
    const actorWithoutReason = options.tableImport ? { ...actor, roles: [] } : actor;
    const refused =
      spending && budgets?.refuseExcess(actorWithoutReason, spending, previousCostAndKind(draft));
    return refused && { ...refused, field: 'importe' };
  },
};

export const rules: readonly Rule[] = Object.values(RULES);

const movementFixedRefusal = (message: string): BrokenRule => ({
  kind: 'conflict',
  message,
  code: 'movement_fixed',
});

const changesAmount = ({ previous, importeCents }: MovementDraft): boolean =>
  previous !== undefined && previous.importeCents !== importeCents;

const previousCostAndKind = ({ previous }: MovementDraft) => ({
  previous: previous && toExpenseCost(previous),
  kind: 'gasto' as const,
});

const toExpenseCost = ({
  tipo,
  jobId,
  rubroId,
  subtotalCents: costCents,
}: Pick<MovementDraft, 'tipo' | 'jobId' | 'rubroId' | 'subtotalCents'>) =>
  tipo === 'gasto' && jobId !== null ? { jobId, rubroId, costCents } : undefined;

/** Rules about all movements together: applied once each has passed alone, then again until none is rejected. */
export const combinedRules: readonly CombinedRule[] = [rejectUnequalReplenishments, rejectUncoveredMovements];

function rejectUnequalReplenishments(remainingDrafts: readonly MovementDraft[]): RejectedDrafts {
  const rejected: RejectedDrafts = [];
  const groups = Map.groupBy(
    remainingDrafts.filter(({ replenishmentName }) => replenishmentName !== ''),
    replenishmentGroupKey,
  );
  for (const members of groups.values()) {
    const spentCents = members.reduce(
      (sum, { tipo, importeCents }) => sum + (tipo === 'gasto' ? importeCents : 0),
      0,
    );
    let isPaid = false;
    for (const one of members) {
      if (one.tipo !== 'reposicion') continue;
      const { replenishmentName, importeCents } = one;
      if (isPaid)
        rejected.push([one, createRefusal(texts.replenishedTwice(replenishmentName), 'reposicion')]);
      else if (spentCents === importeCents) isPaid = true;
      else
        rejected.push([
          one,
          createRefusal(texts.replenishesOther(replenishmentName, importeCents, spentCents), 'importe'),
        ]);
    }
  }
  return rejected;
}

export const replenishmentGroupKey = ({
  fundId,
  replenishmentName,
}: Pick<MovementDraft, 'fundId' | 'replenishmentName'>): string => `${fundId} ${replenishmentName}`;

/** Counts all that goes in before anything goes out. Nothing may go out of a fund whose cash would fall below zero. */
function rejectUncoveredMovements(
  remainingDrafts: readonly MovementDraft[],
  facts: MovementFacts,
): RejectedDrafts {
  const rejected: RejectedDrafts = [];
  const cash = new Map<LockedFund, Cents>();
  const cashLeftInFund = (fund: LockedFund) => cash.get(fund) ?? fund.cashCents;
  const changeFundCash = (one: MovementDraft, fund: LockedFund) =>
    cash.set(fund, cashLeftInFund(fund) + cashChangeOf(one));
  for (const one of remainingDrafts) if (cashChangeOf(one) > 0) changeFundCash(one, fundOf(one, facts));
  for (const one of remainingDrafts) {
    const fund = fundOf(one, facts);
    if (cashChangeOf(one) >= 0) continue;
    if (cashLeftInFund(fund) + cashChangeOf(one) < 0)
      rejected.push([one, insufficientCashRefusal(fund, cashLeftInFund(fund), 'importe')]);
    else changeFundCash(one, fund);
  }
  return rejected;
}

const cashChangeOf = (draft: MovementDraft): Cents =>
  signedAmountOf(draft) - (draft.previous ? signedAmountOf(draft.previous) : 0);

const WARNING_RULES: Record<string, (draft: MovementDraft, facts: MovementFacts) => Remark | undefined> = {
  warnOfMissingUuid: ({ comprobante, uuid }) =>
    comprobante === 'cfdi' && uuid === null ? texts.noUuid : undefined,

  warnOfUnassignedReplenishment: ({ tipo, replenishmentName }, { options }) =>
    options.tableImport && tipo === 'reposicion' && replenishmentName === ''
      ? texts.replenishesNothing
      : undefined,

  warnOfSimilarMovement(draft, { movementIndex }) {
    const similar = signedAmountOf(draft) < 0 ? movementIndex.findSimilar(draft) : undefined;
    return similar === undefined ? undefined : texts.alike(similar);
  },
};

export const warningRules = Object.values(WARNING_RULES);

export function findAllWarnings(draft: MovementDraft, facts: MovementFacts): Warning[] {
  const spending = toExpenseCost(draft);
  const overrun = spending && facts.budgets?.warnOfExcess(spending, previousCostAndKind(draft));
  const others = warningRules.flatMap((warn) => {
    const message = warn(draft, facts);
    return message ? [{ message }] : [];
  });
  return overrun ? [overrun, ...others] : others;
}

export function addAcceptedDraftToFacts(draft: MovementDraft, facts: MovementFacts): void {
  const spending = toExpenseCost(draft);
  if (spending) facts.budgets?.recordSpending(spending, previousCostAndKind(draft).previous);
}

export function applyCombinedRules(
  storedDrafts: readonly StoredDraft<MovementDraft, Movement>[],
  facts: MovementFacts,
): ReadonlyMap<MovementDraft, BrokenRule> {
  const rejected = new Map<MovementDraft, BrokenRule>();
  let remaining: readonly MovementDraft[] = storedDrafts.map(({ draft }) => draft);
  let before: number;
  do {
    before = rejected.size;
    for (const rule of combinedRules)
      for (const [one, brokenRule] of rule(remaining, facts)) rejected.set(one, brokenRule);
    remaining = remaining.filter((one) => !rejected.has(one));
  } while (rejected.size > before);
  return rejected;
}

/** The rule `refuseUnknownFund` has made sure that the fund exists. */
const fundOf = ({ fundId }: MovementDraft, { funds }: MovementFacts): LockedFund => funds.get(fundId)!;
