import { type Cents, moneyText } from '../../../shared/money.ts';
import {
  checkMovement,
  checkRequired,
  effectOf,
  type Movement,
  type MovementKind,
} from '../../../shared/petty-cash.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import { type BrokenRule, refusal } from '../../../shared/refusal.ts';
import { type Remark, sameAsLine, withRemedy } from '../../../shared/remarks.ts';
import { lacksPrivileges, mayEnter } from '../../../shared/roles.ts';
import { refuseClosed } from '../closing/closing.ts';
import type { Named } from '../document-relations.ts';
import { isSame } from '../stored-rows.ts';
import type { RuleResult, StoredDraft, Warning } from '../writing.ts';
import { type Asked, movementColumns, OF_ORIGIN } from './asked.ts';
import { fundShort, type HeldFund } from './cash.ts';
import type { MovementFacts } from './facts.ts';
import { uuidTaken } from './uuids.ts';

type Rule = (asked: Asked, facts: MovementFacts) => RuleResult;

type Broken = [Asked, BrokenRule][];

/** Kinds that the holder of a fund may capture; the others change what the firm has put into it. */
export const EVERYBODYS: readonly MovementKind[] = ['gasto', 'devolucion'];

/** The rules for every door, in their order: the first that a movement breaks refuses it. */
const RULES: Record<string, Rule> = {
  isThere: ({ id, former, deleted }) =>
    id === undefined || former || deleted
      ? undefined
      : { kind: 'not-found', message: `No existe el movimiento de caja chica ${id}.` },

  wasDeleted: ({ id, deleted }, { present }) =>
    deleted && present.has(id!)
      ? { kind: 'conflict', message: `El movimiento ${id} no está eliminado.`, code: 'not_deleted' }
      : undefined,

  wasSeen: ({ seen, former }) =>
    !former || seen === undefined || seen === former.version
      ? undefined
      : { kind: 'stale', message: texts.stale, extra: { current: former } },

  isOfAKindToCapture: ({ id, tipo }, { options: { ofTable, isAuthorized } }) =>
    id !== undefined || tipo !== 'reposicion' || ofTable || isAuthorized
      ? undefined
      : refusal(texts.ownWay, 'tipo'),

  isByWhoMay({ tipo, former }, { actor, options: { ofTable } }) {
    if (EVERYBODYS.includes(former?.tipo ?? tipo) || mayEnter('approval', actor.roles)) return undefined;
    const { username } = actor;
    const message = ofTable ? withRemedy(texts.approverKind(username), 'act-as') : lacksPrivileges(username);
    return { kind: 'forbidden', message, field: 'tipo' };
  },

  isAcceptedByWhoMay: ({ isWithoutReceipt }, { actor }) =>
    !isWithoutReceipt || mayEnter('approval', actor.roles)
      ? undefined
      : { kind: 'forbidden', message: withRemedy(texts.approverAccepts, 'act-as'), field: 'comprobante' },

  hasFittingTexts: ({ unfit }) => unfit,

  addsUp({ subtotalCents, ivaCents, importeCents }) {
    const sum = subtotalCents + ivaCents;
    if (sum === importeCents) return undefined;
    const message = `El importe debe ser ${moneyText(sum)}: subtotal más IVA.`;
    return { ...refusal(message, 'importe'), code: 'amounts_disagree' };
  },

  hasWhatItNeeds: (asked) => checkRequired(asked),

  isOfAFund: ({ fundId }, { funds }) =>
    funds.has(fundId)
      ? undefined
      : { kind: 'not-found', message: `No existe la caja chica ${fundId}.`, field: 'fundId' },

  keepsItsKind: ({ former, tipo }) =>
    former?.tipo === 'reposicion'
      ? fixed(texts.replenishmentFixed)
      : former && tipo !== former.tipo
        ? fixed(texts.kindFixed)
        : undefined,

  keepsWhatWasCounted: (asked) =>
    hasOtherAmount(asked) && asked.former!.countId !== null ? fixed(texts.countFixed) : undefined,

  keepsWhatWasAuthorized: (asked, { authorized }) =>
    hasOtherAmount(asked) && authorized.has(asked.id!) ? fixed(texts.requestFixed) : undefined,

  keepsWhatIsReplenished(asked) {
    const { former, comprobante } = asked;
    if (!former || former.replenishmentId === null) return undefined;
    const losesReceipt = comprobante === 'ninguno' && former.comprobante !== 'ninguno';
    return hasOtherAmount(asked) || losesReceipt ? fixed(texts.grouped) : undefined;
  },

  /** The deletion has reopened its request: restoring it would put the money in twice. */
  isNotPutInTwice: ({ deleted }) => (deleted && effectOf(deleted) > 0 ? fixed(texts.noRestore) : undefined),

  isChanged: (asked, facts) =>
    asked.former && isSame(movementColumns(asked), movementColumns(asked.former))
      ? { unchanged: true, warnings: allWarnings(asked, facts) }
      : undefined,

  isSound(asked, facts) {
    const { openedOn } = fundOf(asked, facts);
    return checkMovement({ ...asked, uuid: asked.uuid ?? '' }, { openedOn, today: facts.actor.today });
  },

  namesAnOriginIfAny: ({ saysOrigin, tipo }) =>
    saysOrigin && !OF_ORIGIN.includes(tipo) ? refusal(texts.onlyOrigin, 'origenderecursoId') : undefined,

  isReplenishable({ group, tipo, comprobante, isWithoutReceipt }) {
    if (group === '' || tipo === 'reposicion') return undefined;
    if (tipo !== 'gasto') return refusal(texts.onlyReplenished, 'reposicion');
    return comprobante === 'ninguno' && !isWithoutReceipt
      ? refusal(texts.notProved, 'reposicion')
      : undefined;
  },

  namesWhatThereIs({ jobId, rubroId }, { jobs, rubros }) {
    // Ids below zero belong to rows that the same file creates.
    if (jobId !== null && jobId > 0 && !jobs.has(jobId))
      return refusal(`No existe la obra ${jobId}.`, 'jobId');
    if (rubroId === null || rubroId < 0 || rubros.has(rubroId)) return undefined;
    return refusal(`No existe el rubro ${rubroId}.`, 'rubroId');
  },

  /** A row of a CFDI is identified by its UUID, any other by all that it says. */
  isNotStoredYet(asked, { options: { ofTable }, known, expenses }) {
    const { uuid, fundId, importeCents } = asked;
    if (!ofTable || (!uuid && ofTable.allowDuplicates)) return undefined;
    const line = known.lineOf(asked);
    const owner = expenses.get(uuid ?? '');
    const isOnFile = uuid
      ? owner?.fundId === fundId && owner.importeCents === importeCents
      : known.takeOne(asked);
    if (isOnFile && !(uuid && line)) return { unchanged: true, warnings: [] };
    return line === undefined ? undefined : { unchanged: true, warnings: [{ says: sameAsLine(line) }] };
  },

  isNotReplaced: ({ uuid, former }, { replacements }) =>
    uuid === former?.uuid ? undefined : replacements.refuse(receiptNamed(uuid)),

  /** A CFDI is the receipt of one expense, or an invoice, and nothing else; so is one that replaces it. */
  hasItsOwnReceipt({ id, uuid }, { expenses, invoices, replacements }) {
    if (uuid === null) return undefined;
    for (const one of [uuid, ...replacements.formersOf(receiptNamed(uuid))]) {
      const expense = expenses.get(one);
      const owner = invoices.get(one) ?? (expense?.movementId === id ? undefined : expense);
      if (owner) return uuidTaken(owner, uuid);
    }
    return undefined;
  },

  isInOpenPeriod({ former, fecha }, { actor, closing }) {
    const broken =
      (former && refuseClosed(actor, former.fecha, closing)) ?? refuseClosed(actor, fecha, closing);
    return broken && { ...broken, field: 'fecha' };
  },

  isOfAnOpenFund(asked, facts) {
    const { nombre, closedOn } = fundOf(asked, facts);
    if (closedOn === null) return undefined;
    return {
      kind: 'conflict',
      message: texts.closed(nombre, closedOn),
      code: 'fund_closed',
      field: 'fundId',
    };
  },

  /** Money that goes in takes two people where the firm requires it; a file brings it as the history of a new fund. */
  isPutInByAnother(asked, { options, needsAnother, moved }) {
    const { tipo, fundId } = asked;
    if (options.ofTable)
      return EVERYBODYS.includes(tipo) || !moved.has(fundId) ? undefined : refusal(texts.movingIn, 'tipo');
    if (options.isAuthorized || !needsAnother || effectOf(asked) <= 0 || changeOf(asked) <= 0)
      return undefined;
    return { kind: 'conflict', message: texts.asksFirst, code: 'same_author' };
  },

  isWithinCap(asked, facts) {
    const { tipo, importeCents, former, deleted } = asked;
    const cap = fundOf(asked, facts).topeCents ?? facts.capCents;
    const before = (former ?? deleted)?.importeCents ?? 0;
    if (tipo !== 'gasto' || cap === null || importeCents <= cap || importeCents <= before) return undefined;
    return { ...refusal(texts.overCap(cap), 'importe'), code: 'over_cap' };
  },

  isWithinBudget(asked, { actor, budgets, options }) {
    const spending = costOf(asked);
    // A row gives no reason, which is what an approver would need.
    const asker = options.ofTable ? { ...actor, roles: [] } : actor;
    const refused = spending && budgets?.check(asker, spending, costBefore(asked));
    return refused && { ...refused, field: 'importe' };
  },
};

