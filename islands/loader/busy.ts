/**
 * form[data-busy]: a submit disables its buttons and shows the spinner (.is-busy, aria-busy), and a second
 * one is ignored. Back to normal when the page returns from the browser's cache.
 */
export function guardSubmits(): void {
  addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (!form.matches('form[data-busy]')) return;
    if (form.ariaBusy === 'true') event.preventDefault();
    if (event.defaultPrevented) return;
    form.ariaBusy = 'true';
    const pressed = event.submitter ?? submitsOf(form)[0];
    // Enter may press one that nobody sees (server/pages/amounts.tsx).
    const button = pressed?.ariaHidden ? form.querySelector('.btn-primary') : pressed;
    button?.classList.add('is-busy');
    button?.setAttribute('aria-busy', 'true');
    // Not before the form is read: a disabled button's own name and value would be left out.
    setTimeout(() => {
      for (const submit of submitsOf(form)) submit.disabled = true;
    });
  });
  addEventListener('pageshow', (event) => {
    if (!event.persisted) return;
    for (const form of document.querySelectorAll<HTMLFormElement>('form[data-busy][aria-busy]')) {
      form.ariaBusy = null;
      for (const submit of submitsOf(form)) {
        submit.disabled = false;
        submit.classList.remove('is-busy');
        submit.removeAttribute('aria-busy');
      }
    }
  });
}

const submitsOf = (form: HTMLFormElement) =>
  [...form.elements].filter(
    (element): element is HTMLButtonElement =>
      element instanceof HTMLButtonElement && element.type === 'submit',
  );
