import { readFileSync } from 'node:fs';
import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fillDemo } from '../../server/services/demo/demo.ts';
import { parseCsv } from '../support/csv.ts';
import { readPdf } from '../support/pdf.ts';
import { IS_LONG_LANE } from '../support/proofs.ts';
import { addInvoice, addJob, addSupplier, createActor } from '../support/rows.ts';
import { useRunningApp } from '../support/running.ts';

describe('a list', () => {
  const app = useRunningApp((database) => fillDemo(database, createActor()));

  const rowsOf = (page: Page) => page.locator('#results tbody tr');
  const filterOf = (page: Page) => page.locator('main input[type=search]').first();

  async function loadMore(page: Page, until: number): Promise<void> {
    await page.getByRole('link', { name: 'Cargar más' }).click();
    await page.waitForURL(`**/*shown=${until}*`);
    expect(await rowsOf(page).count()).toBe(until);
  }

  it('shows on Back the rows that were loaded, where they were', async () => {
    const { page } = await app.openSignedIn();
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

  it('keeps its filter when a form leads back to it, and the form sends the address to return to', async () => {
    const { page } = await app.openSignedIn();
    await page.route('**/editinvoicepage/*', async (route) => {
      if (route.request().method() !== 'GET') return route.continue();
      const response = await route.fetch();
      const html = await response.text();
      await route.fulfill({
        response,
        body: html.replace(/<a (?=[^>]*btn)(?=[^>]*"\/invoices")/, '<a data-back '),
      });
    });
    // The newest first, because older ones are in closed months.
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
    const { page } = await app.openSignedIn();
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
    const { page, allowError } = await app.openSignedIn();
    allowError(500);
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
    const { page } = await app.openSignedIn();
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
    const { page, context, allowError } = await app.openSignedIn();
    allowError(/net::ERR_INTERNET_DISCONNECTED/);
    const pager = page.waitForResponse('**/assets/pager-*.js');
    await page.getByRole('link', { name: 'Cargar más' }).scrollIntoViewIfNeeded();
    await (await pager).finished();
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
    const { page } = await app.openSignedIn({ width: 1280 });
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
    const { page } = await app.openSignedIn();
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
    // tables with many columns are printed in landscape
    expect(sheetOf(await page.pdf({ format: 'Letter', preferCSSPageSize: true }))).toBe('landscape');
    await page.goto('/rubros');
    expect(sheetOf(await page.pdf({ format: 'Letter', preferCSSPageSize: true }))).toBe('portrait');
    await page.emulateMedia({ media: 'screen' });
    await page.goto('/reporte-saldos?corte=2026-10-31');
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('body').innerText()).toContain('Filtros: Corte: sáb, 31 oct 2026');
    expect(sheetOf(await page.pdf({ preferCSSPageSize: true }))).toBe('landscape');
    // a printout leaves out only the forms of the next step
    await page.goto('/cierre');
    expect(await page.locator('body').innerText()).toContain('Facturas sin rubro');
  });

  it('prints all its rows by Ctrl+P, up to 500, and says on the sheet if there are more', async () => {
    const { page } = await app.openSignedIn();
    await page.addInitScript(() => {
      window.print = () => document.body.setAttribute('data-sheets', '');
    });
    const printed = async (address: string) => {
      await page.goto(address);
      await page.keyboard.press('ArrowUp'); // loads the keys' code, which the browser's own print would not wait for
      await page.waitForLoadState('networkidle');
      const before = await page.locator('[data-printed]').textContent();
      await page.keyboard.press('Control+p');
      await page.locator('body[data-sheets]').waitFor();
      return {
        before,
        rows: await rowsOf(page).count(),
        after: await page.locator('[data-printed]').allTextContents(),
      };
    };
    const overdue = await printed('/invoices?status=vencida');
    expect(overdue.before).toBe(
      `Se imprimieron 50 de ${overdue.rows} facturas; los totales cuentan ${overdue.rows}. Para imprimir todo: Exportar.`,
    );
    expect(overdue.after).toEqual([]);
    const all = await printed('/pagos-proveedores?sortfield=id');
    expect(all.rows).toBe(500);
    expect(all.after).toEqual([
      expect.stringMatching(/^Se imprimieron 500 de [\d,]+ pagos y notas de crédito;/),
    ]);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('#results').innerText()).toMatch(/^Se imprimieron 500 de /);
  }, 120_000);

  it('opens a row by a click anywhere in it, except on what has a use of its own or to select text', async () => {
    const { page, context } = await app.openSignedIn();
    await page.goto('/invoices?status=vencida');
    const row = rowsOf(page).first();
    const address = await row.getAttribute('data-href');
    const cell = row.locator('.at-who');
    const box = (await cell.boundingBox())!;
    await page.mouse.move(box.x + 4, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + 60, box.y + box.height / 2);
    await page.mouse.up();
    expect(await page.evaluate(() => String(getSelection()).length)).toBeGreaterThan(2);
    await row.locator('.tick').click();
    expect(new URL(page.url()).pathname).toBe('/invoices');
    const opened = context.waitForEvent('page');
    await row.locator('.at-due').click({ modifiers: ['ControlOrMeta'] });
    expect(new URL((await opened).url()).pathname).toBe(address);
    const middle = context.waitForEvent('page');
    await row.locator('.at-due').click({ button: 'middle' });
    expect(new URL((await middle).url()).pathname).toBe(address);
    await cell.click();
    await page.waitForURL(`**${address}`);
  });

  it('keeps its filters closed on a phone, and names the active ones with a way to remove each', async () => {
    const { page } = await app.openSignedIn({ width: 390 });
    await page.goto('/invoices?status=vencida&jobId=1&fechaemisionDesde=2024-01-01');
    expect(await page.getByLabel('Estado').isVisible()).toBe(false);
    await page.getByText('Más filtros (1)').click();
    await page.getByLabel('Vence hasta').fill('2026-11-01');
    await page.getByText('Más filtros (2)').waitFor();
    await page.getByRole('link', { name: /^Quitar el filtro Emisión: desde/ }).click();
    await page.waitForURL((url) => url.searchParams.get('jobId') === '1' && !/Desde/.test(url.search));
    await page.getByText('Más filtros (1)').waitFor();
    await page.getByRole('link', { name: 'Quitar el filtro Estado: Vencida' }).click();
    await page.waitForURL((url) => !url.searchParams.has('status'));
  });

  it.each([false, true])(
    'has room for names at 1280 px, in columns that stay (system font: %s)',
    async (systemFont) => {
      const { page } = await app.openSignedIn({ width: 1280, systemFont });
      const places: unknown[] = [];
      for (const filter of ['', '&status=vencida', '&status=pagada', '&status=sin-vencimiento']) {
        await page.goto(`/invoices?shown=100${filter}`);
        await page.waitForFunction(() => {
          const rows = document.querySelectorAll('#results tbody tr').length;
          return rows === 100 || !document.querySelector('.pager a[rel=next]');
        });
        const { cut, columns, names } = await page.evaluate(() => {
          const cells = [...document.querySelectorAll<HTMLElement>('.plan td:is(.at-who, .at-job)')];
          return {
            cut: cells
              .filter((cell) => cell.scrollWidth > cell.clientWidth)
              .map((cell) => cell.textContent ?? ''),
            names: Math.min(...cells.map((cell) => cell.getBoundingClientRect().width)),
            columns: [...document.querySelectorAll('.plan thead th')].map(
              (head) => head.getBoundingClientRect().x,
            ),
          };
        });
        expect(cut).toEqual([]);
        expect(names).toBeGreaterThanOrEqual(260);
        places.push(columns);
      }
      expect(new Set(places.map((columns) => JSON.stringify(columns))).size).toBe(1);
      await page.setViewportSize({ width: 1920, height: 900 });
      // Each row has one line, and all end at one right edge.
      const [lines, ...edges] = await page.evaluate(() => {
        const boxOf = (what: string) => document.querySelector(what)!.getBoundingClientRect();
        const cells = [...document.querySelectorAll('.plan tbody tr:first-child td')];
        const tops = cells.map((cell) => cell.getBoundingClientRect()).map(({ top, bottom }) => top + bottom);
        const right = ['.page-head', '.filters', '.plan'].map((what) => Math.round(boxOf(what).right));
        return [Math.max(...tops) - Math.min(...tops), ...right];
      });
      expect(lines).toBeLessThanOrEqual(4);
      expect(new Set(edges).size).toBe(1);
    },
  );

  it('can be hit with a thumb: a whole card is a link', async () => {
    const { page } = await app.openSignedIn({ width: 390 });
    for (const list of ['/invoices', '/suppliers', '/pagos-proveedores']) {
      await page.goto(list);
      const views = await page
        .locator('.views li')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
      expect(Math.max(0, ...views)).toBeLessThanOrEqual(390);
      const row = rowsOf(page).nth(2);
      await row.evaluate((element) => element.scrollIntoView({ block: 'center' }));
      const card = (await row.boundingBox())!;
      expect(card.height).toBeGreaterThanOrEqual(44);
      expect(card.height).toBeLessThanOrEqual(130); // four lines, one of which may wrap
      await page.mouse.click(card.x + 8, card.y + card.height - 6);
      await page.waitForURL(/\/edit\w+\/\d+$/);
    }
  });

  it('of balances keeps names and totals in sight where it is a matrix, and scrolls in one place', async () => {
    for (const width of [1024, 1280, 1920]) {
      const { page } = await app.openSignedIn({ width });
      await page.goto('/reporte-saldos?corte=2026-10-31');
      const seen = () =>
        page.evaluate(() => {
          const box = (what: string) => document.querySelector(what)!.getBoundingClientRect();
          const frame = document.querySelector('.report-frame')!;
          const links = [...document.querySelectorAll('.balances td:nth-child(n + 3) > a')].filter((link) =>
            link.checkVisibility(),
          );
          return {
            scrolls: [
              document.documentElement.scrollHeight > innerHeight,
              frame.scrollHeight > frame.clientHeight,
            ],
            under: box('.balances thead .c1').top - box('.bar').bottom,
            left: Math.round(box('.balances thead .c1').left - frame.getBoundingClientRect().left),
            right: Math.round(frame.getBoundingClientRect().right - box('.balances thead .sum').right),
            lowest: Math.min(...links.map((link) => link.getBoundingClientRect().height)),
            longest: Math.max(
              ...[...document.querySelectorAll('.balances summary')].map(
                (name) => name.getBoundingClientRect().height / parseFloat(getComputedStyle(name).lineHeight),
              ),
            ),
          };
        });
      const first = await seen();
      expect([width, first.scrolls]).toEqual([width, [false, true]]);
      expect(first.lowest).toBeGreaterThanOrEqual(24);
      expect(first.longest).toBeLessThan(2.5);
      await page.locator('.report-frame').evaluate((frame) => frame.scrollTo(9_999, 99_999));
      for (const { under, left, right } of [first, await seen()]) {
        expect(under).toBeGreaterThanOrEqual(0);
        expect(left).toBeLessThanOrEqual(1);
        expect(right).toBeLessThanOrEqual(16); // a scrollbar stands between
      }
    }
  });

  it('of balances adds up in sight at 1280 px, and shows all its weeks on request', async () => {
    const { page } = await app.openSignedIn({ width: 1280 });
    await page.goto('/reporte-saldos?corte=2026-10-31');
    const cellsOf = (row: string) =>
      page
        .locator(`.balances ${row} :is(th, td):not(.c1)`)
        .evaluateAll((cells) =>
          cells
            .filter((cell) => cell.checkVisibility())
            .map((cell) => Math.round(Number(cell.textContent.replace(/[^\d.]/g, '')) * 100)),
        );
    const [total, ...parts] = (await cellsOf('tfoot')).reverse();
    expect(parts).toHaveLength(5);
    expect(parts.reduce((sum, cents) => sum + cents, 0)).toBe(total);
    const allWeeks = page.locator('.balances th label');
    const [label, later, days] = await Promise.all(
      [allWeeks, page.locator('th.later'), page.locator('th.later small').first()].map((one) =>
        one.boundingBox(),
      ),
    );
    expect(label!.x).toBeGreaterThanOrEqual(later!.x - 8);
    expect(label!.x + label!.width).toBeLessThanOrEqual(later!.x + later!.width);
    expect(label!.y).toBeGreaterThanOrEqual(days!.y + days!.height);
    await allWeeks.click();
    expect(await page.getByLabel(/^\+\d+ semanas$/).isChecked()).toBe(true);
    const [whole, ...weeks] = (await cellsOf('tfoot')).reverse();
    expect(weeks.length).toBeGreaterThan(5);
    expect([weeks.reduce((sum, cents) => sum + cents, 0), whole]).toEqual([total, total]);
  });

  it('of balances folds its suppliers on a phone, and says the total above them', async () => {
    const { page } = await app.openSignedIn({ width: 390 });
    await page.goto('/reporte-saldos?corte=2026-10-31');
    const invoice = page.locator('.balances tbody').first().locator('tr:not(.summary)').first();
    const total = await page.locator('.balances tfoot .sum').textContent();
    expect(await page.locator('.totals .result .money').textContent()).toBe(total);
    const centsOf = (text: string) => Math.round(Number(text.replace(/[^\d.]/g, '')) * 100);
    const fold = page.getByText('Qué vence cada semana');
    expect((await fold.boundingBox())!.y).toBeLessThan(422); // in the upper half of the window
    const weeks = page.getByLabel('Por semana').locator('.money');
    expect(await weeks.first().isVisible()).toBe(false);
    await fold.click();
    const sums = (await weeks.allInnerTexts()).map(centsOf);
    expect(sums.length).toBeGreaterThan(5);
    expect(sums.reduce((sum, cents) => sum + cents, 0)).toBe(centsOf(total!));
    expect(await page.locator('.balances tfoot td:visible').count()).toBe(2);
    await fold.click();
    expect(await invoice.isVisible()).toBe(false);
    const boxes = page.locator('.balances .summary').first().locator('.tick, summary, a:visible');
    for (const box of await boxes.all())
      expect((await box.boundingBox())?.height).toBeGreaterThanOrEqual(
        (await box.getAttribute('href')) ? 24 : 44,
      );
    const heights = await page
      .locator('.balances .summary')
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
    expect(heights.reduce((sum, height) => sum + height, 0) / heights.length).toBeLessThan(52);
    const action = page.getByRole('link', { name: 'Programar pagos' });
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight / 2));
    expect((await action.boundingBox())?.y).toBeGreaterThan(700);
    await page.getByRole('link', { name: 'Más vencido' }).click();
    const late = await page.locator('.balances .overdue').allTextContents();
    const cents = late.map((text) => Number(text.replace(/\D/g, '')));
    expect(cents).toEqual(cents.toSorted((a, b) => b - a));
    await page.goBack();
    await page.locator('.balances[data-folded] summary').first().click();
    expect(await invoice.isVisible()).toBe(true);
  });

  it('of balances is a list of suppliers on a phone, with every amount beside its week, also without a script', async () => {
    const { page } = await app.openSignedIn({ width: 320, runsScript: false });
    await page.goto('/reporte-saldos?corte=2026-10-31');
    const cells = await page.locator('.balances tbody td:not(.c1, .later, .overdue)').evaluateAll((all) =>
      all.map((cell) => ({
        amount: cell.textContent,
        week: getComputedStyle(cell, '::before').content,
        isShown: cell.checkVisibility(),
        isSum: cell.className === 'sum',
        right: cell.getBoundingClientRect().right,
      })),
    );
    expect(cells.filter(({ isShown }) => isShown).every(({ right }) => right <= 320 - 16 + 1)).toBe(true);
    const [shown, hidden] = [true, false].map((which) =>
      cells.filter(({ isSum, isShown }) => !isSum && isShown === which),
    );
    expect(new Set(hidden!.map(({ amount }) => amount))).toEqual(new Set(['–']));
    expect(shown!.length).toBeGreaterThan(5);
    expect(shown!.filter(({ week }) => !/^"(ANTERIORES|SEM \d+( \d{4})?)\u00a0"$/.test(week))).toEqual([]);
    expect(await page.locator('.balances tfoot').boundingBox()).toMatchObject({ x: 16, width: 288 });
    const heights = await page
      .locator('.balances a:visible')
      .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().height));
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(24);
    const invoices = page.locator('.balances tbody').first().locator('tr:not(.summary)').first();
    expect(await invoices.isVisible()).toBe(true);
    await page.locator('.balances summary').first().click();
    expect(await invoices.isVisible()).toBe(false);
  });

  it('prints names in full, no empty column, the amount of each bar, and black on white', async () => {
    const { page } = await app.openSignedIn({ dark: true });
    const onPaper = async (address: string) => {
      await page.emulateMedia({ media: 'screen' });
      await page.goto(address);
      await page.emulateMedia({ media: 'print' });
    };
    for (const address of ['/reporte-saldos', '/', '/suppliers', '/invoices']) {
      await onPaper(address);
      const cut = await page.locator('.data td').evaluateAll((cells) =>
        cells
          .filter((cell) => getComputedStyle(cell).overflow !== 'visible')
          .filter((cell) => cell.scrollWidth > cell.clientWidth)
          .map((cell) => cell.textContent),
      );
      expect([address, cut]).toEqual([address, []]);
    }
    expect(await page.locator('html').evaluate((html) => getComputedStyle(html).colorScheme)).toBe('light');
    await onPaper('/suppliers');
    await page.locator('.data td:nth-child(3)').evaluateAll((cells) => {
      for (const cell of cells) cell.textContent = '';
    });
    expect(await page.locator('.data :is(th, td):nth-child(3):visible').count()).toBe(0);
    expect(await page.locator('.data :is(th, td):nth-child(2):visible').count()).toBeGreaterThan(1);
    await onPaper('/dashboard');
    const bars = await page.locator('.chart .amount').count();
    expect(bars).toBeGreaterThan(3);
    expect(await page.locator('.chart .amount:visible').count()).toBe(bars);
    expect(await page.locator('.chart text.tick:visible').count()).toBeGreaterThan(2);
    const paper = async () => page.locator('body').innerText();
    await onPaper('/fiscal/diot?mes=2026-11');
    expect(await paper()).toMatch(/Se imprimieron \d+ de \d+ pagos\./);
    expect(await paper()).not.toContain('›');
    await onPaper('/fiscal/69b');
    expect(await paper()).toContain('Pagado a definitivos');
    expect(await paper()).not.toContain('Ningún archivo elegido');
  });
});

