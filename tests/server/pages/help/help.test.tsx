import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../../../cli/main.ts';
import { createRuntime } from '../../../../cli/runtime.ts';
import { LISTS } from '../../../../server/lists/all.ts';
import { reports } from '../../../../server/lists/reports.ts';
import { RECIPES } from '../../../../server/pages/help/reference.tsx';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { helpAbout } from '../../../../server/shell/help-about.ts';
import { catalogs } from '../../../../shared/catalogs/all.ts';
import { pages } from '../../../../shared/urls.ts';
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
      'caja-chica',
      'listas',
      'importar',
      ...reportsInMenu,
      'estado-de-cuenta',
      'dashboard',
      'configuracion',
      'usuarios',
      'bitacora',
      'perfil',
      'filtros',
      'importes',
      'elegir',
      'borradores',
      'exportar',
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
    const paths = Object.values(pages).map((path) => (typeof path === 'function' ? path(1) : path));
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
