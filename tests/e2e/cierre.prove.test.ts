import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addInvoice, addJob, addRubro, addSupplier } from '../support/rows.ts';
import { addColleague, type RunningApp, startApp } from '../support/running.ts';

/** A month that is over is looked through, closed, asked about by a late edit, and opened again. */
describe('the monthly close', () => {
  let app: RunningApp;
  let luis: { login: string; password: string };
  /** of last month, as clocks of today see it */
  const last = new Date();
  last.setUTCDate(0);
  const issued = last.toISOString().slice(0, 10);

  beforeAll(async () => {
    app = await startApp(async (database) => {
      luis = await addColleague(database, 'luis.mora', [2]);
      const ids = {
        supplierId: await addSupplier(database.db, { suppliername: 'Aceros Tepeyac' }),
        jobId: await addJob(database.db, { jobtitle: 'Torre Roble' }),
      };
      const rubroId = await addRubro(database.db, { nombrerubro: 'Acero' });
      await addInvoice(database.db, { ...ids, rubroId, numfactura: 'A-1', fechaemision: issued });
      await addInvoice(database.db, { ...ids, numfactura: 'A-2', fechaemision: issued, subtotalCents: 500 });
    });
  });

  afterAll(() => app?.stop());

  it.each([
    { way: 'with script', script: true },
    { way: 'without script', script: false },
  ])('is closed, refuses a late edit, and is opened with a reason, $way', async ({ script }) => {
    const { page, allow } = await app.enter({ script });
    await page.goto('/admin-settings');
    await page.getByRole('link', { name: 'Cierre de mes' }).last().click();
    await page.getByRole('heading', { name: 'Cierre de mes' }).waitFor();
    // What is open leads to its rows and back.
    await page.getByRole('link', { name: 'Facturas sin rubro: 1' }).click();
    await page.getByRole('link', { name: 'A-2', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'A-1', exact: true }).count()).toBe(0);
    await page.goto('/cierre');
    await page.getByRole('button', { name: /^Cerrar hasta el / }).click();
    await page.getByText(/^Se cerró el periodo hasta el /).waitFor();

    // Somebody without the role is told; an administrator is asked why, and nothing typed is lost.
    const { page: second, allow: allowOther } = await app.enter({ script }, luis);
    await second.goto('/editinvoicepage/1');
    await second.getByLabel('Observaciones').fill('tarde');
    allowOther(409);
    await second.getByRole('button', { name: 'Guardar', exact: true }).click();
    await second.getByRole('alert').getByText('Solo un administrador puede cambiarlo').waitFor();
    expect(await second.getByLabel('Motivo').count()).toBe(0);
    await page.goto('/editinvoicepage/1');
    await page.getByLabel('Observaciones').fill(`llegó tarde, ${script}`);
    allow(409);
    await page.getByRole('button', { name: 'Guardar', exact: true }).click();
    await page.getByLabel('Motivo').fill('La nota llegó tarde');
    expect(await page.getByLabel('Observaciones').inputValue()).toBe(`llegó tarde, ${script}`);
    await page.getByRole('button', { name: 'Guardar', exact: true }).click();
    await page.getByText('Se guardó la factura A-1.').waitFor();

    await page.goto('/cierre');
    await page.getByText('Reabrir un periodo').click();
    await page.getByLabel('Motivo').fill('Falta la factura de la grúa');
    await page.getByRole('button', { name: 'Reabrir', exact: true }).click();
    await page.getByText('Ya no hay nada cerrado.').waitFor();
    await page
      .getByText(/reabrió el periodo.*Falta la factura de la grúa/i)
      .first()
      .waitFor();
    await second.getByRole('button', { name: 'Guardar', exact: true }).click();
    allowOther(409); // somebody else has saved it meanwhile
    await second
      .getByText(/Otra persona guardó|Se guardó la factura/)
      .first()
      .waitFor();
  });
});
