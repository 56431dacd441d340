import { LOGOUT_PATH } from './paths.ts';

const KEY = 'user';

/**
 * Keeps the specification's local-storage record `user` (id, username, roles; never a token) equal to what
 * the page says in [data-user]; the sign-in page says nothing, and signing out removes it.
 */
export function mirrorUser(): void {
  keep(document.querySelector<HTMLElement>('[data-user]')?.dataset.user);
  document.addEventListener('submit', (event) => {
    if ((event.target as Element).matches(`[action="${LOGOUT_PATH}"]`)) keep(undefined);
  });
}

function keep(user: string | undefined) {
  try {
    if (user) localStorage.setItem(KEY, user);
    else localStorage.removeItem(KEY);
  } catch {
    // Storage may be full or forbidden; nothing of ours reads it back.
  }
}
