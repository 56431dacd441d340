import { LOGOUT_PATH } from './paths.ts';

const USER_KEY = 'user';

/**
 * Copies the page's [data-user], never a token, to the record `user` in local storage, which the specification
 * requires. The sign-in page has no [data-user], so there the record is removed. Signing out empties the record at
 * once, so that every tab drops its drafts. Other tabs reload when the record changes to another user.
 */
export function copyUserToStorage(): void {
  const { user } = document.body.dataset;
  storeUser(user);
  addEventListener('submit', ({ target }) => {
    if (!(target as Element).matches(`[action="${LOGOUT_PATH}"]`)) return;
    clearDraftsAndUser();
    storeUser('');
  });
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== USER_KEY) return;
    if (newValue === '') clearDraftsAndUser();
    // Loads the page with a GET: reloading the answer to a form would ask whether to post it again.
    else if ((newValue ?? undefined) !== user) location.replace(location.pathname + location.search);
  });
}

function storeUser(user: string | undefined) {
  try {
    if (user === undefined) localStorage.removeItem(USER_KEY);
    else localStorage.setItem(USER_KEY, user);
  } catch {
    // Storage may be full or forbidden. That is harmless, because our own code never reads the record.
  }
}

/** Also removes [data-user], so that islands/drafts stores nothing more. */
function clearDraftsAndUser() {
  delete document.body.dataset.user;
  sessionStorage.clear();
}
