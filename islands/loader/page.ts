/** Pickers' hidden inputs are disabled in the server's markup: without script a <select> has their name. */
export function enableScriptedFields(): void {
  for (const field of document.querySelectorAll<HTMLInputElement>('input[data-scripted]'))
    field.disabled = false;
}

/** The browser applies [autofocus] only after its first paint, and input until then would be lost. */
export function focusInitialElement(): void {
  if (document.activeElement !== document.body) return;
  const first =
    document.querySelector<HTMLElement>('[autofocus]') ??
    document.querySelector<HTMLElement>('.success,[data-posted] .error');
  first?.focus();
}

/**
 * A list stores its parameters (filter, order) for this tab. On a form, a[data-back] leads back to the list with them,
 * and a submit sends the list's address as `returnTo` (server/http/request.ts). That is added to the form data and not
 * to the markup, which may not be hydrated yet.
 */
export function startReturnLinks(): void {
  const back = document.querySelector<HTMLAnchorElement>('a[data-back]');
  addEventListener('pagehide', () => {
    if (document.querySelector('main form.filters'))
      sessionStorage.setItem(searchStorageKey(location.pathname), location.search);
  });
  const search = back && !back.search && sessionStorage.getItem(searchStorageKey(back.pathname));
  if (!search) return;
  const list = back.pathname + search;
  back.href = list;
  let sent: EventTarget | null;
  addEventListener('submit', (event) => {
    sent = event.defaultPrevented ? null : event.target;
  });
  // FormData created by a script dispatches this event as well, without a submit.
  addEventListener('formdata', (event) => {
    if (event.target === sent) event.formData.append('returnTo', list);
  });
}

const searchStorageKey = (path: string) => `saldo:${path}`;
