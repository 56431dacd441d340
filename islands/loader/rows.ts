/**
 * A click in a row opens the row's page, except on links and controls, or where it selects text. A click on a download
 * closes the menu of formats, because downloading does not leave the page.
 */
export function openRow(event: MouseEvent): void {
  const target = event.target as Element;
  if (target.closest('a')) target.closest<HTMLElement>('.formats')?.hidePopover();
  const { href } = target.closest<HTMLElement>('tr[data-href]')?.dataset ?? {};
  if (!href || event.button > 1 || event.defaultPrevented) return;
  if (target.closest('a, button, label, input, summary') || String(getSelection())) return;
  if (event.button === 1 || event.ctrlKey || event.metaKey || event.shiftKey) open(href);
  else location.assign(href);
}
