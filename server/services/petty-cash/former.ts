import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import type { Movement } from '../../../shared/petty-cash.ts';
import type { KeptAttachment } from '../attachments-kept.ts';

/** A movement as the audit trail kept it before boxes had the whole cycle. */
interface FormerMovement {
  movementdate: PlainDate;
  kind: 'ingreso' | 'gasto';
  concept: string;
  comprobante: string;
  amountCents: Cents;
}

/** What an entry of a deletion holds. */
type Kept<One> = One & { attachments?: readonly KeptAttachment[] };

export type KeptMovement =
  | Kept<Movement>
  | Kept<Pick<Movement, SameAsEver> & FormerMovement & { tipo?: undefined }>;

type SameAsEver =
  | 'id'
  | 'fundId'
  | 'jobId'
  | 'jobtitle'
  | 'rubroId'
  | 'nombrerubro'
  | 'comments'
  | 'userId'
  | 'importId'
  | 'createdAt'
  | 'version';

/** As it would be kept today; money that came into a box then is put into it by an ajuste, which replenishes nothing. */
export function ofFormerShape(kept: KeptMovement): Movement {
  if (kept.tipo !== undefined) return kept;
  const { movementdate, kind, concept, comprobante, amountCents, tipo: _none, ...rest } = kept;
  const isGasto = kind === 'gasto';
  return {
    ...rest,
    nombre: '',
    fecha: movementdate,
    tipo: isGasto ? 'gasto' : 'ajuste',
    beneficiario: '',
    concepto: concept,
    comprobante: isGasto && comprobante !== '' ? 'nota' : 'ninguno',
    folio: comprobante,
    uuid: null,
    subtotalCents: amountCents,
    ivaCents: 0,
    importeCents: amountCents,
    comprobarAntes: null,
    replenishmentId: null,
    countId: null,
    origenderecursoId: null,
    origenderecursonombre: null,
    spentBy: '',
  };
}
