import { expect, it } from 'vitest';
import { z } from 'zod';
import {
  type PreferenceDefinition,
  readPreference,
  setPreference,
} from '../../../../server/services/preferences/preferences.ts';
import { describeEachInLongLane } from '../../../support/proofs.ts';
import { addUser } from '../../../support/rows.ts';

const dense: PreferenceDefinition<boolean> = { name: 'lists.dense', schema: z.boolean() };
const views: PreferenceDefinition<string[]> = {
  name: 'lists.views',
  schema: z.array(z.string().max(20)).max(3),
};

describeEachInLongLane("a user's preference", (fresh) => {
  it('is what that user chose last, and applies to nobody else', async () => {
    const [ana, luis] = [(await addUser(fresh.db)).id, (await addUser(fresh.db)).id];
    expect(await readPreference(fresh.db, ana, dense)).toBeUndefined();
    await setPreference(fresh.db, ana, dense, true);
    await setPreference(fresh.db, ana, views, ['Por pagar', 'Ñandú']);
    await setPreference(fresh.db, luis, dense, false);
    expect(await readPreference(fresh.db, ana, dense)).toBe(true);
    expect(await readPreference(fresh.db, ana, views)).toEqual(['Por pagar', 'Ñandú']);
    expect(await readPreference(fresh.db, luis, dense)).toBe(false);
    expect(await readPreference(fresh.db, luis, views)).toBeUndefined();
    await setPreference(fresh.db, ana, dense, false);
    expect(await readPreference(fresh.db, ana, dense)).toBe(false);
  });

  it('is forgotten again, and leaves nothing in the audit trail', async () => {
    const { id } = await addUser(fresh.db);
    await setPreference(fresh.db, id, dense, true);
    await setPreference(fresh.db, id, dense, undefined);
    expect(await readPreference(fresh.db, id, dense)).toBeUndefined();
    expect(await fresh.db.selectFrom('user_preferences').selectAll().execute()).toEqual([]);
    expect(await fresh.db.selectFrom('audit').selectAll().execute()).toEqual([]);
  });

  it('accepts only its own shape, and is ignored if an earlier version stored something else', async () => {
    const { id } = await addUser(fresh.db);
    await expect(setPreference(fresh.db, id, views, ['a', 'b', 'c', 'd'])).rejects.toThrow();
    await fresh.db
      .insertInto('user_preferences')
      .values({ userId: id, name: views.name, value: '{"old":true}' })
      .execute();
    expect(await readPreference(fresh.db, id, views)).toBeUndefined();
  });

  it('is written only if it differs', async () => {
    const { id } = await addUser(fresh.db);
    await setPreference(fresh.db, id, dense, true);
    const written: string[] = [];
    const watched = fresh.db.withPlugin({
      transformQuery: ({ node }) => {
        if (node.kind !== 'SelectQueryNode') written.push(node.kind);
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    await setPreference(watched, id, dense, true);
    expect(written).toEqual([]);
  });
});
