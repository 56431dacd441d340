/**
 * Leaving a form returns to its list as it was filtered: a list remembers its parameters for this tab, a
 * form's a[data-back] leads to them, and what the form sends carries them as `returnTo`
 * (server/http/request.ts). Nothing is added to the page, whose forms may still have to hydrate.
 */
export function startReturns(): void {
  const back = document.querySelector<HTMLAnchorElement>('a[data-back]');
  addEventListener('pagehide', () => {
    if (document.querySelector('main form.filters'))
      sessionStorage.setItem(keyOf(location.pathname), location.search);
  });
  const search = back && !back.search && sessionStorage.getItem(keyOf(back.pathname));
  if (!search) return;
  const list = back.pathname + search;
  back.href = list;
  let sent: EventTarget | null;
  addEventListener('submit', (event) => {
    sent = event.defaultPrevented ? null : event.target;
  });
  // FormData made by script fires it too, and is none of this.
  addEventListener('formdata', (event) => {
    if (event.target === sent) event.formData.append('returnTo', list);
  });
}

const keyOf = (path: string) => `saldo:${path}`;
