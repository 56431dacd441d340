import { LOGOUT_PATH } from './paths.ts';

const USER_KEY = 'user';

/**
 * Copies the page's [data-user] to the local-storage record `user` that the specification asks for (never a token); on
 * the sign-in page, which has none, removes it. Signing out empties the record at once, and with it each tab's drafts.
 * Other tabs reload once it names another user.
 */
export function mirrorUser(): void {
  const { user } = document.body.dataset;
  storeUser(user);
  addEventListener('submit', ({ target }) => {
    if (!(target as Element).matches(`[action="${LOGOUT_PATH}"]`)) return;
    clearDrafts();
    storeUser('');
  });
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== USER_KEY) return;
    if (newValue === '') clearDrafts();
    // A GET, since reloading the answer to a form would ask whether to post it again.
    else if ((newValue ?? undefined) !== user) location.replace(location.pathname + location.search);
  });
}

function storeUser(user: string | undefined) {
  try {
    if (user === undefined) localStorage.removeItem(USER_KEY);
    else localStorage.setItem(USER_KEY, user);
  } catch {
    // Storage may be full or forbidden. Nothing of ours reads the record.
  }
}

/** Also removes [data-user], so that islands/drafts stores nothing more. */
function clearDrafts() {
  delete document.body.dataset.user;
  sessionStorage.clear();
}