export const rules: readonly Rule[] = Object.values(RULES);

const fixed = (message: string): BrokenRule => ({ kind: 'conflict', message, code: 'movement_fixed' });

/** An expense does not say who issued its receipt. */
const receiptNamed = (uuid: string | null): Named => ({ uuid, rfc: undefined });

const hasOtherAmount = ({ former, importeCents }: Asked): boolean =>
  former !== undefined && former.importeCents !== importeCents;

const costBefore = ({ former }: Asked) => ({ former: former && costOf(former), what: 'gasto' as const });

const costOf = ({
  tipo,
  jobId,
  rubroId,
  subtotalCents: costCents,
}: Pick<Asked, 'tipo' | 'jobId' | 'rubroId' | 'subtotalCents'>) =>
  tipo === 'gasto' && jobId !== null ? { jobId, rubroId, costCents } : undefined;

/** Rules about all movements that passed by themselves; they are repeated until no further one fails. */
export const rulesTogether: readonly ((left: readonly Asked[], facts: MovementFacts) => Broken)[] = [
  isTheSumOfItsExpenses,
  isInTheFund,
];

function isTheSumOfItsExpenses(left: readonly Asked[]): Broken {
  const broken: Broken = [];
  const groups = Map.groupBy(
    left.filter(({ group }) => group !== ''),
    groupOf,
  );
  for (const members of groups.values()) {
    const spentCents = members.reduce(
      (sum, { tipo, importeCents }) => sum + (tipo === 'gasto' ? importeCents : 0),
      0,
    );
    let isPaid = false;
    for (const one of members) {
      if (one.tipo !== 'reposicion') continue;
      const { group, importeCents } = one;
      if (isPaid) broken.push([one, refusal(texts.replenishedTwice(group), 'reposicion')]);
      else if (spentCents === importeCents) isPaid = true;
      else broken.push([one, refusal(texts.replenishesOther(group, importeCents, spentCents), 'importe')]);
    }
  }
  return broken;
}

