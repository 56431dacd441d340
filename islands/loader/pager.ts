/**
 * Adds the rows of the page that `link` leads to: takes the element with the same id as `region` out of it.
 * Where anything goes wrong the link is followed, as without script.
 */
export async function appendPage(link: HTMLAnchorElement, region: Element): Promise<void> {
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
