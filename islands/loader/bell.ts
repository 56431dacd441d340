/** Opening the bell is looking: what it counted is told to be seen, and counts no more (server/pages/notices.ts). */
export function startBell(): void {
  const notices = document.querySelector<HTMLElement>('[data-seen]');
  notices?.addEventListener('toggle', () => {
    const { seen } = notices.dataset;
    if (!seen) return;
    delete notices.dataset.seen;
    void fetch(seen, { method: 'POST', redirect: 'manual', keepalive: true }).catch(() => {});
    const [button, count] = notices.parentElement!.children;
    button!.ariaLabel = (button as HTMLElement).dataset.tip!;
    if (count !== notices) count!.remove();
  });
}
