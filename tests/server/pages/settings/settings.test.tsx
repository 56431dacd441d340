import { PDFDict, PDFName, type PDFRawStream } from 'pdf-lib';
import { beforeEach, expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import {
  SETTING_SUBJECTS,
  SETTINGS,
  type SettingSubject,
  settingKeysOf,
} from '../../../../server/services/settings/definitions.ts';
import { readLogo } from '../../../../server/services/settings/logo.ts';
import { changeSetting, readSettings } from '../../../../server/services/settings/settings.ts';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { buildPdf, buildWebp } from '../../../support/files.ts';
import { readPdf } from '../../../support/pdf.ts';
import { buildPng, SAMPLE_JPEG } from '../../../support/pictures.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addInvoice, createActor } from '../../../support/rows.ts';
import { readRows } from '../../../support/stored.ts';

const html = async (response: Response) =>
  (await response.text()).replaceAll('&quot;', '"').replaceAll('&amp;', '&');

const SUBJECTS = Object.keys(SETTING_SUBJECTS) as SettingSubject[];

const addressOf = (subject: SettingSubject) =>
  subject === 'empresa' ? '/admin-settings' : `/admin-settings/${subject}`;

/** The fields that a settings page would post, with these changes. */
async function formOf(
  browser: TestClient,
  subject: SettingSubject,
  changed: Record<string, string> = {},
  page?: string,
) {
  const shown = page ?? (await html(await browser.get(addressOf(subject))));
  const form = /<form[^>]* action="\/admin-settings".*?<\/form>/s.exec(shown)![0];
  const fields: Record<string, string> = {};
  for (const [tag] of form.matchAll(/<input[^>]* name="[^"]+"[^>]*>/g)) {
    if (/type="(radio|checkbox)"/.test(tag) && !/ checked=""/.test(tag)) continue;
    fields[/ name="([^"]+)"/.exec(tag)![1]!] = / value="([^"]*)"/.exec(tag)?.[1] ?? '';
  }
  for (const [, name, text] of form.matchAll(/<textarea[^>]* name="([^"]+)"[^>]*>([^<]*)</g))
    fields[name!] = text!.replaceAll('\n', '\r\n');
  return { ...fields, ...changed };
}

const audited = async (db: Db) =>
  (
    await readRows(db, 'audit', { entity: 'settings' }, ['entityId', 'before', 'after', 'username', 'origin'])
  ).map(({ entityId, before, after, username, origin }) => [entityId, before, after, username, origin]);

describeOneDatabase('the settings on Configuración', (fresh) => {
  let browser: TestClient;
  beforeEach(async () => {
    browser = await createTestApp({ db: fresh.db }).as(3);
  });

  it('are on a page for each subject, with each setting and its value, and links to the other pages', async () => {
    for (const subject of SUBJECTS) {
      const page = await html(await browser.get(addressOf(subject)));
      expect(page).toContain(`<p class="which"><span class="roomy">${SETTING_SUBJECTS[subject]}</span></p>`);
      const links = [...page.matchAll(/<a href="([^"]+)"( aria-current="true")?>([^<]+)<\/a>/g)];
      const subjects = links.filter(([, href]) => SUBJECTS.some((one) => addressOf(one) === href));
      expect(subjects.map(([, , current, label]) => [label, Boolean(current)])).toEqual(
        SUBJECTS.map((one) => [SETTING_SUBJECTS[one], one === subject]),
      );
      for (const key of Object.keys(SETTINGS))
        expect([key, new RegExp(`<(input|textarea)[^>]* name="${key}"`).test(page)]).toEqual([
          key,
          settingKeysOf(subject).some((one) => one === key),
        ]);
    }
    expect(SUBJECTS.flatMap(settingKeysOf).sort()).toEqual(Object.keys(SETTINGS).sort());
    expect((await browser.get('/admin-settings/otro')).status).toBe(404);
  });

  it('have a note in at most every fourth field, and no field in which to type a choice as a word', async () => {
    let notes = 0;
    for (const subject of SUBJECTS) {
      const page = await html(await browser.get(addressOf(subject)));
      notes += settingKeysOf(subject).filter((key) => page.includes(`id="${key}-note"`)).length;
      expect(page).not.toMatch(/none:|Vacío:|Valor inicial/);
    }
    expect(notes).toBeLessThanOrEqual(Object.keys(SETTINGS).length / 4);
  });

  it('are saved where they differ, with an audit entry for each', async () => {
    const firm = await formOf(browser, 'empresa', { empresa: 'Obras del Norte', moneda: 'usd' });
    const saved = await browser.form('/admin-settings', firm);
    expect([saved.status, saved.headers.get('location')]).toEqual([303, '/admin-settings']);
    const page = await html(await browser.follow(saved));
    expect(page).toContain('Se guardó la configuración.');
    expect(page).toMatch(/<input(?=[^>]* name="moneda")[^>]* value="USD"/);
    const roles = await formOf(browser, 'acceso', { 'rol.5': 'Residente' });
    const named = await browser.form('/admin-settings', roles);
    expect([named.status, named.headers.get('location')]).toEqual([303, '/admin-settings/acceso']);
    const { username } = browser.user;
    expect(await audited(fresh.db)).toEqual([
      ['empresa', '{"value":""}', '{"value":"Obras del Norte"}', username, 'page'],
      ['moneda', '{"value":"MXN"}', '{"value":"USD"}', username, 'page'],
      ['rol.5', '{"value":"Residente de obra"}', '{"value":"Residente"}', username, 'page'],
    ]);
  });

  it('let an administrator choose who needs a second factor: nobody, all, or the ticked roles', async () => {
    const send = async (doblefactor: string, roles: string[] = []) => {
      const form = await formOf(browser, 'acceso', { doblefactor });
      const body = new URLSearchParams(form);
      body.delete('doblefactor:rol');
      for (const role of roles) body.append('doblefactor:rol', role);
      const answer = await browser.send('/admin-settings', { method: 'POST', body });
      return { page: await html(answer), stored: (await readSettings(fresh.db)).doblefactor };
    };
    expect((await send('roles', ['4', '2'])).stored).toBe('2,4');
    const shown = await html(await browser.get('/admin-settings/acceso'));
    expect(shown).toMatch(/<input type="radio" name="doblefactor" checked="" value="roles"/);
    const boxes = [
      ...shown.matchAll(/<input type="checkbox" name="doblefactor:rol"( checked="")? value="(\d)"/g),
    ];
    expect(boxes.flatMap(([, ticked, role]) => (ticked ? [role] : []))).toEqual(['2', '4']);
    const none = await send('roles');
    expect(none.stored).toBe('2,4');
    expect(none.page).toMatch(/id="doblefactor-note" class="field-error">.*?Se espera al menos un rol\./);
    expect((await send('all')).stored).toBe('all');
  });

  it('write nothing if nothing was changed, even if the form has other line breaks', async () => {
    await changeSetting(fresh.db, createActor(), 'direccion', 'Calle 1\nMonterrey');
    const before = await audited(fresh.db);
    const saved = await browser.form('/admin-settings', await formOf(browser, 'empresa'));
    expect(await html(await browser.follow(saved))).toContain('No había nada que guardar');
    expect(await audited(fresh.db)).toEqual(before);
  });

  it('show all wrong values at their fields, and store nothing', async () => {
    const form = await formOf(browser, 'facturas', { tasa: '101', diascredito: '30', semanas: '0' });
    const refused = await browser.form('/admin-settings', form);
    expect(refused.status).toBe(422);
    const page = await html(refused);
    expect(page).toContain('No se guardó nada: revisa los campos marcados.');
    expect(page).toMatch(/id="tasa-note" class="field-error">.*?Tasa: debe estar entre 0 y 100\./);
    expect(page).toMatch(/id="semanas-note" class="field-error">.*?Se espera un entero de 1 a 53\./);
    expect(page).toMatch(/<input(?=[^>]* name="diascredito")[^>]* value="30"/);
    expect(page).toMatch(/<input(?=[^>]* name="tasa")[^>]*autofocus/i);
    expect(await audited(fresh.db)).toEqual([]);
    const mended = await formOf(browser, 'facturas', { tasa: '8', semanas: '9' }, page);
    expect((await browser.form('/admin-settings', mended)).status).toBe(303);
    expect(await readSettings(fresh.db)).toMatchObject({ diascredito: '30', tasa: '8', semanas: '9' });
  });

  it('ask about a closing date in the future, with a box to tick', async () => {
    const fields = await formOf(browser, 'cierre', { cierre: '2027-10-31' });
    const response = await browser.form('/admin-settings', fields);
    const page = await html(response);
    expect(response.status).toBe(409);
    expect(page).toContain('El domingo 31 de octubre de 2027 todavía no llega');
    expect(page).toMatch(/<input type="checkbox"(?=[^>]* name="allowFuture")/);
    expect((await readSettings(fresh.db)).cierre).toBe('');
    const ticked = await formOf(browser, 'cierre', { cierre: '2027-10-31', allowFuture: 'on' }, page);
    expect((await browser.form('/admin-settings', ticked)).status).toBe(303);
    expect((await readSettings(fresh.db)).cierre).toBe('2027-10-31');
  });

  it('keep what another administrator saved meanwhile, and ask if both changed the same setting', async () => {
    const form = await formOf(browser, 'facturas', { diascredito: '15', semanas: '10' });
    await changeSetting(fresh.db, createActor(), 'tasa', '8');
    await changeSetting(fresh.db, createActor(), 'semanas', '20');
    const stale = await browser.form('/admin-settings', form);
    expect(stale.status).toBe(409);
    const page = await html(stale);
    expect(page).toContain('Otra persona guardó estos ajustes mientras los editabas.');
    expect(page).toMatch(/id="semanas-note" class="field-error">.*?Guardado por otra persona: 20/);
    expect((await readSettings(fresh.db)).diascredito).toBe('0');
    const again = await browser.form('/admin-settings', await formOf(browser, 'facturas', {}, page));
    expect(again.status).toBe(303);
    expect(await readSettings(fresh.db)).toMatchObject({ diascredito: '15', semanas: '10', tasa: '8' });
  });
});

const LOGO = '/admin-settings/logo';

/** Reads the sizes of the pictures on each page of a PDF. */
async function picturesOf(pdf: Response): Promise<number[][][]> {
  const { document } = await readPdf(pdf);
  return document.getPages().map((page) => {
    const drawn = page.node.Resources()?.lookupMaybe(PDFName.of('XObject'), PDFDict);
    const streams = (drawn?.keys() ?? []).map((name) => drawn!.lookup(name) as unknown as PDFRawStream);
    return streams.map(({ dict }) =>
      ['Width', 'Height'].map((name) => Number(String(dict.get(PDFName.of(name))))),
    );
  });
}

describeOneDatabase('the logo of the firm', (fresh) => {
  let ana: TestClient;
  beforeEach(async () => {
    ana = await createTestApp({ db: fresh.db }).as(3);
  });
  const alertIn = async (response: Response) =>
    /id="logo-note" class="field-error">.*?<\/svg>(.*?)<\/div>/s.exec(await response.text())?.[1];

  it('is a PNG or a JPEG by its content, whatever its name, and is drawn at the head of all PDFs', async () => {
    const supplierId = (await fresh.db.selectFrom('suppliers').select('id').executeTakeFirst())?.id;
    await addInvoice(fresh.db, { supplierId });
    expect(await picturesOf(await ana.get('/rubros/export.pdf'))).toEqual([[]]);
    for (const [name, bytes, size] of [
      ['logo.jpg', buildPng(300, 90), [300, 90]],
      ['logo.png', SAMPLE_JPEG, [12, 8]],
    ] as const) {
      const saved = await ana.files(LOGO, { logo: [name, bytes] });
      expect([saved.status, saved.headers.get('location')]).toEqual([303, '/admin-settings']);
      const page = await (await ana.follow(saved)).text();
      expect(page).toContain('Se guardó el logotipo');
      const shown = await ana.get(/<img src="([^"]+)"/.exec(page)![1]!);
      expect(Buffer.from(await shown.arrayBuffer())).toEqual(Buffer.from(bytes));
      const lists = ['/rubros', '/invoices', '/suppliers', '/reporte-saldos'];
      for (const list of lists)
        expect([list, (await picturesOf(await ana.get(`${list}/export.pdf`)))[0]]).toEqual([list, [size]]);
    }
    expect(await fresh.db.selectFrom('files').select('size').execute()).toEqual([
      { size: SAMPLE_JPEG.length },
    ]);
  });

  it('can be removed, and the audit trail says who changed it', async () => {
    await ana.files(LOGO, { logo: ['a.png', buildPng(40, 20)] });
    const removed = await ana.form(LOGO, { quitar: '1' });
    const page = await (await ana.follow(removed)).text();
    expect(page).toContain('Se quitó el logotipo.');
    expect(page).not.toContain('<img');
    expect(await readLogo(fresh.db)).toBeUndefined();
    expect((await ana.get(LOGO)).headers.get('location')).toBe('/admin-settings');
    expect(await fresh.db.selectFrom('files').select('size').execute()).toEqual([]);
    const trail = await (await ana.get('/bitacora?entity=settings')).text();
    expect(trail).toContain('cambió el ajuste Logotipo: PNG de 40 × 20 → —');
  });

  it.each([
    ['a PDF', 'logo.png', buildPdf(), 422, 'por su contenido, este archivo no lo es'],
    ['a WebP', 'logo.png', buildWebp(), 422, 'por su contenido, este archivo no lo es'],
    ['a PNG that was cut off', 'logo.png', buildPng(90, 30).subarray(0, 80), 422, 'dañada o incompleta'],
    ['too many bytes', 'logo.png', buildPng(600, 400, { noise: true }), 413, 'pasa de 200 KB'],
    ['too many pixels', 'logo.png', buildPng(5000, 900, { colour: 0 }), 422, 'mide 5000 × 900 pixeles'],
  ])('cannot be %s', async (_, name, bytes, status, message) => {
    const refused = await ana.files(LOGO, { logo: [name, bytes] });
    expect(refused.status).toBe(status);
    expect(await alertIn(refused)).toContain(message);
    expect(await readLogo(fresh.db)).toBeUndefined();
  });

  it('is requested if none was chosen, and is for administrators alone', async () => {
    expect(await alertIn(await ana.files(LOGO, {}))).toContain('Elige la imagen');
    const other = await createTestApp({ db: fresh.db }).as([1, 2]);
    expect((await other.files(LOGO, { logo: ['a.png', buildPng(4, 4)] })).status).toBe(403);
    expect((await other.get(LOGO)).status).toBe(403);
  });
});
