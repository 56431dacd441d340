import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { signIn } from '../support/browser.ts';
import { useRunningApp } from '../support/running.ts';

describe('a new colleague', () => {
  const app = useRunningApp();

  const ana = { login: 'ana.ruiz', password: '' };
  const OWN = 'cimbra-y-andamio-8';

  it('is created with a generated password that can be copied, and changes it at the first sign-in', async () => {
    const { page, context } = await app.openSignedIn();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/admin-users');
    await page.getByRole('link', { name: 'Nuevo usuario' }).click();
    await page.getByLabel('Tipo de usuario').selectOption({ label: 'Dirección' });
    await page.getByLabel('Nombre').fill('Ana');
    await page.getByLabel('Apellido').fill('Ruiz');
    await page.getByRole('button', { name: 'Save User' }).click();
    const message = await page.getByText('Se creó el usuario ana.ruiz.').innerText();
    ana.password =
      /^Se creó el usuario ana\.ruiz\. Comparte esta contraseña: ([a-z0-9]{8})$/.exec(message)?.[1] ??
      message;
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

  async function changePassword(page: Page, current: string, next: string): Promise<void> {
    await page.getByLabel('Contraseña actual').fill(current);
    await page.getByLabel('Contraseña nueva').fill(next);
    await page.getByLabel('Confirmar contraseña').fill(next);
    await page.getByRole('button', { name: 'Guardar', exact: true }).click();
    await page.getByText('Your password has been updated!').waitFor();
  }
});
