/**
 * Gives the focus to [autofocus] at once. The browser waits with it for its first picture of the page, and the keys of
 * whoever types until then go nowhere.
 */
export function focusFirst(): void {
  if (document.activeElement === document.body) document.querySelector<HTMLElement>('[autofocus]')?.focus();
}
