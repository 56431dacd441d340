import type { BrowserContext, Page } from 'playwright-core';
import type { TestClient } from '../support/app.ts';

/** Several screens are read at a time. */
const TABS = 3;

export interface Noted {
  dialogs: string[];
  /** console messages, uncaught errors and CSP violations */
  complaints: string[];
}

export const NOTHING: Noted = { dialogs: [], complaints: [] };

export function follow(page: Page, { dialogs }: Noted): void {
  page.on('dialog', (dialog) => {
    dialogs.push(`${page.url()}: ${dialog.message()}`);
    void dialog.dismiss();
  });
}

export async function eachScreen(
  context: BrowserContext,
  noted: Noted,
  paths: readonly string[],
  visit: (tab: Page, path: string) => Promise<void>,
): Promise<void> {
  const waiting = [...paths];
  const tabs = await Promise.all(Array.from({ length: TABS }, () => context.newPage()));
  await Promise.all(
    tabs.map(async (tab) => {
      follow(tab, noted);
      await tab.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', (event) =>
          console.error(`CSP refused ${event.violatedDirective} ${event.blockedURI}`),
        );
      });
      tab.on('console', (message) => {
        if (message.type() === 'error') noted.complaints.push(`${tab.url()}: ${message.text()}`);
      });
      tab.on('pageerror', (error) => noted.complaints.push(`${tab.url()}: ${error.message}`));
      for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) await visit(tab, path);
      await tab.close();
    }),
  );
}

/** Counts a page's elements by name: an additional one would come from a payload. */
export async function shapeOf(bot: TestClient, path: string): Promise<string> {
  const html = await (await bot.get(path)).text();
  return [...html.matchAll(/<[^\s>]*/g)].map(([tag]) => tag).join('\n');
}

export function difference(before: string, after: string): string {
  const [had, has] = [before.split('\n'), after.split('\n')];
  const at = has.findIndex((line, index) => line !== had[index]);
  return `${had.length} elements, then ${has.length}; the ${at}th is <${has[at]}>, not <${had[at]}>`;
}

/** Finds elements and attributes that no page of ours has, after scripts have run. */
export const foreignElements = (tab: Page): Promise<string[]> =>
  tab.evaluate(() =>
    [...document.querySelectorAll('*')]
      .filter((element) => {
        const isForeign =
          /^(iframe|object|embed|base|style|img|video|source|math|body\S+|frame|applet)$/.test(
            element.localName,
          );
        const isScript =
          element.localName === 'script' && !/^\/assets\//.test(element.getAttribute('src') ?? '');
        const isLink =
          element.localName === 'link' && !/^\/assets\//.test(element.getAttribute('href') ?? '');
        const isBad = element.getAttributeNames().some(
          (name) =>
            /^on./.test(name) ||
            (/^(href|src|action|formaction|xlink:href|data|srcdoc)$/.test(name) &&
              !element
                .getAttribute(name)
                ?.replace(location.origin, '')
                .match(/^([/#?]|data:image|mailto:[^?&"<>\s]*\?subject=[^&"<>\s]*(&body=[^&"<>\s]*)?$)/)),
        );
        return isForeign || isScript || isLink || isBad || element.hasAttribute('http-equiv');
      })
      .map((element) => `${location.pathname}${location.search}: ${element.outerHTML.slice(0, 200)}`),
  );
