import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, openPage, type Watched } from '../support/browser.ts';
import { temporaryFolder } from '../support/folder.ts';
import { type RunningServer, startServer } from '../support/server.ts';

/** One clerk's first day, in a real browser on the built application. */
describe('from nothing to a paid invoice', () => {
  const { folder, remove } = temporaryFolder();
  let browser: Browser;
  let server: RunningServer;

  beforeAll(async () => {
    [browser, server] = await Promise.all([
      launchBrowser(),
      startServer({ DATABASE_URL: `file:${folder}/saldo.db`, SALDO_ADMIN_EMAIL: 'jefa@obra.test' }),
    ]);
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    remove();
  });

  /** The password that the first start prints, once. */
  const firstPassword = () => /Contraseña: (\S+)/.exec(server.output())?.[1] ?? '';
  const PASSWORD = 'andamio-y-cimbra-7';
  let changed = false;

  async function signIn(watched: Watched): Promise<void> {
    const { page } = watched;
    await page.goto('/login');
    await page.getByLabel('Correo').fill('jefa@obra.test');
    await page.getByLabel('Contraseña').fill(changed ? PASSWORD : firstPassword());
    await page.getByRole('button', { name: 'Ingresar' }).click();
    if (!changed) {
      await page.waitForURL('**/userprofile');
      await page.getByLabel('Contraseña actual').fill(firstPassword());
      await page.getByLabel('Contraseña nueva').fill(PASSWORD);
      await page.getByLabel('Confirmar contraseña').fill(PASSWORD);
      await page.getByRole('button', { name: 'Guardar' }).click();
      await page.getByText('Your password has been updated!').waitFor();
      changed = true;
      await page.goto('/invoices');
    }
    await page.waitForURL('**/invoices');
  }

  it('signs in, changes the generated password and keeps no token within a script’s reach', async () => {
    const watched = await openPage(browser, { baseURL: server.url });
    const { page, context, complaints } = watched;
    await page.goto('/reporte-saldos?corte=2026-01-01');
    expect(new URL(page.url()).pathname).toBe('/login');
    await page.getByLabel('Correo').fill('jefa@obra.test');
    await page.getByLabel('Contraseña').fill('no-es-esta');
    await page.getByRole('button', { name: 'Ingresar' }).click();
    await page.getByText('Correo o contraseña incorrectos.').waitFor();
    expect(complaints.splice(0).filter((text) => !text.includes('401'))).toEqual([]);
    await signIn(watched);
    const cookies = await context.cookies();
    const session = cookies.find((cookie) => cookie.name === 'saldo');
    expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
    const record = await page.evaluate(() => localStorage.getItem('user') ?? '');
    expect(JSON.parse(record)).toMatchObject({ username: 'admin', roles: [1, 3] });
    const token = decodeURIComponent(session!.value).split('.')[0]!;
    expect(record + (await page.content())).not.toContain(token);
    await page.getByRole('button', { name: 'Clic para cerrar sesión' }).click();
    await page.waitForURL('**/login');
    expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('captures client, obra, supplier and invoice, pays in part, and cannot pay more than is owed', async () => {
    const watched = await openPage(browser, { baseURL: server.url });
    const { page, context, complaints } = watched;
    await signIn(watched);

    await page.goto('/new-client');
    await page.getByLabel('Nombre').fill('Inmobiliaria Cumbres');
    await page.getByLabel('Contacto').fill('Laura Peña');
    await page.getByRole('button', { name: 'Guardar' }).click();
    await page.getByText('Client has been created. Redirecting to client list...').waitFor();

    await page.goto('/new-job');
    await pick(watched, 'Seleccionar cliente', 'cumbres', 'Inmobiliaria Cumbres');
    await page.getByLabel('Nombre de la obra').fill('Torre Roble');
    await page.getByRole('button', { name: 'Guardar obra' }).click();
    await page.getByText('Job has been created. Redirecting to job list...').waitFor();

    await page.goto('/new-supplier');
    await page.getByRole('button', { name: 'Guardar' }).click();
    await page.getByText('Fields can not be empty.').first().waitFor();
    complaints.splice(0); // the browser reports the 422 itself
    await page.getByLabel('Nombre').fill('Aceros Ñandú');
    await page.getByLabel('Contacto').fill('Íñigo Ruiz');
    await page.getByLabel('Días de crédito').fill('30');
    await page.getByRole('button', { name: 'Guardar' }).click();
    await page.getByText('Supplier has been created. Redirecting to supplier list...').waitFor();

    await page.goto('/new-invoice');
    await pick(watched, 'Seleccionar proveedor', 'nandu', 'Aceros Ñandú');
    await pick(watched, 'Seleccionar obra', 'roble', 'Torre Roble');
    await page.getByLabel('Número de factura').fill('A-100');
    await page.getByLabel('Fecha de emisión').fill('2026-11-01');
    await page.getByLabel('Subtotal').fill('1,000.50');
    await page.getByText('$1,160.58').waitFor();
    expect(await page.getByLabel('Fecha de vencimiento').inputValue()).toBe('2026-12-01');
    await page.getByRole('button', { name: 'Guardar', exact: true }).click();
    await page.getByText('Se guardó la factura A-100.').waitFor();

    await page.getByRole('link', { name: 'Pagar' }).first().click();
    await page.getByLabel('Cantidad pagada').fill('1000');
    await page.getByRole('button', { name: 'Guardar', exact: true }).click();
    await page.getByText('Se registró el pago.').waitFor();

    await page.goto('/new-payment?facturaproveedorId=1');
    await page.getByText('$160.58').first().waitFor();
    await page.getByLabel('Cantidad pagada').fill('160.59');
    await page.getByRole('button', { name: 'Guardar', exact: true }).click();
    await page.getByText('El total pagado no puede ser mayor que el total de la factura.').first().waitFor();
    expect(await page.getByLabel('Cantidad pagada').inputValue()).toBe('160.59');
    complaints.splice(0);

    await page.goto('/pagos-proveedores');
    await page
      .getByRole('button', { name: /Eliminar/ })
      .first()
      .click();
    await page.getByText('Se eliminó el pago.').waitFor();
    await page.getByRole('button', { name: 'Deshacer' }).click();
    await page.getByText('Se recuperó el pago.').waitFor();

    await page.goto('/reporte-saldos');
    await page.getByText('Total Aceros Ñandú').waitFor();
    expect(await page.getByRole('row', { name: /Total general/ }).textContent()).toContain('$160.58');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('filters while typing, and the address bar follows', async () => {
    const watched = await openPage(browser, { baseURL: server.url });
    const { page, context, complaints } = watched;
    await signIn(watched);
    await page.getByLabel('Número de factura').fill('zzz');
    await page.waitForURL('**/invoices?*numfactura=zzz*');
    await page.getByText('A-100').waitFor({ state: 'detached' });
    await page.getByLabel('Número de factura').fill('a-1');
    await page.getByRole('link', { name: 'A-100', exact: true }).waitFor();
    await page.reload();
    expect(await page.getByLabel('Número de factura').inputValue()).toBe('a-1');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('does the same without script', async () => {
    const watched = await openPage(browser, { baseURL: server.url, script: false });
    const { page, context } = watched;
    await signIn(watched);
    await page.goto('/new-invoice');
    await page.locator('select[name=supplierId]').selectOption({ label: 'Aceros Ñandú' });
    await page.locator('select[name=jobId]').selectOption({ label: 'Torre Roble' });
    await page.getByLabel('Número de factura').fill('B-1');
    await page.getByLabel('Subtotal').fill('200');
    await page.getByRole('button', { name: 'Guardar', exact: true }).click();
    await page.getByText('Se guardó la factura B-1.').waitFor();
    await page.goto('/invoices?numfactura=b-1');
    await page.getByRole('link', { name: 'Pagar' }).click();
    await page.getByLabel('Cantidad pagada').fill('232');
    await page.getByRole('button', { name: 'Guardar', exact: true }).click();
    await page.getByText('Se registró el pago.').waitFor();
    await page.goto('/invoices?status=pagada');
    await page.getByRole('link', { name: 'B-1', exact: true }).waitFor();
    await context.close();
  });

  it('stops gracefully when asked', async () => {
    const { code, ms } = await server.stop();
    expect(code).toBe(0);
    expect(ms).toBeLessThan(10_000);
  });
});

/** Picks a row in a dialog, by keyboard: open, type, down, Enter. */
async function pick({ page }: Watched, title: string, typed: string, name: string): Promise<void> {
  await page.getByRole('button', { name: title }).press('Enter');
  const dialog = page.getByRole('dialog', { name: title });
  await dialog.waitFor();
  await page.keyboard.type(typed);
  await dialog.getByRole('row', { name: new RegExp(name) }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByText(name).first().waitFor();
}
