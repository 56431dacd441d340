import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeSetting } from '../../server/services/settings/settings.ts';
import { findAxeViolations } from '../support/axe.ts';
import { addInvoice, addJob, addRubro, addSupplier, createActor } from '../support/rows.ts';
import { type RunningApp, startApp } from '../support/running.ts';

const OBRAS = 24;
const RUBROS = 40;

/** From pasting a budget to the invoice that exceeds it. */
describe('the budget grid in a browser', () => {
  let app: RunningApp;

  beforeAll(async () => {
    app = await startApp(async ({ db }) => {
      await changeSetting(db, createActor(), 'presupuesto', 'impedir');
      const supplierId = await addSupplier(db, { suppliername: 'Aceros Tepeyac' });
      const jobs: number[] = [];
      for (let n = 0; n < OBRAS; n++)
        jobs.push(await addJob(db, { jobtitle: `Obra ${String(n).padStart(2, '0')}` }));
      const rubros: number[] = [];
      for (let n = 0; n < RUBROS; n++)
        rubros.push(await addRubro(db, { nombrerubro: `Rubro ${String(n).padStart(2, '0')}` }));
      const spent = { supplierId, jobId: jobs[0]!, rubroId: rubros[0]!, subtotalCents: 43_000_000 };
      await addInvoice(db, spent);
    });
  });

  afterAll(() => app?.stop());

  const ready = (page: Page) => page.locator('is-land[name=BudgetGrid][data-state=ready]').waitFor();
  const cells = (page: Page) => page.locator('.typed input');
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  const paste = (page: Page, text: string) =>
    page.evaluate((pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text', pasted);
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.activeElement?.dispatchEvent(event);
    }, text);

  it('is worked by keyboard from one end of 24 obras × 40 rubros to the other, and saves what was typed there', async () => {
    const { page, browserErrors } = await app.openSignedIn();
    await page.goto('/presupuestos');
    await page.getByRole('link', { name: 'Editar', exact: true }).click();
    await ready(page);
    expect(await cells(page).count()).toBe(OBRAS * (RUBROS + 1));
    await cells(page).first().focus();
    for (let n = 1; n < OBRAS; n++) await page.keyboard.press('Enter');
    expect(await focused(page)).toBe('Rubro 00 de Obra 23');
    for (let n = 0; n < RUBROS; n++) await page.keyboard.press('ArrowRight');
    expect(await focused(page)).toBe('Sin rubro de Obra 23');
    await page.keyboard.press('ArrowRight');
    expect(await focused(page)).toBe('Sin rubro de Obra 23');
    await page.keyboard.type('1200*3');
    await page.keyboard.press('ArrowUp');
    expect(await focused(page)).toBe('Sin rubro de Obra 22');
    await page.getByText('1 cambio sin guardar: +$3,600.00.').waitFor();
    await page.keyboard.press('Control+z');
    await page.getByText('1 cambio sin guardar').waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('Sin rubro de Obra 23');
    await page.keyboard.press('Control+y');
    await page.getByLabel('Motivo del cambio').fill('Contrato');
    await page.keyboard.press('Enter');
    await page.getByText('Se guardó el presupuesto: 1 partida cambió.').waitFor();
    expect(await page.getByRole('row', { name: /Obra 23/ }).textContent()).toContain('$3,600.00');
    await page.goto('/presupuestos?editar=1');
    expect(await page.getByLabel('Sin rubro de Obra 23').inputValue()).toBe('3,600.00');
    expect(await findAxeViolations(page, 'todas las obras')).toEqual([]);
    expect(browserErrors).toEqual([]);
  });

  it('accepts a paste from a spreadsheet, undoes and saves it, and a form then warns when the budget is exceeded', async () => {
    const { page, browserErrors } = await app.openSignedIn();
    await page.goto('/presupuestos');
    await page.getByRole('link', { name: 'Obra 00' }).click();
    await page.getByRole('link', { name: 'Editar', exact: true }).click();
    await ready(page);
    await page.getByLabel('Vigente de Rubro 00').focus();
    await paste(page, '500000.00\r\n$1,200.50\r\n');
    expect(await page.getByLabel('Vigente de Rubro 01').inputValue()).toBe('$1,200.50');
    await page.getByText('2 cambios sin guardar: +$501,200.50.').waitFor();
    await page.getByRole('button', { name: 'Deshacer' }).click();
    expect(await page.getByLabel('Vigente de Rubro 01').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Rehacer' }).click();
    await page.getByLabel('Motivo del cambio').fill('Contrato');
    await page.getByRole('button', { name: 'Guardar', exact: true }).last().click();
    await page.getByText('2 partidas cambiaron').waitFor();
    expect(await findAxeViolations(page, 'una obra')).toEqual([]);

    const warning = 'Presupuesto 500,000 · Gastado 430,000 · Esta 90,000 → excede 20,000';
    await page.goto('/new-invoice');
    await page.locator('is-land[name=InvoiceForm][data-state=ready]').waitFor();
    for (const [what, which] of [
      ['proveedor', 'Aceros Tepeyac'],
      ['obra', 'Obra 00'],
      ['rubro', 'Rubro 00'],
    ]) {
      await page.getByRole('button', { name: `Seleccionar ${what}` }).click();
      await page.getByRole('button', { name: `Seleccionar ${which}`, exact: true }).click();
    }
    await page.getByLabel('Subtotal').fill('90,000');
    await page.getByText(warning).waitFor();
    await page.getByLabel('Subtotal').fill('70,000');
    await page.locator('output[name=excede]').filter({ hasText: /^$/ }).waitFor({ state: 'attached' });
    expect(browserErrors).toEqual([]);
  });
});
