import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { buildCfdi, bytesOf } from '../support/cfdi.ts';
import { addInvoice, addJob, addRubro, addSupplier } from '../support/rows.ts';
import { useApp } from '../support/running.ts';

describe('an invoice from its CFDI', () => {
  const app = useApp(async ({ db }) => {
    const jobId = await addJob(db, { jobtitle: 'Torre Norte' });
    await addJob(db, { jobtitle: 'Nave Lerma' });
    const rubroId = await addRubro(db, { nombrerubro: 'Acero' });
    const supplierId = await addSupplier(db, { suppliername: 'Escuela Kemper', rfc: 'EKU9003173C9' });
    for (const numfactura of ['K-1', 'K-2', 'K-3'])
      await addInvoice(db, { supplierId, jobId, rubroId, numfactura, subtotalCents: 77_700 });
  });

  const fileOf = (n: number) => ({
    name: `Factura ${n}.xml`,
    mimeType: 'text/xml',
    buffer: bytesOf(
      buildCfdi({ uuid: `AAAAAAAA-1111-4222-8333-${n}`.padEnd(36, '0'), root: { Folio: `${n}` } }),
    ),
  });

  it('takes two steps, and where the proposed obra is wrong two more', async () => {
    const { page } = await app.enter();
    let steps = 0;
    const does = async (step: Promise<unknown>) => {
      steps += 1;
      await step;
    };
    const load = async (n: number) => {
      steps = 0;
      await page.goto('/invoices');
      // The button asks for the file at once.
      const asking = page.waitForEvent('filechooser');
      await does(page.getByRole('link', { name: 'Cargar XML' }).first().click());
      await (await asking).setFiles(fileOf(n));
      await page.getByRole('heading', { name: 'Nueva factura' }).waitFor();
    };
    const field = (label: string): Locator => page.getByLabel(label, { exact: true });
    const save = async (n: number) => {
      await does(page.keyboard.press('Control+Enter'));
      await page.getByText(`Se guardó la factura A-${n}.`).waitFor();
      return page.locator('tbody tr', { hasText: `A-${n}` }).textContent();
    };

    await load(11);
    expect(await field('Obra').inputValue()).toBe('Torre Norte');
    expect(await field('Rubro').inputValue()).toBe('Acero');
    expect(await page.locator('.proposal').count()).toBe(2);
    expect(await save(11)).toContain('Torre Norte');
    expect(steps).toBe(2);

    await load(12);
    await field('Obra').fill('lerma');
    steps += 1;
    await page.getByRole('option', { name: 'Nave Lerma' }).waitFor();
    await does(page.keyboard.press('Enter'));
    expect(await save(12)).toContain('Nave Lerma');
    expect(steps).toBe(4);
  });
});
