import { expect, it } from 'vitest';
import { readSession } from '../../../../server/services/session/session.ts';
import {
  deleteExpiredSignInData,
  registerAttempt,
} from '../../../../server/services/session/sign-in-limit.ts';
import { isPasswordConfirmed } from '../../../../server/services/users/passwords.ts';
import { Clock } from '../../../support/clock.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { addSession, addUser, NOW } from '../../../support/rows.ts';

describeEachDatabase('a clock that was thirty days ahead and is set back', (fresh) => {
  const ahead = () => {
    const clock = new Clock(NOW);
    clock.advance({ days: 30 });
    return clock;
  };

  it('refuses nobody for longer than the limit of wrong passwords says', async () => {
    const clock = ahead();
    const attempt = () => registerAttempt(fresh.db, { account: 'ana', address: '10.0.0.1', at: clock.now() });
    for (let n = 0; n < 10; n++) await attempt();
    clock.set(NOW);
    await expect(attempt()).rejects.toMatchObject({ kind: 'too-many', retryAfter: 900 });
    clock.advance({ minutes: 14 });
    await expect(attempt()).rejects.toMatchObject({ kind: 'too-many', retryAfter: 60 });
    clock.advance({ minutes: 1 });
    expect(await attempt()).toMatchObject({ isAllowed: true });
  });

  it('leaves no session that lasts longer than others, and none that counts as just confirmed', async () => {
    const clock = ahead();
    const { id } = await addUser(fresh.db);
    const token = await addSession(fresh.db, id, clock.now());
    clock.set(NOW);
    const session = await readSession(fresh.db, token, clock.now());
    expect(session && isPasswordConfirmed(session, clock.now())).toBe(false);
    clock.advance({ hours: 8, ms: -1 });
    expect(await readSession(fresh.db, token, clock.now())).toBeDefined();
    clock.advance({ hours: 8 });
    expect(await readSession(fresh.db, token, clock.now())).toBeUndefined();
  });

  it('leaves no stored answer behind', async () => {
    const clock = ahead();
    const key = { userId: 1, method: 'POST', path: '/x', key: 'k', bodyHash: '', status: 201, answer: '{}' };
    await fresh.db
      .insertInto('idempotency_keys')
      .values({ ...key, createdAt: clock.now().toISOString() })
      .execute();
    clock.set(NOW);
    await deleteExpiredSignInData(fresh.db, clock.now());
    clock.advance({ days: 2, ms: 1 });
    await deleteExpiredSignInData(fresh.db, clock.now());
    expect(await fresh.db.selectFrom('idempotency_keys').selectAll().execute()).toEqual([]);
  });
});
