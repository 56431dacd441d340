export function startShowMore(): void {
  if (/[?&]shown=/.test(location.search)) fetchAhead();
  // Loaded at the first scroll: at the click the connection may be gone, and following the link would lose the rows.
  else if (document.querySelector(MORE_SELECTOR))
    addEventListener('scroll', fetchAhead, { once: true, passive: true });
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>(MORE_SELECTOR);
    const region = link?.closest('[id]');
    const opensElsewhere = event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey;
    if (!link || !region || opensElsewhere || event.defaultPrevented) return;
    event.preventDefault();
    if (link.ariaBusy === 'true') return;
    link.ariaBusy = 'true'; // set even while its script is still loading
    loadPager().then(
      ({ appendPage }) => appendPage(link, region),
      () => location.assign(link.href),
    );
  });
}

/** Ctrl+P prints the rows that are not shown yet as well; the browser's menu cannot wait for them. */
export function startPrinting(): void {
  addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key !== 'p') return;
    if (!document.querySelector('#results .pager a[rel=next]')) return;
    event.preventDefault();
    loadPager()
      .then(({ showRows }) => showRows(MAX_PRINTED))
      .catch(() => {})
      .finally(() => print());
  });
}

/** More are rather exported than printed from the screen. */
const MAX_PRINTED = 500;

const MORE_SELECTOR = 'a[data-more], .pager a[rel=next]';

const loadPager = () => import('./pager.ts');

const fetchAhead = () => void loadPager().catch(() => {});
