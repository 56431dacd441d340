import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fillSignIn } from '../support/browser.ts';
import { ADMIN } from '../support/running.ts';
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
      const { page, context } = await app.enter();
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
      await context.clearCookies({ name: 'saldo-message' }); // it came with the answer, to the test alone
      expect(sent).toContain(key);

      await page.goto('/new-payment');
      await page.getByText(RECOVERED).waitFor();
      await page.locator('output[name=pending]', { hasText: '$' }).waitFor();
      expect(await page.getByLabel('Cantidad pagada').inputValue()).toBe('160.00');
      expect(await page.getByLabel('Observaciones').inputValue()).toBe('anticipo\nde la obra');
      expect(await page.locator('[name=facturaproveedorId]').inputValue()).toBe('1');
      // by now the figures are those after the payment that nobody was told about
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
      const { page } = await app.enter();
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
      await notice.getByRole('button', { name: 'Descartar' }).click();
      await page.waitForFunction(() => !sessionStorage.drafts);
      await page.waitForLoadState('load');
      await page.getByLabel('Nombre').focus();
      expect(await page.getByLabel('Nombre').inputValue()).toBe('');
      expect(await page.getByText(RECOVERED).count()).toBe(0);
    });

    it('shows what the server says of a refused form, whose draft is the newer one', async () => {
      const { page, allow } = await app.enter();
      allow(422);
      await page.goto('/new-supplier');
      await page.getByLabel('Nombre').fill('Cementos');
      await kept(page, 'Cementos');
      await page.getByRole('button', { name: 'Guardar', exact: true }).click();
      await page.getByText('Fields can not be empty.').first().waitFor();
      expect(await page.getByText(RECOVERED).count()).toBe(0);
      await page.getByLabel('Nombre').fill('Cementos del Norte');
      await kept(page, 'del Norte');
      await page.goto('/new-supplier');
      await page.getByText(RECOVERED).waitFor();
      expect(await page.getByLabel('Nombre').inputValue()).toBe('Cementos del Norte');
      await page.getByLabel('Contacto').fill('Laura');
      await page.getByRole('button', { name: 'Guardar', exact: true }).click();
      await page.getByText('Supplier has been created').waitFor();
      expect(await page.evaluate(() => sessionStorage.drafts)).toBeUndefined();
    });

    it('never keeps a password, and drops the typing on signing out', async () => {
      const { page } = await app.enter();
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

  describe('without a connection', () => {
    it('sends nothing, says so at the form, and leaves everything as it was', async () => {
      const { page, context } = await app.enter();
      await page.goto('/new-supplier');
      await page.getByLabel('Nombre').fill('Cementos');
      await kept(page, 'Cementos');
      await context.setOffline(true);
      await page.getByRole('button', { name: 'Guardar', exact: true }).click();
      const alert = page.getByRole('alert').filter({
        hasText: 'No hay conexión con el servidor. Lo que escribiste sigue aquí; intenta de nuevo.',
      });
      await alert.waitFor();
      expect(await page.getByLabel('Nombre').inputValue()).toBe('Cementos');
      expect(await page.getByRole('button', { name: 'Guardar', exact: true }).isEnabled()).toBe(true);
      await context.setOffline(false);
      await page.getByLabel('Contacto').fill('Laura');
      await page.getByRole('button', { name: 'Guardar', exact: true }).click();
      await page.getByText('Supplier has been created').waitFor();
    });
  });

  describe('when the session ends', () => {
    it('leads a posted form to the sign-in, and then back with what was typed', async () => {
      const { page, allow } = await app.enter();
      allow(401);
      await page.goto('/new-invoice');
      await pick(page, 'Seleccionar proveedor', 'Aceros Ñandú');
      await pick(page, 'Seleccionar obra', 'Torre Roble');
      await page.getByLabel('Número de factura').fill('S-1');
      await page.getByLabel('Fecha de emisión').fill('2026-11-01');
      await page.getByLabel('Subtotal').fill('1,000.00');
      await app.db.deleteFrom('sessions').execute();
      await page.getByRole('button', { name: 'Guardar', exact: true }).click();
      await page.waitForURL('**/login?next=%2Fnew-invoice');
      await fillSignIn(page, ADMIN);
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

  describe('the palette and the shortcuts', () => {
    it('open with Ctrl+K, accept typing at once, and go where Enter says', async () => {
      const { page } = await app.enter();
      const link = page.getByRole('link', { name: 'A-1', exact: true });
      await link.focus();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('nandu');
      const field = page.getByRole('combobox', { name: 'Ir a una pantalla' });
      await field.waitFor();
      await page.getByRole('option', { name: 'Editar Aceros Ñandú' }).waitFor();
      expect(await field.inputValue()).toBe('nandu');
      const results = page.getByRole('listbox', { name: 'Resultados' });
      const selected = results.getByRole('option', { selected: true });
      expect(await selected.textContent()).toContain('Aceros Ñandú');
      await page.keyboard.press('ArrowDown');
      expect(await selected.textContent()).toBe('Editar Aceros Ñandú');
      expect(await field.getAttribute('aria-activedescendant')).toBe(await selected.getAttribute('id'));
      await page.keyboard.press('Escape');
      await field.waitFor({ state: 'detached' });
      expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);

      await page.keyboard.press('Control+k');
      await field.fill('a-1');
      await page
        .getByRole('group', { name: 'Facturas' })
        .getByRole('option', { name: /^A-1 · Aceros/ })
        .waitFor();
      await field.fill('roble');
      await page.getByRole('option', { name: /^Torre Roble/ }).click();
      await page.waitForURL('**/invoices?jobId=*');
      await page.getByRole('button', { name: 'Buscar', exact: true }).click();
      await field.fill('CONFIGURACION');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/admin-settings');
    });
  });

  it('are listed by ?, and Ctrl+Enter saves the form in which somebody types', async () => {
    const { page } = await app.enter();
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Atajos de teclado' });
    await list.waitFor();
    expect(await list.getByRole('link').getAttribute('href')).toBe('/help/teclado');
    await page.keyboard.press('/'); // not to the filter behind it
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    // The page behind a dialog takes the focus again a moment after the dialog is gone.
    await page.waitForFunction(() => !document.querySelector('main')?.closest('[inert]'));
    await page.keyboard.press('/');
    const filter = page.getByLabel('Número de factura');
    expect(await filter.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await filter.inputValue()).toBe('');
    await filter.press('Escape');
    await page.keyboard.press('n');
    await page.waitForURL('**/new-invoice');
    await page.goto('/new-rubro');
    await page.getByLabel('Nombre').fill('Acero');
    await page.keyboard.press('Control+Enter');
    await page.waitForURL('**/rubros');
    await page.getByRole('cell', { name: 'Acero', exact: true }).waitFor();
  });

  it('include the bell, which leads to what is overdue and contains signing out', async () => {
    const { page } = await app.enter();
    await page.getByRole('button', { name: 'Ver tus notificaciones', exact: true }).click();
    const notices = page.locator('#notices');
    await notices.getByRole('link', { name: /facturas? vencidas? por \$[\d,]+\.\d\d$/ }).waitFor();
    expect(await notices.getByRole('button').last().textContent()).toBe('Cerrar sesión');
    await notices.getByRole('link', { name: /vencida/ }).click();
    await page.waitForURL('**/invoices?status=vencida*');
    await page.getByRole('link', { name: 'A-1', exact: true }).waitFor();
  });
});
