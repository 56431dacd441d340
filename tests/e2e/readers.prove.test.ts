import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fillDemo } from '../../server/services/demo/demo.ts';
import { createActor } from '../support/rows.ts';
import { useRunningApp } from '../support/running.ts';

const SCREENS = [
  '/invoices',
  '/new-invoice',
  '/pagos-proveedores',
  '/programaciones/nueva',
  '/new-payment?facturaproveedorId=2400',
  '/suppliers',
  '/new-job',
  '/reporte-saldos',
  '/',
  '/dashboard',
  '/admin-users?edit=1',
  '/userprofile',
  '/help',
];

const FORMS = [
  '/new-invoice',
  '/new-payment?facturaproveedorId=2400',
  '/new-credit-note?supplierId=4',
  '/new-supplier',
  '/editsupplierpage/1',
  '/new-job',
  '/new-user',
  '/caja-chica/1/nuevo-movimiento',
  '/caja-chica/nuevo-fondo',
  '/admin-settings/pagos',
];

describe('a reader', () => {
  const app = useRunningApp((database) => fillDemo(database, createActor()));

  it.each([
    { width: 1280, systemFont: false, letters: 'ours' },
    { width: 390, systemFont: false, letters: 'ours' },
    { width: 1280, systemFont: true, letters: 'DejaVu Sans' },
    { width: 390, systemFont: true, letters: 'DejaVu Sans' },
  ])(
    'with letters twice as large loses no word at $width px, $letters',
    async ({ width, systemFont }) => {
      const { page, context } = await app.openSignedIn({ width, systemFont });
      const session = await context.newCDPSession(page);
      await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
      const lost: string[] = [];
      for (const screen of SCREENS) {
        await page.goto(screen);
        expect(await page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe('28px');
        lost.push(...(await cutWords(page)).map((text) => `${screen}: ${text}`));
      }
      expect(lost).toEqual([]);
    },
    40_000,
  );

  it.each([false, true])(
    'at twice the zoom loses nothing either (DejaVu Sans: %s)',
    async (systemFont) => {
      const { page } = await app.openSignedIn({ width: 640, height: 450, systemFont });
      const lost: string[] = [];
      for (const screen of SCREENS) {
        await page.goto(screen);
        lost.push(...(await cutWords(page)).map((text) => `${screen}: ${text}`));
      }
      expect(lost).toEqual([]);
    },
    40_000,
  );

  it.each([
    { letters: 32, screens: ['/reporte-saldos', '/flujo'], within: '.totals:not(.foot) dd' },
    { letters: 16, screens: ['/invoices', '/pagos-proveedores'], within: '.views .btn' },
  ])(
    'at 320 px sees $within completely, with letters of $letters px',
    async ({ letters, screens, within }) => {
      const { page, context } = await app.openSignedIn({ width: 320 });
      const session = await context.newCDPSession(page);
      await session.send('Page.setFontSizes', { fontSizes: { standard: letters, fixed: 13 } });
      for (const screen of screens) {
        await page.goto(screen);
        const rights = await page
          .locator(`${within}:visible`)
          .evaluateAll((parts) => parts.map((part) => Math.round(part.getBoundingClientRect().right)));
        expect(rights.length, screen).toBeGreaterThan(0);
        expect(Math.max(...rights), screen).toBeLessThanOrEqual(320 - 16);
      }
    },
  );

  it.each([
    { label: '390 px', look: { width: 390 } },
    { label: '390 px without script', look: { width: 390, runsScript: false } },
    { label: '320 px', look: { width: 320, height: 640 } },
    { label: '390 px with letters twice as large', look: { width: 390 }, letters: 32 },
    { label: 'a low window', look: { width: 390, height: 500 }, stays: false },
  ])('at $label can always save, and sees the field that has the focus', async ({ look, ...reader }) => {
    const { page, context } = await app.openSignedIn(look);
    if (reader.letters) {
      const session = await context.newCDPSession(page);
      await session.send('Page.setFontSizes', { fontSizes: { standard: reader.letters, fixed: 26 } });
    }
    const wrong: string[] = [];
    for (const screen of FORMS) {
      await page.goto(screen);
      wrong.push(...(await hiddenFields(page, reader.stays ?? true)).map((text) => `${screen}: ${text}`));
    }
    expect(wrong).toEqual([]);
  });

  it('with system colours sees every control and the focus', async () => {
    const { page } = await app.openSignedIn({ dark: true, forcedColors: true });
    const found: string[] = [];
    for (const screen of SCREENS) {
      await page.goto(screen);
      found.push(...(await boundless(page)));
    }
    expect(found).toEqual([]);
    await page.keyboard.press('Tab');
    const ring = () => page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle);
    expect(await ring()).not.toBe('none');
  });

  it('who wants no motion sees none, others the specified durations', async () => {
    const moved = async (still: boolean) => {
      const { page } = await app.openSignedIn({ reducesMotion: still });
      await page.goto('/new-invoice');
      await page.getByRole('button', { name: 'Seleccionar proveedor' }).click();
      const dialog = page.getByRole('dialog', { name: 'Seleccionar proveedor' });
      await dialog.waitFor();
      return page.evaluate(() =>
        ['.modal', '.btn', '.side'].map((selector) => {
          const { transitionDuration, animationName } = getComputedStyle(
            document.querySelector(selector) as Element,
          );
          return `${transitionDuration} ${animationName}`;
        }),
      );
    };
    expect(await moved(true)).toEqual(['0s none', '0s none', '0s none']);
    expect((await moved(false))[0]).toBe('0.3s, 0.3s none');
  });
});

