/**
 * Shows an error in the page's own [data-failure], an alert or a dialog (server/pages/ui/list-parts.tsx).
 * @param detail an error that the browser noticed. Where the page has its own sentence for failures, that sentence and
 * the detail are shown instead of `message`.
 * @returns false where the page has no element for errors
 */
export function showFailure(message: string, retry: () => void, detail?: string): boolean {
  const place = hideFailure();
  if (!place) return false;
  const listMessage = place.dataset.failure;
  const text = listMessage && detail ? `${listMessage} ${detail}` : message;
  for (const button of document.querySelectorAll<HTMLElement>('[data-retry]')) {
    button.onclick = () => {
      hideFailure();
      retry();
    };
  }
  place.hidden = false;
  if (place instanceof HTMLDialogElement) place.showModal();
  // Comes last: screen readers announce an alert when its text changes while it is visible.
  place.querySelector('[data-message]')?.replaceChildren(text);
  return true;
}

export function hideFailure(): HTMLElement | null {
  const place = document.querySelector<HTMLElement>('[data-failure]');
  if (place instanceof HTMLDialogElement) place.close();
  else if (place) place.hidden = true;
  return place;
}