export const groupOf = ({ fundId, group }: Pick<Asked, 'fundId' | 'group'>): string => `${fundId} ${group}`;

/**
 * All that goes in is counted before anything goes out. A fund that was below zero before this rule existed takes
 * money in and gives none.
 */
function isInTheFund(left: readonly Asked[], facts: MovementFacts): Broken {
  const broken: Broken = [];
  const cash = new Map<HeldFund, Cents>();
  const inFund = (fund: HeldFund) => cash.get(fund) ?? fund.cashCents;
  const move = (one: Asked, fund: HeldFund) => cash.set(fund, inFund(fund) + changeOf(one));
  for (const one of left) if (changeOf(one) > 0) move(one, fundOf(one, facts));
  for (const one of left) {
    const fund = fundOf(one, facts);
    if (changeOf(one) >= 0) continue;
    if (inFund(fund) + changeOf(one) < 0) broken.push([one, fundShort(fund, inFund(fund), 'importe')]);
    else move(one, fund);
  }
  return broken;
}

const changeOf = (asked: Asked): Cents => effectOf(asked) - (asked.former ? effectOf(asked.former) : 0);

const WARNINGS: Record<string, (asked: Asked, facts: MovementFacts) => Remark | undefined> = {
  lacksItsUuid: ({ comprobante, uuid }) =>
    comprobante === 'cfdi' && uuid === null ? texts.noUuid : undefined,

  replenishesNothing: ({ tipo, group }, { options }) =>
    options.ofTable && tipo === 'reposicion' && group === '' ? texts.replenishesNothing : undefined,

  looksLikeAnother(asked, { known }) {
    const alike = effectOf(asked) < 0 ? known.alike(asked) : undefined;
    return alike === undefined ? undefined : texts.alike(alike);
  },
};

export const warnings = Object.values(WARNINGS);

export function allWarnings(asked: Asked, facts: MovementFacts): Warning[] {
  const spending = costOf(asked);
  const overrun = spending && facts.budgets?.warn(spending, costBefore(asked));
  const others = warnings.flatMap((warn) => {
    const says = warn(asked, facts);
    return says ? [{ says }] : [];
  });
  return overrun ? [overrun, ...others] : others;
}

export function take(asked: Asked, facts: MovementFacts): void {
  const spending = costOf(asked);
  if (spending) facts.budgets?.take(spending, costBefore(asked).former);
}

/** Applies the rules about all together. @returns the refused ones, each with the rule that it breaks */
export function beside(
  stored: readonly StoredDraft<Asked, Movement>[],
  facts: MovementFacts,
): ReadonlyMap<Asked, BrokenRule> {
  const fallen = new Map<Asked, BrokenRule>();
  let left: readonly Asked[] = stored.map(({ asked }) => asked);
  let before: number;
  do {
    before = fallen.size;
    for (const rule of rulesTogether) for (const [one, broken] of rule(left, facts)) fallen.set(one, broken);
    left = left.filter((one) => !fallen.has(one));
  } while (fallen.size > before);
  return fallen;
}

/** isOfAFund has made sure that the fund exists. */
const fundOf = ({ fundId }: Asked, { funds }: MovementFacts): HeldFund => funds.get(fundId)!;