/** Finds cut texts that are nowhere shown in full, and elements wider than the window. */
function cutWords(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const lost: string[] = [];
    const beyond = document.documentElement.scrollWidth - innerWidth;
    if (beyond > 0) lost.push(`${beyond} px wider than the window`);
    const cuts = (value: string) => value === 'hidden' || value === 'clip';
    const isUnseen = (element: Element) => {
      for (let up: Element | null = element; up; up = up.parentElement)
        if (getComputedStyle(up).clipPath !== 'none') return true;
      return !element.checkVisibility();
    };
    for (const element of document.querySelectorAll('body *')) {
      if (!element.textContent?.trim() || element.clientWidth === 0) continue;
      const { overflowX, overflowY } = getComputedStyle(element);
      const isCutBelow = cuts(overflowY) && element.scrollHeight > element.clientHeight + 2;
      const isCutBeside = cuts(overflowX) && element.scrollWidth > element.clientWidth + 1;
      // a title or a form control contains the whole text
      const isHad = element.closest('[title]') ?? element.querySelector('[title]');
      if ((isCutBelow || (isCutBeside && !isHad)) && !isUnseen(element))
        lost.push(`${element.tagName} ${element.className}: ${element.textContent.slice(0, 40)}`);
    }
    return lost;
  });
}

/** @param stays whether the button that saves is expected in the window wherever the form is scrolled to */
function hiddenFields(page: Page, stays: boolean): Promise<string[]> {
  return page.evaluate((isExpected) => {
    const hidden: string[] = [];
    const bar = document.querySelector<HTMLElement>('.form-actions')!;
    const form = bar.closest('form')!;
    const beyond = () => bar.getBoundingClientRect().bottom - innerHeight;
    const isSticky = getComputedStyle(bar).position === 'sticky';
    if (isSticky !== isExpected) hidden.push(`the bar is ${getComputedStyle(bar).position}`);
    for (const field of form.querySelectorAll<HTMLElement>('.control, input[type=checkbox]')) {
      if (!field.checkVisibility()) continue;
      field.focus();
      const { top, bottom } = field.getBoundingClientRect();
      const { top: end } = bar.getBoundingClientRect();
      if (isSticky && beyond() > 0) hidden.push(`Guardar is ${beyond()} px below the window`);
      if (top < 0 || bottom > Math.min(end, innerHeight)) hidden.push(`${field.id} at ${top}, bar at ${end}`);
    }
    return hidden;
  }, stays);
}

/** Finds fields and buttons that only their background sets apart. */
function boundless(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('.control, .btn-primary, .chip')]
      .filter((element) => element.checkVisibility() && !element.closest('.picker'))
      .filter((element) => getComputedStyle(element).borderTopStyle === 'none')
      .map((element) => `no border around ${element.outerHTML.slice(0, 100)}`),
  );
}
