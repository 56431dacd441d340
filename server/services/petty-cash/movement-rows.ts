import type { Trx } from '../../../db/schema.ts';
import type { Movement } from '../../../shared/petty-cash.ts';
import { type Actor, audit } from '../audit/audit.ts';
import { getMovement } from './reading.ts';
import { requireFreeUuid } from './uuids.ts';

export const MOVEMENTS = 'petty-cash-movements';

type Required = 'fundId' | 'tipo' | 'fecha' | 'concepto' | 'subtotalCents' | 'importeCents';

/** What is set of a movement. */
type MovementValues = Pick<Movement, Required> & Partial<Omit<Movement, Required>>;

/** What is set of a movement, as it is stored. */
export const movementColumns = (movement: MovementValues) => ({
  tipo: movement.tipo,
  fecha: movement.fecha,
  beneficiario: movement.beneficiario ?? '',
  concepto: movement.concepto,
  comprobante: movement.comprobante ?? 'ninguno',
  folio: movement.folio ?? '',
  uuid: movement.uuid || null,
  subtotalCents: movement.subtotalCents,
  ivaCents: movement.ivaCents ?? 0,
  importeCents: movement.importeCents,
  jobId: movement.jobId ?? null,
  rubroId: movement.rubroId ?? null,
  comprobarAntes: movement.comprobarAntes ?? null,
  replenishmentId: movement.replenishmentId ?? null,
  countId: movement.countId ?? null,
  origenderecursoId: movement.origenderecursoId ?? null,
  comments: movement.comments ?? '',
  spentBy: movement.spentBy ?? '',
});

/** A new movement of a fund that is held, checked by the caller. @throws DomainError conflict uuid_taken */
export async function storeMovement(trx: Trx, actor: Actor, values: MovementValues): Promise<Movement> {
  if (values.uuid) await requireFreeUuid(trx, values.uuid);
  const { id } = await trx
    .insertInto('petty_cash_movements')
    .values({
      ...movementColumns(values),
      fundId: values.fundId,
      userId: actor.userId,
      importId: values.importId ?? null,
      createdAt: actor.at,
      updatedAt: actor.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const movement = await getMovement(trx, id);
  audit(trx, actor, { action: 'create', entity: MOVEMENTS, entityId: id, after: movement });
  return movement;
}
