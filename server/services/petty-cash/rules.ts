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
import { isSame } from '../stored-rows.ts';
import type { RuleResult, StoredDraft, Warning } from '../writing.ts';
import { type Asked, movementColumns, OF_ORIGIN } from './asked.ts';
import { fundShort, type HeldFund } from './cash.ts';
import type { MovementFacts } from './facts.ts';
import { uuidTaken } from './uuids.ts';

type Rule = (asked: Asked, facts: MovementFacts) => RuleResult;

/** The movements of a run that a rule refuses beside each other. */
type Broken = [Asked, BrokenRule][];

/** The rules for every door, in their order: the first that a movement breaks refuses it. */
export const rules: readonly Rule[] = [
  isThere,
  wasDeleted,
  wasSeen,
  isOfAKindToCapture,
  isByWhoMay,
  isAcceptedByWhoMay,
  hasFittingTexts,
  addsUp,
  hasWhatItNeeds,
  isOfAFund,
  keepsItsKind,
  keepsWhatWasCounted,
  keepsWhatWasAuthorized,
  keepsWhatIsReplenished,
  isNotPutInTwice,
  isChanged,
  isSound,
  namesAnOriginIfAny,
  isReplenishable,
  namesWhatThereIs,
  isNotStoredYet,
  hasItsOwnReceipt,
  isInOpenPeriod,
  isOfAnOpenFund,
  isPutInByAnother,
  isWithinCap,
  isWithinBudget,
];

/** Rules about all movements that passed by themselves; they are asked again until no other one falls. */
export const rulesTogether: readonly ((left: readonly Asked[], facts: MovementFacts) => Broken)[] = [
  isTheSumOfItsExpenses,
  isInTheFund,
];

export const warnings: readonly ((asked: Asked, facts: MovementFacts) => Remark | undefined)[] = [
  lacksItsUuid,
  replenishesNothing,
  looksLikeAnother,
];

/** Kinds that the holder of a fund may capture; the others change what the firm has put into it. */
export const EVERYBODYS: readonly MovementKind[] = ['gasto', 'devolucion'];

function isThere({ id, former, deleted }: Asked): RuleResult {
  if (id === undefined || former || deleted) return undefined;
  return { kind: 'not-found', message: `No existe el movimiento de caja chica ${id}.` };
}

function wasDeleted({ id, deleted }: Asked, { present }: MovementFacts): RuleResult {
  if (!deleted || !present.has(id!)) return undefined;
  return { kind: 'conflict', message: `El movimiento ${id} no está eliminado.`, code: 'not_deleted' };
}

function wasSeen({ seen, former }: Asked): RuleResult {
  if (!former || seen === undefined || seen === former.version) return undefined;
  return { kind: 'stale', message: texts.stale, extra: { current: former } };
}

function isOfAKindToCapture({ id, tipo }: Asked, { options }: MovementFacts): RuleResult {
  if (id !== undefined || tipo !== 'reposicion' || options.ofTable || options.isAuthorized) return undefined;
  return refusal(texts.ownWay, 'tipo');
}

function isByWhoMay({ tipo, former }: Asked, { actor, options: { ofTable } }: MovementFacts): RuleResult {
  if (EVERYBODYS.includes(former?.tipo ?? tipo) || mayEnter('approval', actor.roles)) return undefined;
  const message = ofTable ? withRemedy(texts.approverKind, 'act-as') : lacksPrivileges(actor.username);
  return { kind: 'forbidden', message, field: 'tipo' };
}

function isAcceptedByWhoMay(asked: Asked, { actor }: MovementFacts): RuleResult {
  if (!asked.isWithoutReceipt || mayEnter('approval', actor.roles)) return undefined;
  return { kind: 'forbidden', message: withRemedy(texts.approverAccepts, 'act-as'), field: 'comprobante' };
}

function hasFittingTexts({ unfit }: Asked): RuleResult {
  return unfit;
}

function addsUp({ subtotalCents, ivaCents, importeCents }: Asked): RuleResult {
  const sum = subtotalCents + ivaCents;
  if (sum === importeCents) return undefined;
  const message = `El importe debe ser ${moneyText(sum)}: subtotal más IVA.`;
  return { ...refusal(message, 'importe'), code: 'amounts_disagree' };
}

