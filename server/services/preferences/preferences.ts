import type { z } from 'zod';
import type { Db } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';

/**
 * A user's choice about screens. It is not the firm's data, so the audit trail has no entry about it. Each is defined
 * where it is used; `schema` also bounds its size.
 * @example const dense: PreferenceDefinition<boolean> = { name: 'lists.dense', schema: z.boolean() };
 */
export interface PreferenceDefinition<Value> {
  name: string;
  schema: z.ZodType<Value>;
}

/** @returns undefined if nothing was chosen, or if the stored value no longer fits the schema */
export type PreferenceReader = <Value>(preference: PreferenceDefinition<Value>) => Value | undefined;

export async function loadPreferenceReader(db: Db, userId: number): Promise<PreferenceReader> {
  const stored = await readStoredPreferences(db, userId);
  return ({ name, schema }) => {
    const value = stored.get(name);
    return value === undefined ? undefined : schema.safeParse(JSON.parse(value)).data;
  };
}

export const readPreference = async <Value>(
  db: Db,
  userId: number,
  preference: PreferenceDefinition<Value>,
): Promise<Value | undefined> => (await loadPreferenceReader(db, userId))(preference);

/** `undefined` removes the choice. */
export async function setPreference<Value>(
  db: Db,
  userId: number,
  { name, schema }: PreferenceDefinition<Value>,
  value: Value | undefined,
): Promise<void> {
  const next = value === undefined ? undefined : JSON.stringify(schema.parse(value));
  if (next === (await readStoredPreferences(db, userId)).get(name)) return;
  await inTransaction(db, async (trx) => {
    if (next === undefined) {
      const ownRows = trx.deleteFrom('user_preferences').where('userId', '=', userId);
      await ownRows.where('name', '=', name).execute();
      return;
    }
    await trx
      .insertInto('user_preferences')
      .values({ userId, name, value: next })
      .onConflict((conflict) => conflict.columns(['userId', 'name']).doUpdateSet({ value: next }))
      .execute();
  });
}

/** Reads all of the user's preferences at once, because they are few and every page needs some. */
async function readStoredPreferences(db: Db, userId: number): Promise<ReadonlyMap<string, string>> {
  const ownRows = db.selectFrom('user_preferences').select(['name', 'value']).where('userId', '=', userId);
  return new Map((await ownRows.execute()).map(({ name, value }) => [name, value]));
}
