import { describe, expect, it } from 'vitest';
import { fillDemo } from '../../server/services/demo/demo.ts';
import { findCoveredControls } from '../support/fit.ts';
import { createActor } from '../support/rows.ts';
import { useRunningApp } from '../support/running.ts';
import { MORE_SCREENS, SCREENS } from '../support/screens.ts';

/** Screens with an open dialog are left out, because the dialog covers all cards. */
const WITH_DIALOG = /\?edit=/;

describe('cards on a phone', () => {
  const app = useRunningApp((database) => fillDemo(database, createActor()));

  it('have no control that the link of the whole card covers', async () => {
    const { page } = await app.openSignedIn({ width: 390, height: 844 });
    const found: string[] = [];
    for (const screen of [...SCREENS, ...MORE_SCREENS].filter((one) => !WITH_DIALOG.test(one))) {
      await page.goto(screen);
      await page.evaluate(() => {
        for (const fold of document.querySelectorAll('main tbody .disclosure')) fold.setAttribute('open', '');
      });
      found.push(...(await findCoveredControls(page)).map((text) => `${screen}: ${text}`));
    }
    expect(found).toEqual([]);
  }, 300_000);

  it('leave room for several rows', async () => {
    const { page } = await app.openSignedIn({ width: 390, height: 844 });
    const tallest = (rows: string) =>
      page
        .locator(rows)
        .evaluateAll((all) => Math.max(...all.map((one) => one.getBoundingClientRect().height)));
    await page.goto('/programaciones/estados-de-cuenta/1');
    expect(await tallest('tbody tr')).toBeLessThanOrEqual(88);
    await page.goto('/fiscal');
    expect(await tallest('.joined + tr')).toBeLessThanOrEqual(36);
    await page.goto('/programaciones/1');
    expect((await page.locator('.payees-head').first().boundingBox())!.y).toBeLessThanOrEqual(300);
    await page.goto('/invoices');
    await page.locator('tbody .tick input').first().check();
    await page.getByRole('button', { name: 'Ninguna' }).waitFor();
    expect(await tallest('.selection')).toBeLessThanOrEqual(96);
  });

  it('begin in the upper two fifths of the narrowest usual phone', async () => {
    const { page } = await app.openSignedIn({ width: 360, height: 800 });
    const lists = ['/invoices', '/pagos-proveedores', '/programaciones/nueva', '/programaciones/4?editar=1'];
    for (const list of lists) {
      await page.goto(list);
      const first = (await page.locator('main tbody tr').first().boundingBox())!;
      expect({ list, isHigh: first.y <= 320 }).toEqual({ list, isHigh: true });
    }
  });

  it('align what suppliers and single invoices begin with, and the last total with the amounts', async () => {
    const { page } = await app.openSignedIn({ width: 390, height: 844 });
    await page.goto('/programaciones/nueva');
    const starts = await page
      .locator('.grouped tbody > tr:first-child :is(.card-title, .at-doc)')
      .evaluateAll((texts) =>
        texts.map((text) => {
          const first = document.createTreeWalker(text, NodeFilter.SHOW_TEXT).nextNode()!;
          const letters = document.createRange();
          letters.selectNodeContents(first);
          return Math.round(letters.getClientRects()[0]!.left);
        }),
      );
    expect(starts.length).toBeGreaterThan(20);
    expect(new Set(starts).size).toBe(1);
    await page.goto('/programaciones');
    const rightOf = (selector: string) =>
      page
        .locator(selector)
        .last()
        .evaluate((one) => Math.round(one.getBoundingClientRect().right));
    expect(await rightOf('.totals.foot .money')).toBe(await rightOf('main tbody .card-corner .money'));
  });

  it('have the totals of a table on one line', async () => {
    const { page } = await app.openSignedIn({ width: 390, height: 844 });
    await page.goto('/');
    const totals = page.locator('tfoot :is(td, .made-of) > .money');
    const lines = await totals.evaluateAll((all) =>
      all.map((one) => {
        const text = document.createRange();
        text.selectNodeContents(one.firstChild!);
        return Math.round(text.getBoundingClientRect().bottom);
      }),
    );
    expect(lines).toHaveLength(3);
    expect(new Set(lines).size).toBe(1);
  });
});
