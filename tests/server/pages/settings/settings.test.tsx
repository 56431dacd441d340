import { describe, expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import { SETTING_GROUPS, SETTINGS } from '../../../../server/services/settings/definitions.ts';
import { changeSetting, readSettings } from '../../../../server/services/settings/settings.ts';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { useFresh } from '../../../support/databases.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { actor } from '../../../support/rows.ts';

const html = async (response: Response) =>
  (await response.text()).replaceAll('&quot;', '"').replaceAll('&amp;', '&');

/** What the form would post, as a browser does, with some of its fields changed. */
async function formOf(browser: TestClient, changed: Record<string, string> = {}, page?: string) {
  const shown = page ?? (await html(await browser.get('/admin-settings')));
  const fields: Record<string, string> = {};
  for (const [tag] of shown.matchAll(/<input[^>]* name="[^"]+"[^>]*>/g))
    fields[/ name="([^"]+)"/.exec(tag)![1]!] = / value="([^"]*)"/.exec(tag)?.[1] ?? '';
  for (const [, name, text] of shown.matchAll(/<textarea[^>]* name="([^"]+)"[^>]*>([^<]*)</g))
    fields[name!] = text!.replaceAll('\n', '\r\n');
  return { ...fields, ...changed };
}

const audited = async (db: Db) =>
  (
    await db
      .selectFrom('audit')
      .select(['entityId', 'before', 'after', 'username', 'origin'])
      .where('entity', '=', 'settings')
      .orderBy('id')
      .execute()
  ).map(({ entityId, before, after, username, origin }) => [entityId, before, after, username, origin]);

describeOneDatabase('Configuración', (fresh) => {
  const admin = () => createTestApp({ db: fresh.db }).as(3);

  it('is for administrators alone, to see and to change', async () => {
    const other = await createTestApp({ db: fresh.db }).as([1, 2]);
    expect((await other.get('/admin-settings')).status).toBe(403);
    expect((await other.form('/admin-settings', { empresa: 'Suya' })).status).toBe(403);
    expect((await readSettings(fresh.db)).empresa).toBe('');
  });

  it('shows every setting there is, with its value and a label', async () => {
    const page = await html(await (await admin()).get('/admin-settings'));
    for (const key of Object.keys(SETTINGS)) {
      expect(page).toMatch(new RegExp(`<(input|textarea|select)[^>]* name="${key}"`));
      expect(page).toContain(`for="${key}"`);
    }
    expect(page).toMatch(/<input(?=[^>]* name="rol.3")[^>]* value="Administrador"/);
    // grouped, each with what it means and what it is unless somebody changes it
    expect([...page.matchAll(/<legend>(.*?)<\/legend>/g)].map(([, legend]) => legend)).toEqual([
      ...SETTING_GROUPS,
    ]);
    expect(page).toContain(
      '<div id="tasa-note" class="hint">De una factura nueva, de 0 a 100. Valor inicial: 16.',
    );
    expect(page).toContain('<div id="rol.5-note" class="hint">Valor inicial: Residente de obra.');
  });

  it('one save changes what differs, and leaves an audit entry for each', async () => {
    const browser = await admin();
    const form = await formOf(browser, { empresa: 'Obras del Norte', semanas: '10', 'rol.5': 'Residente' });
    const saved = await browser.form('/admin-settings', form);
    expect([saved.status, saved.headers.get('location')]).toEqual([303, '/admin-settings']);
    const page = await html(await browser.follow(saved));
    expect(page).toContain('Se guardó la configuración.');
    expect(page).toMatch(/<input(?=[^>]* name="semanas")[^>]* value="10"/);
    const { username } = browser.user;
    expect(await audited(fresh.db)).toEqual([
      ['empresa', '{"value":""}', '{"value":"Obras del Norte"}', username, 'page'],
      ['semanas', '{"value":"12"}', '{"value":"10"}', username, 'page'],
      ['rol.5', '{"value":"Residente de obra"}', '{"value":"Residente"}', username, 'page'],
    ]);
  });

  it('a save without changes writes nothing, line breaks of a form included', async () => {
    await changeSetting(fresh.db, actor(), 'direccion', 'Calle 1\nMonterrey');
    const before = await audited(fresh.db);
    const browser = await admin();
    const saved = await browser.form('/admin-settings', await formOf(browser));
    expect(await html(await browser.follow(saved))).toContain('No había nada que guardar');
    expect(await audited(fresh.db)).toEqual(before);
  });

  it('wrong values are said at their fields, all of them, and nothing is stored', async () => {
    const browser = await admin();
    const form = await formOf(browser, { empresa: 'Obras', tasa: '101', semanas: '0', 'rol.2': ' ' });
    const refused = await browser.form('/admin-settings', form);
    expect(refused.status).toBe(422);
    const page = await html(refused);
    expect(page).toContain('No se guardó nada: revisa los campos marcados.');
    expect(page).toMatch(/id="tasa-note" class="field-error">.*?Tasa: debe estar entre 0 y 100\./);
    expect(page).toMatch(/id="semanas-note" class="field-error">.*?Se espera un entero de 1 a 53\./);
    expect(page).toMatch(/id="rol\.2-note" class="field-error">.*?Se espera un nombre\./);
    expect(page).toMatch(/<input(?=[^>]* name="empresa")[^>]* value="Obras"/);
    expect(page).toMatch(/<input(?=[^>]* name="tasa")[^>]*autofocus/i);
    expect(await audited(fresh.db)).toEqual([]);
    const mended = await formOf(browser, { tasa: '8', semanas: '9', 'rol.2': 'Contaduría' }, page);
    expect((await browser.form('/admin-settings', mended)).status).toBe(303);
    expect(await readSettings(fresh.db)).toMatchObject({ empresa: 'Obras', tasa: '8', semanas: '9' });
  });

  it('a closing date that is still to come is asked about, with a box to tick', async () => {
    const browser = await admin();
    const fields = await formOf(browser, { cierre: '2027-10-31' });
    const asked = await browser.form('/admin-settings', fields);
    const page = await html(asked);
    expect(asked.status).toBe(409);
    expect(page).toContain('El domingo 31 de octubre de 2027 todavía no llega');
    expect(page).toMatch(/<input type="checkbox"(?=[^>]* name="allowFuture")/);
    expect((await readSettings(fresh.db)).cierre).toBe('');
    const ticked = await formOf(browser, { cierre: '2027-10-31', allowFuture: 'on' }, page);
    expect((await browser.form('/admin-settings', ticked)).status).toBe(303);
    expect((await readSettings(fresh.db)).cierre).toBe('2027-10-31');
  });

  it('what another administrator saved meanwhile is kept, and asked about where both changed the same', async () => {
    const browser = await admin();
    const form = await formOf(browser, { empresa: 'Mía', semanas: '10' });
    await changeSetting(fresh.db, actor(), 'tasa', '8');
    await changeSetting(fresh.db, actor(), 'semanas', '20');
    const stale = await browser.form('/admin-settings', form);
    expect(stale.status).toBe(409);
    const page = await html(stale);
    expect(page).toContain('Otra persona guardó estos ajustes mientras los editabas.');
    expect(page).toMatch(/id="semanas-note" class="field-error">.*?Guardado por otra persona: 20/);
    expect((await readSettings(fresh.db)).empresa).toBe('');
    const again = await browser.form('/admin-settings', await formOf(browser, {}, page));
    expect(again.status).toBe(303);
    expect(await readSettings(fresh.db)).toMatchObject({ empresa: 'Mía', semanas: '10', tasa: '8' });
  });
});

describe('the language', () => {
  const fresh = useFresh('sqlite');
  const OFFER = 'action="/admin-settings/idioma"';

  it('is offered to an administrator where the first sign-in leads, until it is answered', async () => {
    const app = createTestApp({ db: fresh.db });
    const [admin, other] = [await app.as(3), await app.as([1, 4])];
    expect(await (await admin.get('/invoices')).text()).toContain(OFFER);
    expect(await (await admin.get('/rubros')).text()).not.toContain(OFFER);
    expect(await (await other.get('/invoices')).text()).not.toContain(OFFER);
    expect((await other.form('/admin-settings/idioma', { idioma: 'es' })).status).toBe(403);

    const left = await admin.form('/admin-settings/idioma', { idioma: 'mixto' });
    expect(await (await admin.follow(left)).text()).not.toContain(OFFER);
    expect((await readSettings(fresh.db)).idioma).toBe('mixto');

    const second = await app.as(3);
    expect(await (await second.get('/invoices')).text()).toContain(OFFER);
    const chosen = await second.form('/admin-settings/idioma', { idioma: 'es' });
    const page = await (await second.follow(chosen)).text();
    expect(page).not.toContain(OFFER);
    expect(page).toContain('data-idioma="es"');
    expect((await second.form('/admin-settings/idioma', { idioma: 'en' })).status).toBe(422);
  });
});
