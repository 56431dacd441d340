import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { parseCsv } from '../support/csv.ts';
import { readPdf } from '../support/pdf.ts';
import { IS_LONG } from '../support/proofs.ts';
import { addInvoice, addJob, addSupplier } from '../support/rows.ts';
import { useApp } from '../support/running.ts';

/** The built application, which loads what it makes PDF with only now. */
describe('exporting what a list shows', () => {
  const app = useApp(async ({ db }) => {
    const supplierId = await addSupplier(db, { suppliername: 'Aceros Tepeyac' });
    const jobId = await addJob(db);
    for (const numfactura of ['A-1', 'A-2', 'B-1']) await addInvoice(db, { supplierId, jobId, numfactura });
  });

  const clickAndDownload = async (page: Page, name: string) => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name, exact: true }).click(),
    ]);
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
  };

  it.each([
    ['with script', 1280, true],
    ...(IS_LONG ? [['on a phone', 360, true] as const] : []),
    ['without script', 1280, false],
  ] as const)(
    'gives a PDF, and CSV from the button beside it, of the filter as it was typed (%s)',
    async (_, width, script) => {
      const { page } = await app.enter({ width, script });
      await page.getByLabel('Número de factura').fill('a-');
      if (!script) await page.getByRole('button', { name: 'Buscar' }).click();
      await page.waitForURL('**/invoices?numfactura=a-*');
      await page.locator('.pager').getByText('2 facturas', { exact: true }).waitFor();
      const csv = page.getByRole('link', { name: 'CSV', exact: true });
      expect(await csv.count()).toBe(0);
      await page.getByRole('button', { name: 'Otros formatos' }).click();
      const box = (await csv.boundingBox())!;
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(width);
      const list = await clickAndDownload(page, 'CSV');
      expect(list.name).toMatch(/^Facturas \d{4}-\d{2}-\d{2}\.csv$/);
      const { rows } = parseCsv(new TextDecoder('utf-8', { ignoreBOM: true }).decode(list.bytes));
      expect(rows.map((row) => row.Factura)).toEqual(['A-1', 'A-2']);
      await page.keyboard.press('Escape');
      expect(await csv.count()).toBe(0);
      const report = await clickAndDownload(page, 'Exportar');
      expect(report.name).toBe('Lista de facturas.pdf');
      const { pages } = await readPdf(new Uint8Array(report.bytes));
      expect(pages[0]?.texts).toEqual(
        expect.arrayContaining(['Número con', 'a-', 'A-1', 'A-2', '2 facturas']),
      );
      expect(pages[0]?.texts).not.toContain('B-1');
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    },
  );
});
