import { showFailure } from './failure.ts';

/**
 * Adds the rows of the page that `link` leads to: takes the element with the same id as `region` out of it.
 * Where they can't be had the page says so; where it has no place to, the link is followed, as without script.
 */
export async function appendPage(link: HTMLAnchorElement, region: Element): Promise<void> {
  const more = await fetchRegion(link.href, region.id).catch(() => null);
  if (!link.isConnected) return; // a search has replaced the list meanwhile
  if (!more) {
    link.ariaBusy = null;
    if (!showFailure(NO_ROWS, () => link.click())) location.assign(link.href);
    return;
  }
  const rows = [...more.querySelectorAll('tbody tr')];
  const body = region.querySelector('tbody');
  body?.append(...rows);
  const hadFocus = document.activeElement === link;
  const pager = link.closest('.pager') ?? link;
  const next = more.querySelector(pager === link ? 'a[data-more]' : '.pager');
  if (next) pager.replaceWith(next);
  else pager.remove();
  // The link is gone, and the focus with it: on to the first row it brought.
  if (hadFocus) rows[0]?.querySelector<HTMLElement>('a[href], button')?.focus({ preventScroll: true });
  if (region.id === 'results' && body) rememberShown(body.rows.length);
  region.dispatchEvent(new Event('saldo:content', { bubbles: true }));
}

const NO_ROWS = 'No se pudieron cargar más filas. Intenta de nuevo.';

async function fetchRegion(address: string, id: string): Promise<HTMLElement | null> {
  const response = await fetch(address, { headers: { 'X-Fragment': 'results' } });
  if (response.redirected) {
    location.reload(); // the session has ended: to the sign-in, and back to here
    return new Promise(() => {}); // never: the page is on its way out
  }
  if (!response.ok) return null;
  return new DOMParser().parseFromString(await response.text(), 'text/html').getElementById(id);
}

/** The address says how many rows show, so that Back, a reload and a link sent find them all again. */
function rememberShown(count: number) {
  const address = new URL(location.href);
  if (address.searchParams.has('cursor')) return; // begins in the middle, where a plain link has led
  address.searchParams.set('shown', String(count));
  history.replaceState(history.state, '', address);
}
