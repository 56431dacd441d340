import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillDemo } from '../../server/services/demo/demo.ts';
import { findAxeViolations } from '../support/axe.ts';
import type { WatchedPage } from '../support/browser.ts';
import { IS_LONG_LANE } from '../support/proofs.ts';
import { createActor } from '../support/rows.ts';
import { addColleague, type RunningApp, startApp } from '../support/running.ts';

const LOOKS = [IS_LONG_LANE ? { width: 1280, dark: false } : { width: 390, dark: true }];

describe.each(LOOKS)('at $width px (dark: $dark)', (look) => {
  let app: RunningApp;
  let compras: { login: string; password: string };

  beforeAll(async () => {
    app = await startApp(async (database) => {
      await fillDemo(database, createActor());
      compras = await addColleague(database, 'luis.mora', [2]);
    });
  });

  afterAll(() => app?.stop());

  it('error pages say what happened and lead back', async () => {
    const { page, allowError } = await app.openSignedIn(look, compras);
    for (const [path, status, text] of [
      ['/no-hay-nada', 404, 'No existe esta página.'],
      ['/editinvoicepage/999999', 404, 'No existe'],
      ['/admin-users', 403, 'No tienes permiso para ver esta página.'],
    ] as const) {
      allowError(status);
      expect((await page.goto(path))?.status()).toBe(status);
      expect(await page.locator('main').innerText()).toContain(text);
      await expectSound(page, path);
      await press(page.getByRole('link', { name: 'Ir a Facturas' }));
      await page.waitForURL('**/invoices');
    }
  });

  it('refused forms show where the problem is', async () => {
    const { page, allowError } = await app.openSignedIn(look);
    allowError(422);
    for (const path of ['/new-invoice', '/new-payment', '/new-supplier', '/new-user', '/userprofile']) {
      await page.goto(path);
      const answered = page.waitForResponse((response) => response.request().method() === 'POST');
      await page.locator('main form .btn-primary').first().click();
      expect((await answered).status()).toBe(422);
      await page.locator('.alert.error').waitFor();
      await expectSound(page, `${path} refused`);
    }
  });

  it('the menu, notices, filters and dialogs fit the page over which they open', async () => {
    const watched = await app.openSignedIn(look);
    const { page } = watched;
    if (look.width < 640) {
      await press(page.getByRole('button', { name: 'Menú', exact: true }));
      await page.getByRole('link', { name: 'AYUDA', exact: true }).waitFor();
      await expectSound(page, 'the menu');
      await press(page.getByRole('button', { name: 'Cerrar el menú' }));
      await press(page.locator('summary', { hasText: 'Más filtros' }));
      await expectSound(page, 'the filters');
    }
    await press(page.getByRole('button', { name: 'Ver tus notificaciones' }));
    await page.getByRole('region', { name: 'Notificaciones' }).waitFor();
    await expectSound(page, 'the notices');
    await openPicker(watched, '/new-invoice', 'Seleccionar proveedor');
    await openPicker(watched, '/new-job', 'Seleccionar cliente');
    await openPicker(watched, '/new-payment', 'Seleccionar factura');
  });

  async function openPicker({ page }: WatchedPage, path: string, title: string): Promise<void> {
    await page.goto(path);
    await press(page.getByRole('button', { name: title }));
    const dialog = page.getByRole('dialog', { name: title });
    await dialog.getByRole('row').nth(1).waitFor();
    await expectSound(page, title, '[role=dialog]');
    await dialog.getByRole('searchbox').fill('no hay nadie que se llame así');
    await dialog.getByText('Nada coincide con la búsqueda.').waitFor();
    await expectSound(page, `${title} without rows`, '[role=dialog]');
  }

  const press = (target: Locator) => (look.width < 640 ? target.tap() : target.click());
});

/** Requires the page to be accessible and no wider than the window. */
async function expectSound(page: Page, state: string, within?: string): Promise<void> {
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect({ state, beyond: Math.max(beyond, 0) }).toEqual({ state, beyond: 0 });
  expect(await findAxeViolations(page, state, within)).toEqual([]);
}
