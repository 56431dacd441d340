import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../../../cli/main.ts';
import { createRuntime } from '../../../../cli/runtime.ts';
import { SHORTCUTS, splitKeys } from '../../../../islands/loader/shortcuts.ts';
import { LISTS } from '../../../../server/lists/all.ts';
import { listParameters } from '../../../../server/lists/filter.ts';
import { reports } from '../../../../server/lists/reports.ts';
import { HelpText } from '../../../../server/pages/help/markdown.tsx';
import { searchHelp } from '../../../../server/pages/help/search.ts';
import { helpSectionsOf } from '../../../../server/pages/help/sections.tsx';
import { CHAPTERS, TOPICS } from '../../../../server/pages/help/topics.ts';
import { projectRoot } from '../../../../server/root.ts';
import { SETTINGS } from '../../../../server/services/settings/definitions.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { helpHref } from '../../../../server/shell/layout.tsx';
import { catalogs } from '../../../../shared/catalogs/all.ts';
import { EXPORT_FORMATS, pages } from '../../../../shared/urls.ts';
import { createTestApp } from '../../../support/app.ts';
import { useFreshDatabase } from '../../../support/databases.ts';
import { createActor } from '../../../support/rows.ts';

describe('the guide', () => {
  const fresh = useFreshDatabase('sqlite');
  const read = async (role: number, path = '/help') => {
    const response = await (await createTestApp({ db: fresh.db }).as(role)).get(path);
    expect(response.status).toBe(200);
    return response.text();
  };
  const readGuide = async (role: number) => {
    const reader = await createTestApp({ db: fresh.db }).as(role);
    const texts = TOPICS.map(async ({ id }) => (await reader.get(pages.helpTopic(id))).text());
    return (await Promise.all(texts)).join('\n');
  };

  it('opens for every signed-in user, although its menu entry is only for roles 1 and 3', async () => {
    for (const role of [1, 2, 3, 4, 5, 6]) {
      expect((await read(role)).includes('AYUDA</a>')).toBe(role === 1 || role === 3);
    }
    expect((await createTestApp({ db: fresh.db }).visitor().get('/help')).status).toBe(303);
  });

  it('lists every page once in its index, and every section to which anything ever linked', async () => {
    const index = await read(6);
    const ids = [...index.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]!);
    expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([]);
    expect(ids).toEqual(expect.arrayContaining([...FORMER_ANCHORS, 'primer-dia', 'quinto-dia']));
    const named = [...index.matchAll(/<dt><a href="\/help\/([^"]+)"/g)].map((match) => match[1]);
    expect(named).toEqual(TOPICS.map(({ id }) => id));
    const reportsInMenu = reports
      .filter(({ menu }) => menu)
      .toSorted((one, other) => one.menu!.place - other.menu!.place)
      .map(({ help }) => help);
    const listed = CHAPTERS.find(({ title }) => title === 'Reportes')!.topics.map(({ id }) => id);
    expect(listed.slice(0, reportsInMenu.length)).toEqual(reportsInMenu);
  });

  it('has only links that lead to an existing page and section', async () => {
    const guide = `${await read(6)}\n${await readGuide(6)}`;
    const links = new Set([...guide.matchAll(/href="\/help\/([^"]+)"/g)].map((match) => match[1]!));
    const there = TOPICS.flatMap((topic) =>
      helpSectionsOf(topic).map(({ id }) => (id ? `${topic.id}#${id}` : topic.id)),
    );
    expect(there.filter((one, place) => there.indexOf(one) !== place)).toEqual([]);
    expect([...links].filter((link) => !there.includes(link))).toEqual([]);
    expect(guide).not.toMatch(/<(main|article)[^>]*>.*href="#/);
    const missing = await (await createTestApp({ db: fresh.db }).as(6)).get('/help/nada');
    expect([missing.status, (await missing.text()).includes('Esa página de la ayuda no existe.')]).toEqual([
      404,
      true,
    ]);
  });

  it('opens at the page about the screen from which the user comes', async () => {
    const known = new Set(TOPICS.map(({ id }) => pages.helpTopic(id)));
    const ofCatalogs = catalogs.flatMap(({ paths: { list, create, edit } }) => [list, create, `${edit}/1`]);
    const paths = Object.values(pages).map((path) =>
      typeof path === 'function' ? (path as (...ids: unknown[]) => string)(1, 1) : path,
    );
    paths.push(...ofCatalogs, ...LISTS.map(({ page: list }) => list));
    const without = [
      '/login',
      '/login/codigo',
      '/logout',
      '/notificaciones/vistas',
      '/help',
      '/help/1',
      '/new-payment?facturaproveedorId=1',
    ];
    for (const path of paths.filter((one) => !without.includes(one)))
      expect([path, known.has(helpHref(path))]).toEqual([path, true]);
    expect(helpHref('/editinvoicepage/7')).toBe('/help/corregir-factura');
    expect(helpHref('/nothing')).toBe('/help');
    expect(await read(6, '/new-supplier')).toMatch(
      /<a aria-label="Ayuda de esta pantalla"[^>]* href="\/help\/proveedores"/,
    );
    expect(await read(6, '/help/facturas')).not.toContain('Ayuda de esta pantalla');
  });

  it('is searched without a script and without accents, best match first', async () => {
    const first = (question: string) => searchHelp(question)[0]?.topic.id;
    for (const [question, id] of QUESTIONS) expect([question, first(question)]).toEqual([question, id]);
    const found = await read(6, '/help?q=NOTAS+DE+CREDITO');
    expect(found).toContain('value="NOTAS DE CREDITO"');
    expect(found).toMatch(/<strong>notas?<\/strong>/i);
    expect(found).toContain('href="/help/cargar-xml"');
    expect(await read(6, '/help?q=zzzz+qqqq')).toContain('No hay resultados para «zzzz qqqq».');
    expect(await read(6, '/help?q=%3Cscript%3E')).not.toContain('<script>');
    expect(await read(6, `/help?q=${'a'.repeat(3000)}`)).toContain('No hay resultados');
  });

  it('leads from a message to its cause and its remedy', async () => {
    const found = searchHelp('El total pagado no puede ser mayor que el total de la factura');
    expect(found[0]).toMatchObject({ topic: { id: 'errores' } });
    expect(found[0]!.parts.map(({ id }) => id)).toContain('overpayment');
    expect(searchHelp('over_committed')[0]!.parts[0]!.id).toBe('over_committed');
  });

  it('has an example week that adds up, by the functions of the report', async () => {
    const text = helpSectionsOf(TOPICS.find(({ id }) => id === 'ejemplo-de-saldos')!)
      .map((part) => part.text)
      .join(' ');
    for (const sum of [
      'ANTERIORES es lo que venció antes del 16 nov: $11,600.00.',
      'lo que venció el martes: $7,480.00.',
      '$15,080.00 = $11,600.00 de ANTERIORES + $3,480.00 de esta semana',
      'El total general, $21,400.00',
    ])
      expect(text).toContain(sum);
  });

  it('leads to existing screens, and says who may open them in the words of the settings', async () => {
    await changeSetting(fresh.db, createActor(), 'rol.1', 'Gerencia');
    const page = await readGuide(6);
    expect(page).toContain('Solo para el rol Gerencia.');
    const texts = [...page.matchAll(/<article class="guide-text">(.*?)<\/article>/gs)]
      .map(([, text]) => text)
      .join('');
    const links = new Set([...texts.matchAll(/href="(\/[^"#]*)"/g)].map((match) => match[1]!));
    expect(links.size).toBeGreaterThan(15);
    const reader = await createTestApp({ db: fresh.db }).as([1, 3]);
    for (const link of links) expect([link, (await reader.get(link)).status]).toEqual([link, 200]);
  });

  it('names buttons, fields, headings and settings as the screens do', () => {
    const page = drawGuide();
    const named = [...page.matchAll(/<b>(.*?)<\/b>/g)].map(([, words = '']) => words);
    expect(named.length).toBeGreaterThan(30);
    const labels = LISTS.flatMap(({ filters }) => filters.flatMap(listParameters)).map(({ label }) => label);
    const sources = SCREENS_SOURCES.map((file) => readFileSync(file, 'utf8'));
    const shown = [...sources, ...labels].join('\n');
    expect([...new Set(named)].filter((words) => !isShown(words, shown))).toEqual([]);
    for (const { label } of Object.values(SETTINGS)) expect(page).toContain(label);
  });

  it('names every format of a file, and every view of a list', () => {
    const page = drawGuide();
    const [, exports = ''] = /<main id="exportar">(.*?)<\/main>/s.exec(page) ?? [];
    for (const format of EXPORT_FORMATS) expect(exports.toLowerCase()).toContain(format);
    const views = LISTS.flatMap((list) => list.views ?? []).map(({ label }) => label);
    expect(views.length).toBeGreaterThan(5);
    for (const view of views) expect(page).toContain(`<b>${view}</b>`);
  });

  it('names every key that does something, and no other', async () => {
    const page = await read(3, '/help/teclado');
    const [, keys = ''] = /<dl class="terms">(.*?)<\/dl>/s.exec(page) ?? [];
    const listed = [...keys.matchAll(/<kbd>(.*?)<\/kbd>/g)].map(([, key]) => key);
    expect(listed.length).toBeGreaterThan(6);
    expect(listed).toEqual(SHORTCUTS.flatMap(([all]) => splitKeys(all)));
  });

  it('names only commands and options that exist', async () => {
    const lines = TOPICS.flatMap(({ text }) =>
      [...text.matchAll(/^```\n(.*?)\n```$/gms)].map(([, line = '']) => line),
    );
    expect(lines.length).toBeGreaterThan(15);
    const program = await createProgram(createRuntime());
    for (const line of lines) {
      const words = line.match(/"[^"]*"|\S+/g)!;
      expect(words.splice(0, 2)).toEqual(['npx', 'saldo']);
      let command: Command = program;
      while (words[0] && command.commands.length > 0 && !words[0].startsWith('-')) {
        const name = words.shift();
        command = command.commands.find((one) => one.name() === name) ?? expect.fail(`no command ${name}`);
      }
      const options = new Set(['--help', ...command.options.map((option) => option.long)]);
      expect(words.filter((word) => word.startsWith('--') && !options.has(word))).toEqual([]);
    }
  });

  it('uses every file of topics/, with Markdown that holds no HTML and names its links', () => {
    const files = globSync('server/pages/help/topics/*.md', { cwd: projectRoot });
    expect(TOPICS.map(({ id }) => `server/pages/help/topics/${id}.md`).sort()).toEqual(files.sort());
    const draw = (text: string) => renderToStaticMarkup(<HelpText text={text} />);
    expect(
      draw('Uno **dos** & `<b>`, [x](key:).\n\n1. [Facturas](pages.invoices?status=vencida)\n2. *tres*'),
    ).toBe(
      '<p>Uno <b>dos</b> &amp; <code>&lt;b&gt;</code>, <kbd>x</kbd>.</p>' +
        '<ol><li><a href="/invoices?status=vencida">Facturas</a></li><li><i>tres</i></li></ol>',
    );
    for (const refused of [
      '<b>x</b>',
      '<script>x</script>',
      '![x](y.png)',
      '## Sin ancla',
      '{nada}',
      '> cita',
    ])
      expect(() => draw(refused)).toThrow('A help page has what it cannot show');
    for (const address of ['/invoices', 'https://saldo.example', 'javascript:x', 'pages.nada'])
      expect(() => draw(`[x](${address})`)).toThrow('No page is called');
  });
});

/** The guide's texts without the shell. */
const drawGuide = (): string =>
  TOPICS.map(({ id, text }) =>
    renderToStaticMarkup(
      <main id={id}>
        <HelpText text={text} />
      </main>,
    ),
  ).join('\n');

/** Questions, and the page that has to be found first. */
const QUESTIONS = [
  ['cargar xml', 'cargar-xml'],
  ['CARGAR EL XML', 'cargar-xml'],
  ['contraseña olvidada', 'restablecer-contrasena'],
  ['restablecer contrasena', 'restablecer-contrasena'],
  ['cerrar el mes', 'cerrar-el-mes'],
  ['conciliar banco', 'conciliar-banco'],
  ['pagar la semana', 'pagar-la-semana'],
  ['primera semana', 'primera-semana'],
  ['otro equipo', 'mudar-de-equipo'],
  ['teclado', 'teclado'],
  ['caja chica', 'caja-chica'],
  ['moneda extranjera', 'registrar-pago'],
  ['bitacora', 'bitacora'],
  ['nota de crédito', 'notas-de-credito'],
  ['anticipos', 'notas-de-credito'],
  ['historial', 'bitacora'],
  ['correo', 'estado-de-cuenta'],
  ['respaldo', 'configuracion'],
  ['respaldar', 'configuracion'],
  ['firma', 'programaciones'],
  ['autorización', 'programaciones'],
] as const;

/** Anchors of the former one-page guide, which have to lead to the same part. */
const FORMER_ANCHORS = [
  'empezar',
  'facturas',
  'capturar-factura',
  'cargar-xml',
  'corregir-factura',
  'adjuntos-factura',
  'pagos',
  'registrar-pago',
  'moneda-extranjera',
  'programaciones',
  'caja-chica',
  'listas',
  'clientes',
  'obras',
  'proveedores',
  'rubros',
  'origenes',
  'importar',
  'importar-rechazadas',
  'resultados',
  'saldos',
  'presupuesto',
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
] as const;

/** The sources of all screens except the guide. */
const SCREENS_SOURCES = globSync('{server,shared,islands}/**/*.{ts,tsx}', { cwd: projectRoot })
  .filter((file) => !file.startsWith('server/pages/help/'))
  .map((file) => join(projectRoot, file));

/** Accepts sums, which differ for each reader, and SEM, which stands for the heading of any week. Other words must occur in the sources. */
const isShown = (words: string, sources: string): boolean =>
  /^[\d*.]+$/.test(words) || words === 'SEM' || new RegExp(`\\b${words}`, 'i').test(sources);