function keepsItsKind({ former, tipo }: Asked): RuleResult {
  if (former?.tipo === 'reposicion') return fixed(texts.replenishmentFixed);
  return former && tipo !== former.tipo ? fixed(texts.kindFixed) : undefined;
}

function keepsWhatWasCounted(asked: Asked): RuleResult {
  return hasOtherAmount(asked) && asked.former!.countId !== null ? fixed(texts.countFixed) : undefined;
}

/** Its amount is what somebody has authorised. */
function keepsWhatWasAuthorized(asked: Asked, { authorized }: MovementFacts): RuleResult {
  return hasOtherAmount(asked) && authorized.has(asked.id!) ? fixed(texts.requestFixed) : undefined;
}

function keepsWhatIsReplenished(asked: Asked): RuleResult {
  const { former, comprobante } = asked;
  if (!former || former.replenishmentId === null) return undefined;
  const losesReceipt = comprobante === 'ninguno' && former.comprobante !== 'ninguno';
  return hasOtherAmount(asked) || losesReceipt ? fixed(texts.grouped) : undefined;
}

/** Its request is open again since it was deleted: bringing it back would put the money in twice. */
function isNotPutInTwice({ deleted }: Asked): RuleResult {
  return deleted && effectOf(deleted) > 0 ? fixed(texts.noRestore) : undefined;
}

const fixed = (message: string): BrokenRule => ({ kind: 'conflict', message, code: 'movement_fixed' });

const hasOtherAmount = ({ former, importeCents }: Asked): boolean =>
  former !== undefined && former.importeCents !== importeCents;

function isChanged(asked: Asked, facts: MovementFacts): RuleResult {
  const { former } = asked;
  if (!former || !isSame(movementColumns(asked), movementColumns(former))) return undefined;
  return { unchanged: true, warnings: allWarnings(asked, facts) };
}

function hasWhatItNeeds(asked: Asked): RuleResult {
  return checkRequired(asked);
}

function isOfAFund({ fundId }: Asked, { funds }: MovementFacts): RuleResult {
  if (funds.has(fundId)) return undefined;
  return { kind: 'not-found', message: `No existe la caja chica ${fundId}.`, field: 'fundId' };
}

function isSound(asked: Asked, facts: MovementFacts): RuleResult {
  const { openedOn } = fundOf(asked, facts);
  return checkMovement({ ...asked, uuid: asked.uuid ?? '' }, { openedOn, today: facts.actor.today });
}

function namesAnOriginIfAny({ saysOrigin, tipo }: Asked): RuleResult {
  return saysOrigin && !OF_ORIGIN.includes(tipo) ? refusal(texts.onlyOrigin, 'origenderecursoId') : undefined;
}

function isReplenishable({ group, tipo, comprobante, isWithoutReceipt }: Asked): RuleResult {
  if (group === '' || tipo === 'reposicion') return undefined;
  if (tipo !== 'gasto') return refusal(texts.onlyReplenished, 'reposicion');
  return comprobante === 'ninguno' && !isWithoutReceipt ? refusal(texts.notProved, 'reposicion') : undefined;
}

function namesWhatThereIs({ jobId, rubroId }: Asked, { jobs, rubros }: MovementFacts): RuleResult {
  // Ids below zero belong to rows that the same file creates.
  if (jobId !== null && jobId > 0 && !jobs.has(jobId)) return refusal(`No existe la obra ${jobId}.`, 'jobId');
  if (rubroId === null || rubroId < 0 || rubros.has(rubroId)) return undefined;
  return refusal(`No existe el rubro ${rubroId}.`, 'rubroId');
}

/** A row of a CFDI is known by its UUID, any other by all that it says. */
function isNotStoredYet(asked: Asked, { options: { ofTable }, known, expenses }: MovementFacts): RuleResult {
  const { uuid, fundId, importeCents } = asked;
  if (!ofTable || (!uuid && ofTable.allowDuplicates)) return undefined;
  const line = known.lineOf(asked);
  const owner = expenses.get(uuid ?? '');
  const isOnFile = uuid
    ? owner?.fundId === fundId && owner.importeCents === importeCents
    : known.takeOne(asked);
  if (isOnFile && !(uuid && line)) return { unchanged: true, warnings: [] };
  return line === undefined ? undefined : { unchanged: true, warnings: [{ says: sameAsLine(line) }] };
}