/** Reads the orientation of a PDF's first page; Chromium does not compress page objects. */
function sheetOf(pdf: Buffer): 'landscape' | 'portrait' {
  const [, width, height] =
    /\/MediaBox\s*\[\s*0\s+0\s+([\d.]+)\s+([\d.]+)/.exec(pdf.toString('latin1')) ?? [];
  return Number(width) > Number(height) ? 'landscape' : 'portrait';
}

/** Lists and reports with links in their cells. */
const TABLES = [
  '/invoices',
  '/pagos-proveedores',
  '/suppliers',
  '/clients',
  '/jobs',
  '/rubros',
  '/origenderecursos',
  '/caja-chica',
  '/caja-chica/1',
  '/reporte-saldos',
  '/presupuestos',
  '/presupuestos?jobId=1',
  '/presupuestos?editar=1',
  '/',
  '/estado-cuenta/1',
  '/editsupplierpage/1',
  '/bitacora',
];

describe('a thumb on a phone', () => {
  const app = useRunningApp(async (database) => {
    await fillDemo(database, createActor());
  });

  it('has 44 px for a link alone in its cell, or the whole cell, and 24 px for one among others', async () => {
    const { page } = await app.openSignedIn({ width: 390 });
    const small: string[] = [];
    let measured = 0;
    for (const address of TABLES) {
      await page.goto(address);
      const links = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLAnchorElement>('main td a:not(.btn)')]
          .filter((link) => link.checkVisibility())
          .map((link) => {
            const cell = link.closest('td')!;
            const [own, whole] = [link.getBoundingClientRect(), cell.getBoundingClientRect()];
            const isAlone = cell.textContent?.trim() === link.textContent?.trim();
            const isWhole = own.height >= whole.height - 2 && own.bottom <= whole.bottom + 1;
            return { height: own.height, isAlone, isWhole, text: link.textContent };
          }),
      );
      measured += links.length;
      for (const { height, isAlone, isWhole, text } of links)
        if (isAlone ? height < 43.5 && !isWhole : height < 23.5)
          small.push(`${address}: ${text} is ${Math.round(height)} px high`);
    }
    expect(measured).toBeGreaterThan(500);
    expect([...new Set(small)].slice(0, 30)).toEqual([]);
  }, 120_000);
});

