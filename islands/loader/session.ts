import { LOGOUT_PATH } from './paths.ts';

const KEY = 'user';

/**
 * Keeps the specification's local-storage record `user` (id, username, roles; never a token) equal to what
 * the page says in [data-user]; the sign-in page says nothing, and so removes it. Signing out empties it at
 * once and forgets what was typed, in the other tabs too; these ask for their page again as soon as the
 * record is no longer theirs, and the server leads them to the sign-in.
 */
export function mirrorUser(): void {
  const { user } = document.body.dataset;
  keep(user);
  addEventListener('submit', ({ target }) => {
    if (!(target as Element).matches(`[action="${LOGOUT_PATH}"]`)) return;
    forgetTyped();
    keep('');
  });
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== KEY) return;
    if (newValue === '') forgetTyped();
    // A GET: reloading the answer to a form would ask whether to post it again.
    else if ((newValue ?? undefined) !== user) location.replace(location.pathname + location.search);
  });
}

function keep(user: string | undefined) {
  try {
    if (user === undefined) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, user);
  } catch {
    // Storage may be full or forbidden; nothing of ours reads it back.
  }
}

/** Without [data-user] islands/drafts keeps nothing more. */
function forgetTyped() {
  delete document.body.dataset.user;
  sessionStorage.clear();
}
