import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open.ts';
import { fillDemo } from '../../server/services/demo/demo.ts';
import { createFirstAdministrator } from '../../server/services/users/first-administrator.ts';
import { type Look, openPage, type Watched } from '../support/browser.ts';
import { temporaryFolder } from '../support/folder.ts';
import { rememberSession } from '../support/remembered-session.ts';
import { actor } from '../support/rows.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { sharedBrowser } from '../support/shared-browser.ts';

const PASSWORD = 'andamio-y-cimbra-7';
const LISTS = ['/invoices', '/pagos-proveedores', '/suppliers', '/jobs', '/admin-users', '/reporte-saldos'];

/** What a reader does with a list, over the demo company. */
describe('a list', () => {
  const { folder, remove } = temporaryFolder();
  let browser: Browser;
  let server: RunningServer;

  beforeAll(async () => {
    const url = `file:${folder}/saldo.db`;
    const database = openDatabase(url, { root: '/', create: true });
    await migrate(database);
    await createFirstAdministrator(database.db, actor(), { email: 'jefa@obra.test', password: PASSWORD });
    await fillDemo(database, actor());
    await database.close();
    [browser, server] = await Promise.all([sharedBrowser(), startServer({ DATABASE_URL: url })]);
  });

  afterAll(async () => {
    await server?.stop();
    remove();
  });

  async function signIn(page: Page, leadsTo = '**/invoices'): Promise<void> {
    await page.getByLabel('Correo').fill('jefa@obra.test');
    await page.getByLabel('Contraseña').fill(PASSWORD);
    await page.getByRole('button', { name: 'Ingresar' }).click();
    await page.waitForURL(leadsTo);
  }

  const enter = rememberSession(async (page) => {
    await page.goto('/login');
    await signIn(page);
  });

  async function signedIn(look: Look = {}): Promise<Watched> {
    const watched = await openPage(browser, { ...look, still: true, baseURL: server.url });
    await enter(watched);
    return watched;
  }

  const rowsOf = (page: Page) => page.locator('#results tbody tr');
  const filterOf = (page: Page) => page.locator('main input[type=search]').first();

  async function loadMore(page: Page, until: number): Promise<void> {
    await page.getByRole('link', { name: 'Cargar más' }).click();
    await page.waitForURL(`**/*shown=${until}*`);
    expect(await rowsOf(page).count()).toBe(until);
  }

  it('has again on Back the rows that were loaded, where they were', async () => {
    const { page, context, complaints } = await signedIn();
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
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('is out of reach by Back once its reader has signed out', async () => {
    const { page, context } = await signedIn();
    await page.getByRole('button', { name: 'Clic para cerrar sesión' }).click();
    await page.waitForURL('**/login');
    await page.goBack();
    await page.waitForURL('**/login?next=%2Finvoices');
    expect(await page.getByRole('table').count()).toBe(0);
    await context.close();
  });

  it('is filtered as it was when a form leads back to it, and the form sends where to', async () => {
    const { page, context, complaints } = await signedIn();
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
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('is searched by its island, which comes with its first use, whatever was typed before', async () => {
    const { page, context } = await signedIn();
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
    await context.close();
  });

  it('keeps its rows when a search fails, says so in the dialog Error!, and asks again', async () => {
    const { page, context, complaints } = await signedIn();
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
    expect(complaints.filter((text) => !text.includes('500'))).toEqual([]);
    await context.close();
  });

  it('of suppliers says it in an alert headed Error that can be dismissed', async () => {
    const { page, context } = await signedIn();
    await page.goto('/suppliers');
    await page.route('**/suppliers?*', (route) => route.fulfill({ status: 500, body: '<h1>proxy</h1>' }));
    await filterOf(page).fill('aceros');
    const alert = page.locator('.failure');
    await alert.getByText('Ocurrió un error. Intenta de nuevo.').waitFor();
    expect(await alert.getByRole('alert').textContent()).toContain('Error');
    await page.unroute('**/suppliers?*');
    await alert.getByRole('button', { name: 'Reintentar' }).click();
    await page.getByRole('link', { name: 'Aceros Tepeyac' }).first().waitFor();
    expect(await alert.isHidden()).toBe(true);
    await page.route('**/suppliers?*', (route) => route.abort());
    await filterOf(page).fill('acerosx');
    await alert.getByText('No hay conexión con el servidor.').waitFor();
    await alert.getByRole('button', { name: 'Cerrar' }).click();
    expect(await alert.isHidden()).toBe(true);
    await context.close();
  });

  it('shows where it waits, and of answers out of order the newest', async () => {
    const { page, context, complaints } = await signedIn();
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
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('loses neither rows nor filter without a connection', async () => {
    const { page, context } = await signedIn();
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
    await context.close();
  });

  it('leads to the sign-in where the session has ended, and back to what was searched', async () => {
    const { page, context } = await signedIn();
    await context.clearCookies();
    await filterOf(page).fill('fac-2024');
    await page.waitForURL('**/login?next=*');
    await signIn(page, '**/invoices?*numfactura=fac-2024*');
    expect(await filterOf(page).inputValue()).toBe('fac-2024');
    await context.close();
  });

  it('keeps its filters closed on a phone, and names those that are set with a way to remove each', async () => {
    const { page, context, complaints } = await signedIn({ width: 390 });
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
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('takes both ends of a period at once, from the periods asked for most', async () => {
    const { page, context, complaints } = await signedIn({ width: 1280 });
    expect(await page.getByLabel('Emisión desde').isVisible()).toBe(false);
    await page.getByText('Más filtros').click();
    await page.getByLabel('Periodo de emisión').selectOption('Mes pasado');
    await page.waitForURL('**/invoices?*fechaemisionDesde=*-01&fechaemisionHasta=*');
    const { searchParams } = new URL(page.url());
    expect(await page.getByLabel('Emisión hasta').inputValue()).toBe(searchParams.get('fechaemisionHasta'));
    expect(await page.getByRole('link', { name: /^Quitar el filtro Emisión: / }).count()).toBe(1);
    await page.getByText('Más filtros (1)').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it.each([360, 390, 768, 1024, 1240, 1280, 1920, 3840])('fits %i px', async (width) => {
    const { page, context } = await signedIn({ width });
    const tooWide: string[] = [];
    for (const list of LISTS) {
      await page.goto(list);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (over > 0) tooWide.push(`${list}: ${over} px`);
    }
    expect(tooWide).toEqual([]);
    await context.close();
  });

  it.each([false, true])(
    'has room for the names at 1280 px, in columns that stay (system font: %s)',
    async (systemFont) => {
      const { page, context } = await signedIn({ width: 1280, systemFont });
      const places: unknown[] = [];
      for (const filter of ['', '&status=vencida', '&status=pagada', '&status=sin-vencimiento']) {
        await page.goto(`/invoices?shown=100${filter}`);
        await page.waitForFunction(() => {
          const rows = document.querySelectorAll('#results tbody tr').length;
          return rows === 100 || !document.querySelector('.pager a[rel=next]');
        });
        const { cut, columns, names } = await page.evaluate(() => {
          const cells = [
            ...document.querySelectorAll<HTMLElement>('.plan td:is(:nth-child(3), :nth-child(4))'),
          ];
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
        expect(cut.filter((name) => name.length <= 34)).toEqual([]);
        expect(names).toBeGreaterThanOrEqual(260);
        places.push(columns);
      }
      expect(new Set(places.map((columns) => JSON.stringify(columns))).size).toBe(1);
      await page.setViewportSize({ width: 1920, height: 900 });
      const money = await page.evaluate(() => {
        const box = (n: number) =>
          document.querySelector(`.plan tbody td:nth-child(${n})`)!.getBoundingClientRect();
        return [box(3).width, box(5).right - box(3).right];
      });
      expect(money[0]).toBeLessThanOrEqual(320.5);
      expect(money[1]).toBeLessThanOrEqual(130);
      await context.close();
    },
  );

  it('can be hit with a thumb: a card is a link as a whole', async () => {
    const { page, context } = await signedIn({ width: 390 });
    for (const list of ['/invoices', '/suppliers', '/pagos-proveedores']) {
      await page.goto(list);
      const row = rowsOf(page).nth(2);
      await row.evaluate((element) => element.scrollIntoView({ block: 'center' }));
      const card = (await row.boundingBox())!;
      expect(card.height).toBeGreaterThanOrEqual(44);
      await page.mouse.click(card.x + 8, card.y + card.height - 6);
      await page.waitForURL(/\/edit\w+\/\d+$/);
    }
    await context.close();
  });

  it('of balances keeps names and totals in sight at every width, and scrolls in one place', async () => {
    for (const width of [390, 1280, 1920]) {
      const { page, context } = await signedIn({ width });
      await page.goto('/reporte-saldos?corte=2026-10-31');
      const seen = () =>
        page.evaluate(() => {
          const box = (what: string) => document.querySelector(what)!.getBoundingClientRect();
          const frame = document.querySelector('.report-frame')!;
          const links = [...document.querySelectorAll('.balances td:nth-child(n + 3) > a')];
          return {
            scrolls: [
              document.documentElement.scrollHeight > innerHeight,
              frame.scrollHeight > frame.clientHeight,
            ],
            under: box('.balances thead .c1').top - box('.bar').bottom,
            left: Math.round(box('.balances thead .c1').left - frame.getBoundingClientRect().left),
            right: Math.round(frame.getBoundingClientRect().right - box('.balances thead .sum').right),
            lowest: Math.min(...links.map((link) => link.getBoundingClientRect().height)),
          };
        });
      const first = await seen();
      expect([width, first.scrolls]).toEqual([width, [false, true]]);
      expect(first.lowest).toBeGreaterThanOrEqual(width === 390 ? 43.5 : 24);
      await page.locator('.report-frame').evaluate((frame) => frame.scrollTo(9_999, 99_999));
      for (const { under, left, right } of [first, await seen()]) {
        expect(under).toBeGreaterThanOrEqual(0);
        expect(left).toBeLessThanOrEqual(1);
        expect(right).toBeLessThanOrEqual(16); // a scrollbar stands between
      }
      await context.close();
    }
    // Names open and close, with or without script.
    const { page, context } = await signedIn({ script: false });
    await page.goto('/reporte-saldos?corte=2026-10-31');
    const invoices = page.locator('.balances tbody').first().locator('tr:not(.summary)').first();
    expect(await invoices.isVisible()).toBe(true);
    await page.locator('.balances summary').first().click();
    expect(await invoices.isVisible()).toBe(false);
    await context.close();
  });

  it('prints with the firm, the filter in words, the moment, and nothing of the screen', async () => {
    const { page, context } = await signedIn();
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
    expect(sheetOf(await page.pdf({ format: 'Letter', preferCSSPageSize: true }))).toBe('portrait');
    await page.emulateMedia({ media: 'screen' });
    await page.goto('/reporte-saldos?corte=2026-10-31');
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('body').innerText()).toContain('Filtros: Corte: sáb, 31 oct 2026');
    expect(sheetOf(await page.pdf({ preferCSSPageSize: true }))).toBe('landscape');
    await context.close();
  });

  it('prints names whole, no column that says nothing, the amount of each bar, and black on white', async () => {
    const { page, context } = await signedIn({ dark: true });
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
    await context.close();
  });
});

/** Of the first sheet of a PDF, whose page objects Chromium leaves uncompressed. */
function sheetOf(pdf: Buffer): 'landscape' | 'portrait' {
  const [, width, height] =
    /\/MediaBox\s*\[\s*0\s+0\s+([\d.]+)\s+([\d.]+)/.exec(pdf.toString('latin1')) ?? [];
  return Number(width) > Number(height) ? 'landscape' : 'portrait';
}
