import { ask, GENERIC_ERROR, TRY_AGAIN } from './ask.ts';
import { type LatestSearch, latestSearch } from './latest.ts';
import { resultCount } from './resultCount.ts';

/** Seldom wanted, but then the connection may be gone: so it comes after the rest, and ahead of its use. */
const failures = import('../loader/failure.ts').catch(() => undefined);

/**
 * Asks for the list at an address and swaps the results region for the answer's, so that rows are made in one place,
 * on the server. @param onShown what the answer comes to, in words, and what was asked
 */
export function searchList(
  regionId: string,
  onShown: (said: string, asked: URLSearchParams) => void,
): LatestSearch {
  const region = () => document.getElementById(regionId);
  const search = latestSearch(
    (address, signal) => ask(address, signal, { 'X-Fragment': 'results' }).then((answer) => answer.text()),
    {
      onBusy: (busy) => region()?.setAttribute('aria-busy', String(busy)),
      onAnswer: (html, address) => {
        const results = region();
        const fresh = new DOMParser().parseFromString(html, 'text/html').getElementById(regionId);
        if (!fresh || !results) return location.assign(address);
        results.replaceChildren(...fresh.childNodes);
        delete results.dataset.stale;
        void failures.then((failure) => failure?.hideFailure());
        results.dispatchEvent(new Event('saldo:content', { bubbles: true }));
        const url = new URL(address, location.href);
        history.replaceState(history.state, '', address);
        followFilter(url);
        onShown(countText(results), url.searchParams);
      },
      // The former rows stay, marked as such.
      onError: async (message, cause, address) => {
        region()?.setAttribute('data-stale', '');
        const again = () => search.searchNow(address);
        const noticed = cause === undefined ? sayNoticed(message) : undefined;
        const shown = (await failures)?.showFailure(message, again, noticed);
        if (!shown) location.assign(address);
      },
    },
  );
  return search;
}

/** The list says itself that something failed. */
const sayNoticed = (message: string) => (message === GENERIC_ERROR ? TRY_AGAIN : message);

/** Exports and the like lead to their own path with the list's parameters; the mark goes to the view that it is now. */
function followFilter({ search, searchParams }: URL) {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-follow-filter]'))
    link.search = search;
  const views = [...document.querySelectorAll<HTMLAnchorElement>('.views a[data-view]')];
  const sizes = views.map((view) => partOf(searchParams, new URLSearchParams(view.dataset.view)));
  const most = Math.max(...sizes);
  for (const [index, view] of views.entries())
    view.ariaCurrent = most >= 0 && index === sizes.indexOf(most) ? 'page' : null;
}

/** How many filters of a view are set, -1 where not all of them are; the whole list is only itself (lists/views.ts). */
function partOf(asked: URLSearchParams, view: URLSearchParams): number {
  const isOrder = (name: string) => /^sort(field|type)$/.test(name);
  if (view.size === 0) return [...asked.keys()].every(isOrder) ? 0 : -1;
  return [...view].every(([name, value]) => asked.get(name) === value) ? view.size : -1;
}

/** What the pager says ("50 de 128 facturas"), or the empty list's heading, or the number of rows. */
function countText(results: HTMLElement): string {
  const said = results.querySelector('.pager span, .empty h2')?.textContent;
  return said || resultCount(results.querySelectorAll('tbody tr').length);
}
