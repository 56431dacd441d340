import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { clients } from '../../../shared/catalogs/clients.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { throwIfRefused } from '../../../shared/refusal.ts';
import { fold } from '../../../shared/text.ts';
import type { Actor } from '../audit/audit.ts';
import { createRow } from '../catalogs/row-changes.ts';
import type { PreferenceDefinition } from '../preferences/preferences.ts';
import type { Settings } from '../settings/definitions.ts';

export const FIRST_STEPS = ['empresa', 'obra', 'proveedor', 'origen', 'factura', 'pago'] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

export const FIRST_STEPS_HIDDEN_PREFERENCE: PreferenceDefinition<boolean> = {
  name: 'first-steps.hidden',
  schema: z.boolean(),
};

/** Each completed step has the name of its first row, such as that of the first obra; '' while it is pending. */
type FirstRowNameByStep = Readonly<Record<FirstStep, string>>;

export async function readFirstSteps(
  db: Db,
  { empresa }: Pick<Settings, 'empresa'>,
): Promise<FirstRowNameByStep> {
  const { rows } = await sql<Record<FirstStep, string | null>>`select
    (select jobtitle from jobs order by id limit 1) as obra,
    (select suppliername from suppliers order by id limit 1) as proveedor,
    (select origenderecursonombre from funding_sources order by id limit 1) as origen,
    (select coalesce(nullif(numfactura, ''), 'sin número') from invoices order by id limit 1) as factura,
    (select paymentdate from payments order by id limit 1) as pago`.execute(db);
  const found: Partial<Record<FirstStep, string | null>> = { ...rows[0], empresa };
  return Object.fromEntries(FIRST_STEPS.map((step) => [step, found[step] ?? ''])) as FirstRowNameByStep;
}

export const countRemainingSteps = (completedSteps: FirstRowNameByStep): number =>
  FIRST_STEPS.filter((step) => !completedSteps[step]).length;

/** Initial values for the last steps' forms: the only row of a list that has just one, and the first open invoice. */
export async function readFormDefaults(db: Db) {
  const [supplierId, jobId, origenderecursoId] = await Promise.all(
    (['suppliers', 'jobs', 'funding_sources'] as const).map(async (table) => {
      const rows = await db.selectFrom(table).select('id').orderBy('id').limit(2).execute();
      return rows.length === 1 ? rows[0]!.id : undefined;
    }),
  );
  const open = db
    .selectFrom('invoices')
    .select(['id', 'numfactura'])
    .whereRef('paidCents', '<', 'totalCents');
  return {
    supplierId,
    jobId,
    origenderecursoId,
    invoice: await open.orderBy('id').limit(1).executeTakeFirst(),
  };
}

interface FirstJobInput {
  jobtitle: string;
  clientname: string;
  clientcontactperson: string;
}

/** A client whose name is on file already is not added again. @throws DomainError of the rules of both lists */
export function createFirstJob(
  db: Db,
  actor: Actor,
  { jobtitle, ...client }: FirstJobInput,
): Promise<unknown> {
  const missing = Object.entries({ jobtitle, clientname: client.clientname }).filter(
    ([, text]) => !text.trim(),
  );
  const fields = Object.fromEntries(missing.map(([name]) => [name, 'Falta este dato.']));
  if (missing.length > 0) throwIfRefused({ message: jobs.texts.requiredOnCreate, fields });
  return inTransaction(db, async (trx) => {
    const existing = await trx
      .selectFrom('clients')
      .select('id')
      .where('clientnameFold', '=', fold(client.clientname.trim()))
      .orderBy('id')
      .executeTakeFirst();
    const clientId = existing?.id ?? (await createRow(trx, actor, clients, client)).row.id;
    return createRow(trx, actor, jobs, { jobtitle, clientId });
  });
}
