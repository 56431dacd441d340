import { describe, expect, it } from 'vitest';
import { fillDemo } from '../../server/services/demo/demo.ts';
import { actor } from '../support/rows.ts';
import { useApp } from '../support/running.ts';

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

  it('has 44 px of a link by itself in a cell, or the whole cell, and 24 of one among others', async () => {
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

  it.each([390, 1280])('stand in one note at %i px, and lead to the first of them', async (width) => {
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
