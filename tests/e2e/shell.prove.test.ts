import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fillSignIn } from '../support/browser.ts';
import { ADMIN_LOGIN } from '../support/running.ts';
import { kept, RECOVERED, useShell } from './shell.ts';

describe('the shell', () => {
  const app = useShell();

  describe('with unsaved typing', () => {
    it('shows what the server says of a refused form, whose draft is the newer one', async () => {
      const { page, allowError } = await app.openSignedIn();
      allowError(422);
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

    it('keeps no draft of a refused edit that is given up', async () => {
      const { page, allowError } = await app.openSignedIn();
      for (const meant of [422, /net::ERR_FAILED/]) allowError(meant);
      await page.goto('/editsupplierpage/1');
      const name = page.getByLabel('Nombre', { exact: true });
      const stored = await name.inputValue();
      // The form is submitted before the draft keeper is loaded.
      await page.route('**/keeper*', (route) => route.abort(), { times: 1 });
      await name.fill('');
      await page.getByRole('button', { name: 'Guardar', exact: true }).click();
      await page.getByText('There are empty required fields.').first().waitFor();
      await page.waitForFunction(() => (sessionStorage.drafts ?? '').includes('suppliername'));
      await page.getByRole('link', { name: 'Regresar' }).click();
      await page.waitForURL('**/suppliers');
      expect(await page.evaluate(() => sessionStorage.drafts)).toBeUndefined();
      await page.goto('/editsupplierpage/1', { waitUntil: 'networkidle' });
      expect(await page.getByText(RECOVERED).count()).toBe(0);
      expect(await name.inputValue()).toBe(stored);
    });

    it('notices on saving that a draft is based on a row that somebody else has changed', async () => {
      const { page, allowError } = await app.openSignedIn();
      allowError(409);
      await page.goto('/editsupplierpage/1');
      await page.getByLabel('Contacto').fill('Mi contacto');
      await kept(page, 'Mi contacto');
      await app.db
        .updateTable('suppliers')
        .set((eb) => ({ suppliercontactperson: 'Otro contacto', version: eb('version', '+', 1) }))
        .where('id', '=', 1)
        .execute();
      await page.reload();
      await page.getByText(RECOVERED).waitFor();
      await page.getByRole('button', { name: 'Guardar', exact: true }).click();
      const table = page.getByRole('table', { name: 'Lo que cambió' });
      await table.waitFor();
      expect(await table.textContent()).toContain('Otro contacto');
      expect(await table.textContent()).toContain('Mi contacto');
      await page.getByRole('button', { name: 'Guardar', exact: true }).click();
      await page.getByText('Supplier has been updated').waitFor();
    });
  });

  describe('without a connection', () => {
    it('sends nothing, says so at the form, and leaves everything as it was', async () => {
      const { page, context } = await app.openSignedIn();
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

    it('says after ten seconds that it is still sending', async () => {
      const { page } = await app.openSignedIn();
      await page.clock.install();
      await page.goto('/new-supplier');
      await page.getByLabel('Nombre').fill('Cementos Lentos');
      // A request without an answer, in a frame, so that the page stays reachable for the test.
      await page.route('**/new-supplier', () => {});
      await page.evaluate(() => {
        const frame = document.body.appendChild(document.createElement('iframe'));
        frame.name = 'answer';
        document.querySelector('form.form')?.setAttribute('target', frame.name);
      });
      const save = page.getByRole('button', { name: 'Guardar', exact: true });
      await save.evaluate((button: HTMLElement) => button.click());
      await page.locator('form[aria-busy=true] .btn-primary:disabled').waitFor();
      await page.clock.fastForward(9_000);
      expect(await page.getByText('Sigue enviándose…').count()).toBe(0);
      await page.clock.fastForward(2_000);
      await page.getByRole('status').filter({ hasText: 'Sigue enviándose…' }).waitFor();
      expect(await save.isDisabled()).toBe(true);
    });

    it('lets a form be sent again after the sending was stopped', async () => {
      const { page } = await app.openSignedIn();
      await page.goto('/new-supplier');
      await page.getByLabel('Nombre').fill('Cementos Parados');
      await page.getByLabel('Contacto').fill('Laura');
      await page.route('**/new-supplier', () => {});
      // evaluated in one step, because the page cannot be queried during navigation
      const states = await page.evaluate(
        () =>
          new Promise<boolean[]>((resolve) => {
            const button = document.querySelector<HTMLButtonElement>('.form-actions button');
            const { navigation } = window as unknown as { navigation: EventTarget };
            let whileSending = false;
            const stop = () => {
              whileSending = button?.disabled ?? false;
              window.stop();
            };
            navigation.addEventListener('navigate', () => setTimeout(stop), { once: true });
            navigation.addEventListener('navigateerror', () =>
              setTimeout(() => resolve([whileSending, button?.disabled ?? true])),
            );
            button?.click();
          }),
      );
      expect(states).toEqual([true, false]);
      await page.unroute('**/new-supplier');
      await page.getByRole('button', { name: 'Guardar', exact: true }).click();
      await page.getByText('Supplier has been created').waitFor();
    });
  });

  describe('when the session ends', () => {
    it('takes the other tabs to the sign-in when one signs out, and brings them back after signing in', async () => {
      const { page, context } = await app.openSignedIn();
      const other = await context.newPage();
      await other.goto('/new-supplier');
      await other.getByLabel('Nombre').fill('A medias');
      await kept(other, 'A medias');
      expect(await page.evaluate(() => JSON.parse(localStorage.user).username)).toBe('admin');
      await page.getByRole('button', { name: 'Clic para cerrar sesión' }).click();
      await page.waitForURL('**/login');
      await other.waitForURL('**/login?next=%2Fnew-supplier');
      expect(await other.evaluate(() => ({ ...sessionStorage, ...localStorage }))).toEqual({});
      await fillSignIn(page, ADMIN_LOGIN);
      await page.waitForURL('**/invoices');
      await other.waitForURL((url) => url.pathname !== '/login');
    });
  });

  describe('the palette', () => {
    it('open with Ctrl+K, accept typing at once, and go where Enter says', async () => {
      const { page } = await app.openSignedIn();
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

    /** Presses the keys that open the palette where a dialog is open, and closes that dialog. */
    async function pressKeysInDialog(page: Page) {
      await page.goto('/new-invoice');
      await page.getByRole('button', { name: 'Seleccionar obra' }).click();
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Control+k');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }

    it('does not open late, by a key pressed in a dialog, if its code arrives after that has closed', async () => {
      const { page } = await app.openSignedIn();
      const held = Promise.withResolvers<void>();
      await page.route('**/assets/keys-*.js', (route) => held.promise.then(() => route.continue()));
      await pressKeysInDialog(page);
      const arrived = page.waitForResponse('**/assets/keys-*.js');
      held.resolve();
      await (await arrived).finished();
      const palette = page.getByRole('combobox', { name: 'Ir a una pantalla' });
      await page.waitForTimeout(500);
      expect(await palette.count()).toBe(0);
      await page.keyboard.press('Control+k');
      await palette.waitFor();
    });

    it('does not open over other dialogs, says what fails, and is in the bar on a phone', async () => {
      const { page, allowError } = await app.openSignedIn({ width: 360 });
      allowError(500);
      await pressKeysInDialog(page);
      await page.route('**/api/jobs/suggest/*', (route) =>
        route.fulfill({ status: 500, json: { message: 'Ocurrió un error. Intenta de nuevo. (id 1)' } }),
      );
      await page.getByRole('button', { name: 'Buscar', exact: true }).tap();
      const field = page.getByRole('combobox', { name: 'Ir a una pantalla' });
      await field.fill('abedul');
      await page.getByRole('alert').filter({ hasText: '(id 1)' }).waitFor();
      const status = page.getByRole('dialog').getByRole('status');
      // a failed search does not claim that there are no results
      await expect.poll(() => status.innerText()).toBe('');
      await page.unroute('**/api/jobs/suggest/*');
      await field.fill('zzyzx');
      await page.getByText('Nada coincide con «zzyzx».').waitFor();
    });
  });

  it('lists the shortcuts by ?, and saves by Ctrl+Enter the form in which somebody types', async () => {
    const { page } = await app.openSignedIn();
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Atajos de teclado' });
    await list.waitFor();
    expect(await list.getByRole('link').getAttribute('href')).toBe('/help/teclado');
    await page.keyboard.press('/');
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
    await page.waitForURL('**/rubros', { waitUntil: 'commit' });
    await page.getByRole('cell', { name: 'Acero', exact: true }).waitFor();
  });

  it('saves by Ctrl+Enter also where it is the first key, and the code of the keys arrives after it', async () => {
    const { page } = await app.openSignedIn();
    const held = Promise.withResolvers<void>();
    await page.route('**/assets/keys-*.js', (route) => held.promise.then(() => route.continue()));
    await page.goto('/new-rubro');
    await page.getByLabel('Nombre').fill('Cimbra');
    await page.keyboard.press('Control+Enter');
    held.resolve();
    await page.getByRole('cell', { name: 'Cimbra', exact: true }).waitFor();
  });

  it('has the bell, which leads to what is overdue and contains signing out', async () => {
    const { page } = await app.openSignedIn();
    await page.getByRole('button', { name: 'Ver tus notificaciones', exact: true }).click();
    const notices = page.locator('#notices');
    await notices.getByRole('link', { name: /facturas? vencidas? por \$[\d,]+\.\d\d$/ }).waitFor();
    expect(await notices.getByRole('button').last().textContent()).toBe('Cerrar sesión');
    await notices.getByRole('link', { name: /vencida/ }).click();
    await page.waitForURL('**/invoices?status=vencida*');
    await page.getByRole('link', { name: 'A-1', exact: true }).waitFor();
  });
});
