import { reserveIds } from '../../../db/bulk.ts';
import { spentByOf } from '../../../shared/petty-cash.ts';
import { movementColumns } from '../petty-cash/movement-rows.ts';
import type { MakingContext, NewRows } from './new-rows.ts';
import type { NewMovement } from './petty-cash-drafts.ts';
import { groupKey } from './petty-cash-settling.ts';

/** Movements, and what they replenish or ask for: each is of whoever imports it, and authorised by nobody here. */
export async function makeMovements(
  { db, actor, importId }: MakingContext,
  movements: readonly NewMovement[],
): Promise<NewRows[]> {
  const groups = groupsOf(movements);
  const groupIds = await reserveIds(db, 'petty_cash_replenishments', groups.length);
  const ofGroup = new Map<NewMovement, number>();
  const replenishments = groups.map((members, index) => {
    const id = groupIds[index]!;
    for (const one of members) ofGroup.set(one, id);
    const given = members.find(({ tipo }) => tipo === 'reposicion');
    const fecha =
      given?.fecha ??
      members
        .map((one) => one.fecha)
        .sort()
        .at(-1)!;
    return {
      id,
      fundId: members[0]!.box.id,
      fecha,
      requestedBy: actor.userId,
      holderId: members[0]!.box.responsableId,
      comments: '',
      createdAt: actor.at,
      updatedAt: actor.at,
    };
  });
  const ids = await reserveIds(db, 'petty_cash_movements', movements.length);
  // What is new itself has its id only now.
  const rowOf = (one: NewMovement, index: number) => ({
    id: ids[index]!,
    fundId: one.box.id,
    ...movementColumns({
      ...one,
      fundId: one.box.id,
      jobId: one.job?.id ?? null,
      rubroId: one.rubro?.id ?? null,
      replenishmentId: ofGroup.get(one) ?? null,
      origenderecursoId: one.source?.id ?? (ofOrigin(one) ? one.box.origenderecursoId : null),
      spentBy: one.tipo === 'gasto' ? spentByOf(one.box.responsableId, actor.userId) : '',
    }),
    userId: actor.userId,
    importId,
    createdAt: actor.at,
    updatedAt: actor.at,
  });
  return [
    {
      entity: 'petty-cash-replenishments',
      table: 'petty_cash_replenishments',
      ids: groupIds,
      make: (from, to) => replenishments.slice(from, to),
    },
    {
      entity: 'petty-cash-movements',
      table: 'petty_cash_movements',
      ids,
      make: (from, to) => movements.slice(from, to).map((one, index) => rowOf(one, from + index)),
    },
  ];
}

const ofOrigin = ({ tipo }: NewMovement): boolean =>
  tipo === 'apertura' || tipo === 'devolucion' || tipo === 'reposicion';

/** Those with one name in one box belong together; money that names none is by itself. */
function groupsOf(movements: readonly NewMovement[]): NewMovement[][] {
  const named = new Map<string, NewMovement[]>();
  const alone: NewMovement[][] = [];
  for (const one of movements) {
    if (!one.reposicion) {
      if (one.tipo === 'reposicion') alone.push([one]);
      continue;
    }
    const members = named.get(groupKey(one));
    if (members) members.push(one);
    else named.set(groupKey(one), [one]);
  }
  return [...named.values(), ...alone];
}
