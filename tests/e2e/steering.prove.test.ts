import { join } from 'node:path';
import { PDFDict, PDFName, type PDFRawStream } from 'pdf-lib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../db/open.ts';
import { fillDemo } from '../../server/services/demo/demo.ts';
import { addDays, plainDateIn } from '../../shared/dates.ts';
import { signIn } from '../support/browser.ts';
import { runSaldo } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { readPdf } from '../support/pdf.ts';
import { pngOf } from '../support/pictures.ts';
import { actor } from '../support/rows.ts';
import { ADMIN, openWatched, type RunningApp, startApp } from '../support/running.ts';
import { startServer } from '../support/server.ts';

const WAYS = [
  { way: 'with script', script: true },
  { way: 'without script', script: false },
];

const ZONE = 'America/Mexico_City';

/** What an owner and an administrator do on the pages that they steer by, over the demo company of this day. */
describe('the pages that a firm is steered by', () => {
  let app: RunningApp;
  const today = plainDateIn(new Date(), ZONE);

  beforeAll(async () => {
    app = await startApp((database) => fillDemo(database, actor({ today })));
  });

  afterAll(() => app?.stop());

  it.each(WAYS)('a logo is set, and stands on a PDF, $way', async ({ script }) => {
    const size = script ? [300, 90] : [120, 40];
    const { page } = await app.enter({ script });
    await page.goto('/admin-settings');
    const logo = { name: 'logo.png', mimeType: 'image/png', buffer: pngOf(size[0]!, size[1]!) };
    await page.getByLabel('Logotipo', { exact: true }).setInputFiles(logo);
    await page.getByRole('button', { name: 'Guardar logotipo' }).click();
    await page.getByText('Se guardó el logotipo').waitFor();
    await page.getByAltText('El logotipo de la empresa').waitFor();
    await page.goto('/estado-cuenta/1');
    const href = await page.locator('a[href*="export.pdf"]').first().getAttribute('href');
    const answer = await page.request.get(href ?? '');
    const { document } = await readPdf(await answer.body());
    const drawn = document.getPage(0).node.Resources()?.lookup(PDFName.of('XObject'), PDFDict);
    const pictures = drawn?.keys().map((name) => {
      const { dict } = drawn.lookup(name) as PDFRawStream;
      return ['Width', 'Height'].map((side) => Number(String(dict.get(PDFName.of(side)))));
    });
    expect(pictures).toContainEqual(size);
  });

  it.each(WAYS)('a backup is made, downloaded and restored elsewhere, $way', async ({ script }) => {
    const { folder, remove } = temporaryFolder();
    try {
      const { page } = await app.enter({ script });
      await page.goto('/admin-settings');
      await page.getByRole('button', { name: 'Hacer un respaldo ahora' }).click();
      await page.getByText(/^Se hizo el respaldo .*todas las reglas se cumplen/).waitFor();
      const coming = page.waitForEvent('download');
      await page.getByRole('link', { name: /^Descargar el más reciente/ }).click();
      const file = join(folder, 'respaldo.db');
      await (await coming).saveAs(file);
      const owed = await owedOn(page);

      const url = `file:${folder}/otra.db`;
      const closed = openDatabase(`file:${file}`, { root: folder, create: false });
      const env = { DATABASE_URL: url, DATA_FOLDER: folder };
      const restored = await runSaldo({ database: closed }, ['db', 'restore', file], undefined, { env });
      await closed.close();
      expect(restored).toMatchObject({ code: 0, log: '' });
      expect(restored.out).toContain('La copia está en su lugar');
      const server = await startServer({ DATABASE_URL: url });
      try {
        const { page: there } = await openWatched(app.browser, { script, baseURL: server.url });
        await signIn(there, ADMIN);
        expect(await owedOn(there)).toBe(owed);
      } finally {
        await server.stop();
      }
    } finally {
      remove();
    }
  });

  it.each(WAYS)('a notice is put off, and told again, $way', async ({ script }) => {
    const { page } = await app.enter({ script });
    await page.goto('/notificaciones');
    const told = page.getByRole('link', { name: /vencid/ });
    const off = page.getByRole('region', { name: 'Pospuestas' });
    const label = await told.first().innerText();
    expect(await off.count()).toBe(0);
    const row = page.getByRole('listitem').filter({ has: told });
    await row.getByRole('button', { name: 'Posponer hasta mañana' }).click();
    await off.getByRole('link', { name: label }).waitFor();
    expect(await told.count()).toBe(1);
    await page.goto('/invoices');
    expect(await page.locator('.notices').getByText(label).count()).toBe(0);
    await page.goto('/notificaciones');
    await off.getByRole('button', { name: `Mostrar otra vez: ${label}` }).click();
    await off.waitFor({ state: 'detached' });
    await page.getByRole('main').getByRole('link', { name: label }).waitFor();
  });

  it.each(WAYS)('a change is found in Bitácora, by its day and from its row, $way', async ({ script }) => {
    const { page } = await app.enter({ script });
    await page.goto(`/editsupplierpage/${script ? 1 : 2}`);
    const days = page.getByLabel('Días de crédito');
    const before = await days.inputValue();
    await days.fill('77');
    await page.getByRole('button', { name: 'Guardar', exact: true }).click();
    await page
      .getByText(/^Se (guardó|actualizó)|updated/)
      .first()
      .waitFor();
    await page.goto('/bitacora');
    await page.getByLabel('De qué').selectOption({ label: 'Proveedores' });
    await page.getByLabel('Desde').first().fill(addDays(today, -1));
    if (!script) await page.getByRole('button', { name: 'Buscar' }).click();
    await page.waitForURL(/entity=.*from=|from=.*entity=/);
    const said = new RegExp(`cambió .*crédito.*: ${before || '—'} → 77`);
    await page.getByText(said).first().waitFor();
    await page.getByRole('link', { name: said }).first().click();
    await page.waitForURL(`**/editsupplierpage/${script ? 1 : 2}`);
    await page.getByRole('link', { name: 'Historial' }).click();
    await page.getByText(said).waitFor();
    await page.getByRole('link', { name: 'Comprobar la cadena' }).click();
    await page.getByText('La cadena está completa').waitFor();
  });
});

/** The amount to the cent, of what says one. */
const amountIn = (text: string): string | undefined =>
  /-?\$[\d,]+\.\d\d(?! M)/.exec(text.replace(/\s+/g, ' '))?.[0];

async function owedOn(page: Page): Promise<string | undefined> {
  await page.goto('/dashboard');
  return amountIn(await page.getByRole('listitem').filter({ hasText: 'Por pagar' }).first().innerText());
}
