import { ask, GENERIC_ERROR, TRY_AGAIN } from './ask.ts';
import { filterAddress } from './filterAddress.ts';
import { type LatestSearch, latestSearch } from './latest.ts';

/**
 * Asks for the list as the filter stands and swaps the results region for the answer's, so that rows are made
 * in one place, on the server. @param isTyping waits for a pause in it
 */
export function searchFrom(form: HTMLFormElement, isTyping: boolean): void {
  const search = searches.get(form) ?? searchResults(form);
  searches.set(form, search);
  const address = filterAddress(form);
  if (isTyping) search.search(address);
  else search.searchNow(address);
}

const searches = new WeakMap<HTMLFormElement, LatestSearch>();

/** Seldom wanted, but then the connection may be gone: so it comes after the rest, and ahead of its use. */
const failures = import('../loader/failure.ts').catch(() => undefined);

function searchResults(form: HTMLFormElement): LatestSearch {
  const { results: id = '' } = form.dataset;
  const region = () => document.getElementById(id);
  const search = latestSearch(
    (address, signal) => ask(address, signal, { 'X-Fragment': 'results' }).then((answer) => answer.text()),
    {
      onBusy: (busy) => region()?.setAttribute('aria-busy', String(busy)),
      onAnswer: (html, address) => {
        const results = region();
        const fresh = new DOMParser().parseFromString(html, 'text/html').getElementById(id);
        if (!fresh || !results) return location.assign(address);
        results.replaceChildren(...fresh.childNodes);
        delete results.dataset.stale;
        void failures.then((failure) => failure?.hideFailure());
        results.dispatchEvent(new Event('saldo:content', { bubbles: true }));
        form.nextElementSibling?.replaceChildren(countText(results));
        history.replaceState(history.state, '', address);
        followFilter(form, new URL(address, location.href));
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

/** Exports and the like lead to their own path with the list's parameters; "Más filtros" counts those in it. */
function followFilter(form: HTMLFormElement, { search, searchParams }: URL) {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-follow-filter]'))
    link.search = search;
  const more = form.querySelectorAll<HTMLInputElement>('.more .field [name]:not([name=sortfield])');
  const names = new Set([...more].map(({ name }) => name).filter((name) => searchParams.has(name)));
  form.querySelector('summary span')?.replaceChildren(names.size > 0 ? `(${names.size})` : ' ');
}

/** What the pager says ("50 de 128 facturas"), or the empty list's heading, or the number of rows. */
function countText(results: HTMLElement): string {
  const said = results.querySelector('.pager span, .empty h2')?.textContent;
  if (said) return said;
  const rows = results.querySelectorAll('tbody tr').length;
  return rows === 1 ? '1 resultado' : `${rows} resultados`;
}
