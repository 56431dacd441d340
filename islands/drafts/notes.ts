export const EDITABLE_SELECTOR =
  ':is(input, textarea, select):not([type=hidden], [type=submit], [type=button], [type=file], [readonly], [hidden])';

const ICON_PATHS = {
  error: 'M12 4L2.5 20h19zM12 10v5M12 17.5h.01',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v6M12 7.5h.01',
};

/** Drawn like shared/ui/Alert.tsx; a newer alert replaces it. */
export function showAlert(form: HTMLFormElement, tone: 'error' | 'info', text: string): HTMLElement {
  removeNote();
  const alert = document.createElement('div');
  alert.className = `alert ${tone}`;
  alert.role = tone === 'error' ? 'alert' : 'status';
  insertNote(alert, form);
  alert.innerHTML = `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${ICON_PATHS[tone]}"/></svg><div><strong></strong><div></div></div>`;
  const [head, body] = alert.querySelectorAll(':scope > div > *');
  if (head) head.textContent = tone === 'error' ? 'Error' : 'Nota';
  if (body) body.textContent = text;
  if (tone === 'error') alert.scrollIntoView({ block: 'nearest' });
  return alert;
}

export const showOfflineAlert = (form: HTMLFormElement) =>
  showAlert(
    form,
    'error',
    'No hay conexión con el servidor. Lo que escribiste sigue aquí; intenta de nuevo.',
  );

/** The note is inserted empty a moment before its text, so that screen readers announce it. */
export function showSlowNote(form: HTMLFormElement): void {
  removeNote();
  const status = document.createElement('p');
  status.className = 'note';
  status.role = 'status';
  insertNote(status, form, true);
  requestAnimationFrame(() => {
    status.textContent = 'Sigue enviándose…';
  });
}

const removeNote = () => document.querySelector('[data-note]')?.remove();

/** Inserted outside of React's islands, except in a dialog, which opens only after hydration. */
function insertNote(note: HTMLElement, form: HTMLFormElement, below = false) {
  note.dataset.note = '';
  const body = form.closest('dialog')?.querySelector('.dialog-body');
  if (body) body[below ? 'append' : 'prepend'](note);
  else if (!form.querySelector(EDITABLE_SELECTOR)) (document.querySelector('.page-head') ?? form).after(note);
  else (form.closest('is-land') ?? form)[below ? 'after' : 'before'](note);
}
