export function startShowMore(): void {
  if (location.search.includes('shown=')) prefetchPager();
  // Loaded at the first scroll: at the click the connection may be gone, and following the link would lose the rows.
  else if (document.querySelector(MORE_SELECTOR))
    addEventListener('scroll', prefetchPager, { once: true, passive: true });
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>(MORE_SELECTOR);
    const region = link?.closest('[id]');
    const opensElsewhere = event.ctrlKey || event.metaKey || event.shiftKey;
    if (!link || !region || opensElsewhere || event.defaultPrevented) return;
    event.preventDefault();
    if (link.ariaBusy === 'true') return;
    link.ariaBusy = 'true'; // marks the link as busy even while the pager's code is still loading
    loadPager().then(
      ({ appendPage }) => appendPage(link, region),
      () => location.assign(link.href),
    );
  });
}

const MORE_SELECTOR = 'a[data-more], .pager a[rel=next]';

const loadPager = () => import('./pager.ts');

const prefetchPager = () => void loadPager().catch(() => {});
