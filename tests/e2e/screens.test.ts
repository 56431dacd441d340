import { describe, expect, it } from 'vitest';
import { fillDemo } from '../../server/services/demo/demo.ts';
import { findAxeViolations } from '../support/axe.ts';
import { signIn } from '../support/browser.ts';
import { IS_LONG_LANE } from '../support/proofs.ts';
import { createActor } from '../support/rows.ts';
import { ADMIN_LOGIN, useRunningApp } from '../support/running.ts';
import { MORE_SCREENS, SCREENS } from '../support/screens.ts';

/** Transferred bytes (brotli): of a first visit, and of the scripts of a page, a searched list and a form. */
const BUDGET = { visit: 64 * 1024, page: 5 * 1024, list: 68 * 1024, form: 74 * 1024, dialog: 30 * 1024 };

const WIDTHS = IS_LONG_LANE ? [1280, 1024, 1920, 390, 360] : [1280, 390];

/** `npm test` opens one screen of each kind; the long lane opens all, at every width. */
const KINDS = ['/invoices', '/new-invoice', '/programaciones/4', '/reporte-saldos', '/dashboard'];

describe('screens', () => {
  const app = useRunningApp((database) => fillDemo(database, createActor()));

  // Resizing the window is faster than reloading the page, and is what people do.
  it('are accessible, log no errors and fit, light and dark, on a phone and larger', async () => {
    const { page } = await app.open({ width: WIDTHS[0] });
    const found: string[] = [];
    const check = async (screen: string, width: number, dark: boolean) => {
      await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
      found.push(...(await findAxeViolations(page, `${screen} at ${width} px, dark: ${dark}`)));
    };
    let looked = 0;
    const look = async (screen: string) => {
      // A link that the sticky sums cover can be scrolled into view.
      await page.evaluate(() => {
        for (const foot of document.querySelectorAll<HTMLElement>(
          '.totals.foot, .step-bar, .split ~ .btn, tfoot, tfoot *',
        ))
          foot.style.position = 'static';
      });
      // `npm test` checks screens alternately on a dark phone and a light desktop.
      const [own, ownIsDark] = looked++ % 2 === 0 ? [390, true] : [1280, false];
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (overflow > 0) found.push(`${screen} at ${width} px: ${overflow} px wider than the window`);
        if (IS_LONG_LANE) for (const dark of [true, false]) await check(screen, width, dark);
        else if (width === own) await check(screen, width, ownIsDark);
      }
    };
    await page.goto('/login');
    await look('/login');
    await signIn(page, ADMIN_LOGIN);
    for (const screen of IS_LONG_LANE ? [...SCREENS, ...MORE_SCREENS] : KINDS) {
      const response = await page.goto(screen);
      expect({ screen, status: response?.status() }).toEqual({ screen, status: 200 });
      await look(screen);
    }
    expect(found).toEqual([]);
  }, 900_000); // all screens at all widths and in both themes take minutes beside other tests

  it('fetch React only when they are used, and never more script than their limit', async () => {
    const { page, context, allowError } = await app.open();
    let [bytes, received] = [0, 0];
    let files: string[] = [];
    page.on('response', (response) => {
      if (!response.url().endsWith('.js')) return;
      bytes += Number(response.headers()['content-length']);
      files.push(response.url());
    });
    await signIn(page, ADMIN_LOGIN);
    const fresh = async (path: string) => {
      const session = await context.newCDPSession(page);
      await session.send('Network.enable');
      await session.send('Network.setCacheDisabled', { cacheDisabled: true });
      session.on('Network.loadingFinished', ({ encodedDataLength }) => {
        received += encodedDataLength;
      });
      await page.goto('about:blank'); // requests of the previous page do not count
      [bytes, received, files] = [0, 0, []];
      await page.goto(path, { waitUntil: 'networkidle' });
    };
    await fresh('/invoices');
    expect(files.some((file) => /react/.test(file))).toBe(false);
    expect(bytes).toBeLessThanOrEqual(BUDGET.page);
    expect(received).toBeLessThanOrEqual(BUDGET.visit);
    expect(received).toBeGreaterThan(BUDGET.visit / 2);
    await page.getByLabel('Número de factura').fill('a');
    await page.waitForURL('**/invoices?*numfactura=a*');
    await page.locator('is-land[data-state=ready]').first().waitFor({ state: 'attached' });
    expect(files.some((file) => /react/.test(file))).toBe(true);
    expect(bytes).toBeLessThanOrEqual(BUDGET.list);
    await page.getByRole('button', { name: 'Seleccionar obra' }).hover();
    await page.waitForLoadState('networkidle');
    expect(bytes).toBeLessThanOrEqual(BUDGET.list + BUDGET.dialog);
    await fresh('/new-invoice');
    await page.locator('is-land[data-state=ready]').first().waitFor({ state: 'attached' });
    expect(bytes).toBeLessThanOrEqual(BUDGET.form);
    allowError(404);
    await fresh('/no-hay-nada');
    expect(files).toEqual([]);
  });
});
