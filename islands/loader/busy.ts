const SLOW_MS = 10_000;

let patience: ReturnType<typeof setTimeout> | undefined;

/**
 * form[data-busy]: a submit disables its buttons and shows the spinner (aria-busy), and a second
 * one is ignored; after ten seconds it says that it is still at it. Back to normal when the page returns from
 * the browser's cache or the sending is stopped. Without a connection nothing is sent: the browser would
 * put its own page over what was typed.
 */
export function guardSubmits(): void {
  addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (!form.matches('form[data-busy]')) return;
    if (form.ariaBusy === 'true') event.preventDefault();
    if (event.defaultPrevented) return;
    if (!navigator.onLine) {
      event.preventDefault();
      // The code for it may not be there: without a connection it comes from the browser's cache, or not at all.
      notes(
        ({ sayOffline }) => sayOffline(form),
        () => alert('No hay conexión con el servidor.'),
      );
      return;
    }
    form.ariaBusy = 'true';
    const pressed = event.submitter ?? submitsOf(form)[0];
    // Enter may press one that nobody sees (islands/forms/AmountsForm.tsx).
    const button = pressed?.ariaHidden ? form.querySelector('.btn-primary') : pressed;
    button?.setAttribute('aria-busy', 'true');
    patience = setTimeout(() => notes(({ saySlow }) => saySlow(form)), SLOW_MS);
    // Not before the form is read: a disabled button's own name and value would be left out.
    setTimeout(() => {
      for (const submit of submitsOf(form)) submit.disabled = true;
    });
  });
  addEventListener('pageshow', (event) => {
    if (event.persisted) restoreSubmits();
  });
  // Esc, or the browser's own button, while the answer is still to come.
  (window as { navigation?: EventTarget }).navigation?.addEventListener('navigateerror', restoreSubmits);
}

function restoreSubmits() {
  clearTimeout(patience);
  if (!document.querySelector('form[data-busy][aria-busy]')) return;
  document.querySelector('[data-note]')?.remove();
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-busy][aria-busy]')) {
    form.ariaBusy = null;
    for (const submit of submitsOf(form)) {
      submit.disabled = false;
      submit.removeAttribute('aria-busy');
    }
  }
}

const notes = (use: (module: typeof import('../drafts/notes.ts')) => unknown, otherwise = () => {}) =>
  void import('../drafts/notes.ts').then(use, otherwise);

const submitsOf = (form: HTMLFormElement) =>
  [...form.elements].filter(
    (element): element is HTMLButtonElement =>
      element instanceof HTMLButtonElement && element.type === 'submit',
  );
