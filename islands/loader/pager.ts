/**
 * "Cargar más": a[data-more], or the next link of a .pager, fetches its own address, takes the closest
 * element with an id out of that page, and adds its rows. Without script, and where anything goes wrong,
 * it is a link.
 */
export function startPager(): void {
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-more], .pager a[rel=next]');
    const region = link?.closest('[id]');
    const elsewhere = event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey;
    if (!link || !region || elsewhere || event.defaultPrevented) return;
    event.preventDefault();
    if (link.ariaBusy !== 'true') void appendPage(link, region);
  });
}

async function appendPage(link: HTMLAnchorElement, region: Element) {
  link.ariaBusy = 'true';
  try {
    const response = await fetch(link.href, { headers: { 'X-Fragment': 'results' } });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const more = page.getElementById(region.id);
    if (!response.ok || response.redirected || !more) throw new Error(`${response.status} ${link.href}`);
    if (!link.isConnected) return; // a search has replaced the list meanwhile
    const rows = [...more.querySelectorAll('tbody tr')];
    region.querySelector('tbody')?.append(...rows);
    const hadFocus = document.activeElement === link;
    const pager = link.closest('.pager') ?? link;
    const next = more.querySelector(pager === link ? 'a[data-more]' : '.pager');
    if (next) pager.replaceWith(next);
    else pager.remove();
    // The link is gone, and the focus with it: on to the first row it brought.
    if (hadFocus) rows[0]?.querySelector<HTMLElement>('a[href], button')?.focus({ preventScroll: true });
    region.dispatchEvent(new Event('saldo:content', { bubbles: true }));
  } catch {
    location.assign(link.href);
  }
}
