import { expect, it } from 'vitest';
import { createTestApp } from '../support/app.ts';
import { describeEachInLongLane } from '../support/proofs.ts';
import { enableQuickHashes } from '../support/quick-crypto.ts';
import { addUser } from '../support/rows.ts';
import { HASH, PASSWORD } from './servers.ts';

enableQuickHashes();

describeEachInLongLane('T57 · two accounts', (fresh) => {
  const SAME_EMAIL = [
    'ana@obras.mx',
    'Ana@Obras.MX',
    'ana＠obras.mx',
    ' ana@obras.mx ',
    '\u00a0ana@obras.mx\u3000',
    'ａｎａ@obras.mx',
    'a\u200bna@obras.mx',
    'ana\u00ad@obras.mx',
    'ana\ufe0f@obras.mx',
    '\ufeffana@obras.mx',
    'a\u2060na@obras.mx',
    'ana@obras\u3002mx'.replace('\u3002', '．'),
  ];

  it('never have e-mails that look the same, at creation, change or sign-in', async () => {
    const test = createTestApp({ db: fresh.db });
    const admin = await test.withToken([1, 3]);
    const signup = (email: string, username = '') =>
      admin.post('/api/auth/signup', { ...PERSON, email, username });
    expect((await signup('Ana＠obras.mx', 'ana')).status).toBe(201);
    const other = await (await signup('', 'luis')).json();
    for (const email of SAME_EMAIL) {
      if (SAME_EMAIL.indexOf(email) < 3)
        await refusedAsTaken(await signup(email, 'otra'), 'email_taken', email);
      await refusedAsTaken(
        await admin.put(`/api/auth/updateusersdata/${other.id}`, { email }),
        'email_taken',
        email,
      );
    }
    const stored = await fresh.db.selectFrom('users').select('email').where('username', '=', 'ana').execute();
    expect(stored).toEqual([{ email: 'ana@obras.mx' }]);
    expect(await fresh.db.selectFrom('users').select('id').execute()).toHaveLength(3);
  });

  it('never have usernames that look the same', async () => {
    const admin = await createTestApp({ db: fresh.db }).withToken([1, 3]);
    const signup = (username: string) => admin.post('/api/auth/signup', { ...PERSON, username });
    expect((await signup('Begoña')).status).toBe(201);
    const other = await (await signup('luis')).json();
    await refusedAsTaken(await signup('ＢＥＧＯÑＡ'), 'username_taken', 'signup');
    for (const username of [
      'begoña',
      'BEGOÑA',
      'begon\u0303a',
      'begon\u200d\u0303a',
      'ｂｅｇｏña',
      ' begoña ',
      'be\u200bgoña',
      'begoña\u2060',
      'bego\u034fña',
    ]) {
      const change = admin.put(`/api/auth/updateusersdata/${other.id}`, { username });
      await refusedAsTaken(await change, 'username_taken', username);
    }
    expect(await fresh.db.selectFrom('users').select('id').execute()).toHaveLength(3);
  });

  it('are the same account however the name is typed at the sign-in', async () => {
    const { id } = await addUser(fresh.db, { username: 'ana', email: 'ana@obras.mx', password: HASH });
    const { visitor } = createTestApp({ db: fresh.db });
    for (const email of SAME_EMAIL.slice(0, 6)) {
      const answer = await visitor().post('/api/auth/signin', { email, password: PASSWORD });
      expect(await answer.json(), email).toMatchObject({ id });
    }
  });

  const PERSON = { userfirstname: 'Ana', userlastname: 'Ruiz', roles: [1], password: 'teja de barro 7' };

  const refusedAsTaken = async (answer: Response, code: string, name: string) => {
    expect(answer.status, JSON.stringify(name)).toBe(409);
    expect(await answer.json(), JSON.stringify(name)).toMatchObject({ code });
  };
});
