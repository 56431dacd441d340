import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open.ts';
import { launchBrowser, openPage, type Watched } from '../support/browser.ts';
import { temporaryFolder } from '../support/folder.ts';
import { addInvoice, addJob, addSupplier } from '../support/rows.ts';
import { type RunningServer, startServer } from '../support/server.ts';

/** What script adds to the forms of invoices and payments. */
describe('while a form is filled in', () => {
  const { folder, remove } = temporaryFolder();
  let browser: Browser;
  let server: RunningServer;

  beforeAll(async () => {
    const url = `file:${folder}/saldo.db`;
    const database = openDatabase(url, { root: folder, create: true });
    await migrate(database);
    const supplierId = await addSupplier(database.db, { suppliername: 'Aceros Tepeyac', diascredito: 30 });
    const jobId = await addJob(database.db, { jobtitle: 'Torre Roble' });
    await addInvoice(database.db, { supplierId, jobId, numfactura: 'A-1' });
    await database.close();
    [browser, server] = await Promise.all([
      launchBrowser(),
      startServer({
        DATABASE_URL: url,
        SALDO_ADMIN_EMAIL: 'jefa@obra.test',
        SALDO_ADMIN_PASSWORD: 'andamio-y-cimbra-7',
      }),
    ]);
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    remove();
  });

  async function signedIn(): Promise<Watched> {
    const watched = await openPage(browser, { baseURL: server.url });
    await watched.page.goto('/login');
    await watched.page.getByLabel('Correo').fill('jefa@obra.test');
    await watched.page.getByLabel('Contraseña').fill('andamio-y-cimbra-7');
    await watched.page.getByRole('button', { name: 'Ingresar' }).click();
    await watched.page.waitForURL('**/invoices');
    return watched;
  }

  it('IVA, total and due date follow what is typed, also what was typed before the script came', async () => {
    const { page, context, complaints } = await signedIn();
    // hydration waits for an idle page; here the test says when that is
    await page.addInitScript(() => {
      window.requestIdleCallback = (work) => {
        addEventListener('idle', work as unknown as EventListener, { once: true });
        return 0;
      };
    });
    await page.goto('/new-invoice');
    // typed without a touch of the island, which would wake it
    await page.evaluate(() => {
      for (const [name, value] of [
        ['subtotal', '1,000.00'],
        ['fechaemision', '2026-11-18'],
      ] as const) {
        const input = document.querySelector<HTMLInputElement>(`input[name=${name}]`);
        if (input) input.value = value;
      }
    });
    expect(await page.getByLabel('Total', { exact: true }).textContent()).toBe('$0.00');
    await page.evaluate(() => dispatchEvent(new Event('idle')));
    const total = (text: string) => page.locator('output[name=total]', { hasText: text }).waitFor();
    await total('$1,160.00');
    expect(await page.getByLabel('Subtotal').inputValue()).toBe('1,000.00');
    await page.getByLabel('Tasa de IVA (1-100)').fill('8');
    await total('$1,080.00');
    await page.getByText('Otros impuestos y retenciones').click();
    await page.getByLabel('Retenciones', { exact: true }).fill('40.005');
    await total('–');
    await page.getByLabel('Retenciones', { exact: true }).fill('40');
    await total('$1,040.00');

    await page.getByRole('button', { name: 'Seleccionar proveedor' }).click();
    await page.getByRole('button', { name: 'Seleccionar Aceros Tepeyac' }).click();
    const due = page.getByLabel('Fecha de vencimiento');
    expect(await due.inputValue()).toBe('2026-12-18');
    await page.getByLabel('Fecha de recepción').fill('2026-11-20');
    expect(await due.inputValue()).toBe('2026-12-20');
    await due.fill('2026-12-01');
    await page.getByLabel('Fecha de recepción').fill('2026-11-21');
    expect(await due.inputValue()).toBe('2026-12-01');

    await page.getByRole('button', { name: 'Seleccionar obra' }).click();
    await page.getByRole('button', { name: 'Seleccionar Torre Roble' }).click();
    await page.getByLabel('Número de factura').fill('A-2');
    await page.getByRole('button', { name: 'Guardar' }).click();
    await page.getByText('Se guardó la factura A-2.').waitFor();
    expect(await page.locator('tbody tr', { hasText: 'A-2' }).textContent()).toContain('$1,040.00');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('a picked invoice shows its figures, and "Pagar todo" fills in what is pending', async () => {
    const { page, context, complaints } = await signedIn();
    await page.goto('/new-payment');
    await page.getByRole('button', { name: 'Seleccionar factura' }).click();
    await page.getByRole('button', { name: 'Seleccionar A-1', exact: true }).click();
    await page.locator('output[name=pending]', { hasText: '$1,160.00' }).waitFor();
    expect(await page.locator('.facts').textContent()).toContain('Torre Roble');
    await page.getByRole('button', { name: 'Pagar todo' }).click();
    expect(await page.getByLabel('Cantidad pagada').inputValue()).toBe('1160.00');
    await page.getByRole('button', { name: 'Guardar' }).click();
    await page.getByText('Se registró el pago.').waitFor();
    await page.getByRole('button', { name: 'Eliminar el pago 1' }).click();
    await page.getByRole('button', { name: 'Deshacer' }).click();
    await page.getByText('Se recuperó el pago.').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
});
