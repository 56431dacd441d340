import { hideFailure, showFailure } from '../loader/failure.ts';
import { fetchOrSignIn, GENERIC_ERROR_TEXT, TRY_AGAIN_TEXT } from './ask.ts';
import { createLatestSearch, describeResultCount, type LatestSearch } from './latestSearch.ts';

/** @param onShown is called with the count in words and the query once the results are shown */
export function createListSearch(
  resultsId: string,
  onShown: (count: string, query: URLSearchParams) => void,
): LatestSearch {
  const findResults = () => document.getElementById(resultsId);
  const search = createLatestSearch(
    (address, signal) =>
      fetchOrSignIn(address, signal, { 'X-Fragment': 'results views' }).then((answer) => answer.text()),
    {
      onBusy: (busy) => findResults()?.setAttribute('aria-busy', String(busy)),
      onAnswer: (html, address) => {
        const results = findResults();
        const answer = new DOMParser().parseFromString(html, 'text/html');
        const fresh = answer.getElementById(resultsId);
        if (!fresh || !results) return location.assign(address);
        results.replaceChildren(...fresh.childNodes);
        const views = answer.querySelector('.views');
        if (views) document.querySelector('.views')?.replaceWith(views);
        delete results.dataset.stale;
        hideFailure();
        results.dispatchEvent(new Event('saldo:content', { bubbles: true }));
        const url = new URL(address, location.href);
        history.replaceState(history.state, '', address);
        updateFilteredLinks(url);
        onShown(readCountText(results), url.searchParams);
      },
      onError: (message, cause, address) => {
        findResults()?.setAttribute('data-stale', '');
        const retrySearch = () => search.searchNow(address);
        const noticed = cause === undefined ? toFailureDetail(message) : undefined;
        if (!showFailure(message, retrySearch, noticed)) location.assign(address);
      },
    },
  );
  return search;
}

const toFailureDetail = (message: string) => (message === GENERIC_ERROR_TEXT ? TRY_AGAIN_TEXT : message);

function updateFilteredLinks({ search }: URL) {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-follow-filter]'))
    link.search = search;
}

function readCountText(results: HTMLElement): string {
  const count = results.querySelector('.pager span, .empty h2')?.textContent;
  return count || describeResultCount(results.querySelectorAll('tbody tr').length);
}
