import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fillDemo } from '../../server/services/demo/demo.ts';
import { actor } from '../support/rows.ts';
import { useApp } from '../support/running.ts';

describe('a list', () => {
  const app = useApp((database) => fillDemo(database, actor()));

  const rowsOf = (page: Page) => page.locator('#results tbody tr');
  const filterOf = (page: Page) => page.locator('main input[type=search]').first();

  async function loadMore(page: Page, until: number): Promise<void> {
    await page.getByRole('link', { name: 'Cargar más' }).click();
    await page.waitForURL(`**/*shown=${until}*`);
    expect(await rowsOf(page).count()).toBe(until);
  }

  it('shows on Back the rows that were loaded, where they were', async () => {
    const { page } = await app.enter();
    await page.goto('/invoices?sortfield=total');
    await loadMore(page, 100);
    await loadMore(page, 150);
    const row = rowsOf(page).nth(120);
    await row.scrollIntoViewIfNeeded();
    const [name, before] = [await row.locator('a').first().textContent(), await row.boundingBox()];
    await row.locator('a').first().click();
    await page.waitForURL('**/editinvoicepage/*');
    await page.goBack();
    await page.waitForURL('**/invoices?sortfield=total&shown=150');
    await expect.poll(() => rowsOf(page).count()).toBe(150);
    await page.waitForFunction(() => scrollY > 1000);
    expect(await page.locator('.pager').textContent()).toContain('150 de ');
    expect(await row.locator('a').first().textContent()).toBe(name);
    expect(Math.abs((await row.boundingBox())!.y - before!.y)).toBeLessThan(40);
    await loadMore(page, 200);
  });

  it('cannot be reached by Back after its reader has signed out', async () => {
    const { page } = await app.enter();
    await page.getByRole('button', { name: 'Clic para cerrar sesión' }).click();
    await page.waitForURL('**/login');
    await page.goBack();
    await page.waitForURL('**/login?next=%2Finvoices');
    expect(await page.getByRole('table').count()).toBe(0);
  });

  it('keeps its filter when a form leads back to it, and the form sends the address to return to', async () => {
    const { page } = await app.enter();
    await page.route('**/editinvoicepage/*', async (route) => {
      if (route.request().method() !== 'GET') return route.continue();
      const response = await route.fetch();
      const html = await response.text();
      await route.fulfill({
        response,
        body: html.replace(/<a (?=[^>]*btn)(?=[^>]*"\/invoices")/, '<a data-back '),
      });
    });
    // The newest first: older ones are of months that are closed.
    await page.goto('/invoices?sorttype=DESC');
    await filterOf(page).fill('fac-2026');
    await page.waitForURL('**/invoices?*numfactura=fac-2026*');
    const { search } = new URL(page.url());
    await rowsOf(page).first().locator('a').first().click();
    await page.waitForURL('**/editinvoicepage/*');
    expect(await page.locator('a[data-back]').getAttribute('href')).toBe(`/invoices${search}`);
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await page.getByRole('button', { name: 'Guardar', exact: true }).click();
    const posted = new URLSearchParams((await sent).postData() ?? '');
    expect(posted.getAll('returnTo')).toEqual([`/invoices${search}`]);
    await page.getByText(/Se guardó la factura/).waitFor();
  });

  it('is searched by its island, which is loaded at its first use, whatever was typed before', async () => {
    const { page } = await app.enter();
    const files: string[] = [];
    const isReact = /react[^/]*\.js$/;
    page.on('request', (request) => isReact.test(request.url()) && files.push(request.url()));
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route(isReact, (route) => held.then(() => route.continue()));
    await page.reload({ waitUntil: 'networkidle' });
    expect(files).toEqual([]);
    await filterOf(page).pressSequentially('fac-2024');
    expect(page.url()).not.toContain('fac-2024');
    letGo();
    await page.waitForURL('**/invoices?*numfactura=fac-2024*');
    expect(await filterOf(page).inputValue()).toBe('fac-2024');
    await page.getByLabel('Estado').selectOption('vencida');
    await page.waitForURL('**/invoices?*status=vencida*');
    expect(await page.locator('.views [aria-current=page]').innerText()).toContain('Vencidas');
    await page.getByRole('button', { name: 'Seleccionar proveedor' }).click();
    await page
      .getByRole('dialog', { name: 'Seleccionar proveedor' })
      .getByRole('button', { name: 'Seleccionar' })
      .first()
      .click();
    await page.waitForURL('**/invoices?*numfactura=fac-2024*supplierId=*status=vencida*');
  });

  it('keeps its rows when a search fails, shows the dialog Error!, and asks again', async () => {
    const { page, allow } = await app.enter();
    allow(500);
    const before = await rowsOf(page).allTextContents();
    let fails = true;
    await page.route('**/invoices?*', (route) =>
      fails
        ? route.fulfill({
            status: 500,
            json: { message: 'Ocurrió un error al cargar las facturas. (id ab12)' },
          })
        : route.continue(),
    );
    await filterOf(page).fill('a-1');
    const dialog = page.getByRole('dialog', { name: 'Error' });
    await dialog.getByText('Ocurrió un error al cargar las facturas. (id ab12)', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Cerrar' }).click();
    await page.getByText('Resultados de la búsqueda anterior.').waitFor();
    expect(await rowsOf(page).allTextContents()).toEqual(before);
    fails = false;
    await page.getByRole('button', { name: 'Reintentar' }).click();
    await page.waitForURL('**/invoices?*numfactura=a-1*');
    await page.getByText('Resultados de la búsqueda anterior.').waitFor({ state: 'hidden' });
  });

  it('shows that it waits, and the newest answer if answers arrive out of order', async () => {
    const { page } = await app.enter();
    await page.goto('/suppliers');
    const held: Route[] = [];
    await page.route('**/suppliers?suppliername=aceros&*', (route) => void held.push(route));
    await filterOf(page).fill('aceros');
    await page.locator('#results[aria-busy=true]').waitFor();
    await expect.poll(() => held.length).toBe(1);
    await filterOf(page).fill('concretos');
    await page.waitForURL('**/suppliers?suppliername=concretos*');
    const shown = await rowsOf(page).allTextContents();
    await held[0]!.continue().catch(() => {}); // given up meanwhile
    await page.locator('#results[aria-busy=false]').waitFor();
    expect(await rowsOf(page).allTextContents()).toEqual(shown);
    expect(shown.join()).toContain('Concretos');
  });

  it('loses neither rows nor filter without a connection', async () => {
    const { page, context, allow } = await app.enter();
    allow(/net::ERR_INTERNET_DISCONNECTED/);
    await page.getByRole('link', { name: 'Cargar más' }).scrollIntoViewIfNeeded();
    await page.waitForLoadState('networkidle');
    await context.setOffline(true);
    await page.getByRole('link', { name: 'Cargar más' }).click();
    const dialog = page.getByRole('dialog', { name: 'Error' });
    await dialog.getByText('No se pudieron cargar más filas. Intenta de nuevo.').waitFor();
    await dialog.getByRole('button', { name: 'Cerrar' }).click();
    await filterOf(page).fill('a-1');
    await dialog
      .getByText(
        'Ocurrió un error al cargar las facturas. No hay conexión con el servidor. Intenta de nuevo.',
      )
      .waitFor();
    expect(await rowsOf(page).count()).toBe(50);
    await context.setOffline(false);
    await dialog.getByRole('button', { name: 'Reintentar' }).click();
    await page.waitForURL('**/invoices?*numfactura=a-1*');
    expect(await filterOf(page).inputValue()).toBe('a-1');
    expect(await dialog.isHidden()).toBe(true);
  });

  it('accepts both ends of a period at once, from the most common periods', async () => {
    const { page } = await app.enter({ width: 1280 });
    expect(await page.getByLabel('Emisión desde').isVisible()).toBe(false);
    await page.getByText('Más filtros').click();
    await page.getByLabel('Periodo de emisión').selectOption('Mes pasado');
    await page.waitForURL('**/invoices?*fechaemisionDesde=*-01&fechaemisionHasta=*');
    const { searchParams } = new URL(page.url());
    expect(await page.getByLabel('Emisión hasta').inputValue()).toBe(searchParams.get('fechaemisionHasta'));
    expect(await page.getByRole('link', { name: /^Quitar el filtro Emisión: / }).count()).toBe(1);
    await page.getByText('Más filtros (1)').waitFor();
  });

  it('prints the firm, the filter in words and the time, and nothing that belongs to the screen', async () => {
    const { page } = await app.enter();
    await page.goto('/invoices?status=vencida&numfactura=a');
    await filterOf(page).fill('a-');
    await page.waitForURL('**/invoices?*numfactura=a-*');
    await page.emulateMedia({ media: 'print' });
    const text = await page.locator('body').innerText();
    for (const part of ['Constructora Valle del Roble', 'Facturas', 'Total pendiente'])
      expect(text).toContain(part);
    expect(text).toMatch(/\d\d-\d\d-\d{4}, \d\d:\d\d\. Filtros: Número de factura: a-; Estado: Vencida\n/);
    for (const part of ['FACTURAS', 'Nueva factura', 'Más filtros', 'Descendente', 'Cargar más'])
      expect(text).not.toContain(part);
    // many columns lie across the sheet, few stand upright
    expect(sheetOf(await page.pdf({ format: 'Letter', preferCSSPageSize: true }))).toBe('landscape');
    await page.goto('/rubros');
    expect(sheetOf(await page.pdf({ format: 'Letter', preferCSSPageSize: true }))).toBe('portrait');
    await page.emulateMedia({ media: 'screen' });
    await page.goto('/reporte-saldos?corte=2026-10-31');
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('body').innerText()).toContain('Filtros: Corte: sáb, 31 oct 2026');
    expect(sheetOf(await page.pdf({ preferCSSPageSize: true }))).toBe('landscape');
    // of what has steps, only the forms of the next one stay away
    await page.goto('/cierre');
    expect(await page.locator('body').innerText()).toContain('Facturas sin rubro');
  });
});

/** Of the first sheet of a PDF, whose page objects Chromium leaves uncompressed. */
function sheetOf(pdf: Buffer): 'landscape' | 'portrait' {
  const [, width, height] =
    /\/MediaBox\s*\[\s*0\s+0\s+([\d.]+)\s+([\d.]+)/.exec(pdf.toString('latin1')) ?? [];
  return Number(width) > Number(height) ? 'landscape' : 'portrait';
}
