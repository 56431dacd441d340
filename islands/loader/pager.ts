import { showFailure } from './failure.ts';

export async function appendPage(link: HTMLAnchorElement, region: Element): Promise<void> {
  const outcome = await appendRows(link, region);
  const body = region.querySelector('tbody');
  if (outcome === 'failed' && !showFailure(ROWS_FAILED_TEXT, () => link.click())) location.assign(link.href);
  if (outcome === 'added' && region.id === 'results' && body) addShownRowsToAddress(body.rows.length);
}

/** Loads as many rows as were shown when the user left (the address contains this number), and scrolls back. */
async function restoreShownRows(): Promise<void> {
  const address = new URLSearchParams(location.search);
  const count = Math.min(Number(address.get('shown')), MAX_RESTORED_ROWS);
  const region = document.querySelector('#results');
  if (!region || !count || address.has('cursor')) return;
  const scrollTop = Number(sessionStorage.getItem(scrollStorageKey()));
  let hasMoved = false;
  for (const type of ['wheel', 'touchmove', 'keydown', 'pointerdown'])
    addEventListener(type, () => (hasMoved = true), { once: true, passive: true });
  await showRows(count);
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (scrollTop && !hasMoved && navigation && navigation.type !== 'navigate') scrollTo(0, scrollTop);
}

export async function showRows(count: number): Promise<void> {
  const region = document.querySelector('#results');
  const countShownRows = () => region?.querySelector('tbody')?.rows.length ?? 0;
  const findNextPageLink = () => region?.querySelector<HTMLAnchorElement>('.pager a[rel=next]');
  for (let link = findNextPageLink(); region && link && countShownRows() < count; link = findNextPageLink())
    if ((await appendRows(link, region)) !== 'added') break;
}

const MAX_RESTORED_ROWS = 500;

addEventListener('pagehide', () => sessionStorage.setItem(scrollStorageKey(), String(scrollY)));

const scrollStorageKey = () => `saldo:place:${location.pathname}${location.search}`;

void restoreShownRows();

async function appendRows(
  link: HTMLAnchorElement,
  region: Element,
): Promise<'added' | 'failed' | 'replaced'> {
  link.ariaBusy = 'true'; // a second click must not add the rows twice
  const more = await fetchRegion(link.href, region.id).catch(() => null);
  if (!link.isConnected) return 'replaced'; // a search has replaced the rows meanwhile
  if (!more) {
    link.ariaBusy = null;
    return 'failed';
  }
  region.querySelector('[data-printed]')?.replaceWith(...more.querySelectorAll('[data-printed]'));
  const hadFocus = document.activeElement === link;
  const pager = link.closest('.pager') ?? link;
  const body = region.querySelector('tbody');
  const table = body?.closest('.grouped');
  const rows = [...more.querySelectorAll(table ? 'tbody' : body ? 'tbody tr' : 'section')];
  if (body) (table ?? body).append(...rows);
  else pager.before(...rows);
  const next = more.querySelector(pager === link ? 'a[data-more]' : '.pager');
  if (next) pager.replaceWith(next);
  else pager.remove();
  // The focused link is removed, so the first new row gets the focus.
  if (hadFocus) rows[0]?.querySelector<HTMLElement>('a[href], button')?.focus({ preventScroll: true });
  region.dispatchEvent(new Event('saldo:content', { bubbles: true }));
  return 'added';
}

const ROWS_FAILED_TEXT = 'No se pudieron cargar más filas. Intenta de nuevo.';

async function fetchRegion(address: string, id: string): Promise<HTMLElement | null> {
  const response = await fetch(address, { headers: { 'X-Fragment': 'results' } });
  if (response.redirected) {
    location.reload(); // The session has ended: this opens the sign-in, which leads back here.
    return new Promise(() => {}); // never resolves, because the page is being left
  }
  if (!response.ok) return null;
  return new DOMParser().parseFromString(await response.text(), 'text/html').getElementById(id);
}

/** Stores the number of rows in the address, so that Back, a reload and a copied link restore them. */
function addShownRowsToAddress(count: number) {
  const address = new URL(location.href);
  if (address.searchParams.has('cursor')) return; // the page begins in the middle of the list
  address.searchParams.set('shown', String(count));
  history.replaceState(history.state, '', address);
}
