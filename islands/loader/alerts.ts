/** [data-dismiss] closes its alert. Hidden, not removed: the alert may belong to an island's React tree. */
export function hideDismissedAlerts(): void {
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest('[data-dismiss]');
    const alert = button?.closest<HTMLElement>('[role=alert], [role=status], .alert');
    if (alert) alert.hidden = true;
  });
}