describe('the first steps of a new firm', () => {
  const app = useRunningApp();

  it.each([390, 1280])('are shown in one note at %i px, and lead to the first of them', async (width) => {
    const { page } = await app.openSignedIn({ width });
    expect(await page.locator('main [role=status].alert').count()).toBe(1);
    await page
      .getByRole('region', { name: 'Para empezar' })
      .getByRole('link', { name: 'Ver los pasos' })
      .click();
    await page.getByRole('heading', { name: 'Para empezar' }).waitFor();
    expect(await page.getByLabel('Nombre').evaluate((field) => field === document.activeElement)).toBe(true);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide).toBe(0);
  });
});

/** The built application, which loads its PDF code on demand. */
describe('exporting what a list shows', () => {
  const app = useRunningApp(async ({ db }) => {
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
    ...(IS_LONG_LANE ? [['on a phone', 360, true] as const] : []),
    ['without script', 1280, false],
  ] as const)(
    'gives a PDF, and a CSV from the button next to it, with the filter as typed (%s)',
    async (_, width, script) => {
      const { page } = await app.openSignedIn({ width, runsScript: script });
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
      if (!script) await page.keyboard.press('Escape');
      await expect.poll(() => csv.count()).toBe(0); // with script the menu closes by itself
      // On a phone the menu alone exports.
      const isPhone = width < 768;
      if (isPhone) await page.getByRole('button', { name: 'Otros formatos' }).click();
      const report = await clickAndDownload(page, isPhone ? 'PDF' : 'Exportar PDF');
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
