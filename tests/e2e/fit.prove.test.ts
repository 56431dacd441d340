import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fillDemo } from '../../server/services/demo/demo.ts';
import { findCutContent, findOverflows } from '../support/fit.ts';
import { lengthenNames } from '../support/long-names.ts';
import { IS_FULL_PROOF, IS_LONG_LANE } from '../support/proofs.ts';
import { createActor } from '../support/rows.ts';
import { useRunningApp } from '../support/running.ts';
import { MORE_SCREENS, SCREENS } from '../support/screens.ts';

/** The narrowest width of each layout: phones, table, menu beside it, unframed, panel beside a form. */
const NARROWEST = [320, 360, 640, 768, 1240, 1792];
const WIDTHS = IS_FULL_PROOF ? [...NARROWEST, 390, 900, 1000, 1024, 1280, 1366, 1600, 1920, 2560] : NARROWEST;

/** Narrow windows are opened as phones. */
const WINDOWS = [WIDTHS.filter((width) => width < 640), WIDTHS.filter((width) => width >= 640)];

/** Long names are the worst case for most screens, short ones for texts that fill their space exactly. */
const COMPANIES = [
  { name: 'the demo company', lengthens: false },
  { name: 'a company of long names', lengthens: true },
].filter(({ lengthens }) => lengthens || IS_LONG_LANE);

describe.each(COMPANIES)('every screen of $name', ({ lengthens }) => {
  const app = useRunningApp(async (database) => {
    await fillDemo(database, createActor());
    if (lengthens) await lengthenNames(database.db);
  });

  it.each([
    { letters: 'the letters that come with it', systemFont: false, drawn: 'ours' },
    { letters: 'DejaVu Sans alone', systemFont: true, drawn: 'DejaVu Sans' },
  ])(
    'fits its window and its frame with the font $letters',
    async ({ systemFont, drawn }) => {
      const found: string[] = [];
      for (const widths of WINDOWS) {
        const { page } = await app.openSignedIn({ width: widths[0], systemFont });
        expect(await drawnIn(page, 'h1')).toEqual([drawn]);
        for (const screen of [...SCREENS, ...MORE_SCREENS]) {
          const response = await page.goto(screen);
          expect({ screen, status: response?.status() }).toEqual({ screen, status: 200 });
          await page.evaluate(() => document.fonts.ready);
          for (const width of widths) {
            await page.setViewportSize({ width, height: 900 });
            const wrong = await findOverflows(page);
            if (!lengthens && !systemFont) wrong.push(...(await findCutContent(page)));
            found.push(...wrong.map((text) => `${screen} at ${width} px: ${text}`));
          }
        }
      }
      expect(found).toEqual([]);
    },
    300_000,
  );
});

/** The fonts in which the first matching element is drawn; `ours` is the font that the page brings. */
async function drawnIn(page: Page, selector: string): Promise<string[]> {
  await page.evaluate(() => document.fonts.ready);
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector });
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
  await session.detach();
  return fonts.map(({ familyName, isCustomFont }) => (isCustomFont ? 'ours' : familyName));
}
