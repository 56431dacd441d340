import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addInvoice, addSupplier } from '../support/rows.ts';
import { useApp } from '../support/running.ts';

describe('what is ticked in a list', () => {
  const app = useApp(async ({ db }) => {
    for (const suppliername of ['Aceros Tepeyac', 'Cementos del Norte']) {
      const supplierId = await addSupplier(db, { suppliername });
      for (const n of [1, 2, 3])
        await addInvoice(db, { supplierId, numfactura: `${suppliername.slice(0, 1)}-${n}` });
    }
  });

  const sum = (page: Page) => page.locator('.selection output');
  const ticked = async (page: Page) => {
    const boxes = await page.locator('tbody .tick > input[name=facturaproveedorId]:checked').all();
    return Promise.all(boxes.map((box) => box.getAttribute('aria-label')));
  };

  it('adds up, in ranges and by keyboard, and is kept over a search', async () => {
    const { page } = await app.enter();
    await page.goto('/invoices');
    expect(await sum(page).isVisible()).toBe(false);
    await page.getByLabel('Marcar A-1').check();
    await sum(page).getByText('1 factura: $1,160.00').waitFor();
    await page.getByLabel('Marcar A-3').click({ modifiers: ['Shift'] });
    await sum(page).getByText('3 facturas: $3,480.00').waitFor();
    expect(await ticked(page)).toEqual(['Marcar A-1', 'Marcar A-2', 'Marcar A-3']);

    await page.getByRole('link', { name: 'C-1', exact: true }).focus();
    await page.keyboard.press('x');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+X');
    await sum(page).getByText('6 facturas').waitFor();
    await page.keyboard.press('x');
    await page.getByLabel('Marcar C-2').focus();
    await page.keyboard.press('Space');
    await sum(page).getByText('4 facturas: $4,640.00').waitFor();

    await page.getByLabel('Número de factura').fill('A-2');
    await sum(page).getByText('4 facturas: $4,640.00 (3 ya no están entre las filas)').waitFor();
    expect(await ticked(page)).toEqual(['Marcar A-2']);
    await page.getByRole('button', { name: 'Programar pago', exact: true }).click();
    await page.getByText('Marcadas: 4 de 4, $4,640.00.').waitFor();
    await page.getByLabel(/^Pagar la factura A-1 /).uncheck();
    await sum(page).getByText('3 facturas: $3,480.00').waitFor();
  });

  it('is all of a supplier, or all of the page', async () => {
    const { page } = await app.enter();
    await page.goto('/reporte-saldos');
    const supplier = page.getByLabel('Marcar todo lo de Aceros Tepeyac');
    await supplier.check();
    await sum(page).getByText('3 facturas: $3,480.00').waitFor();
    await page.getByLabel('Marcar A-2').uncheck();
    await sum(page).getByText('2 facturas').waitFor();
    expect(await supplier.isChecked()).toBe(false);
    await page.getByRole('button', { name: 'Todas las de la página' }).click();
    await sum(page).getByText('6 facturas: $6,960.00').waitFor();
    expect(await supplier.isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Quitar marcas' }).click();
    await sum(page).waitFor({ state: 'hidden' });
    expect(await ticked(page)).toEqual([]);
  });
});
