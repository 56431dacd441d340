import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fillSignIn } from '../support/browser.ts';
import { ADMIN_LOGIN } from '../support/running.ts';
import { kept, RECOVERED, useShell } from './shell.ts';

describe('the shell', () => {
  const app = useShell();

  const pick = async (page: Page, title: string, name: string) => {
    await page.getByRole('button', { name: title }).click();
    await page.getByRole('button', { name: `Seleccionar ${name}`, exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };

  describe('with unsaved typing', () => {
    it('loses nothing when the connection drops during a payment, and pays once when it is sent again', async () => {
      const { page, context } = await app.openSignedIn();
      await page.goto('/new-payment');
      await pick(page, 'Seleccionar factura', 'A-1');
      await page.getByLabel('Cantidad pagada').fill('160.00');
      await page.getByLabel('Observaciones').fill('anticipo\nde la obra');
      const key = await page.locator('[name=idempotencyKey]').inputValue();
      // The server stores the payment; its answer never arrives.
      let sent = '';
      await page.route('**/new-payment', async (route) => {
        if (route.request().method() !== 'POST') return route.continue();
        sent = route.request().postData() ?? '';
        await route.fetch({ maxRedirects: 0 });
        await route.abort('connectionreset');
      });
      const dropped = page.waitForEvent('requestfailed');
      await page.getByRole('button', { name: 'Guardar', exact: true }).click();
      await dropped;
      await page.unroute('**/new-payment');
      await context.clearCookies({ name: 'saldo-message' }); // only the test saw the answer
      expect(sent).toContain(key);

      await page.goto('/new-payment');
      await page.getByText(RECOVERED).waitFor();
      await page.locator('output[name=pending]', { hasText: '$' }).waitFor();
      expect(await page.getByLabel('Cantidad pagada').inputValue()).toBe('160.00');
      expect(await page.getByLabel('Observaciones').inputValue()).toBe('anticipo\nde la obra');
      expect(await page.locator('[name=facturaproveedorId]').inputValue()).toBe('1');
      // the figures are now those after the stored payment
      await page.locator('output[name=totalamountpaid]', { hasText: '$160.00' }).waitFor();
      await page.getByRole('button', { name: 'Guardar', exact: true }).click();
      await page.getByText('Se registró el pago.').waitFor();
      const payments = await app.db.selectFrom('payments').select('amountCents').execute();
      expect(payments).toEqual([{ amountCents: 16_000 }]);

      await page.goto('/new-payment');
      await page.locator('is-land[data-state=ready]').first().waitFor({ state: 'attached' });
      expect(await page.getByLabel('Cantidad pagada').inputValue()).toBe('');
      expect(await page.getByText(RECOVERED).count()).toBe(0);
    });

    it('restores it after a reload, and "Descartar" shows the page without it', async () => {
      const { page } = await app.openSignedIn();
      await page.goto('/new-supplier');
      await page.getByLabel('Nombre').fill('Cementos a medias');
      await page.getByLabel('Contacto').fill('Íñigo');
      await kept(page, 'Íñigo');
      await page.goto('/suppliers');
      await page.goto('/new-supplier');
      const notice = page.getByRole('status').filter({ hasText: RECOVERED });
      await notice.waitFor();
      expect(await page.getByLabel('Nombre').inputValue()).toBe('Cementos a medias');
      expect(await page.getByLabel('Contacto').inputValue()).toBe('Íñigo');
      // The field with the focus is selected, as after Tab: the next key replaces what was recovered.
      await page.keyboard.press('C');
      expect(await page.getByLabel('Nombre').inputValue()).toBe('C');
      await notice.getByRole('button', { name: 'Descartar' }).click();
      await page.waitForFunction(() => !sessionStorage.drafts);
      await page.waitForLoadState('load');
      await page.getByLabel('Nombre').focus();
      expect(await page.getByLabel('Nombre').inputValue()).toBe('');
      expect(await page.getByText(RECOVERED).count()).toBe(0);
    });

    it('never keeps a password, and drops the typing on signing out', async () => {
      const { page } = await app.openSignedIn();
      await page.goto('/userprofile');
      await page.getByLabel('Contraseña actual').fill('secreto-que-no-se-guarda');
      await page.goto('/new-user');
      await page.getByLabel('Nombre').fill('Bruno');
      await kept(page, 'Bruno');
      const stored = await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }));
      expect(stored).not.toMatch(/secreto|password/);
      await page.getByRole('button', { name: 'Clic para cerrar sesión' }).click();
      await page.waitForURL('**/login');
      expect(await page.evaluate(() => ({ ...sessionStorage, ...localStorage }))).toEqual({});
    });
  });

  describe('when the session ends', () => {
    it('leads a posted form to the sign-in, and then back with what was typed', async () => {
      const { page, allowError } = await app.openSignedIn();
      allowError(401);
      await page.goto('/new-invoice');
      await pick(page, 'Seleccionar proveedor', 'Aceros Ñandú');
      await pick(page, 'Seleccionar obra', 'Torre Roble');
      await page.getByLabel('Número de factura').fill('S-1');
      await page.getByLabel('Fecha de emisión').fill('2026-11-01');
      await page.getByLabel('Subtotal').fill('1,000.00');
      await app.db.deleteFrom('sessions').execute();
      await page.getByRole('button', { name: 'Guardar', exact: true }).click();
      await page.waitForURL('**/login?next=%2Fnew-invoice');
      await fillSignIn(page, ADMIN_LOGIN);
      await page.waitForURL('**/new-invoice');
      await page.getByText(RECOVERED).waitFor();
      await page.getByText('$1,160.00').waitFor();
      await expect
        .poll(() => page.getByLabel('Proveedor', { exact: true }).inputValue())
        .toBe('Aceros Ñandú');
      await page.getByText('Vence el mar 01 dic 2026: 30 días de crédito.').waitFor();
      await page.getByRole('button', { name: 'Guardar', exact: true }).click();
      await page.getByText('Se guardó la factura S-1.').waitFor();
    });
  });

  it('shows no list on Back after its reader has signed out', async () => {
    const { page } = await app.openSignedIn();
    await page.getByRole('button', { name: 'Clic para cerrar sesión' }).click();
    await page.waitForURL('**/login');
    await page.goBack();
    await page.waitForURL('**/login?next=%2Finvoices');
    expect(await page.getByRole('table').count()).toBe(0);
  });
});
