import { expect, it } from 'vitest';
import { BUILT_IN_LAYOUTS, formatLayout } from '../../../server/formats/bank-files/layout.ts';
import { getLayout } from '../../../server/services/bank-files/layouts.ts';
import { hashPassword } from '../../../server/services/session/password-hashing.ts';
import { readSettings } from '../../../server/services/settings/settings.ts';
import { createTestApp } from '../../support/app.ts';
import { readPage } from '../../support/page.ts';
import { describeEachInLongLane } from '../../support/proofs.ts';
import { enableQuickHashes } from '../../support/quick-crypto.ts';
import { addSession, addUser } from '../../support/rows.ts';

enableQuickHashes();

const OWN = 'ladrillo rojo';
const ASKED = 'Escribe tu propia contraseña para confirmar.';

describeEachInLongLane('T62 · the own password', (fresh) => {
  const later = async (minutes: number) => {
    const app = createTestApp({ db: fresh.db });
    const boss = await addUser(fresh.db, {
      username: 'zoe',
      roles: [1, 3],
      password: await hashPassword(OWN),
    });
    const ana = await addUser(fresh.db, { username: 'ana', email: 'ana@obras.mx', roles: [2] });
    const [page, api] = [await app.as(boss), await app.withToken(boss)];
    app.clock.advance({ minutes });
    return { app, boss, ana, page, api };
  };
  const rolesOf = async (userId: number) =>
    (await fresh.db.selectFrom('user_roles').select('roleId').where('userId', '=', userId).execute()).map(
      ({ roleId }) => roleId,
    );

  it('is not asked for again within ten minutes of the sign-in', async () => {
    const { ana, api } = await later(9);
    expect((await api.put(`/api/auth/updateusersdata/${ana.id}`, { roles: [4] })).status).toBe(200);
    expect(await rolesOf(ana.id)).toEqual([4]);
  });

  it('has to be right whenever it is given', async () => {
    const { ana, api } = await later(1);
    const change = (currentpassword: string) =>
      api.put(`/api/auth/updateusersdata/${ana.id}`, { roles: [4], currentpassword });
    const wrong = await change('otra cosa');
    expect(wrong.status).toBe(422);
    expect(await wrong.json()).toMatchObject({ code: 'wrong_password' });
    expect(await rolesOf(ana.id)).toEqual([2]);
    expect((await change(OWN)).status).toBe(200);
  });

  it('is asked for by the API before roles, e-mail, passwords and new users, and then valid for ten minutes', async () => {
    const { app, ana, api } = await later(10);
    const changes = [
      (more: object) => api.put(`/api/auth/updateusersdata/${ana.id}`, { roles: [3], ...more }),
      (more: object) => api.put(`/api/auth/updateusersdata?id=${ana.id}`, { email: 'x@obras.mx', ...more }),
      (more: object) => api.put('/api/auth/resetpsw', { iduser: ana.id, newpassword: 'zx81k3v9', ...more }),
      (more: object) =>
        api.post('/api/auth/signup', {
          userfirstname: 'Eva',
          userlastname: 'Luna',
          roles: [3],
          password: 'k3v9x0qa',
          ...more,
        }),
    ];
    for (const change of changes) {
      const response = await change({});
      expect(response.status).toBe(403);
      expect(await response.json()).toEqual({
        message: ASKED,
        code: 'reauthentication_required',
        fields: { currentpassword: ASKED },
      });
      const wrong = await change({ currentpassword: 'otra cosa' });
      expect(wrong.status).toBe(422);
      expect(await wrong.json()).toMatchObject({ code: 'wrong_password' });
    }
    expect(await rolesOf(ana.id)).toEqual([2]);
    expect((await changes[0]!({ currentpassword: OWN })).status).toBe(200);
    app.clock.advance({ minutes: 9 });
    expect((await changes[2]!({})).status).toBe(200);
    app.clock.advance({ minutes: 1 });
    expect((await changes[2]!({})).status).toBe(403);
  });

  it('counts as an attempt on the account if it is wrong', async () => {
    const { ana, api } = await later(20);
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++) {
      const body = { roles: [3], currentpassword: `otra ${i}` };
      statuses.push((await api.put(`/api/auth/updateusersdata/${ana.id}`, body)).status);
    }
    expect(statuses).toEqual([...Array(10).fill(422), 429]);
  });

  it('is asked for in the dialog of a user, which keeps what was typed', async () => {
    const { ana, page } = await later(11);
    const address = `/admin-users?edit=${ana.id}`;
    expect((await readPage(page.get(address))).decodedHtml).toContain('name="currentpassword"');
    const typed = { username: 'ana.ruiz', email: 'ruiz@obras.mx', roles: 4, active: 'on' };
    const response = await readPage(page.form(address, typed));
    expect(response.status).toBe(403);
    expect(response.decodedHtml).toContain(ASKED);
    expect(response.value('username')).toBeDefined();
    expect(response.decodedHtml).toContain('value="ana.ruiz"');
    expect(response.decodedHtml).toContain('value="ruiz@obras.mx"');
    expect(await rolesOf(ana.id)).toEqual([2]);
    const reset = await readPage(page.form(address, { ...typed, step: 'reset' }));
    expect(reset.status).toBe(403);
    expect((await page.form(address, { ...typed, currentpassword: OWN })).status).toBe(303);
    expect(await rolesOf(ana.id)).toEqual([4]);
    expect((await readPage(page.get(address))).decodedHtml).not.toContain('name="currentpassword"');
  });

  it('is asked for before a user is created, and what was typed is kept', async () => {
    const { page } = await later(11);
    const typed = { roles: 2, userfirstname: 'Eva', userlastname: 'Luna', password: 'k3v9x0qa' };
    const response = await readPage(page.form('/new-user', typed));
    expect(response.status).toBe(403);
    expect(response.value('userfirstname')).toBe('Eva');
    expect(response.value('password')).toBe('k3v9x0qa');
    const created = await readPage(page.form('/new-user', { ...typed, currentpassword: OWN }));
    expect(created.decodedHtml).toContain('Se creó el usuario eva.luna.');
  });

  it('is asked for before a setting that is a control is turned off, and before no other', async () => {
    const { page } = await later(11);
    const stored = async (key: string) => (await readSettings(fresh.db))[key as 'cierre'];
    const first = await readPage(page.form('/admin-settings', { empresa: 'Del Valle' }));
    expect([first.status, await stored('empresa')]).toEqual([303, 'Del Valle']);
    for (const [key, value] of [
      ['autorizacion', 'misma'],
      ['autorizacion.limite', '1000000.00'],
      ['semaforo.cuenta', 'ignorar'],
      ['cuenta.espera', '0'],
      ['doblefactor', 'all'],
      ['cierre', '2026-10-31'],
    ] as const) {
      const former = await stored(key);
      const typed = { [key]: value, [`antes:${key}`]: former };
      const response = await readPage(page.form('/admin-settings', typed));
      expect([key, response.status, response.value(key)]).toEqual([key, 403, value]);
      expect(response.decodedHtml).toContain('name="currentpassword"');
      const wrong = await page.form('/admin-settings', { ...typed, currentpassword: 'otra' });
      expect([key, wrong.status, await stored(key)]).toEqual([key, 422, former]);
    }
    const typed = { autorizacion: 'misma', 'antes:autorizacion': 'otra', currentpassword: OWN };
    expect((await page.form('/admin-settings', typed)).status).toBe(303);
    expect(await stored('autorizacion')).toBe('misma');
  });

  it('is asked for before future days are closed, without asking about these days once more', async () => {
    const { page } = await later(11);
    const typed = { cierre: '2027-10-31', 'antes:cierre': '', allowFuture: 'on' };
    const response = await readPage(page.form('/admin-settings', typed));
    expect([response.status, response.value('cierre'), response.value('allowFuture')]).toEqual([
      403,
      '2027-10-31',
      'on',
    ]);
    const sent = { ...typed, allowFuture: response.value('allowFuture')!, currentpassword: OWN };
    expect((await page.form('/admin-settings', sent)).status).toBe(303);
    expect((await readSettings(fresh.db)).cierre).toBe('2027-10-31');
  });

  it('is asked for before a month is closed and before it is reopened, and what was typed is kept', async () => {
    const { app, page } = await later(11);
    const closing = async () => (await readSettings(fresh.db)).cierre;
    const close = { mes: '2026-10', antes: '' };
    const response = await readPage(page.form('/cierre', close));
    expect([response.status, response.value('mes'), await closing()]).toEqual([403, '2026-10', '']);
    expect((await page.form('/cierre', { ...close, currentpassword: 'otra' })).status).toBe(422);
    expect((await page.form('/cierre', { ...close, currentpassword: OWN })).status).toBe(303);
    expect(await closing()).toBe('2026-10-31');
    app.clock.advance({ minutes: 11 });
    const reopen = { cierre: '', motivo: 'Falta una', antes: '2026-10-31' };
    const again = await readPage(page.form('/cierre/reabrir', reopen));
    expect([again.status, again.value('motivo'), await closing()]).toEqual([403, 'Falta una', '2026-10-31']);
    expect((await page.form('/cierre/reabrir', { ...reopen, currentpassword: OWN })).status).toBe(303);
    expect(await closing()).toBe('');
  });

  it('is asked for before a bank layout is changed, confirmed or reset, by page and by API', async () => {
    const { app, page } = await later(11);
    const at = '/admin-settings/plantillas';
    const own = formatLayout({ ...BUILT_IN_LAYOUTS[0]!, nombre: 'La nuestra' });
    const upload = (fields: Record<string, string>) =>
      page.files(at, { plantilla: ['mia.json', Buffer.from(own)] }, fields);
    const code = BUILT_IN_LAYOUTS[0]!.plantilla;
    const stored = () => getLayout(fresh.db, code);
    expect((await upload({})).status).toBe(403);
    const wrong = await upload({ currentpassword: 'otra' });
    expect([wrong.status, (await stored()).customization]).toEqual([422, undefined]);
    expect(await wrong.text()).toMatch(/id="layout-password-note" class="field-error"/);
    expect((await upload({ currentpassword: OWN })).status).toBe(303);

    const version = (await stored()).customization!.version;
    const beto = { username: 'beto', roles: [2], password: await hashPassword(OWN) };
    const other = await addUser(fresh.db, beto);
    const [otherPage, otherApi] = [await app.as(other), await app.withToken(other)];
    app.clock.advance({ minutes: 11 });
    const confirm = `/programaciones/plantillas/${code}/confirmar`;
    const program = '/api/programaciones/plantillas/confirmar';
    const response = await readPage(otherPage.form(confirm, { version }));
    expect([response.status, response.value('version')]).toEqual([403, String(version)]);
    const byProgram = await otherApi.post(program, { plantilla: code, version });
    expect(await byProgram.json()).toMatchObject({ code: 'reauthentication_required' });
    expect((await stored()).customization?.confirmer).toBeNull();
    const body = { plantilla: code, version, currentpassword: OWN };
    expect((await otherApi.post(program, body)).status).toBe(200);

    const reset = await readPage(page.form(`${at}/${code}/restablecer`));
    expect([reset.status, (await stored()).customization?.confirmer]).toEqual([403, 'beto']);
    expect((await page.form(`${at}/${code}/restablecer`, { currentpassword: OWN })).status).toBe(303);
    expect((await stored()).customization).toBeUndefined();
  });

  it('is asked for before other sessions are ended', async () => {
    const { app, boss, page } = await later(11);
    await addSession(fresh.db, boss.id, app.clock.now());
    const count = async () => (await fresh.db.selectFrom('sessions').select('id').execute()).length;
    const before = await count();
    const response = await readPage(page.form('/userprofile/sesiones', { id: 'others' }));
    expect(response.status).toBe(403);
    expect(response.value('id')).toBe('others');
    expect(response.decodedHtml).toContain('name="currentpassword"');
    expect(await count()).toBe(before);
    const wrong = await readPage(page.form('/userprofile/sesiones', { id: 'others', currentpassword: 'no' }));
    expect(wrong.status).toBe(422);
    await page.form('/userprofile/sesiones', { id: 'others', currentpassword: OWN });
    expect(await count()).toBe(1);
  });

  it('is the only way to a new own password: nobody resets their own, by page or API', async () => {
    const { boss, page, api } = await later(0);
    const sent = { iduser: boss.id, newpassword: 'zx81k3v9', currentpassword: OWN };
    const byApi = await api.put('/api/auth/resetpsw', sent);
    expect(byApi.status).toBe(422);
    expect(await byApi.json()).toMatchObject({ code: 'own_password' });
    const address = `/admin-users?edit=${boss.id}`;
    const dialog = await readPage(page.get(address));
    expect(dialog.decodedHtml).not.toContain('Restablecer contraseña');
    expect(dialog.links(/Mi perfil/)).toContain('/userprofile');
    const byPage = await page.form(address, { step: 'reset', newpassword: 'zx81k3v9', currentpassword: OWN });
    expect(byPage.status).toBe(422);
    expect((await api.put('/api/auth/updateusersdata', { id: boss.id, password: 'zx81k3v9' })).status).toBe(
      400,
    );
  });
});
