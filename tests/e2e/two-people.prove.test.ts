import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addInvoice, addJob, addSupplier } from '../support/rows.ts';
import { addColleague, type RunningApp, startApp } from '../support/running.ts';

/** Two people over the same rows at the same time. */
describe('two people', () => {
  let app: RunningApp;
  let luis: { login: string; password: string };

  beforeAll(async () => {
    app = await startApp(async (database) => {
      luis = await addColleague(database, 'luis.mora', [2]);
      const supplierId = await addSupplier(database.db, { suppliername: 'Aceros Tepeyac' });
      const jobId = await addJob(database.db, { jobtitle: 'Torre Roble' });
      for (const numfactura of ['A-1', 'A-2']) {
        await addInvoice(database.db, { supplierId, jobId, numfactura, comments: 'como llegó' });
      }
    });
  });

  afterAll(() => app?.stop());

  it.each([
    { way: 'with script', script: true, id: 1, number: 'A-1' },
    { way: 'without script', script: false, id: 2, number: 'A-2' },
  ])(
    'edit one invoice: the second sees both values and may save all the same, $way',
    async ({ script, id, number }) => {
      const { page: first } = await app.enter({ script });
      const { page: second, allow } = await app.enter({ script }, luis);
      for (const page of [first, second]) await page.goto(`/editinvoicepage/${id}`);

      await first.getByLabel('Número de factura').fill(`${number} bis`);
      await first.getByLabel('Observaciones').fill('revisada por la jefa');
      await first.getByRole('button', { name: 'Guardar', exact: true }).click();
      await first.getByText(`Se guardó la factura ${number} bis.`).waitFor();

      allow(409);
      await second.getByLabel('Observaciones').fill('revisada por Luis');
      await second.getByLabel('Subtotal').fill('2000');
      await second.getByRole('button', { name: 'Guardar', exact: true }).click();
      const changed = second.getByRole('table', { name: 'Lo que cambió' });
      await changed.waitFor();
      const cells = (label: string) =>
        changed.locator('tbody tr', { hasText: label }).locator('td').allInnerTexts();
      expect(await cells('Observaciones')).toEqual([
        'Observaciones',
        'revisada por la jefa',
        'revisada por Luis',
      ]);
      expect(await cells('Número de factura')).toEqual(['Número de factura', `${number} bis`, number]);
      expect(await cells('Subtotal')).toEqual(['Subtotal', '$1,000.00', '$2,000.00']);
      expect(await second.getByLabel('Observaciones').inputValue()).toBe('revisada por Luis');

      await second.getByRole('button', { name: 'Guardar', exact: true }).click();
      await second.getByText(`Se guardó la factura ${number}.`).waitFor();
      await first.goto(`/editinvoicepage/${id}`);
      expect(await first.getByLabel('Observaciones').inputValue()).toBe('revisada por Luis');
      expect(await first.getByLabel('Total', { exact: true }).textContent()).toBe('$2,320.00');
    },
  );

  it('pay one invoice: the second cannot pay what the first has paid', async () => {
    const { page: first } = await app.enter();
    const { page: second, allow } = await app.enter({}, luis);
    for (const page of [first, second]) {
      await page.goto('/new-payment?facturaproveedorId=1');
      await page.getByLabel('Cantidad pagada').fill('2000');
    }
    await first.getByRole('button', { name: 'Guardar', exact: true }).click();
    await first.getByText('Se registró el pago.').waitFor();
    allow(422);
    await second.getByRole('button', { name: 'Guardar', exact: true }).click();
    await second
      .getByRole('alert')
      .getByText('El total pagado no puede ser mayor que el total de la factura.')
      .waitFor();
    expect(await second.getByLabel('Total pendiente').textContent()).toBe('$320.00');
    await second.getByLabel('Cantidad pagada').fill('320');
    await second.getByRole('button', { name: 'Guardar', exact: true }).click();
    await second.getByText('Se registró el pago.').waitFor();
  });

  it('delete one payment: the second is told, and nothing is freed twice', async () => {
    const { page: first } = await app.enter();
    const { page: second, allow } = await app.enter({}, luis);
    for (const page of [first, second]) await page.goto('/pagos-proveedores');
    await first.getByRole('button', { name: 'Eliminar el pago 1' }).click();
    await first.getByText('Se eliminó el pago.').waitFor();
    allow(404);
    await second.getByRole('button', { name: 'Eliminar el pago 1' }).click();
    await second.getByRole('alert').waitFor();
    await second.goto('/invoices?numfactura=A-1');
    expect(await second.locator('dl.totals dd').allInnerTexts()).toEqual([
      '$2,320.00',
      '$320.00',
      '$2,000.00',
    ]);
  });
});
