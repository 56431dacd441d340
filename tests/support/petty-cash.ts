import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../server/services/audit/audit.ts';
import { createFund } from '../../server/services/petty-cash/funds.ts';
import { authorizeReplenishment } from '../../server/services/petty-cash/replenishing.ts';
import { listReplenishments } from '../../server/services/petty-cash/requests.ts';
import { changeSetting } from '../../server/services/settings/settings.ts';
import type { FundFieldValues, MovementFieldValues, PettyCashFund } from '../../shared/petty-cash.ts';
import { addActor, addFundingSource, TODAY } from './rows.ts';

let lastFundNumber = 0;

export const allowSelfApproval = async (db: Db): Promise<void> => {
  await changeSetting(db, await addActor(db, { roles: [3] }), 'autorizacion', 'misma');
};

/** Stores a fund with this balance: one person opened it, a second one holds it, and a third one put the money in. */
export async function addFund(
  db: Db,
  overrides: FundFieldValues & { actor?: Actor; aperturaCents?: number } = {},
): Promise<PettyCashFund> {
  const { actor = await addActor(db), aperturaCents = 500_000, ...draft } = overrides;
  const fund = await createFund(
    db,
    actor,
    {
      nombre: `Caja ${++lastFundNumber}`,
      responsableId: draft.responsableId ?? (await addActor(db, { roles: [6] })).userId,
      origenderecursoId: draft.origenderecursoId ?? (await addFundingSource(db)),
      openedOn: TODAY,
      ...draft,
    },
    aperturaCents,
  );
  const [request] = await listReplenishments(db, fund.id);
  if (request?.estado === 'solicitada') await authorizeReplenishment(db, await addActor(db), request.id);
  return fund;
}

export const createExpenseValues = (overrides: MovementFieldValues = {}): MovementFieldValues => ({
  fecha: TODAY,
  concepto: 'Gasolina',
  comprobante: 'nota',
  importeCents: 30_000,
  ...overrides,
});
