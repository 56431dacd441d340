import type { z } from 'zod';
import { cachedAnswer } from '../../../db/answer-cache.ts';
import type { Db } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';

/**
 * Something that a user chose for the screens: no data of the firm, so it leaves no trace in the audit trail.
 * Whoever has one keeps it beside its use; `shape` is all that its value may be, and bounds its size.
 * @example const dense: Preference<boolean> = { name: 'lists.dense', shape: z.boolean() };
 */
export interface Preference<Value> {
  name: string;
  shape: z.ZodType<Value>;
}

/** Nothing where the user never chose, or chose what a former version took and this one does not. */
export async function readPreference<Value>(
  db: Db,
  userId: number,
  preference: Preference<Value>,
): Promise<Value | undefined> {
  return valueIn(await storedOf(db, userId), preference);
}

/** Several at once, by the names that the caller gives them. */
export async function readPreferences<Values extends object>(
  db: Db,
  userId: number,
  asked: { [Name in keyof Values]: Preference<Values[Name]> },
): Promise<Partial<Values>> {
  const stored = await storedOf(db, userId);
  const found = Object.entries<Preference<unknown>>(asked).map(([name, preference]) => [
    name,
    valueIn(stored, preference),
  ]);
  return Object.fromEntries(found) as Partial<Values>;
}

/** Writes only where it differs; `undefined` forgets the choice. */
export async function setPreference<Value>(
  db: Db,
  userId: number,
  { name, shape }: Preference<Value>,
  value: Value | undefined,
): Promise<void> {
  const next = value === undefined ? undefined : JSON.stringify(shape.parse(value));
  if (next === (await storedOf(db, userId)).get(name)) return;
  await inTransaction(db, async (trx) => {
    if (next === undefined) {
      const own = trx.deleteFrom('user_preferences').where('userId', '=', userId);
      await own.where('name', '=', name).execute();
      return;
    }
    await trx
      .insertInto('user_preferences')
      .values({ userId, name, value: next })
      .onConflict((conflict) => conflict.columns(['userId', 'name']).doUpdateSet({ value: next }))
      .execute();
  });
}

function valueIn<Value>(stored: ReadonlyMap<string, string>, { name, shape }: Preference<Value>) {
  const value = stored.get(name);
  return value === undefined ? undefined : shape.safeParse(JSON.parse(value)).data;
}

/** All of the user's at once: they are few, and every page asks for some. */
const storedOf = (db: Db, userId: number): Promise<ReadonlyMap<string, string>> =>
  cachedAnswer(db, `preferences ${userId}`, async () => {
    const own = db.selectFrom('user_preferences').select(['name', 'value']).where('userId', '=', userId);
    return new Map((await own.execute()).map(({ name, value }) => [name, value]));
  });
