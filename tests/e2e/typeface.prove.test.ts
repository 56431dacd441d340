import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fillDemo } from '../../server/services/demo/demo.ts';
import { signIn } from '../support/browser.ts';
import { createActor, TODAY } from '../support/rows.ts';
import { ADMIN_LOGIN, useRunningApp } from '../support/running.ts';

/** Screens of each kind; the balances have a fixed corte, so that their summary is always the same. */
const SCREENS = ['/invoices', '/new-invoice', `/reporte-saldos?corte=${TODAY}`, '/', '/dashboard'];

/** A twentieth of 0.1, below which a layout shift counts as good. */
const SHIFT = 0.005;

describe('the typeface', () => {
  const app = useRunningApp((database) => fillDemo(database, createActor()));

  it.each([390, 1280])('moves nothing when it arrives after the page, at %i px', async (width) => {
    const { page, context } = await app.openSignedIn({ width });
    const session = await context.newCDPSession(page);
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    let arrive = () => {};
    await page.route('**/*.woff2', async (route) => {
      await new Promise<void>((resolve) => {
        arrive = resolve;
      });
      await route.continue();
    });
    const shifts: Record<string, number> = {};
    for (const screen of SCREENS) {
      await page.goto(screen, { waitUntil: 'domcontentloaded' });
      await painted(page);
      expect(await page.evaluate(() => document.fonts.status)).toBe('loading');
      await observeShifts(page);
      arrive();
      await page.waitForFunction(() => document.fonts.status === 'loaded');
      await painted(page);
      shifts[screen] = await page.evaluate(() => Number(document.documentElement.dataset.shift));
    }
    expect(Object.entries(shifts).filter(([, shift]) => shift > SHIFT)).toEqual([]);
  });

  it('is the first request of every page, made once, and cached for good', async () => {
    const { page, context, allowError } = await app.open();
    const requests: string[] = [];
    page.on('request', (request) => request.url().endsWith('.woff2') && requests.push(request.url()));
    allowError(404);
    const session = await context.newCDPSession(page);
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    const open = async (path: string) => {
      requests.length = 0;
      await page.goto(path, { waitUntil: 'networkidle' });
      const first = await page.locator('head link').first().getAttribute('href');
      expect({ path, requests }).toEqual({
        path,
        requests: [new URL(first ?? '', app.server.url).href],
      });
    };
    await open('/login');
    await signIn(page, ADMIN_LOGIN);
    for (const path of ['/invoices', '/new-invoice', '/no-hay-nada']) await open(path);
    const { headers } = await fetch(requests[0]!);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'font/woff2',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(headers.get('content-encoding')).toBeNull();
  });

  it('has figures of equal width', async () => {
    const { page } = await app.openSignedIn();
    const widths = await page.evaluate(async () => {
      await document.fonts.ready;
      const probe = document.body.appendChild(document.createElement('span'));
      const measured = [400, 650].map((weight) => {
        probe.style.fontWeight = String(weight);
        return [...'0123456789'].map((figure) => {
          probe.textContent = figure.repeat(20);
          return Math.round(probe.getBoundingClientRect().width * 10);
        });
      });
      return measured.map((ten) => new Set(ten).size);
    });
    expect(widths).toEqual([1, 1]);
  });
});

/** Waits two frames, after which changes are drawn. */
const painted = (page: Page) =>
  page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(null)))),
  );

/** Sums layout shifts from now on, without those of building the page. */
const observeShifts = (page: Page) =>
  page.evaluate(() => {
    const { dataset } = document.documentElement;
    dataset.shift = '0';
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        dataset.shift = String(Number(dataset.shift) + (entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: 'layout-shift' });
  });
