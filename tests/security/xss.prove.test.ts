import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestClient } from '../support/app.ts';
import { openPage, signIn } from '../support/browser.ts';
import { IS_LONG_LANE } from '../support/proofs.ts';
import { ADMIN_LOGIN, type RunningApp, startApp } from '../support/running.ts';
import { XSS } from './payloads.ts';
import { type Planted, plant, replant } from './planted.ts';
import { type PlantedFiles, plantFiles, replantFiles } from './planted-files.ts';
import {
  difference,
  eachScreen,
  follow,
  foreignElements,
  NOTHING,
  type Noted,
  shapeOf,
} from './visit-screens.ts';

describe('T10 · stored script', () => {
  let app: RunningApp;
  let bot: TestClient;
  let planted: Planted;
  let files: PlantedFiles;

  beforeAll(async () => {
    app = await startApp(async ({ db }) => {
      // The administrator's token, because only the uploader sees an upload.
      const me = { id: 1, username: ADMIN_LOGIN.login, email: ADMIN_LOGIN.login, roles: [1, 3] };
      const plain = XSS.map((_, index) => `Texto sin nada ${index}`);
      const { withToken } = createTestApp({ db, config: { logLevel: 'error' } });
      planted = await plant(db, await withToken(me), plain);
      files = await plantFiles(db, me.id, planted, plain);
      bot = await withToken(me);
    });
  });

  afterAll(() => app?.stop());

  it('runs on no screen, opens nothing and adds no element', async () => {
    const { context, noted } = await signedIn();
    const screens = [...screensOf(planted), ...screensOfFiles(files)].map(sampleOf);
    const plain = new Map<string, string>();
    for (const [first = ''] of screens) plain.set(first, await shapeOf(bot, first));

    await replant(app.db, bot, planted, XSS);
    await replantFiles(app.db, files, XSS);
    const added: string[] = [];
    const strange: string[] = [];
    const firstOf = new Map(screens.flatMap((paths) => paths.map((path) => [path, paths[0]!])));
    await eachScreen(context, noted, [...firstOf.keys()], async (tab, path) => {
      const [before = '', after] = [plain.get(firstOf.get(path)!), await shapeOf(bot, path)];
      if (before !== after) added.push(`${path}: ${difference(before, after)}`);
      const response = await tab.goto(path, { waitUntil: 'domcontentloaded' });
      expect({ path, status: response?.status() }).toEqual({ path, status: 200 });
      strange.push(...(await foreignElements(tab)));
    });
    expect({ added, strange, ...noted }).toEqual({ added: [], strange: [], ...NOTHING });
    console.info(
      `T10: ${XSS.length} payloads on ${firstOf.size} screens: 0 dialogs, 0 CSP reports, 0 new elements`,
    );
    await context.close();
  }, 300_000);

  it('does not run in any dialog, search or message that script inserts', async () => {
    const { page, context, noted } = await signedIn();
    const strange: string[] = [];
    const look = async () => strange.push(...(await foreignElements(page)));
    for (const [form, picker] of PICKERS) {
      await page.goto(form);
      await page.getByRole('button', { name: picker, exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog
        .getByRole('status')
        .filter({ hasText: '60 resultados' })
        .or(dialog.getByRole('status').filter({ hasText: 'de 60' }))
        .waitFor();
      await look();
      await dialog.getByRole('searchbox').fill(SAMPLE);
      await dialog.getByRole('status').filter({ hasText: '1 resultado' }).waitFor();
      await look();
      await dialog.getByRole('button', { name: /^Seleccionar / }).click();
      await page.locator('.picker .control[title]').first().waitFor();
      await look();
      await page.getByRole('combobox').first().fill(SAMPLE);
      await page.getByRole('option').first().waitFor();
      await look();
    }
    for (const [list, label] of LISTS) {
      await page.goto(list);
      await page.getByLabel(label, { exact: true }).fill(SAMPLE);
      await page.waitForURL((address) => address.search.includes('onerror'));
      await page.locator('#results[aria-busy=true]').waitFor({ state: 'detached' });
      await page.locator('#results table').getByText(SAMPLE).first().waitFor();
      await look();
    }
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Ir a una pantalla' }).fill(SAMPLE);
    await page.getByRole('option', { name: SAMPLE }).first().waitFor();
    await look();
    expect({ strange, ...noted }).toEqual({ strange: [], ...NOTHING });
    await context.close();
  }, 200_000);

  it('does not run in the answer to a refused file, whatever its name', async () => {
    const [invoice = 0] = planted.invoices;
    const refused = {
      '/importar?kind=rubros': { file: 'nada' },
      '/new-invoice/xml': { xml: 'nada' },
      [`/editinvoicepage/${invoice}/adjuntos`]: { file: 'nada' },
    };
    for (const [path, controls] of Object.entries(refused)) {
      const answerTo = async (name: string, text: string) => {
        const sent = Object.keys(controls).map((control) => [control, [name, Buffer.from(text)] as const]);
        const answer = await bot.files(path, Object.fromEntries(sent));
        expect({ path, name, status: answer.status }).toEqual({ path, name, status: 422 });
        return (await answer.text()).match(/<[^\s>]*/g)?.join('\n');
      };
      const plain = await answerTo('factura.txt', '');
      for (const text of XSS) expect(await answerTo(text, ''), `${path} ${text}`).toBe(plain);
    }
  });

  it('does not run in a restored draft', async () => {
    const { page, context, noted } = await signedIn();
    const strange: string[] = [];
    for (const [path, fields] of REFUSED) {
      await page.goto(path);
      for (const name of fields) await page.locator(`[name="${name}"]`).first().fill(SAMPLE);
      await page.waitForFunction((text) => (sessionStorage.drafts ?? '').includes(text), 'onerror=alert');
      await page.goto('/suppliers');
      await page.goto(path);
      await page.getByText('Se recuperó lo que habías escrito.').waitFor();
      expect(await page.locator(`[name="${fields[0]}"]`).first().inputValue()).toBe(SAMPLE);
      strange.push(...(await foreignElements(page)));
      await page.evaluate(() => sessionStorage.clear());
    }
    expect({ strange, ...noted }).toEqual({ strange: [], ...NOTHING });
    await context.close();
  });

  it('does not run in a form that comes back, a question, an address or a setting', async () => {
    const { page, context, noted } = await signedIn();
    const strange: string[] = [];
    const look = async () => strange.push(...(await foreignElements(page)));
    const headers = { origin: app.server.url };
    for (const [index, text] of XSS.entries()) {
      if (!IS_LONG_LANE && index % 7 > 0) continue;
      const value = encodeURIComponent(text);
      // For each text one screen with it in the address, one refused form, and the settings.
      const path = ADDRESSES[index % ADDRESSES.length]! + value;
      await page.goto(path);
      await look();
      const roles = Object.fromEntries([1, 2, 3, 4, 5, 6].map((id) => [`rol.${id}`, text]));
      const form = { empresa: text.repeat(4), direccion: text.repeat(10), ...roles };
      const saved = await context.request.post('/admin-settings', { headers, form, maxRedirects: 0 });
      expect({ text, status: saved.status() }).toEqual({ text, status: 303 });
      await page.goto(index % 2 ? '/admin-settings/acceso' : `/admin-users?edit=${planted.users[index]}`);
      await look();
    }
    for (const [path, fields] of REFUSED) {
      await page.goto(path);
      for (const name of fields) await page.locator(`[name="${name}"]`).first().fill(SAMPLE);
      await page.locator('main form button:not([type=button])').last().click();
      await page.getByRole('alert').first().waitFor();
      await look();
    }
    const complaints = noted.complaints.filter((line) => !/status of 4\d\d/.test(line));
    expect({ strange, ...noted, complaints }).toEqual({ strange: [], ...NOTHING });
    await context.close();
  }, 200_000);

  async function signedIn() {
    const { page, context, browserErrors } = await openPage(app.browser, {
      baseURL: app.server.url,
      reducesMotion: true,
    });
    const noted: Noted = { dialogs: [], complaints: browserErrors };
    follow(page, noted);
    await signIn(page, ADMIN_LOGIN);
    return { page, context, noted };
  }
});

const SAMPLE = '"><img src=x onerror=alert(1)>';

const PICKERS = [
  ['/new-invoice', 'Seleccionar proveedor'],
  ['/new-invoice', 'Seleccionar obra'],
  ['/new-invoice', 'Seleccionar rubro'],
  ['/new-payment', 'Seleccionar factura'],
  ['/new-payment', 'Seleccionar el origen de recurso'],
  ['/new-job', 'Seleccionar cliente'],
] as const;

const LISTS = [
  ['/suppliers', 'Nombre del proveedor'],
  ['/invoices', 'Número de factura'],
  ['/pagos-proveedores', 'Número de cheque'],
] as const;

/** Addresses with a text in a parameter. */
const ADDRESSES = [
  '/suppliers?suppliername=',
  '/invoices?numfactura=',
  '/invoices?sortfield=',
  '/pagos-proveedores?checknum=',
  '/jobs?cursor=',
  '/admin-users?username=',
  '/reporte-saldos?suppliername=',
  '/?jobtitle=',
  '/new-invoice?supplierId=',
  '/new-payment?facturaproveedorId=',
  '/login?next=/',
  '/no-hay/',
];

/** Incomplete forms, which are shown again with what was typed. */
const REFUSED = [
  ['/new-supplier', ['suppliername', 'suppliercontactemail']],
  ['/new-job', ['jobtitle', 'jobdescription']],
  ['/new-invoice', ['numfactura', 'subtotal', 'comments']],
  ['/new-payment', ['checknum', 'paymentamount', 'comments']],
  ['/new-user', ['userfirstname', 'username', 'email']],
] as const;

/** Every twentieth of the screens that differ only in the payload, offset by group; in full proofs all. */
const sampleOf = (paths: string[], group: number): string[] =>
  IS_LONG_LANE || paths.length < XSS.length ? paths : paths.filter((_, index) => (index + group) % 20 === 0);

/** Groups of screens that look the same; with the plain texts the first of each is enough. */
function screensOf(planted: Planted): string[][] {
  const each = (ids: readonly number[], address: (id: number) => string) => ids.map(address);
  const last = planted.suppliers.at(-11)!;
  return [
    ...LISTED.map((path) => [path]),
    [`/reporte-saldos?abierto=${last}`],
    each(planted.suppliers, (id) => `/editsupplierpage/${id}`),
    each(planted.clients, (id) => `/editclientpage/${id}`),
    each(planted.jobs, (id) => `/editjobpage/${id}`),
    each(planted.rubros, (id) => `/editrubropage/${id}`),
    each(planted.sources, (id) => `/editorigenderecursopage/${id}`),
    each(planted.invoices, (id) => `/editinvoicepage/${id}`),
    each(planted.payments, (id) => `/editpaymentpage/${id}`),
    each(planted.funds, (id) => `/caja-chica/${id}`),
    each(planted.funds, (id) => `/caja-chica/${id}/editar`),
    each(planted.movements, (id) => `/caja-chica/movimientos/${id}`),
    each(planted.users, (id) => `/admin-users?username=nadie&edit=${id}`),
  ];
}

/** Screens of uploaded files, and of rows stored from files. */
const screensOfFiles = ({ credits, tables, documents }: PlantedFiles): string[][] => [
  credits.map((id) => `/editpaymentpage/${id}`),
  tables.map((id) => `/importar/${id}?kind=rubros`),
  documents.map((id) => `/new-invoice?cfdi=${id}`),
];

const LISTED = [
  ...[
    '/suppliers',
    '/clients',
    '/jobs',
    '/rubros',
    '/origenderecursos',
    '/invoices',
    '/pagos-proveedores',
  ].flatMap((path) => [path, `${path}?sorttype=DESC`]),
  '/admin-users',
  // The second page of obras.
  '/?parte=2',
  '/dashboard',
  '/reporte-saldos',
  '/caja-chica',
  '/importar',
  '/pagos-proveedores?kind=credito',
  '/new-invoice',
  '/new-invoice/xml',
  '/new-payment',
  '/new-job',
  '/new-user',
  '/admin-settings',
  '/userprofile',
  '/help',
];
