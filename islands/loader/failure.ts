import { GENERIC_ERROR, TRY_AGAIN } from './generic-error.ts';

/**
 * Says in the page's own [data-failure], an alert or a dialog (server/pages/ui/list-parts.tsx), what went wrong.
 * The server's own words stand alone; what the browser noticed comes after the list's sentence.
 * @returns false where the page has no place for it
 */
export function showFailure(message: string, retry: () => void, isServers = false): boolean {
  const place = hideFailure();
  if (!place) return false;
  const said = place.dataset.failure;
  const text = said && !isServers ? `${said} ${message === GENERIC_ERROR ? TRY_AGAIN : message}` : message;
  for (const button of document.querySelectorAll<HTMLElement>('[data-retry]')) {
    button.onclick = () => {
      hideFailure();
      retry();
    };
  }
  place.hidden = false;
  if (place instanceof HTMLDialogElement) place.showModal();
  // Last: an alert is read out when something comes into it while it shows.
  place.querySelector('[data-message]')?.replaceChildren(text);
  return true;
}

export function hideFailure(): HTMLElement | null {
  const place = document.querySelector<HTMLElement>('[data-failure]');
  if (place instanceof HTMLDialogElement) place.close();
  else if (place) place.hidden = true;
  return place;
}
