import { expect, it } from 'vitest';
import { hashPassword } from '../../../../server/services/session/password-hashing.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { createTestApp, type TestApp, type TestClient } from '../../../support/app.ts';
import { computeCodeAt } from '../../../support/authenticator.ts';
import { runSaldo } from '../../../support/cli.ts';
import { readPage } from '../../../support/page.ts';
import { describeEachInLongLane } from '../../../support/proofs.ts';
import { enableQuickHashes } from '../../../support/quick-crypto.ts';
import { addSession, addUser, createActor, type StoredUser } from '../../../support/rows.ts';
import { readRows } from '../../../support/stored.ts';

enableQuickHashes();

const ADDRESS = '/userprofile/doble-factor';
const OWN = 'ladrillo rojo';

describeEachInLongLane('a second factor', (fresh) => {
  const start = async () => {
    const app = createTestApp({ db: fresh.db });
    const ana = await addUser(fresh.db, { username: 'ana', roles: [2], password: await hashPassword(OWN) });
    return { app, ana, page: await app.as(ana) };
  };
  /** Turns the second factor on; returns its secret and the backup codes. */
  const enrolled = async () => {
    const { app, ana, page } = await start();
    const shown = await readPage(page.form(ADDRESS, { step: 'start' }));
    const key = shown.facts.Clave!;
    const codes = await readPage(
      page.form(ADDRESS, { step: 'confirm', code: await computeCodeAt(key, app.clock.now()) }),
    );
    app.clock.advance({ minutes: 1 });
    const code = () => computeCodeAt(key, app.clock.now());
    return {
      app,
      ana,
      page,
      key,
      code,
      backup: codes.decodedHtml.match(/[a-z2-7]{8}-[a-z2-7]{8}-[a-z2-7]{7}/g)!,
    };
  };
  const signIn = (client: TestClient, more: Record<string, string> = {}) =>
    client.form('/login', { email: 'ana', password: OWN, ...more });
  const byApi = (client: TestClient, more: object = {}) =>
    client.post('/api/auth/signin', { email: 'ana', password: OWN, ...more });
  const isIn = async (client: TestClient) => (await client.get('/invoices')).status === 200;

  it('is turned on with a key to scan or type, a code of the app, and ten backup codes shown once', async () => {
    const { app, ana, page } = await start();
    await addSession(fresh.db, ana.id);
    const shown = await readPage(page.form(ADDRESS, { step: 'start' }));
    expect(shown.decodedHtml).toMatch(
      /<svg role="img" aria-label="Código QR con la clave"[^>]*>.*<path d="M/,
    );
    const key = shown.facts.Clave!;
    expect(key.replaceAll(' ', '')).toMatch(/^[A-Z2-7]{36}$/);
    expect(shown.decodedHtml).toContain(
      `otpauth://totp/Saldo:ana?secret=${key.replaceAll(' ', '')}&issuer=Saldo`,
    );
    // The second factor is not required before its first code.
    expect((await signIn(app.visitor())).headers.get('location')).toBe('/invoices');
    const wrong = await readPage(page.form(ADDRESS, { step: 'confirm', code: '000000' }));
    expect(wrong.status).toBe(422);
    expect(wrong.facts.Clave).toBe(key);
    const done = await readPage(
      page.form(ADDRESS, { step: 'confirm', code: await computeCodeAt(key, app.clock.now()) }),
    );
    const codes = done.decodedHtml.match(/[a-z2-7]{8}-[a-z2-7]{8}-[a-z2-7]{7}/g)!;
    expect(new Set(codes).size).toBe(10);
    const again = await readPage(page.get(ADDRESS));
    expect(again.decodedHtml).toContain('Te quedan 10 códigos de respaldo.');
    for (const secret of [key, key.replaceAll(' ', ''), ...codes]) {
      expect(again.decodedHtml).not.toContain(secret);
      const stored = JSON.stringify([
        await fresh.db.selectFrom('second_factors').selectAll().execute(),
        await fresh.db.selectFrom('backup_codes').selectAll().execute(),
        await fresh.db.selectFrom('audit').selectAll().execute(),
      ]);
      expect(stored).not.toContain(secret);
      expect(app.loggedLines.join()).not.toContain(secret);
    }
    expect(await fresh.db.selectFrom('sessions').select('userId').execute()).toHaveLength(1);
    const [entry] = await readRows(fresh.db, 'audit', { action: 'second-factor' }, [
      'action',
      'entity',
      'after',
    ]);
    expect(entry).toMatchObject({ entity: 'users', after: JSON.stringify({ enabled: true }) });
  });

  it('is asked for after the password, on the page', async () => {
    const { app, code } = await enrolled();
    const browser = app.visitor();
    const first = await signIn(browser, { next: '/suppliers?sortfield=id' });
    expect(first.status).toBe(303);
    expect(first.headers.get('location')).toBe('/login/codigo?next=%2Fsuppliers%3Fsortfield%3Did');
    expect(browser.cookies.has('saldo')).toBe(false);
    expect(await isIn(browser)).toBe(false);
    const response = await readPage(browser.get(first.headers.get('location')!));
    expect(response.value('next')).toBe('/suppliers?sortfield=id');
    const wrong = await readPage(browser.form('/login/codigo', { code: '000000' }));
    expect(wrong.status).toBe(401);
    expect(wrong.alerts).toEqual(['error: El código no es correcto, o ya se usó.']);
    const used = await code();
    const entered = await browser.form('/login/codigo', { code: used, next: '/suppliers?sortfield=id' });
    expect(entered.headers.get('location')).toBe('/suppliers?sortfield=id');
    expect(await isIn(browser)).toBe(true);
    // A code works only once, so whoever saw it cannot use it again.
    const other = app.visitor();
    await signIn(other);
    expect((await other.form('/login/codigo', { code: used })).status).toBe(401);
    app.clock.advance({ minutes: 1 });
    expect((await other.form('/login/codigo', { code: await code() })).status).toBe(303);
  });

  it('is asked for in the same call by the API', async () => {
    const { app, code } = await enrolled();
    const client = app.visitor();
    const response = await byApi(client);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: 'second_factor_required' });
    const wrong = await byApi(client, { code: '000000' });
    expect(wrong.status).toBe(401);
    expect(await wrong.json()).toMatchObject({ code: 'second_factor_refused' });
    const entered = await byApi(client, { code: await code() });
    expect(entered.status).toBe(200);
    expect(await entered.json()).toMatchObject({ accessToken: expect.any(String), username: 'ana' });
  });

  it('counts wrong codes as wrong passwords: after ten, the right one is not checked', async () => {
    const { app, code } = await enrolled();
    const browser = app.visitor();
    await signIn(browser);
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++)
      statuses.push((await browser.form('/login/codigo', { code: `00000${i % 10}` })).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
    expect((await browser.form('/login/codigo', { code: await code() })).status).toBe(429);
    expect(await isIn(browser)).toBe(false);
  });

  it('accepts each backup code once, also if two arrive at the same moment', async () => {
    const { app, backup } = await enrolled();
    const browsers = [app.visitor(), app.visitor()];
    for (const browser of browsers) await signIn(browser);
    const [first = ''] = backup;
    const entered = await Promise.all(
      browsers.map((one) => one.form('/login/codigo', { code: first.toUpperCase() })),
    );
    expect(entered.map(({ status }) => status).sort()).toEqual([303, 401]);
    expect((await byApi(app.visitor(), { code: first })).status).toBe(401);
    expect((await byApi(app.visitor(), { code: backup[1] })).status).toBe(200);
  });

  it('is not asked for on a remembered device for thirty days, and on every other', async () => {
    const { app, page, code } = await enrolled();
    const browser = app.visitor();
    await signIn(browser);
    await browser.form('/login/codigo', { code: await code(), remember: 'on' });
    await browser.form('/logout');
    expect((await signIn(browser)).headers.get('location')).toBe('/invoices');
    expect((await signIn(app.visitor())).headers.get('location')).toBe('/login/codigo');
    app.clock.advance({ days: 30 });
    expect((await signIn(browser)).headers.get('location')).toBe('/login/codigo');
    await browser.form('/login/codigo', { code: await code(), remember: 'on' });
    expect((await signIn(browser)).headers.get('location')).toBe('/invoices');
    // Removing the devices requires the password.
    expect((await page.get('/invoices')).status).toBe(303);
    const inside = app.visitor();
    Object.assign(inside, { cookies: new Map(browser.cookies) });
    expect((await inside.form(ADDRESS, { step: 'devices' })).status).toBe(303);
    expect((await signIn(browser)).headers.get('location')).toBe('/login/codigo');
  });

  it('waits ten minutes for its code, and no longer than until a new password', async () => {
    const { app, ana, code } = await enrolled();
    const browser = app.visitor();
    await signIn(browser);
    app.clock.advance({ minutes: 10 });
    expect((await browser.form('/login/codigo', { code: await code() })).headers.get('location')).toBe(
      '/login',
    );
    await signIn(browser);
    await fresh.db
      .updateTable('accounts')
      .set({ password: await hashPassword('otra cosa') })
      .where('userId', '=', ana.id)
      .execute();
    expect((await browser.form('/login/codigo', { code: await code() })).status).toBe(401);
    expect(await isIn(browser)).toBe(false);
  });

  it('is asked for on a device that another user had remembered', async () => {
    const { app, code } = await enrolled();
    const other = app.visitor();
    await signIn(other);
    await other.form('/login/codigo', { code: await code(), remember: 'on' });
    const eva = await addUser(fresh.db, { username: 'eva', roles: [2], password: await hashPassword(OWN) });
    const own = await app.as(eva);
    const shown = await readPage(own.form(ADDRESS, { step: 'start' }));
    await own.form(ADDRESS, {
      step: 'confirm',
      code: await computeCodeAt(shown.facts.Clave!, app.clock.now()),
    });
    await other.form('/logout');
    // Eva signs in on a device that Ana trusts.
    expect((await signIn(other, { email: 'eva' })).headers.get('location')).toBe('/login/codigo');
    expect((await signIn(other)).headers.get('location')).toBe('/invoices');
  });

  it.each([
    [
      'a new password of one’s own',
      async ({ page }: { page: TestClient }) => {
        const next = { newpassword: 'adobe pintado', confirmpassword: 'adobe pintado' };
        return page.form('/userprofile', { currentpassword: OWN, ...next });
      },
      'adobe pintado',
    ],
    [
      'a password that an administrator set',
      async ({ app, ana }: { app: TestApp; ana: StoredUser }) =>
        (await app.as([3])).put('/api/auth/resetpsw', { iduser: ana.id, newpassword: 'adobe pintado' }),
      'adobe pintado',
    ],
    [
      '"Cerrar las demás"',
      async ({ page }: { page: TestClient }) => page.form('/userprofile/sesiones', { id: 'others' }),
      OWN,
    ],
  ])('is asked for again on every device after %s', async (_, change, password) => {
    const { app, ana, page, code } = await enrolled();
    const browser = app.visitor();
    await signIn(browser);
    await browser.form('/login/codigo', { code: await code(), remember: 'on' });
    expect((await signIn(browser)).headers.get('location')).toBe('/invoices');
    expect((await change({ app, ana, page })).status).toBeLessThan(304);
    expect((await signIn(browser, { password })).headers.get('location')).toBe('/login/codigo');
  });

  it('takes the own password to be changed', async () => {
    const { app, page, code } = await enrolled();
    app.clock.advance({ minutes: 10 });
    const response = await readPage(page.form(ADDRESS, { step: 'remove', code: await code() }));
    expect(response.status).toBe(403);
    expect(response.decodedHtml).toContain('name="currentpassword"');
  });

  it.each(['codes', 'remove'])(
    'takes a code before its %s, whoever has the session and the password',
    async (step) => {
      const { app, page, backup } = await enrolled();
      for (const [given, alert] of [
        [{}, 'Escribe el código.'],
        [{ code: '000000' }, 'El código no es correcto, o ya se usó.'],
        [{ code: 'aaaaaaaa-aaaaaaaa-aaaaaaa' }, 'El código no es correcto, o ya se usó.'],
      ] as const) {
        const refused = await readPage(page.form(ADDRESS, { step, currentpassword: OWN, ...given }));
        expect(refused.status).toBe(422);
        expect(refused.alerts).toEqual([`error: ${alert}`]);
      }
      expect((await signIn(app.visitor())).headers.get('location')).toBe('/login/codigo');
      expect((await byApi(app.visitor(), { code: backup[0] })).status).toBe(200);
    },
  );

  it('counts codes guessed while changing it together with those of the sign-in', async () => {
    const { page, code } = await enrolled();
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++)
      statuses.push((await page.form(ADDRESS, { step: 'remove', code: `00000${i % 10}` })).status);
    expect(statuses).toEqual([...Array(10).fill(422), 429]);
    expect((await page.form(ADDRESS, { step: 'remove', code: await code() })).status).toBe(429);
  });

  it('gives new backup codes for a code, and can be turned off with one if no role requires it', async () => {
    const { app, page, code, backup } = await enrolled();
    const renewed = await readPage(page.form(ADDRESS, { step: 'codes', code: await code() }));
    const codes = renewed.decodedHtml.match(/[a-z2-7]{8}-[a-z2-7]{8}-[a-z2-7]{7}/g)!;
    expect(codes).toHaveLength(10);
    expect((await byApi(app.visitor(), { code: backup[1] })).status).toBe(401);
    await changeSetting(fresh.db, createActor(), 'doblefactor', '1,2');
    expect((await page.form(ADDRESS, { step: 'remove', code: codes[0]! })).status).toBe(409);
    await changeSetting(fresh.db, createActor(), 'doblefactor', 'none');
    const removed = await page.form(ADDRESS, { step: 'remove', code: codes[0]! });
    expect(removed.headers.get('location')).toBe('/userprofile');
    expect((await signIn(app.visitor())).headers.get('location')).toBe('/invoices');
  });

  it.each([
    ['none', [2], false],
    ['1,3', [2], false],
    ['1,3', [2, 3], true],
    ['all', [6], true],
  ])('with doblefactor = %s for roles %j is required: %s', async (value, roles, isAsked) => {
    await changeSetting(fresh.db, createActor(), 'doblefactor', value);
    const app = createTestApp({ db: fresh.db });
    const user = await addUser(fresh.db, { roles });
    const [page, api] = [await app.as(user), await app.withToken(user)];
    expect((await page.get('/invoices')).headers.get('location')).toBe(isAsked ? ADDRESS : null);
    const answer = await api.get('/api/suppliers');
    expect(answer.status).toBe(isAsked ? 403 : 200);
    if (!isAsked) return;
    expect(await answer.json()).toMatchObject({ code: 'second_factor_enrolment_required' });
    const response = await readPage(page.get(ADDRESS));
    expect(response.alerts).toEqual(['warning: Tu rol pide doble factor. Actívalo para continuar.']);
    const shown = await readPage(page.form(ADDRESS, { step: 'start' }));
    await page.form(ADDRESS, {
      step: 'confirm',
      code: await computeCodeAt(shown.facts.Clave!, app.clock.now()),
    });
    expect((await page.get('/invoices')).status).toBe(200);
  });

  it.each(['7', 'todos', '1,', '1;3', ''])('cannot be required of roles «%s»', async (value) => {
    await expect(changeSetting(fresh.db, createActor(), 'doblefactor', value)).rejects.toMatchObject({
      kind: 'invalid',
    });
  });

  it('is removed on the command line for a user who lost phone and codes, which ends the sessions', async () => {
    const { app, page } = await enrolled();
    const reset = () => runSaldo(fresh, ['users', 'reset-second-factor', 'ana']);
    const { code, out } = await reset();
    expect(code).toBe(0);
    expect(out).toContain('ana entra solo con su contraseña');
    expect((await page.get('/invoices')).status).toBe(303);
    expect((await signIn(app.visitor())).headers.get('location')).toBe('/invoices');
    expect(await fresh.db.selectFrom('backup_codes').select('hash').execute()).toEqual([]);
    expect((await reset()).code).toBe(1);
  });
});