/** A CFDI is the receipt of one expense, or an invoice, and nothing else. */
function hasItsOwnReceipt({ id, uuid }: Asked, { expenses, invoices }: MovementFacts): RuleResult {
  const expense = expenses.get(uuid ?? '');
  const owner = invoices.get(uuid ?? '') ?? (expense?.movementId === id ? undefined : expense);
  return owner && uuidTaken(owner);
}

function isInOpenPeriod({ former, fecha }: Asked, { actor, closing }: MovementFacts): RuleResult {
  const broken =
    (former && refuseClosed(actor, former.fecha, closing)) ?? refuseClosed(actor, fecha, closing);
  return broken && { ...broken, field: 'fecha' };
}

function isOfAnOpenFund(asked: Asked, facts: MovementFacts): RuleResult {
  const { nombre, closedOn } = fundOf(asked, facts);
  if (closedOn === null) return undefined;
  return { kind: 'conflict', message: texts.closed(nombre, closedOn), code: 'fund_closed', field: 'fundId' };
}

/** Money that goes in takes two people where the firm says so; a file brings it as the history of a new fund. */
function isPutInByAnother(asked: Asked, { options, needsAnother, moved }: MovementFacts): RuleResult {
  const { tipo, fundId } = asked;
  if (options.ofTable)
    return EVERYBODYS.includes(tipo) || !moved.has(fundId) ? undefined : refusal(texts.movingIn, 'tipo');
  if (options.isAuthorized || !needsAnother || effectOf(asked) <= 0 || changeOf(asked) <= 0) return undefined;
  return { kind: 'conflict', message: texts.asksFirst, code: 'same_author' };
}

function isWithinCap(asked: Asked, facts: MovementFacts): RuleResult {
  const { tipo, importeCents, former, deleted } = asked;
  const cap = fundOf(asked, facts).topeCents ?? facts.capCents;
  const before = (former ?? deleted)?.importeCents ?? 0;
  if (tipo !== 'gasto' || cap === null || importeCents <= cap || importeCents <= before) return undefined;
  return { ...refusal(texts.overCap(cap), 'importe'), code: 'over_cap' };
}

function isWithinBudget(asked: Asked, facts: MovementFacts): RuleResult {
  const { actor, budgets, options } = facts;
  const spending = costOf(asked);
  if (!spending || !budgets) return undefined;
  // A row gives no reason, which is what an approver would need.
  const asker = options.ofTable ? { ...actor, roles: [] } : actor;
  const refused = budgets.check(asker, spending, costBefore(asked));
  return refused && { ...refused, field: 'importe' };
}

const costBefore = ({ former }: Asked) => ({ former: former && costOf(former), what: 'gasto' as const });

const costOf = ({
  tipo,
  jobId,
  rubroId,
  subtotalCents: costCents,
}: Pick<Asked, 'tipo' | 'jobId' | 'rubroId' | 'subtotalCents'>) =>
  tipo === 'gasto' && jobId !== null ? { jobId, rubroId, costCents } : undefined;

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

function lacksItsUuid({ comprobante, uuid }: Asked): Remark | undefined {
  return comprobante === 'cfdi' && uuid === null ? texts.noUuid : undefined;
}

function replenishesNothing({ tipo, group }: Asked, { options }: MovementFacts): Remark | undefined {
  return options.ofTable && tipo === 'reposicion' && group === '' ? texts.replenishesNothing : undefined;
}

function looksLikeAnother(asked: Asked, { known }: MovementFacts): Remark | undefined {
  const alike = effectOf(asked) < 0 ? known.alike(asked) : undefined;
  return alike === undefined ? undefined : texts.alike(alike);
}

export function allWarnings(asked: Asked, facts: MovementFacts): Warning[] {
  const spending = costOf(asked);
  const overrun = spending && facts.budgets?.warn(spending, costBefore(asked));
  const others = warnings.flatMap((warn) => {
    const says = warn(asked, facts);
    return says ? [{ says }] : [];
  });
  return overrun ? [overrun, ...others] : others;
}

/** Takes the cost of an accepted movement from its budget, for those after it. */
export function take(asked: Asked, facts: MovementFacts): void {
  const spending = costOf(asked);
  if (spending) facts.budgets?.take(spending, costBefore(asked).former);
}

/** Asks the rules about all together. @returns those that fall, each with the rule that it breaks */
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

/** isOfAFund has made sure that there is one. */
const fundOf = ({ fundId }: Asked, { funds }: MovementFacts): HeldFund => funds.get(fundId)!;
