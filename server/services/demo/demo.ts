import type { OpenDatabase } from '../../../db/open.ts';
import type { Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { lastMonths } from '../../../shared/periods.ts';
import type { Actor } from '../audit/audit.ts';
import { saveBudget } from '../budgets/budgets.ts';
import { CLOSING } from '../closing/closing.ts';
import { changeSetting } from '../settings/settings.ts';
import { loadDocuments, loadReceipts } from './documents.ts';
import { addBatches } from './payment-batches.ts';
import { addPeople } from './people.ts';
import { addBoxes } from './petty-cash.ts';
import { importCompanyTable, readCompanyTable } from './tables.ts';

/**
 * Fills an empty database with a believable company, the same one for the actor's day: all of it or nothing. Its tables
 * and documents are files, which come in as users import them; what people do with them is done by the application.
 */
export async function fillDemo({ db }: OpenDatabase, actor: Actor): Promise<void> {
  const { today } = actor;
  await inTransaction(db, async (trx) => {
    for (const [key, value] of Object.entries(SETTINGS)) await changeSetting(trx, actor, key, value);
    const people = await addPeople(trx, actor);
    const { teresa, ana } = people;
    for (const kind of ['suppliers', 'clients', 'jobs', 'rubros', 'origenes', 'invoices'] as const)
      await importCompanyTable(trx, ana, kind);
    // What the box pays, it must have.
    for (const kind of ['cajas', 'movimientos-caja'] as const) await importCompanyTable(trx, teresa, kind);
    await importCompanyTable(trx, ana, 'payments');
    await importCompanyTable(trx, teresa, 'budgets');
    await raiseBudgets(trx, teresa);
    await loadReceipts(trx, ana);
    await loadDocuments(trx, ana);
    await addBatches(trx, people);
    await addBoxes(trx, people);
    // As an office has it at the middle of a month: the one before is still to be closed.
    await changeSetting(trx, actor, CLOSING, lastMonths(today, 3)[0]!.to);
  });
}

const SETTINGS = {
  empresa: 'Constructora Valle del Roble, S.A. de C.V.',
  rfc: 'CVR0903128T8',
  direccion: 'Av. Lázaro Cárdenas 2400, piso 4, Valle Oriente, San Pedro Garza García, N.L., C.P. 66269',
  idioma: 'es',
  // Most of its invoices came without their XML, which would be said of each; missing receipts hold a payment.
  'semaforo.xml': 'ignorar',
  'semaforo.rep': 'impedir',
};

/** The largest budget of each obra was raised once. */
async function raiseBudgets(trx: Trx, chief: Actor): Promise<void> {
  const budgets = await trx
    .selectFrom('budgets')
    .innerJoin('jobs', 'jobs.id', 'budgets.jobId')
    .leftJoin('rubros', 'rubros.id', 'budgets.rubroId')
    .select(['jobId', 'rubroId', 'jobtitle', 'nombrerubro'])
    .execute();
  for (const { values } of (await readCompanyTable('convenios', 'budgets', chief.today)).rows) {
    const { jobtitle, nombrerubro, presupuesto, motivo } = values;
    const { jobId, rubroId } = budgets.find(
      (one) => one.jobtitle === jobtitle && one.nombrerubro === nombrerubro,
    )!;
    const partidas = [{ rubroId, presupuestoCents: Number(presupuesto) }];
    await saveBudget(trx, chief, jobId, { motivo: String(motivo), partidas });
  }
}
