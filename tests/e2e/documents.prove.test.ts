import { PDFDocument } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import { inTransaction } from '../../db/transaction.ts';
import { attachFile } from '../../server/services/attachments.ts';
import { findAxeViolations } from '../support/axe.ts';
import { buildCfdi, bytesOf } from '../support/cfdi.ts';
import { addActor, addInvoice } from '../support/rows.ts';
import { useRunningApp } from '../support/running.ts';

describe('a document beside its form', () => {
  let address = '';
  const app = useRunningApp(async ({ db }) => {
    const invoiceId = await addInvoice(db);
    const actor = await addActor(db);
    const pdf = await PDFDocument.create();
    for (const height of [700, 900]) pdf.addPage([600, height]);
    const files = { 'factura.pdf': await pdf.save(), 'factura.xml': bytesOf(buildCfdi()) };
    await inTransaction(db, async (trx) => {
      for (const [filename, bytes] of Object.entries(files))
        await attachFile(trx, actor, invoiceId, { filename, bytes });
    });
    address = `/editinvoicepage/${invoiceId}`;
  });

  it('is the sheet of its XML, and the pages of its PDF on demand, within the policy of the page', async () => {
    const { page } = await app.openSignedIn({ width: 1280 });
    const scripts: string[] = [];
    page.on('response', (response) => scripts.push(new URL(response.url()).pathname));
    await page.goto(address);
    const panel = page.getByRole('complementary', { name: 'Documento' });
    await panel.getByRole('heading', { name: 'Factura A 0012' }).waitFor();
    expect(await panel.innerText()).toContain('$1,160.00');
    expect(await findAxeViolations(page, 'a sheet')).toEqual([]);
    expect(scripts.filter((path) => /pdf/.test(path))).toEqual([]);
    await panel.getByRole('link', { name: 'factura.pdf' }).click();
    await panel.getByRole('img', { name: 'Página 2 de 2' }).waitFor();
    expect(await findAxeViolations(page, 'a PDF')).toEqual([]);
    expect(await panel.getByRole('img').count()).toBe(2);
    expect(page.url()).toContain(address);
  });

  it('is a link on narrower windows and without script', async () => {
    for (const look of [{ width: 1200 }, { width: 1280, runsScript: false }]) {
      const { page } = await app.openSignedIn(look);
      await page.goto(address);
      expect(await page.getByRole('complementary', { name: 'Documento' }).count()).toBe(0);
      expect(await page.getByRole('link', { name: 'factura.pdf' }).count()).toBe(1);
    }
  });
});
