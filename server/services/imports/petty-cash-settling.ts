import type { Cents } from '../../../shared/money.ts';
import { effectOf } from '../../../shared/petty-cash.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import type { RowRefusal } from './judging.ts';
import type { NewMovement } from './petty-cash-drafts.ts';

/** What a file gives back together, and whether it did by now. */
export interface Group {
  spentCents: Cents;
  isPaid: boolean;
}

export const groupKey = ({ box, reposicion }: Pick<NewMovement, 'box' | 'reposicion'>): string =>
  `${box.id} ${reposicion}`;

/**
 * Which of these may not be stored: a replenishment is the sum of what it replenishes, and nothing leaves a box that is
 * not in it, where all that the rows bring into it comes first. What falls takes with it what depended on it.
 * @param groups of the rows before; with what is stored of these they go on
 */
export function settle(
  movements: readonly NewMovement[],
  groups: Map<string, Group>,
): ReadonlyMap<NewMovement, RowRefusal> {
  const refused = new Map<NewMovement, RowRefusal>();
  let before: number;
  do {
    before = refused.size;
    const left = movements.filter((one) => !refused.has(one));
    for (const [one, refusal] of [...mismatched(left, groups), ...short(left)]) refused.set(one, refusal);
  } while (refused.size > before);
  for (const one of movements) {
    if (refused.has(one)) continue;
    one.box.cashCents += effectOf(one);
    if (one.reposicion) note(groups, one);
  }
  return refused;
}

function note(groups: Map<string, Group>, one: NewMovement): void {
  const group = groups.get(groupKey(one)) ?? { spentCents: 0, isPaid: false };
  if (one.tipo === 'reposicion') group.isPaid = true;
  else group.spentCents += one.importeCents;
  groups.set(groupKey(one), group);
}

type Refusals = [NewMovement, RowRefusal][];

/** Expenses of what was given back before, and what is not the sum of its expenses, or given back twice. */
function mismatched(movements: readonly NewMovement[], before: ReadonlyMap<string, Group>): Refusals {
  const refusals: Refusals = [];
  const groups = new Map([...before].map(([key, group]) => [key, { ...group }]));
  const given: NewMovement[] = [];
  for (const one of movements) {
    if (!one.reposicion) continue;
    if (one.tipo === 'reposicion') given.push(one);
    else if (groups.get(groupKey(one))?.isPaid)
      refusals.push([one, { field: 'reposicion', reason: texts.replenishedTwice(one.reposicion) }]);
    else note(groups, one);
  }
  for (const one of given) {
    const { reposicion, importeCents } = one;
    const group = groups.get(groupKey(one));
    const spent = group?.spentCents ?? 0;
    if (group?.isPaid)
      refusals.push([one, { field: 'reposicion', reason: texts.replenishedTwice(reposicion) }]);
    else if (spent !== importeCents)
      refusals.push([
        one,
        { field: 'importe', reason: texts.replenishesOther(reposicion, importeCents, spent) },
      ]);
    else note(groups, one);
  }
  return refusals;
}

function short(movements: readonly NewMovement[]): Refusals {
  const refusals: Refusals = [];
  const cash = new Map<NewMovement['box'], Cents>();
  const inBox = ({ box }: NewMovement) => cash.get(box) ?? box.cashCents;
  for (const one of movements) if (effectOf(one) > 0) cash.set(one.box, inBox(one) + effectOf(one));
  for (const one of movements) {
    const effect = effectOf(one);
    if (effect > 0) continue;
    if (inBox(one) + effect < 0)
      refusals.push([
        one,
        { field: 'importe', reason: texts.short(one.box.nombre, Math.max(inBox(one), 0)) },
      ]);
    else cash.set(one.box, inBox(one) + effect);
  }
  return refusals;
}
