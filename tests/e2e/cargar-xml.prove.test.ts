import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findAxeViolations } from '../support/axe.ts';
import { buildCfdi, bytesOf } from '../support/cfdi.ts';
import { buildPdf } from '../support/files.ts';
import { addInvoice, addJob, addRubro, addSupplier } from '../support/rows.ts';
import { useRunningApp } from '../support/running.ts';

describe('Cargar XML', () => {
  const app = useRunningApp(async ({ db }) => {
    await addJob(db, { jobtitle: 'Torre Norte' });
    await addSupplier(db, { suppliername: 'Escuela Kemper', rfc: 'EKU9003173C9', diascredito: 30 });
  });

  /** Uploads a file; returns at the filled form. */
  async function load(page: Page, n: number) {
    const uuid = `AAAAAAAA-1111-4222-8333-${String(n).padStart(12, '0')}`;
    const xml = buildCfdi({ uuid, root: { Folio: String(n) } });
    await page.goto('/new-invoice/xml');
    await page.getByLabel('XML del CFDI').setInputFiles({
      name: `Factura ${n}.xml`,
      mimeType: 'text/xml',
      buffer: bytesOf(xml),
    });
    await page.getByLabel('PDF de la factura').setInputFiles({
      name: `Factura ${n}.pdf`,
      mimeType: 'application/pdf',
      buffer: buildPdf(String(n)),
    });
    await page.getByRole('button', { name: 'Cargar' }).click();
    await page.getByRole('heading', { name: 'Nueva factura' }).waitFor();
    return xml;
  }

  it.each([
    ['at a desk', { width: 1280 }],
    ['on a phone in the dark', { width: 390, dark: true }],
  ])('fills the form, saves, lists and returns the file %s', async (where, look) => {
    const { page } = await app.openSignedIn(look);
    const n = where.length;
    const faults = () => findAxeViolations(page, page.url());
    const xml = await load(page, n);
    expect(await page.getByLabel('Proveedor').inputValue()).toBe('Escuela Kemper');
    expect(await page.getByLabel('Número de factura').inputValue()).toBe(`A-${n}`);
    expect(await page.getByLabel('Subtotal').getAttribute('readonly')).not.toBeNull();
    expect(await faults()).toEqual([]);
    // From the second invoice on, the last obra is proposed.
    if (await page.getByRole('button', { name: 'Seleccionar obra' }).isVisible()) {
      await page.getByRole('button', { name: 'Seleccionar obra' }).click();
      await page.getByRole('button', { name: 'Seleccionar Torre Norte' }).click();
    }
    await page.getByRole('button', { name: 'Guardar', exact: true }).last().click();
    await page.waitForURL('**/invoices');
    await page.getByText(`Se guardó la factura A-${n}.`).waitFor();
    await page.getByRole('link', { name: `A-${n}`, exact: true }).click();
    await page.getByRole('heading', { name: 'Adjuntos' }).waitFor();
    expect(await faults()).toEqual([]);
    const coming = page.waitForEvent('download');
    await page
      .getByRole('region', { name: 'Pagos y adjuntos' })
      .getByRole('link', { name: `Factura ${n}.xml` })
      .click();
    const download = await coming;
    expect(download.suggestedFilename()).toBe(`Factura ${n}.xml`);
    expect(readFileSync(await download.path(), 'utf8')).toBe(xml);
    await page.getByLabel('Agregar un archivo').setInputFiles({
      name: 'remisión.pdf',
      mimeType: 'application/pdf',
      buffer: buildPdf(`remisión ${n}`),
    });
    await page.getByRole('button', { name: 'Adjuntar' }).click();
    await page.getByText('Se adjuntó remisión.pdf.').waitFor();
    await page.locator('summary', { hasText: 'Quitar' }).last().click();
    await page.getByRole('button', { name: 'Quitar archivo' }).last().click();
    await page.getByText('Se quitó remisión.pdf.').waitFor();
  });

  const manyFiles = (first: number, count: number) =>
    Array.from({ length: count }, (_, index) => {
      const n = first + index;
      const uuid = `AAAAAAAA-1111-4222-8333-${String(n).padStart(12, '0')}`;
      const xml = buildCfdi({ uuid, root: { Folio: String(n), Fecha: `20${10 + (n % 15)}-03-05T09:00:00` } });
      return { name: `Factura ${n}.xml`, mimeType: 'text/xml', buffer: bytesOf(xml) };
    });

  it('takes 40 files at once with no more than four interactions', async () => {
    const { page } = await app.openSignedIn();
    await page.goto('/invoices');
    let interactions = 0;
    const does = async (step: Promise<unknown>) => {
      interactions += 1;
      await step;
    };
    const asking = page.waitForEvent('filechooser');
    await does(page.getByRole('link', { name: 'Cargar XML' }).first().click());
    await (await asking).setFiles(manyFiles(1000, 40));
    await page.getByText('40 documentos: 40 facturas nuevas').waitFor();
    expect(await findAxeViolations(page, page.url())).toEqual([]);
    await does(page.getByRole('button', { name: 'Seleccionar obra' }).click());
    await does(page.getByRole('button', { name: 'Seleccionar Torre Norte' }).click());
    await does(page.getByRole('button', { name: 'Guardar', exact: true }).click());
    await page.getByText('Se guardaron 40 documentos.').waitFor();
    expect(await findAxeViolations(page, page.url())).toEqual([]);
    expect(interactions).toBeLessThanOrEqual(4);
    await page.reload();
    await page.getByText('40 documentos guardados').waitFor();
  });

  it('takes 200 files that are dropped on the list, and shows that they are being sent', async () => {
    const { page } = await app.openSignedIn();
    await page.goto('/invoices');
    const files = manyFiles(2000, 200).map(({ name, buffer }) => ({ name, text: buffer.toString() }));
    await page.route('**/new-invoice/xml', async (route) => {
      await sending; // the note is shown only during the upload
      await route.continue();
    });
    const sending = page.evaluate(async (dropped) => {
      const dataTransfer = new DataTransfer();
      for (const { name, text } of dropped) dataTransfer.items.add(new File([text], name));
      const init = { dataTransfer, bubbles: true, cancelable: true };
      const main = document.querySelector('main')!;
      for (const type of ['dragover', 'drop']) main.dispatchEvent(new DragEvent(type, init));
      while (!main.textContent.includes('Enviando 200 archivos…')) await new Promise(requestAnimationFrame);
    }, files);
    await sending;
    await page.getByText('200 documentos: 200 facturas nuevas').waitFor();
  });
});

describe('an invoice from its CFDI', () => {
  const app = useRunningApp(async ({ db }) => {
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

  it('takes two steps, and two more if the proposed obra is wrong', async () => {
    const { page } = await app.openSignedIn();
    let steps = 0;
    const does = async (step: Promise<unknown>) => {
      steps += 1;
      await step;
    };
    const load = async (n: number) => {
      steps = 0;
      await page.goto('/invoices');
      // The button opens the file dialog directly.
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
