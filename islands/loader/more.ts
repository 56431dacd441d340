/** "Cargar más": a[data-more], or the next link of a .pager, adds its rows to the closest element with an id. */
export function startMore(): void {
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-more], .pager a[rel=next]');
    const region = link?.closest('[id]');
    const elsewhere = event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey;
    if (!link || !region || elsewhere || event.defaultPrevented) return;
    event.preventDefault();
    if (link.ariaBusy === 'true') return;
    link.ariaBusy = 'true';
    import('./pager.ts').then(
      ({ appendPage }) => appendPage(link, region),
      () => location.assign(link.href),
    );
  });
}
