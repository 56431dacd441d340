import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeSetting } from '../../server/services/settings/settings.ts';
import { actor, addFundingSource, addInvoice, addJob, addSupplier } from '../support/rows.ts';
import { addColleague, type RunningApp, startApp } from '../support/running.ts';

/** From Saldos to paid: one prepares, another signs, lets a held line through and pays. */
describe('a batch of payments', () => {
  let app: RunningApp;
  let luis: { login: string; password: string };

  beforeAll(async () => {
    app = await startApp(async (database) => {
      luis = await addColleague(database, 'luis.mora', [2]);
      await changeSetting(database.db, actor(), 'semaforo.rfc', 'impedir');
      const fine = await addSupplier(database.db, { suppliername: 'Aceros Tepeyac' });
      const malformed = await addSupplier(database.db, { suppliername: 'Block y Bovedilla', rfc: 'MALO' });
      const jobId = await addJob(database.db, { jobtitle: 'Torre Roble' });
      await addFundingSource(database.db, { origenderecursonombre: 'Banco' });
      for (const n of [1, 2, 3, 4])
        await addInvoice(database.db, { supplierId: fine, jobId, numfactura: `A-${n}` });
      for (const n of [1, 2])
        await addInvoice(database.db, { supplierId: malformed, jobId, numfactura: `B-${n}` });
    });
  });

  afterAll(() => app?.stop());

  it.each([
    { way: 'with script', script: true, numbers: ['A-1', 'A-2', 'B-1'] },
    { way: 'without script', script: false, numbers: ['A-3', 'A-4', 'B-2'] },
  ])('goes from Saldos to paid, one line being let through, $way', async ({ script, numbers }) => {
    const { page: author } = await app.enter({ script });
    await author.goto('/reporte-saldos');
    for (const number of numbers) await author.getByLabel(`Marcar ${number}`, { exact: true }).check();
    await author.getByRole('button', { name: 'Programar pago', exact: true }).click();
    await author.getByText('Marcadas: 3 de 3, $3,480.00.').waitFor();
    await pickSource(author, script);
    await author.getByRole('button', { name: 'Programar', exact: true }).click();
    await author.getByText('Se guardó la programación de pagos.').waitFor();
    await author.getByLabel(`Importe de la factura ${numbers[0]}`).fill('1000');
    await author.getByRole('button', { name: 'Guardar', exact: true }).click();
    await author.getByText('Se guardó la programación de pagos.').waitFor();
    const totals = (page: Page) => page.locator('.totals').first().locator('dd').allInnerTexts();
    expect(await totals(author)).toEqual(['$2,160.00', '$1,160.00', '$3,320.00']);

    const { page: approver } = await app.enter({ script }, luis);
    await approver.goto(new URL(author.url()).pathname);
    await approver.getByRole('button', { name: 'Autorizar' }).click();
    await approver.getByText('Se autorizó la programación de pagos.').waitFor();
    const held = approver.getByRole('table', { name: 'Detenidas' });
    await held.getByLabel('Motivo').fill('El RFC se corrige mañana');
    await held.getByRole('button', { name: 'Dejar pasar' }).click();
    await approver.getByText('La factura se dejó pasar.').waitFor();
    expect(await held.count()).toBe(0);
    await approver.getByRole('button', { name: 'Marcar como enviada' }).click();
    await approver.getByText('La programación quedó como enviada.').waitFor();
    await approver.getByLabel('Primer número de cheque').fill('0101');
    await approver.getByRole('button', { name: 'Pagar', exact: true }).click();
    await approver.getByText('Se registraron 3 pagos.').waitFor();
    expect(await approver.getByRole('link', { name: '0102', exact: true }).count()).toBe(1);
    await author.goto('/programaciones');
    await author
      .getByRole('row', { name: /Pagada/ })
      .first()
      .waitFor();
  });
});

describe('what is ticked in a list', () => {
  let app: RunningApp;

  beforeAll(async () => {
    app = await startApp(async ({ db }) => {
      for (const suppliername of ['Aceros Tepeyac', 'Cementos del Norte']) {
        const supplierId = await addSupplier(db, { suppliername });
        for (const n of [1, 2, 3])
          await addInvoice(db, { supplierId, numfactura: `${suppliername.slice(0, 1)}-${n}` });
      }
    });
  });

  afterAll(() => app?.stop());

  const sum = (page: Page) => page.locator('.tray output');
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

async function pickSource(page: Page, script: boolean): Promise<void> {
  if (!script) {
    await page.locator('select[name=origenderecursoId]').selectOption({ label: 'Banco' });
    return;
  }
  await page.getByRole('combobox', { name: 'Origen de recurso' }).fill('Banco');
  await page.getByRole('option', { name: 'Banco', exact: true }).click();
}
