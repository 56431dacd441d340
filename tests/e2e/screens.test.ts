import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open.ts';
import { fillDemo } from '../../server/services/demo.ts';
import { createFirstAdministrator } from '../../server/services/first-users.ts';
import { launchBrowser, openPage } from '../support/browser.ts';
import { temporaryFolder } from '../support/folder.ts';
import { actor, TODAY } from '../support/rows.ts';
import { type RunningServer, startServer } from '../support/server.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PASSWORD = 'andamio-y-cimbra-7';

const SCREENS = [
  '/invoices',
  '/new-invoice',
  '/editinvoicepage/2400',
  '/pagos-proveedores',
  '/new-payment?facturaproveedorId=2400',
  '/editpaymentpage/3000',
  '/suppliers',
  '/new-supplier',
  '/editsupplierpage/1',
  '/clients',
  '/jobs',
  '/new-job',
  '/rubros',
  '/origenderecursos',
  '/caja-chica',
  '/caja-chica/1',
  '/caja-chica/1/nuevo-movimiento',
  '/caja-chica/nuevo-fondo',
  '/reporte-saldos',
  '/',
  '/dashboard',
  '/admin-users',
  '/admin-users?edit=1',
  '/new-user',
  '/admin-settings',
  '/userprofile',
  '/help',
] as const;

/** Bytes of script over the wire, brotli as browsers ask for it: a page, a list searched and its pickers, a form. */
const BUDGET = { page: 5 * 1024, list: 6 * 1024, picker: 66 * 1024, form: 66 * 1024 };

/** Every screen over the demo company. */
describe('screens', () => {
  const { folder, remove } = temporaryFolder();
  let browser: Browser;
  let server: RunningServer;

  beforeAll(async () => {
    const url = `file:${folder}/saldo.db`;
    const database = openDatabase(url, { root: '/', create: true });
    await migrate(database);
    await createFirstAdministrator(database.db, actor(), { email: 'jefa@obra.test', password: PASSWORD });
    await fillDemo(database, { today: TODAY, actor: actor() });
    await database.close();
    [browser, server] = await Promise.all([launchBrowser(), startServer({ DATABASE_URL: url })]);
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    remove();
  });

  async function signIn(page: Page): Promise<void> {
    await page.goto('/login');
    await page.getByLabel('Correo').fill('jefa@obra.test');
    await page.getByLabel('Contraseña').fill(PASSWORD);
    await page.getByRole('button', { name: 'Ingresar' }).click();
    await page.waitForURL('**/invoices');
  }

  it.each([
    { width: 360, dark: false },
    { width: 1024, dark: false },
    { width: 390, dark: false },
    { width: 390, dark: true },
    { width: 1280, dark: false },
    { width: 1280, dark: true },
  ])(
    'are accessible, complain of nothing and fit $width px (dark: $dark)',
    async (look) => {
      const { page, context, complaints } = await openPage(browser, {
        ...look,
        still: true,
        baseURL: server.url,
      });
      await page.goto('/login');
      const found: string[] = await violations(page, '/login');
      await signIn(page);
      for (const screen of SCREENS) {
        const response = await page.goto(screen);
        expect({ screen, status: response?.status() }).toEqual({ screen, status: 200 });
        found.push(...(await violations(page, screen)));
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (overflow > 0) found.push(`${screen}: ${overflow} px wider than the window`);
      }
      expect(found).toEqual([]);
      expect(complaints).toEqual([]);
      await context.close();
    },
    120_000,
  );

  it('fetch React only when they are used, and never more script than their budget', async () => {
    const { page, context } = await openPage(browser, { baseURL: server.url });
    let bytes = 0;
    let files: string[] = [];
    page.on('response', (response) => {
      if (!response.url().endsWith('.js')) return;
      bytes += Number(response.headers()['content-length']);
      files.push(response.url());
    });
    await signIn(page);
    const fresh = async (path: string) => {
      const session = await context.newCDPSession(page);
      await session.send('Network.setCacheDisabled', { cacheDisabled: true });
      [bytes, files] = [0, []];
      await page.goto(path, { waitUntil: 'networkidle' });
    };
    await fresh('/invoices');
    expect(bytes).toBeLessThanOrEqual(BUDGET.page);
    await page.getByLabel('Número de factura').fill('a');
    await page.waitForURL('**/invoices?*numfactura=a*');
    expect(files.some((file) => /react/.test(file))).toBe(false);
    expect(bytes).toBeLessThanOrEqual(BUDGET.list);
    await page.getByRole('button', { name: 'Seleccionar obra' }).hover();
    await page.locator('is-land[data-state=ready]').first().waitFor({ state: 'attached' });
    expect(files.some((file) => /react/.test(file))).toBe(true);
    expect(bytes).toBeLessThanOrEqual(BUDGET.picker);
    await fresh('/new-invoice');
    await page.locator('is-land[data-state=ready]').first().waitFor({ state: 'attached' });
    expect(bytes).toBeLessThanOrEqual(BUDGET.form);
    await fresh('/no-hay-nada');
    expect(files).toEqual([]);
    await context.close();
  });
});

/** What axe finds against WCAG 2.2 AA, a line each. It runs outside the page's CSP, through the debugger. */
async function violations(page: Page, screen: string): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: axe });
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
      .then((found) => JSON.stringify(found.violations.map((one) => one.id + ' ' + one.nodes[0].html.slice(0, 120))))`,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  return (JSON.parse(result.value) as string[]).map((text) => `${screen}: ${text}`);
}
