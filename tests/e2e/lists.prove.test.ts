import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fillDemo } from '../../server/services/demo/demo.ts';
import { parseCsv } from '../support/csv.ts';
import { readPdf } from '../support/pdf.ts';
import { IS_LONG } from '../support/proofs.ts';
import { actor, addInvoice, addJob, addSupplier } from '../support/rows.ts';
import { useApp } from '../support/running.ts';

describe('a list', () => {
  const app = useApp((database) => fillDemo(database, actor()));

  const rowsOf = (page: Page) => page.locator('#results tbody tr');
  it('keeps its filters closed on a phone, and names the active ones with a way to remove each', async () => {
    const { page } = await app.enter({ width: 390 });
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
      const { page } = await app.enter({ width: 1280, systemFont });
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
      // One line a row, and one right edge.
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
    const { page } = await app.enter({ width: 390 });
    for (const list of ['/invoices', '/suppliers', '/pagos-proveedores']) {
      await page.goto(list);
      const row = rowsOf(page).nth(2);
      await row.evaluate((element) => element.scrollIntoView({ block: 'center' }));
      const card = (await row.boundingBox())!;
      expect(card.height).toBeGreaterThanOrEqual(44);
      await page.mouse.click(card.x + 8, card.y + card.height - 6);
      await page.waitForURL(/\/edit\w+\/\d+$/);
    }
  });

  it('of balances keeps names and totals in sight at every width, and scrolls in one place', async () => {
    for (const width of [390, 1280, 1920]) {
      const { page } = await app.enter({ width });
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
            longest: Math.max(
              ...[...document.querySelectorAll('.balances summary')].map(
                (name) => name.getBoundingClientRect().height / parseFloat(getComputedStyle(name).lineHeight),
              ),
            ),
          };
        });
      const first = await seen();
      expect([width, first.scrolls]).toEqual([width, [false, true]]);
      expect(first.lowest).toBeGreaterThanOrEqual(width === 390 ? 43.5 : 24);
      expect(first.longest).toBeLessThan(2.5);
      await page.locator('.report-frame').evaluate((frame) => frame.scrollTo(9_999, 99_999));
      for (const { under, left, right } of [first, await seen()]) {
        expect(under).toBeGreaterThanOrEqual(0);
        expect(left).toBeLessThanOrEqual(1);
        expect(right).toBeLessThanOrEqual(16); // a scrollbar stands between
      }
    }
    // Names open and close, with or without script.
    const { page } = await app.enter({ script: false });
    await page.goto('/reporte-saldos?corte=2026-10-31');
    const invoices = page.locator('.balances tbody').first().locator('tr:not(.summary)').first();
    expect(await invoices.isVisible()).toBe(true);
    await page.locator('.balances summary').first().click();
    expect(await invoices.isVisible()).toBe(false);
  });

  it('prints names in full, no empty column, the amount of each bar, and black on white', async () => {
    const { page } = await app.enter({ dark: true });
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
  });
});

/** Lists and reports whose cells lead on. */
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
  const app = useApp(async (database) => {
    await fillDemo(database, actor());
  });

  it('has 44 px for a link alone in its cell, or the whole cell, and 24 px for one among others', async () => {
    const { page } = await app.enter({ width: 390 });
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
  const app = useApp();

  it.each([390, 1280])('are shown in one note at %i px, and lead to the first of them', async (width) => {
    const { page } = await app.enter({ width });
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
    'gives a PDF, and a CSV from the button next to it, with the filter as typed (%s)',
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
