import { describe, expect, it } from 'vitest';
import { addInvoice, addJob, addSupplier } from '../support/rows.ts';
import { useRunningApp } from '../support/running.ts';

describe('a credit note on paper', () => {
  const app = useRunningApp(async ({ db }) => {
    const supplierId = await addSupplier(db, { suppliername: 'Aceros Tepeyac' });
    const jobId = await addJob(db, { jobtitle: 'Torre Roble' });
    await addInvoice(db, { supplierId, jobId, numfactura: 'A-1' });
    await addInvoice(db, { supplierId, jobId, numfactura: 'A-2' });
    const other = await addSupplier(db, { suppliername: 'Cementos del Norte' });
    await addInvoice(db, { supplierId: other, jobId, numfactura: 'B-1' });
  });

  it('is found in the palette, computed while typed, and applied to open invoices, by keyboard', async () => {
    const { page } = await app.openSignedIn();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('nota de cr');
    await page.getByRole('option', { name: /^Nota de crédito/, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/new-credit-note');
    await page.getByLabel('Proveedor', { exact: true }).pressSequentially('acer');
    await page.getByRole('option', { name: /^Aceros Tepeyac/, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByLabel('Número de la nota').fill('NC-7');
    await page.getByLabel('Fecha de la nota').fill('2026-11-18');
    await page.getByLabel('Subtotal').pressSequentially('500');
    await page.locator('output[name=total]', { hasText: '$580.00' }).waitFor();
    await page.getByRole('button', { name: 'Elegir facturas' }).press('Enter');
    await page.getByLabel('Aplicar a A-1').waitFor();
    expect(await page.getByLabel('Número de la nota').inputValue()).toBe('NC-7');
    await page.getByLabel('Aplicar a A-1').fill('400');
    await page.getByLabel('Aplicar a A-2').fill('150');
    await page.getByRole('button', { name: 'Guardar', exact: true }).press('Enter');
    await page.getByText('Quedan $30.00 como saldo a favor.').waitFor();
    expect(page.url()).toContain('/editsupplierpage/1');
  });

  it('removes the invoices of one supplier with the supplier, and shows those of the next one if asked', async () => {
    const { page } = await app.openSignedIn();
    await page.goto('/new-credit-note?supplierId=1');
    await page.getByLabel('Número de la nota').fill('NC-8');
    await page.getByLabel('Aplicar a A-1').fill('10');
    const supplier = page.getByLabel('Proveedor', { exact: true });
    await supplier.fill('cemen');
    await page.getByRole('option', { name: /^Cementos del Norte/, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByLabel('Aplicar a A-1').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Elegir facturas' }).click();
    await page.getByLabel('Aplicar a B-1').waitFor();
    expect(await page.getByLabel(/^Aplicar a /).count()).toBe(1);
    expect(await page.getByLabel('Número de la nota').inputValue()).toBe('NC-8');
  });

  it.each([390, 1280])('fits a window of %i pixels, in both themes', async (width) => {
    const { page } = await app.openSignedIn({ width });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto('/new-credit-note?supplierId=1');
      await page.getByLabel('Aplicar a A-1').waitFor();
      const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
      expect(scrollWidth).toBe(clientWidth);
    }
  });
});
