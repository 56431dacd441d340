import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import { createAuth } from '../../../../server/services/session/auth.ts';
import { hashPassword, verifyPassword } from '../../../../server/services/session/password-hashing.ts';
import { signIn } from '../../../../server/services/session/sign-in.ts';
import { changePassword, setTemporaryPassword } from '../../../../server/services/users/passwords.ts';
import { updateUser } from '../../../../server/services/users/users.ts';
import { describeEachDatabase, useFreshDatabase } from '../../../support/databases.ts';
import { blockHashing, enableQuickHashes } from '../../../support/quick-crypto.ts';
import { addSession, addUser, createActor, NOW } from '../../../support/rows.ts';

enableQuickHashes();

const PASSWORD = 'ladrillo rojo';
const HASH = await hashPassword(PASSWORD);

describeEachDatabase('a password that is being changed', (fresh) => {
  it('is the one that an administrator sets meanwhile', async () => {
    const { id } = await addUser(fresh.db, { password: HASH });
    await Promise.allSettled([
      change(fresh.db, id),
      setTemporaryPassword(fresh.db, createActor(), id, 'k3v9x0qa'),
    ]);
    const { password, mustChangePassword } = await account(id);
    expect(await verifyPassword({ hash: password ?? '', password: 'k3v9x0qa' })).toBe(true);
    expect(mustChangePassword).toBe(1);
  });

  it('stays unchanged if its user is deactivated meanwhile', async () => {
    await addUser(fresh.db, { roles: [3] });
    const { id } = await addUser(fresh.db, { password: HASH });
    const release = blockHashing();
    const changing = change(fresh.db, id);
    await updateUser(fresh.db, createActor(), id, { active: false });
    release();
    await expect(changing).rejects.toMatchObject({ code: 'wrong_password' });
    expect((await account(id)).password).toBe(HASH);
  });

  const account = (id: number) =>
    fresh.db
      .selectFrom('accounts')
      .innerJoin('users', 'users.id', 'accounts.userId')
      .select(['password', 'mustChangePassword'])
      .where('users.id', '=', id)
      .executeTakeFirstOrThrow();
});

describe('a password', () => {
  const fresh = useFreshDatabase('sqlite');

  it('does not count as tried if its change finds the queue for hashes full', async () => {
    const { id } = await addUser(fresh.db, { password: HASH });
    const release = blockHashing();
    const line = Array.from({ length: 22 }, () => hashPassword('otra'));
    await expect(change(fresh.db, id)).rejects.toMatchObject({ kind: 'busy' });
    expect(await fresh.db.selectFrom('signin_attempts').select('id').execute()).toEqual([]);
    release();
    await Promise.all(line);
  });
});

describe('a sign-in on PostgreSQL', () => {
  const fresh = useFreshDatabase('postgres');

  it('waits for a reset that is about to be committed, and then leaves no session', async () => {
    const { id } = await addUser(fresh.db, { username: 'ana', password: HASH });
    await addSession(fresh.db, id);
    const auth = createAuth(fresh.db, { secret: 'x'.repeat(40), baseURL: 'http://saldo.test' });
    const attempt = { login: 'ana', password: PASSWORD, address: '10.0.0.1', userAgent: '' };
    const other = fresh.database.openAgain().db;
    let entering: Promise<unknown> | undefined;
    let hasEntered = false;
    await other.transaction().execute(async (trx) => {
      await trx.updateTable('accounts').set({ password: 'otra' }).where('userId', '=', id).execute();
      await trx.deleteFrom('sessions').where('userId', '=', id).execute();
      entering = signIn(fresh.db, auth, { ...attempt, at: new Date(NOW) }).finally(() => {
        hasEntered = true;
      });
      await expect.poll(async () => hasEntered || (await isWaiting())).toBe(true);
    });
    await entering;
    expect(await fresh.db.selectFrom('sessions').select('id').execute()).toEqual([]);
  });

  const isWaiting = async () => {
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(fresh.db);
    return rows.length > 0;
  };
});

const change = (db: Db, userId: number) =>
  changePassword(db, createActor({ userId }), {
    current: PASSWORD,
    next: 'teja de barro',
    address: '10.0.0.1',
  });
