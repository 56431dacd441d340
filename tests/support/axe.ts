import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const RULE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Lists what axe finds against WCAG 2.2 AA, a line each. It runs outside the page's CSP, through the debugger.
 * @param selector a selector: while a dialog is open, only the dialog is checked
 */
export async function findAxeViolations(page: Page, screen: string, selector?: string): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { result: has } = await session.send('Runtime.evaluate', { expression: 'typeof window.axe' });
  if (has.value === 'undefined') await session.send('Runtime.evaluate', { expression: axe });
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run(${JSON.stringify(selector) ?? 'document'}, { resultTypes: ['violations'], runOnly: ${JSON.stringify(RULE_TAGS)} })
      .then((found) => JSON.stringify(found.violations.map((one) => one.id + ' ' + one.nodes[0].html.slice(0, 120))))`,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  return (JSON.parse(result.value) as string[]).map((text) => `${screen}: ${text}`);
}
