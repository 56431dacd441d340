import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../server/services/audit/audit.ts';
import { createFund } from '../../server/services/petty-cash/petty-cash.ts';
import type { FundDraft, MovementDraft, PettyCashFund } from '../../shared/petty-cash.ts';
import { addActor, addFundingSource, TODAY } from './rows.ts';

let opened = 0;

/** A fund with so much in it, held by somebody else than whoever opens it. */
export async function addFund(
  db: Db,
  part: FundDraft & { actor?: Actor; aperturaCents?: number } = {},
): Promise<PettyCashFund> {
  const { actor = await addActor(db), aperturaCents = 500_000, ...draft } = part;
  return createFund(
    db,
    actor,
    {
      nombre: `Caja ${++opened}`,
      responsableId: draft.responsableId ?? (await addActor(db, { roles: [6] })).userId,
      origenderecursoId: draft.origenderecursoId ?? (await addFundingSource(db)),
      openedOn: TODAY,
      ...draft,
    },
    aperturaCents,
  );
}

/** An expense with a note, unless it says otherwise. */
export const spending = (part: MovementDraft = {}): MovementDraft => ({
  fecha: TODAY,
  concepto: 'Gasolina',
  comprobante: 'nota',
  importeCents: 30_000,
  ...part,
});
