/** These fields are sent disabled, since without script the <select> has the name. */
export function enableScriptedFields(): void {
  for (const field of document.querySelectorAll<HTMLInputElement>('input[data-scripted]'))
    field.disabled = false;
}

/**
 * Focuses [autofocus] immediately: the browser waits for its first paint, and input until then would be lost. Where
 * nothing has that attribute, the message of success or refusal gets the focus.
 */
export function focusInitialElement(): void {
  if (document.activeElement !== document.body) return;
  const first =
    document.querySelector<HTMLElement>('[autofocus]') ??
    document.querySelector<HTMLElement>('.success,[data-posted] .error');
  first?.focus();
}

/**
 * A list stores its parameters for this tab, a form's a[data-back] leads to them, and a submit sends them as
 * `returnTo` (server/http/request.ts). Nothing is added to the page, whose forms may still have to hydrate.
 */
export function startReturnLinks(): void {
  const back = document.querySelector<HTMLAnchorElement>('a[data-back]');
  addEventListener('pagehide', () => {
    if (document.querySelector('main form.filters'))
      sessionStorage.setItem(listSearchKey(location.pathname), location.search);
  });
  const search = back && !back.search && sessionStorage.getItem(listSearchKey(back.pathname));
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

const listSearchKey = (path: string) => `saldo:${path}`;
