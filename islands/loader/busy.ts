const SLOW_NOTE_DELAY_MS = 10_000;

let slowNoteTimer: ReturnType<typeof setTimeout> | undefined;

/**
 * A submitted form[data-busy] shows a spinner, and its buttons are disabled; after ten seconds a note says that the
 * answer is still awaited. This is undone when the page returns from the browser's cache or the request is stopped.
 * Without a connection nothing is submitted, since the browser would replace the user's input with an error page.
 */
export function preventDoubleSubmits(): void {
  addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (!form.matches('form[data-busy]')) return;
    if (form.ariaBusy === 'true') event.preventDefault();
    if (event.defaultPrevented) return;
    if (!navigator.onLine) {
      event.preventDefault();
      // The alert's code may not be loaded yet. Without a connection it comes from the browser's cache, or not at all.
      withNotesModule(
        ({ showOfflineAlert: showOffline }) => showOffline(form),
        () => alert('No hay conexión con el servidor.'),
      );
      return;
    }
    form.ariaBusy = 'true';
    const pressed = event.submitter ?? listSubmitButtons(form)[0];
    // Enter may press a hidden button (islands/forms/AmountsForm.tsx); then the visible one shows the spinner.
    const button = pressed?.ariaHidden ? form.querySelector('.btn-primary') : pressed;
    button?.setAttribute('aria-busy', 'true');
    slowNoteTimer = setTimeout(
      () => withNotesModule(({ showSlowNote: showSlow }) => showSlow(form)),
      SLOW_NOTE_DELAY_MS,
    );
    // Delayed until the form has been read: a disabled button's name and value would be left out.
    setTimeout(() => {
      for (const submit of listSubmitButtons(form)) submit.disabled = true;
    });
  });
  addEventListener('pageshow', (event) => {
    if (event.persisted) enableSubmitsAgain();
  });
  // The user has stopped the request with Esc or the browser's button, before the answer came.
  (window as { navigation?: EventTarget }).navigation?.addEventListener('navigateerror', enableSubmitsAgain);
}

function enableSubmitsAgain() {
  clearTimeout(slowNoteTimer);
  if (!document.querySelector('form[data-busy][aria-busy]')) return;
  document.querySelector('[data-note]')?.remove();
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-busy][aria-busy]')) {
    form.ariaBusy = null;
    for (const submit of listSubmitButtons(form)) {
      submit.disabled = false;
      submit.removeAttribute('aria-busy');
    }
  }
}

const withNotesModule = (
  use: (module: typeof import('../drafts/notes.ts')) => unknown,
  fallback = () => {},
) => void import('../drafts/notes.ts').then(use, fallback);

const listSubmitButtons = (form: HTMLFormElement) =>
  [...form.elements].filter(
    (element): element is HTMLButtonElement => (element as HTMLButtonElement).type === 'submit',
  );
