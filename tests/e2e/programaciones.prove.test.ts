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
    await author.getByRole('link', { name: 'Programar pagos' }).click();
    for (const number of numbers) await author.getByLabel(new RegExp(`^Pagar la factura ${number} `)).check();
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

async function pickSource(page: Page, script: boolean): Promise<void> {
  if (!script) {
    await page.locator('select[name=origenderecursoId]').selectOption({ label: 'Banco' });
    return;
  }
  await page.getByRole('combobox', { name: 'Origen de recurso' }).fill('Banco');
  await page.getByRole('option', { name: 'Banco', exact: true }).click();
}
