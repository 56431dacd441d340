import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../../../cli/main.ts';
import { createRuntime } from '../../../../cli/runtime.ts';
import { LISTS } from '../../../../server/lists/all.ts';
import { reports } from '../../../../server/lists/reports.ts';
import { RECIPES } from '../../../../server/pages/help/reference.tsx';
import { projectRoot } from '../../../../server/root.ts';
import { SETTINGS } from '../../../../server/services/settings/definitions.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { helpAbout } from '../../../../server/shell/help-about.ts';
import { catalogs } from '../../../../shared/catalogs/all.ts';
import { EXPORT_FORMATS, pages } from '../../../../shared/urls.ts';
import { createTestApp } from '../../../support/app.ts';
import { useFresh } from '../../../support/databases.ts';
import { actor } from '../../../support/rows.ts';

describe('the guide', () => {
  const fresh = useFresh('sqlite');
  const readGuide = async (role: number) => {
    const response = await (await createTestApp({ db: fresh.db }).as(role)).get('/help');
    expect(response.status).toBe(200);
    return response.text();
  };

  it('opens for everybody who is signed in, though its menu entry is for roles 1 and 3', async () => {
    for (const role of [1, 2, 3, 4, 5, 6]) {
      expect((await readGuide(role)).includes('AYUDA</a>')).toBe(role === 1 || role === 3);
    }
    expect((await createTestApp({ db: fresh.db }).visitor().get('/help')).status).toBe(303);
  });

  it('its contents lead to its sections, each named once', async () => {
    const reportsInMenu = reports
      .toSorted((one, other) => one.menu!.place - other.menu!.place)
      .map(({ help }) => help);
    expect(reportsInMenu).toEqual(expect.arrayContaining(['resultados', 'saldos']));
    const page = await readGuide(6);
    const anchors = [...page.matchAll(/href="#([^"]+)"/g)].map((match) => match[1]!);
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]!);
    expect(anchors.filter((anchor) => !ids.includes(anchor))).toEqual([]);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect([...page.matchAll(/<section id="([^"]+)"/g)].map((match) => match[1])).toEqual([
      'empezar',
      'facturas',
      'pagos',
      'programaciones',
      'caja-chica',
      'listas',
      'importar',
      ...reportsInMenu,
      'estado-de-cuenta',
      'dashboard',
      'configuracion',
      'cierre',
      'usuarios',
      'bitacora',
      'perfil',
      'filtros',
      'importes',
      'elegir',
      'borradores',
      'exportar',
      'campana',
      'estados',
      'corte',
      'teclado',
      'terminal',
    ]);
  });

  it('is open at the part about the screen that one comes from', async () => {
    const page = await readGuide(6);
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]!));
    const ofCatalogs = catalogs.flatMap(({ paths: { list, create, edit } }) => [list, create, `${edit}/1`]);
    const paths = Object.values(pages).map((path) =>
      typeof path === 'function' ? (path as (...ids: number[]) => string)(1, 1) : path,
    );
    paths.push(...ofCatalogs, ...LISTS.map(({ page: list }) => list));
    const without = [
      '/login',
      '/login/codigo',
      '/logout',
      '/notificaciones/vistas',
      '/help',
      '/new-payment?facturaproveedorId=1',
    ];
    for (const path of paths.filter((one) => !without.includes(one))) {
      const [, anchor = ''] = helpAbout(path).split('#');
      expect([path, ids.has(anchor)]).toEqual([path, true]);
    }
    expect(helpAbout('/editinvoicepage/7')).toBe('/help#corregir-factura');
    expect(helpAbout('/nothing')).toBe('/help');
    const list = await (await createTestApp({ db: fresh.db }).as(6)).get('/new-supplier');
    expect(await list.text()).toMatch(
      /<a aria-label="Ayuda de esta pantalla"[^>]* href="\/help#proveedores"/,
    );
  });

  it('leads to screens that exist, and says whose they are in the words of the settings', async () => {
    await changeSetting(fresh.db, actor(), 'rol.1', 'Gerencia');
    const page = await readGuide(6);
    expect(page).toContain('Solo para el rol Gerencia.');
    const [, text = ''] = /<div class="guide-text">(.*)<\/main>/s.exec(page) ?? [];
    const links = new Set([...text.matchAll(/href="(\/[^"#]*)"/g)].map((match) => match[1]!));
    expect(links.size).toBeGreaterThan(15);
    const reader = await createTestApp({ db: fresh.db }).as([1, 3]);
    for (const link of links) expect([link, (await reader.get(link)).status]).toEqual([link, 200]);
  });

  it('names what stands on a screen: buttons, fields, headings, and every setting', async () => {
    const page = await readGuide(3);
    const named = [...page.matchAll(/<b>(.*?)<\/b>/g)].map(([, words = '']) => words);
    expect(named.length).toBeGreaterThan(30);
    const sources = SCREENS_SOURCES.map((file) => readFileSync(file, 'utf8')).join('\n');
    expect([...new Set(named)].filter((words) => !isShown(words, sources))).toEqual([]);
    for (const { label } of Object.values(SETTINGS)) expect(page).toContain(label);
  });

  it('names every format of a file, and every view of a list', async () => {
    const page = await readGuide(3);
    const [, exports = ''] = /<section id="exportar"(.*?)<\/section>/s.exec(page) ?? [];
    for (const format of EXPORT_FORMATS) expect(exports.toLowerCase()).toContain(format);
    const views = LISTS.flatMap((list) => list.views ?? []).map(({ label }) => label);
    expect(views.length).toBeGreaterThan(5);
    for (const view of views) expect(page).toContain(`<b>${view}</b>`);
  });

  it('tells of every key that does something, and of no other', async () => {
    const page = await readGuide(3);
    const [, keys = ''] = /<section id="teclado"(.*?)<\/section>/s.exec(page) ?? [];
    const told = [...keys.matchAll(/<kbd>(.*?)<\/kbd>/g)].map(([, key]) => key);
    const dialog = readFileSync(join(projectRoot, 'islands/keyboard/shortcuts.ts'), 'utf8');
    const listed = [...dialog.matchAll(/^ {2}\['([^']+)', '/gm)].flatMap(([, all = '']) =>
      all.startsWith('Ctrl') ? [all] : all.split(' '),
    );
    expect(listed.length).toBeGreaterThan(6);
    expect(told).toEqual(listed);
  });

  it.each(RECIPES)('«%s»: the command and its options exist', (_purpose, line) => {
    const words = line.match(/"[^"]*"|\S+/g)!;
    expect(words.splice(0, 2)).toEqual(['npx', 'saldo']);
    let command: Command = createProgram(createRuntime());
    while (words[0] && command.commands.length > 0 && !words[0].startsWith('-')) {
      const name = words.shift();
      command = command.commands.find((one) => one.name() === name) ?? expect.fail(`no command ${name}`);
    }
    const options = new Set(['--help', ...command.options.map((option) => option.long)]);
    expect(words.filter((word) => word.startsWith('--') && !options.has(word))).toEqual([]);
  });
});

/** What screens are made from, the guide aside. */
const SCREENS_SOURCES = globSync('{server,shared,islands}/**/*.{ts,tsx}', { cwd: projectRoot })
  .filter((file) => !file.startsWith('server/pages/help/'))
  .map((file) => join(projectRoot, file));

/** Sums are the reader's own; a week's heading stands for all of them. */
const isShown = (words: string, sources: string): boolean =>
  /^[\d*.]+$/.test(words) || words === 'SEM' || new RegExp(`\\b${words}`, 'i').test(sources);
