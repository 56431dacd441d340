import { expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import { inTransaction } from '../../../../db/transaction.ts';
import {
  deleteExpiredSignInData,
  markAttemptSucceeded,
  registerAttempt,
  verifyWithinLimit,
} from '../../../../server/services/session/sign-in-limit.ts';
import type { DomainError } from '../../../../shared/errors.ts';
import { Clock } from '../../../support/clock.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { NOW } from '../../../support/rows.ts';

describeEachDatabase('wrong passwords at once', (fresh) => {
  it('cannot exceed the limit, nor through another process', async () => {
    const connections = [fresh.db, fresh.database.openAgain().db];
    const at = new Date(NOW);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, i) =>
        registerAttempt(connections[i % 2]!, { account: 'ana', address: '10.0.0.1', at }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  });
});

describeOneDatabase('wrong passwords', (fresh) => {
  it('are checked ten times in 15 minutes for one account from one address', async () => {
    const clock = new Clock(NOW);
    expect(await attemptAll(fresh.db, clock, 12, { account: 'ana', address: '10.0.0.1' })).toBe(10);
    await expect(attempt(clock, 'ana', '10.0.0.1')).rejects.toMatchObject({
      kind: 'too-many',
      retryAfter: 900,
    });
    clock.advance({ minutes: 14 });
    await expect(attempt(clock, 'ana', '10.0.0.1')).rejects.toMatchObject({ retryAfter: 60 });
    expect(await attemptAll(fresh.db, clock, 1, { account: 'ana', address: '10.0.0.2' })).toBe(1);
    expect(await attemptAll(fresh.db, clock, 1, { account: 'eva', address: '10.0.0.1' })).toBe(1);
    clock.advance({ minutes: 1 });
    expect(await attemptAll(fresh.db, clock, 12, { account: 'ana', address: '10.0.0.1' })).toBe(10);
  });

  it('are checked a hundred times an hour for one account, whatever the addresses', async () => {
    const clock = new Clock(NOW);
    for (let i = 0; i < 100; i++) await attempt(clock, 'ana', `10.0.1.${i}`);
    await expect(attempt(clock, 'ana', '10.0.2.1')).rejects.toMatchObject({
      kind: 'too-many',
      retryAfter: 3600,
    });
    await attempt(clock, 'eva', '10.0.2.1');
    clock.advance({ hours: 1 });
    await attempt(clock, 'ana', '10.0.2.1');
  });

  it('by strangers do not lock out an owner who signed in from that address within 30 days', async () => {
    const clock = new Clock(NOW);
    await succeed(clock, 'ana', '10.0.0.7');
    clock.advance({ days: 29 });
    for (let i = 0; i < 100; i++) await attempt(clock, 'ana', `10.0.1.${i}`);
    await expect(attempt(clock, 'ana', '10.0.0.8')).rejects.toMatchObject({ kind: 'too-many' });
    expect(await attemptAll(fresh.db, clock, 12, { account: 'ana', address: '10.0.0.7' })).toBe(10);
    clock.advance({ days: 1 });
    for (let i = 0; i < 100; i++) await attempt(clock, 'ana', `10.0.3.${i}`);
    await expect(attempt(clock, 'ana', '10.0.0.7')).rejects.toMatchObject({ kind: 'too-many' });
  });

  it('are checked thirty times a minute from one address, whatever the accounts', async () => {
    const clock = new Clock(NOW);
    for (let i = 0; i < 30; i++) await attempt(clock, `persona${i}`, '10.0.0.9');
    await expect(attempt(clock, 'otra', '10.0.0.9')).rejects.toMatchObject({
      kind: 'too-many',
      retryAfter: 60,
    });
    await attempt(clock, 'otra', '10.0.0.10');
    clock.advance({ minutes: 1 });
    await attempt(clock, 'otra', '10.0.0.9');
  });

  it('with a future time, from a clock that was set back, block no longer than any', async () => {
    const clock = new Clock(NOW);
    for (let i = 0; i < 10; i++) await attempt(clock, 'ana', '10.0.0.1');
    await expect(attempt(new Clock('2026-10-01T12:00:00Z'), 'ana', '10.0.0.1')).rejects.toMatchObject({
      kind: 'too-many',
      retryAfter: 15 * 60,
    });
  });

  it('do not include right ones', async () => {
    const clock = new Clock(NOW);
    for (let i = 0; i < 60; i++) await succeed(clock, 'ana', '10.0.0.1');
    expect(await attemptAll(fresh.db, clock, 12, { account: 'ana', address: '10.0.0.1' })).toBe(10);
  });

  it('count as one address’s from a whole IPv6 network, which one subscriber has', async () => {
    const at = new Date(NOW);
    const outcomes = [];
    for (let i = 0; i < 12; i++) {
      const address = `2001:db8:1:2::${i + 1}`;
      outcomes.push(
        await verifyWithinLimit(fresh.db, { account: 'ana', address, at }, async () => 'in').catch(kindOf),
      );
    }
    expect(outcomes).toEqual([...Array(10).fill('in'), 'too-many', 'too-many']);
    const next = { account: 'ana', address: '2001:db8:1:3::1', at };
    expect(await verifyWithinLimit(fresh.db, next, async () => 'in')).toBe('in');
  });

  it('are forgotten after a day, addresses after 30', async () => {
    const clock = new Clock(NOW);
    await attempt(clock, 'ana', '10.0.0.1');
    await succeed(clock, 'ana', '10.0.0.1');
    const left = async (days: number) => {
      const later = new Clock(NOW);
      later.advance({ days, ms: 1 });
      await deleteExpiredSignInData(fresh.db, later.now());
      return (await fresh.db.selectFrom('signin_attempts').select('succeeded').execute()).map(
        (row) => row.succeeded,
      );
    };
    expect(await left(0)).toHaveLength(2);
    expect(await left(1)).toEqual([1]);
    expect(await left(30)).toEqual([]);
  });

  it('of an account at a known address are not limited by other attempts from there', async () => {
    const clock = new Clock(NOW);
    await succeed(clock, 'ana', '10.0.0.9');
    for (let i = 0; i < 30; i++) await attempt(clock, `persona${i}`, '10.0.0.9');
    await expect(attempt(clock, 'otra', '10.0.0.9')).rejects.toMatchObject({ kind: 'too-many' });
    expect(await attemptAll(fresh.db, clock, 12, { account: 'ana', address: '10.0.0.9' })).toBe(10);
  });

  it('are limited by the typed name, and checked by the account', async () => {
    const clock = new Clock(NOW);
    const outcomes = async (names: readonly string[], accountOf: (name: string) => string) => {
      const seen: string[] = [];
      for (const name of names) {
        const tried = { account: accountOf(name), name, address: '10.0.0.5', at: clock.now() };
        seen.push(
          await registerAttempt(fresh.db, tried).then(
            ({ isAllowed }) => (isAllowed ? 'looked at' : 'hidden'),
            kindOf,
          ),
        );
      }
      return seen;
    };
    // Ten passwords are checked for an account under its two names; the answers depend on each name alone.
    const two = [...Array(6).fill('ana.ruiz'), ...Array(6).fill('aruiz')];
    expect(await outcomes(two, () => '#1')).toEqual([...Array(10).fill('looked at'), 'hidden', 'hidden']);
    clock.advance({ minutes: 2 });
    const again = await outcomes([...Array(5).fill('ana.ruiz'), ...Array(5).fill('aruiz')], () => '#1');
    expect(again).toEqual([...Array(4).fill('hidden'), 'too-many', ...Array(4).fill('hidden'), 'too-many']);
    // Two unknown names get the same answers at every step.
    clock.advance({ minutes: 2 });
    const nobody = await outcomes([...Array(11).fill('nadie'), ...Array(11).fill('ninguno')], (n) => `?${n}`);
    expect(nobody.map((one) => one === 'too-many')).toEqual([
      ...Array(10).fill(false),
      true,
      ...Array(10).fill(false),
      true,
    ]);
  });

  const attempt = (clock: Clock, account: string, address: string) =>
    registerAttempt(fresh.db, { account, address, at: clock.now() });

  const succeed = async (clock: Clock, account: string, address: string) => {
    const { id } = await attempt(clock, account, address);
    await inTransaction(fresh.db, (trx) => markAttemptSucceeded(trx, id));
  };
});

const kindOf = (error: DomainError) => error.kind;

/** Counts how many of these consecutive attempts are let in. */
async function attemptAll(
  db: Db,
  clock: Clock,
  count: number,
  who: { account: string; address: string },
): Promise<number> {
  let passed = 0;
  for (let i = 0; i < count; i++) {
    await registerAttempt(db, { ...who, at: clock.now() }).then(
      () => passed++,
      () => {},
    );
  }
  return passed;
}
