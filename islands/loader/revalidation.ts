/**
 * A field's message disappears with the first change, and returns if the field is emptied. The next submit validates
 * everything. The form's alert stays while any field is wrong. An alert with controls always stays.
 */
export function revalidateOnChange(): void {
  for (const type of ['input', 'change']) {
    document.addEventListener(type, ({ target }) => {
      if (target instanceof Element) updateFieldError(target);
    });
  }
  // Input may have been typed before this was loaded.
  const texts = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    '.field :is(input, textarea)',
  );
  for (const text of texts) if (text.value !== text.defaultValue) updateFieldError(text);
}

function updateFieldError(target: Element) {
  const field = target.closest('.field');
  const note = field?.querySelector<HTMLElement>('.field-error');
  if (!field || !note) return;
  const isEmpty = !(target as HTMLInputElement).value;
  note.hidden = !isEmpty;
  for (const control of field.querySelectorAll('[aria-invalid]'))
    control.setAttribute('aria-invalid', String(isEmpty));
  updateAlerts();
}

function updateAlerts() {
  const isCorrected = !document.querySelector('.field-error:not([hidden])');
  for (const alert of document.querySelectorAll<HTMLElement>('main .alert.error:not([data-note])')) {
    if (alert.querySelector('[href^="/"], button:not([data-dismiss]), input')) continue;
    // An alert that the user has closed stays closed. The alerts that were hidden here are marked.
    const isOurs = isCorrected ? !alert.hidden : alert.dataset.mended === '';
    if (!isOurs) continue;
    alert.hidden = isCorrected;
    if (isCorrected) alert.dataset.mended = '';
    else delete alert.dataset.mended;
  }
}
