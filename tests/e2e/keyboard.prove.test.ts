import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addJob, addSupplier } from '../support/rows.ts';
import { ADMIN, useApp } from '../support/running.ts';

const MOST_STEPS = 60;

/** Nobody touches a mouse here: a pointer's event on any page is a complaint, and so fails the test. */
describe('by keyboard alone', () => {
  const app = useApp(async ({ db }) => {
    await addSupplier(db, { suppliername: 'Aceros Ñandú', diascredito: 30 });
    await addSupplier(db, { suppliername: 'Cementos del Norte' });
    await addJob(db, { jobtitle: 'Torre Roble' });
  });

  it('a user signs in, goes through the menu to a new invoice, saves it and pays it', async () => {
    const { page } = await app.open();
    await page.addInitScript(() => {
      for (const type of ['pointerdown', 'mousedown', 'touchstart']) {
        addEventListener(type, () => console.error(`${type} on ${location.pathname}`), { capture: true });
      }
    });
    const { keyboard } = page;
    await page.goto('/login?next=%2Finvoices');
    await page.locator('input:focus').waitFor();
    await keyboard.type(ADMIN.login);
    await tabTo(page, 'Contraseña');
    await keyboard.type(ADMIN.password);
    await keyboard.press('Enter');
    await page.waitForURL('**/invoices');

    await keyboard.press('Tab');
    expect(await focused(page)).toBe('Saltar al contenido');
    await tabTo(page, 'LISTAS');
    await keyboard.press('Enter');
    await tabTo(page, 'Proveedores');
    await keyboard.press('Enter');
    await page.waitForURL('**/suppliers');
    await tabTo(page, 'FACTURAS');
    await keyboard.press('Enter');
    await page.waitForURL('**/invoices');
    await tabTo(page, 'Nueva factura');
    await keyboard.press('Enter');
    await page.waitForURL('**/new-invoice');

    await pick(page, 'Proveedor', 'nandu', 'Aceros Ñandú');
    await pick(page, 'Obra', 'roble', 'Torre Roble');
    await tabTo(page, 'Número de factura');
    await keyboard.type('K-1');
    await tabTo(page, 'Subtotal');
    await keyboard.type('1000');
    await page.locator('output[name=total]', { hasText: '$1,160.00' }).waitFor();
    await tabTo(page, 'Otros impuestos y retenciones');
    await keyboard.press('Enter');
    await tabTo(page, 'Retenciones');
    await keyboard.type('60');
    await page.locator('output[name=total]', { hasText: '$1,100.00' }).waitFor();
    await tabTo(page, 'Guardar');
    await keyboard.press('Enter');
    await page.getByText('Se guardó la factura K-1.').waitFor();

    await tabTo(page, 'Saltar al contenido');
    await keyboard.press('Enter');
    await tabTo(page, 'Pagar K-1');
    await keyboard.press('Enter');
    await page.waitForURL('**/new-payment?facturaproveedorId=1');
    await tabTo(page, 'Pagar todo');
    await keyboard.press('Enter');
    expect(await focused(page)).toBe('Cantidad pagada');
    await keyboard.press('Enter');
    await page.getByText('Se registró el pago.').waitFor();
    expect(await page.locator('tbody tr').innerText()).toContain('$1,100.00');
  });

  it('a dialog takes the focus, keeps it, and returns it to its field on Escape', async () => {
    const { page } = await app.enter();
    await page.goto('/new-invoice');
    await tabTo(page, 'Proveedor');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: 'Nuevo proveedor' }).waitFor();
    await page.keyboard.press('ArrowUp'); // round to the last, a new one
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Seleccionar proveedor' });
    await dialog.getByRole('button', { name: 'Seleccionar Aceros Ñandú' }).waitFor();
    const inside = () =>
      page.evaluate(() => Boolean(document.activeElement?.closest('[role=dialog], dialog')));
    for (let step = 0; step < 12; step++) {
      expect(await inside()).toBe(true);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('Proveedor');
  });
});

/** Steps on until the focus is on what has this name; every stop on the way can be seen. */
async function tabTo(page: Page, name: string): Promise<void> {
  const passed: string[] = [];
  while (passed.length < MOST_STEPS) {
    await page.keyboard.press('Tab');
    const now = await focused(page);
    expect(now).not.toMatch(/\((out of sight|no ring)\)/);
    if (now === name) return;
    passed.push(now);
  }
  throw new Error(`no ${name} after ${passed.join(' → ')}`);
}

/** Types into the field, waits for the row and takes it by Enter, also ahead of the last answer; that leads on. */
async function pick(page: Page, label: string, typed: string, name: string): Promise<void> {
  if ((await focused(page)) !== label) await tabTo(page, label);
  await page.keyboard.type(typed);
  await page.getByRole('option', { name: new RegExp(`^${name}`), selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByLabel(label, { exact: true }).inputValue()).toBe(name);
}

/** The name of what has the focus; a stop without a visible ring or outside the window is named so. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement | null;
    if (!element || element === document.body) return '(page)';
    const name =
      element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent ?? '';
    const box = element.getBoundingClientRect();
    const isInside = box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
    // a date field's calendar button is a stop of its own with the browser's own ring
    const hasRing =
      element.type === 'date' ||
      (element.matches(':focus-visible') && getComputedStyle(element).outlineStyle !== 'none');
    return name.replace('*', '').trim() + (isInside ? '' : ' (out of sight)') + (hasRing ? '' : ' (no ring)');
  });
}
