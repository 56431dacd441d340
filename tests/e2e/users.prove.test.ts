import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillSignIn, signIn } from '../support/browser.ts';
import { type RunningApp, startApp } from '../support/running.ts';

/** What an administrator does to a colleague, and what the colleague sees of it, each in a browser of their own. */
describe('a colleague', () => {
  let app: RunningApp;

  beforeAll(async () => {
    app = await startApp();
  });

  afterAll(() => app?.stop());

  const ana = { login: 'ana.ruiz', password: '' };
  const OWN = 'cimbra-y-andamio-8';

  it('is created with a generated password that can be copied, and changes it at the first sign-in', async () => {
    const { page, context } = await app.enter();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/admin-users');
    await page.getByRole('link', { name: 'Nuevo usuario' }).click();
    await page.getByLabel('Tipo de usuario').selectOption({ label: 'Dirección' });
    await page.getByLabel('Nombre').fill('Ana');
    await page.getByLabel('Apellido').fill('Ruiz');
    await page.getByRole('button', { name: 'Save User' }).click();
    const said = await page.getByText('Se creó el usuario ana.ruiz.').innerText();
    ana.password =
      /^Se creó el usuario ana\.ruiz\. Comparte esta contraseña: ([a-z0-9]{8})$/.exec(said)?.[1] ?? said;
    await page.getByRole('button', { name: 'Copiar' }).click();
    await page.getByRole('button', { name: 'Copiada' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(ana.password);

    const { page: hers } = await app.open();
    await signIn(hers, ana, '**/userprofile');
    await changePassword(hers, ana.password, OWN);
    ana.password = OWN;
    await hers.getByRole('link', { name: 'DASHBOARD' }).click();
    await hers.getByRole('heading', { name: 'Dashboard' }).waitFor();
    expect(await hers.getByText('ADMIN', { exact: true }).count()).toBe(0);
  });

  it('whose password is reset is out at the next click, and in again with the new one alone', async () => {
    const { page: hers, allow } = await app.enter({}, ana);
    const { page } = await app.enter();
    await openDialog(page);
    await page.getByRole('button', { name: 'Restablecer contraseña' }).click();
    await page.getByText('Password has been reset. Please, share this information with ana.ruiz').waitFor();
    const made = await page.getByLabel('Contraseña', { exact: true }).inputValue();
    expect(made).toMatch(/^[a-z0-9]{8}$/);

    await hers.getByRole('link', { name: 'PAGOS A PROV.' }).click();
    await hers.waitForURL('**/login?next=%2Fpagos-proveedores');
    allow(401);
    await fillSignIn(hers, ana);
    await hers.getByText('Correo o contraseña incorrectos.').waitFor();
    await fillSignIn(hers, { ...ana, password: made });
    await hers.waitForURL('**/userprofile');
    await changePassword(hers, made, OWN);
  });

  it('whose roles change signs in again, and is refused what they no longer open', async () => {
    const { page: hers, allow } = await app.enter({}, ana);
    await hers.goto('/dashboard');
    const { page } = await app.enter();
    const dialog = await openDialog(page);
    await dialog.getByLabel('Dirección').uncheck();
    await dialog.getByLabel('Contabilidad').check();
    await dialog.getByRole('button', { name: 'Guardar', exact: true }).click();
    await page.getByText('User has been updated. Redirecting to user list...').waitFor();
    expect(await page.locator('tbody tr', { hasText: 'ana.ruiz' }).innerText()).toContain('Contabilidad');

    allow(403);
    await hers.reload();
    await hers.waitForURL('**/login?next=%2Fdashboard');
    await fillSignIn(hers, ana);
    await hers.waitForURL('**/dashboard');
    await hers.getByText('ana.ruiz does not have privileges to see this page.').waitFor();
    await hers.goto('/admin-users');
    await hers.getByText('ana.ruiz does not have privileges to see this page.').waitFor();
    await hers.goto('/invoices');
    expect(await hers.getByText('DASHBOARD').count()).toBe(0);
  });

  it('who is deactivated is out at once and cannot sign in until activated again', async () => {
    const { page: hers, allow } = await app.enter({}, ana);
    const { page } = await app.enter();
    const setActive = async (active: boolean) => {
      const dialog = await openDialog(page);
      await dialog.getByLabel('Activo').setChecked(active);
      await dialog.getByRole('button', { name: 'Guardar', exact: true }).click();
      await page.getByText('User has been updated. Redirecting to user list...').waitFor();
      const row = page.locator('tbody tr', { hasText: 'ana.ruiz' });
      await row.getByText(active ? 'Activo' : 'Desactivado', { exact: true }).waitFor();
    };
    await setActive(false);
    await hers.reload();
    await hers.waitForURL('**/login?next=%2Finvoices');
    allow(401);
    await fillSignIn(hers, ana);
    await hers.getByText('Correo o contraseña incorrectos.').waitFor();
    await setActive(true);
    await fillSignIn(hers, ana);
    await hers.waitForURL('**/invoices');
  });

  async function openDialog(page: Page) {
    await page.goto('/admin-users');
    await page.getByRole('link', { name: 'Click to edit the user. ana.ruiz' }).click();
    const dialog = page.getByRole('dialog', { name: 'Actualizar' });
    await dialog.waitFor();
    return dialog;
  }

  async function changePassword(page: Page, current: string, next: string): Promise<void> {
    await page.getByLabel('Contraseña actual').fill(current);
    await page.getByLabel('Contraseña nueva').fill(next);
    await page.getByLabel('Confirmar contraseña').fill(next);
    await page.getByRole('button', { name: 'Guardar', exact: true }).click();
    await page.getByText('Your password has been updated!').waitFor();
  }
});
