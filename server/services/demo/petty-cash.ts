import type { Trx } from '../../../db/schema.ts';
import { addDays } from '../../../shared/dates.ts';
import type { MovementDraft } from '../../../shared/petty-cash.ts';
import type { Actor } from '../audit/audit.ts';
import { countCash } from '../petty-cash/counting.ts';
import { createFund } from '../petty-cash/funds.ts';
import { createMovement } from '../petty-cash/movements.ts';
import { authorizeReplenishment, requestReplenishment } from '../petty-cash/replenishing.ts';
import { listReplenishments } from '../petty-cash/requests.ts';
import type { People } from './people.ts';

/**
 * The boxes of two obras in the middle of their week: one whose holder has asked for what was spent, and one in which
 * receipts are awaited, one of them too long, and in which somebody has counted less than there should be.
 */
export async function addBoxes(trx: Trx, people: People): Promise<void> {
  const { teresa: chief, ana: accountant, claudia: holder, fernando: resident } = people;
  const { today } = chief;
  const [source] = await trx.selectFrom('funding_sources').select('id').orderBy('id').limit(1).execute();
  const jobs = await trx.selectFrom('jobs').select(['id', 'jobtitle']).orderBy('id').limit(2).execute();
  const rubros = await trx.selectFrom('rubros').select('id').orderBy('id').limit(3).execute();
  const open = async (index: number, responsableId: number, pesos: number) => {
    const fund = await createFund(
      trx,
      accountant,
      {
        nombre: `Caja ${jobs[index]!.jobtitle}`.slice(0, 120),
        responsableId,
        jobId: jobs[index]!.id,
        montofijoCents: pesos * 100,
        topeCents: 150_000,
        origenderecursoId: source!.id,
        openedOn: addDays(today, -30),
      },
      pesos * 100,
    );
    const [asked] = await listReplenishments(trx, fund.id);
    if (asked?.estado === 'solicitada') await authorizeReplenishment(trx, chief, asked.id);
    return fund;
  };
  const spend = (actor: Actor, fundId: number, index: number, draft: MovementDraft) =>
    createMovement(trx, actor, fundId, { jobId: jobs[index]!.id, comprobante: 'nota', ...draft });

  const asked = await open(0, holder.userId, 5_000);
  for (const [days, concepto, beneficiario, importeCents] of [
    [-12, 'Alambre recocido', 'Ferretería La Palma', 86_000],
    [-9, 'Gasolina para revolvedora', 'Gasolinera Cumbres', 120_000],
    [-5, 'Garrafones de agua', 'Agua Purificada Regia', 36_000],
  ] as const) {
    const rubroId = rubros[Math.abs(days) % rubros.length]!.id;
    const place = { fecha: addDays(today, days), rubroId, folio: `N-${400 - days}` };
    await spend(holder, asked.id, 0, { ...place, concepto, beneficiario, importeCents });
  }
  await requestReplenishment(trx, holder, asked.id, {});
  await spend(holder, asked.id, 0, {
    fecha: addDays(today, -1),
    concepto: 'Brocas y disco de corte',
    beneficiario: 'Ferretería La Palma',
    rubroId: rubros[0]!.id,
    comprobante: 'cfdi',
    uuid: '3F2504E0-4F89-41D3-9A0C-0305E82C3301',
    folio: 'FP-2291',
    importeCents: 58_000,
    ivaCents: 8_000,
  });

  const waiting = await open(1, resident.userId, 4_000);
  await spend(resident, waiting.id, 1, {
    fecha: addDays(today, -14),
    concepto: 'Anticipo de fletes, por comprobar',
    beneficiario: 'Fletes Hermanos Garza',
    comprobante: 'ninguno',
    importeCents: 150_000,
  });
  await spend(resident, waiting.id, 1, {
    fecha: addDays(today, -2),
    concepto: 'Viáticos del topógrafo',
    beneficiario: 'Ing. Sergio Villarreal',
    comprobante: 'ninguno',
    importeCents: 80_000,
  });
  await countCash(trx, chief, waiting.id, {
    denominaciones: { '500': 2, '200': 3, '50': 1, '20': 1 },
    sorpresa: true,
    comments: 'Conteo en la obra, con el residente presente',
  });
}
