import type { Page } from 'playwright-core';

/**
 * Lists what does not fit: a page wider than its window, and elements that reach beyond the frame of the page's
 * content, or beyond their own box into a neighbour. What scrolls inside its own frame fits.
 */
export function findOverflows(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const beyond = document.documentElement.scrollWidth - innerWidth;
    if (beyond > 0) found.push(`${beyond} px wider than the window`);
    const main = document.querySelector('main');
    if (!main) return [...found, 'no content'];
    const gutter = Number.parseFloat(getComputedStyle(main).paddingRight);
    const frame = main.getBoundingClientRect().right - gutter;
    const isFramed = (element: Element) => {
      for (let up = element.parentElement; up && up !== main; up = up.parentElement) {
        const { overflowX, clipPath } = getComputedStyle(up);
        if (overflowX !== 'visible' || clipPath !== 'none') return true;
      }
      return false;
    };
    const named: Element[] = [];
    for (const element of main.querySelectorAll<HTMLElement>('*')) {
      const { right, width } = element.getBoundingClientRect();
      const past = width === 0 ? 0 : Math.round(right - frame);
      const out = element.clientWidth === 0 ? 0 : element.scrollWidth - element.clientWidth;
      if ((past <= 1 && out <= 1) || !element.textContent) continue;
      const { display, overflowX, clipPath } = getComputedStyle(element);
      if (clipPath !== 'none' || !element.checkVisibility()) continue;
      // the buttons of a card reach into the margin, so that their icons align with its edge
      if (element.closest('dialog, svg, input, select, textarea, .row-actions')) continue;
      if (named.some((one) => one.contains(element)) || isFramed(element)) continue;
      const isBox = overflowX === 'visible' && !['inline', 'contents'].includes(display);
      // the bar of a document's next step crosses the page's margin, but its content does not
      const margin = element.querySelector('.step-bar') ? gutter + 1 : 1;
      const isOut = isBox && out > (element.querySelector('.row-actions') ? Math.max(10, margin) : margin);
      if (past <= (element.matches('.step-bar') ? gutter : 1) && !isOut) continue;
      named.push(element);
      const what = `${element.tagName} ${element.className}: ${element.textContent.trim().slice(0, 40)}`;
      found.push(past > 1 ? `${past} px past the frame: ${what}` : `${out} px out of its box: ${what}`);
    }
    return found;
  });
}

/**
 * Lists what cannot be seen completely, except a matrix: texts that are cut or end in an ellipsis, tables wider than
 * their frame, and in a wide window a table or its sums that end before the page's head does.
 */
export function findCutContent(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const main = document.querySelector('main');
    for (const element of main?.querySelectorAll<HTMLElement>('*') ?? []) {
      const out = element.scrollWidth - element.clientWidth;
      const { overflowX, clipPath } = getComputedStyle(element);
      if (out <= 1 || element.clientWidth === 0 || overflowX === 'visible' || clipPath !== 'none') continue;
      // a matrix scrolls, and so do views and a line of links on a phone, and rows in a dialog
      // the row of a payee is read as a whole once it is unfolded; its account and its sum are never cut
      // on a phone, the chip of a filter may cut a long name, which its control shows
      const scrolling = `dialog, svg, input, select, textarea, .report-frame, .views, pre, .payee, .payee-invoices${innerWidth < 768 ? ', .periods, .over-report, .filter-words' : ''}`;
      if (element.closest(scrolling) || !element.checkVisibility()) continue;
      const what = `${element.tagName} ${element.className}: ${element.textContent?.trim().slice(0, 40)}`;
      found.push(`${out} px cut: ${what}`);
    }
    const listRightEdges = (selector: string) =>
      [...(main?.querySelectorAll(selector) ?? [])]
        .filter((element) => element.checkVisibility() && !element.closest('.form, dialog, output'))
        .map((element) => Math.round(element.getBoundingClientRect().right));
    const [head = 0] = listRightEdges('.page-head');
    for (const selector of ['.main > .filters', '#results > .table-wrap > .data', '.totals.foot', '.pager'])
      for (const right of listRightEdges(selector))
        if (right !== head) found.push(`${selector} ends at ${right} px, the head at ${head} px`);
    return found;
  });
}

/** Lists the controls of cards that something else lies over, so that a finger on their middle meets that instead. */
export function findCoveredControls(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        '.data:not(.report) tbody :is(a, button, summary, input, select)',
      ),
    ]
      .filter((control) => control.checkVisibility() && control.getBoundingClientRect().width > 1)
      .flatMap((control) => {
        control.scrollIntoView({ block: 'center', behavior: 'instant' });
        const { x, y, width, height } = control.getBoundingClientRect();
        const hit = document.elementFromPoint(x + width / 2, y + height / 2);
        const isHit = hit && (control.contains(hit) || hit.closest('label')?.contains(control));
        return isHit ? [] : [`${control.outerHTML.slice(0, 80)} is under ${hit?.outerHTML.slice(0, 80)}`];
      }),
  );
}
