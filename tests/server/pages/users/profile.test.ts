import { describe, expect, it } from 'vitest';
import { toLocalPath } from '../../../../server/http/request.ts';
import { hashPassword } from '../../../../server/services/session/password-hashing.ts';
import { ELSEWHERE } from '../../../security/payloads.ts';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { useFreshDatabase } from '../../../support/databases.ts';
import { readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { enableQuickHashes } from '../../../support/quick-crypto.ts';
import { addUser } from '../../../support/rows.ts';

enableQuickHashes();

const PASSWORD = 'ladrillo rojo';
const HASH = await hashPassword(PASSWORD);

describeOneDatabase('the sign-in page', (fresh) => {
  it('says what is missing, and keeps what was typed except the password', async () => {
    const browser = createTestApp({ db: fresh.db }).visitor();
    const empty = await browser.form('/login', {});
    expect(empty.status).toBe(422);
    const page = await empty.text();
    expect(page).toContain('Se requiere el usuario');
    expect(page).toContain('Se requiere la contrasen');
    const half = await browser.form('/login', { email: 'ana@obras.mx', password: '' });
    const text = await half.text();
    expect(text).toContain('Se requiere la contrasen');
    expect(text).not.toContain('Se requiere el usuario');
    expect(text).toContain('value="ana@obras.mx"');
    const refused = await browser.form('/login', { email: 'ana@obras.mx', password: 'marca-secreta' });
    expect(refused.status).toBe(401);
    const again = await refused.text();
    expect(again).toContain('Correo o contraseña incorrectos.');
    expect(again).not.toContain('marca-secreta');
    expect(refused.headers.getSetCookie()).toEqual([]);
  });

  it('leads to the invoices, or to the page that was requested', async () => {
    await addUser(fresh.db, { username: 'ana', password: HASH });
    const { visitor } = createTestApp({ db: fresh.db });
    const browser = visitor();
    const response = await browser.get('/pagos-proveedores?checknum=7');
    expect(response.headers.get('location')).toBe('/login?next=%2Fpagos-proveedores%3Fchecknum%3D7');
    expect(await (await browser.follow(response)).text()).toContain(
      '<input type="hidden" name="next" value="/pagos-proveedores?checknum=7"/>',
    );
    const next = '/pagos-proveedores?checknum=7';
    const entered = await browser.form('/login', { email: 'ana', password: PASSWORD, next });
    expect([entered.status, entered.headers.get('location')]).toEqual([303, next]);
    expect((await browser.get('/userprofile')).status).toBe(200);
    expect((await browser.get('/login')).headers.get('location')).toBe('/invoices');
    const plain = await visitor().form('/login', { email: 'ana', password: PASSWORD });
    expect(plain.headers.get('location')).toBe('/invoices');
  });

  it('asks to wait after too many attempts', async () => {
    const browser = createTestApp({ db: fresh.db }).visitor();
    for (let i = 0; i < 10; i++) {
      expect((await browser.form('/login', { email: 'nadie', password: 'x' })).status).toBe(401);
    }
    const late = await browser.form('/login', { email: 'nadie', password: 'x' });
    expect(late.status).toBe(429);
    expect(Number(late.headers.get('retry-after'))).toBe(900);
    expect(await late.text()).toContain('Demasiados intentos.');
  });

  it.each(ELSEWHERE)('never leads to another site: %j', async (next) => {
    expect(toLocalPath(next)).toBeUndefined();
    const page = await (
      await createTestApp({ db: fresh.db })
        .visitor()
        .get(`/login?${new URLSearchParams({ next })}`)
    ).text();
    expect(page).not.toContain('name="next"');
  });

  it('leads back only to pages of our own, with their whole address', () => {
    expect(toLocalPath('/invoices?numfactura=a%20b&sort=id')).toBe('/invoices?numfactura=a%20b&sort=id');
    expect(toLocalPath('/%09//evil.example')).toBe('/%09//evil.example');
    expect(toLocalPath('/invoices/../payments')).toBe('/payments');
    expect(toLocalPath('/invoices?u=//evil.example')).toBe('/invoices?u=//evil.example');
  });
});

describeOneDatabase('signing out', (fresh) => {
  it('ends the session, deletes the cookie, and leads to the sign-in page', async () => {
    const { as } = createTestApp({ db: fresh.db });
    const ana = await as(1);
    const kept = new Map(ana.cookies);
    const left = await ana.form('/logout');
    expect([left.status, left.headers.get('location')]).toEqual([303, '/login']);
    expect(ana.cookies.has('saldo')).toBe(false);
    for (const [name, value] of kept) ana.cookies.set(name, value);
    expect((await ana.get('/userprofile')).status).toBe(303);
  });
});

describeOneDatabase('Mi perfil', (fresh) => {
  it("shows the user's data and changes the password, which ends the other sessions", async () => {
    const { as } = createTestApp({ db: fresh.db });
    const user = await addUser(fresh.db, {
      username: 'ana',
      roles: [2],
      password: HASH,
      mustChangePassword: true,
    });
    const ana = await as(user);
    const other = await as(user);
    const page = await (await ana.get('/userprofile')).text();
    for (const text of ['Nombre', 'Apellido', 'ana@saldo.test', 'Cambiar contraseña'])
      expect(page).toContain(text);
    const fields = {
      currentpassword: PASSWORD,
      newpassword: 'grúa torre 9',
      confirmpassword: 'grúa torre 9',
    };
    const refusals: [object, string][] = [
      [{ confirmpassword: 'otra' }, 'Passwords do not match!'],
      [{ newpassword: '', confirmpassword: '' }, 'New password cannot be null!'],
      [{ currentpassword: 'otra' }, 'La contraseña actual no es correcta.'],
      [{ newpassword: 'corta', confirmpassword: 'corta' }, 'al menos 8 caracteres'],
    ];
    for (const [part, message] of refusals) {
      const refused = await ana.form('/userprofile', { ...fields, ...part });
      expect(refused.status).toBe(422);
      expect(await refused.text()).toContain(message);
    }
    const empty = await readPage(ana.form('/userprofile', { currentpassword: PASSWORD }));
    expect([empty.alerts, empty.errors, empty.focusedControlName]).toEqual([
      ['error: New password cannot be null!'],
      ['Falta este dato.'],
      'newpassword',
    ]);
    const changed = await ana.form('/userprofile', fields);
    expect([changed.status, changed.headers.get('location')]).toEqual([303, '/invoices']);
    expect(await (await ana.follow(changed)).text()).toContain('Your password has been updated!');
    expect((await other.get('/userprofile')).status).toBe(303);
    expect((await ana.get('/invoices')).status).toBe(200);
  });
});

describe('the appearance chosen on Mi perfil', () => {
  const fresh = useFreshDatabase('sqlite');
  const pressed = /<button[^>]*aria-pressed="true"[^>]*>(.*?)</;

  const shown = async (client: TestClient, path: string) => {
    const html = await (await client.get(path)).text();
    return [/<html[^>]*data-theme="(\w+)"/.exec(html)?.[1], /"color-scheme" content="(.*?)"/.exec(html)?.[1]];
  };

  it('has the theme of the system until the user chooses one, then that on every page, for nobody else', async () => {
    const app = createTestApp({ db: fresh.db });
    const [ana, luis] = [await app.as(4), await app.as(4)];
    expect(await shown(ana, '/invoices')).toEqual([undefined, 'light dark']);
    for (const [tema, theme, label] of [
      ['oscuro', 'dark', 'Oscuro'],
      ['claro', 'light', 'Claro'],
    ] as const) {
      const answer = await ana.form('/userprofile/tema', { tema });
      expect(pressed.exec(await (await ana.follow(answer)).text())?.[1]).toBe(label);
      for (const path of ['/invoices', '/help', '/admin-users', '/nada'])
        expect([path, ...(await shown(ana, path))]).toEqual([path, theme, theme]);
    }
    expect(await shown(luis, '/invoices')).toEqual([undefined, 'light dark']);
    await ana.form('/userprofile/tema', { tema: '' });
    expect(await shown(ana, '/invoices')).toEqual([undefined, 'light dark']);
  });

  it('has dense rows for the user in every list', async () => {
    const app = createTestApp({ db: fresh.db });
    const [ana, luis] = [await app.as(4), await app.as(4)];
    const isDense = async (client: TestClient, path: string) =>
      (await (await client.get(path)).text()).includes('data-dense');
    const chosen = await ana.form('/userprofile/filas', { densas: '1' });
    const profile = await (await ana.follow(chosen)).text();
    expect([...profile.matchAll(new RegExp(pressed, 'g'))].map(([, label]) => label)).toEqual([
      'Como el sistema',
      'Densas',
    ]);
    expect(await isDense(ana, '/invoices')).toBe(true);
    expect(await isDense(ana, '/suppliers')).toBe(true);
    expect(await isDense(luis, '/invoices')).toBe(false);
    await ana.form('/userprofile/filas', { densas: '' });
    expect(await isDense(ana, '/invoices')).toBe(false);
  });
});
