import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '../../../db/schema.ts';
import type { Preference } from '../preferences/preferences.ts';
import { readSettings } from './settings.ts';

/** In the order in which a new firm is asked for them. */
export const FIRST_STEPS = ['empresa', 'idioma', 'clients', 'jobs', 'funding-sources', 'invoices'] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

/** A user wants to see them no more. */
export const FIRST_STEPS_HIDDEN: Preference<boolean> = { name: 'first-steps.hidden', shape: z.boolean() };

/** Whether an administrator has been asked about the language; who has answered is not asked again. */
export const LANGUAGE_ASKED: Preference<boolean> = { name: 'language.asked', shape: z.boolean() };

const TABLES = {
  clients: 'clients',
  jobs: 'jobs',
  'funding-sources': 'funding_sources',
  invoices: 'invoices',
} as const;

export async function readFirstSteps(
  db: Db,
  { isLanguageAsked }: { isLanguageAsked: boolean },
): Promise<Readonly<Record<FirstStep, boolean>>> {
  const { empresa, rfc, idioma } = await readSettings(db);
  const any = Object.entries(TABLES).map(
    ([step, table]) => sql`exists (select 1 from ${sql.table(table)}) as ${sql.ref(step)}`,
  );
  const { rows } = await sql<Record<keyof typeof TABLES, unknown>>`select ${sql.join(any)}`.execute(db);
  const found = Object.entries(rows[0]!).map(([step, is]) => [step, Boolean(is)]);
  return {
    ...(Object.fromEntries(found) as Record<keyof typeof TABLES, boolean>),
    empresa: Boolean(empresa && rfc),
    idioma: isLanguageAsked || idioma === 'es',
  };
}

export const countLeft = (steps: Readonly<Record<FirstStep, boolean>>): number =>
  FIRST_STEPS.filter((step) => !steps[step]).length;
