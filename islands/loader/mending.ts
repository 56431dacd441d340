/**
 * After a refusal each field is validated again while it is corrected: its message goes with the first change, and
 * comes back if the field is emptied. The next submit says what is really wrong. The form's own alert stays as long as
 * one of its fields is wrong; one with more than words stays anyway.
 */
export function followMending(): void {
  for (const type of ['input', 'change']) {
    document.addEventListener(type, ({ target }) => {
      if (target instanceof Element) follow(target);
    });
  }
  // Something may have been typed before this was loaded.
  const texts = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    '.field :is(input, textarea)',
  );
  for (const text of texts) if (text.value !== text.defaultValue) follow(text);
}

function follow(target: Element) {
  const field = target.closest('.field');
  const note = field?.querySelector<HTMLElement>('.field-error');
  if (!field || !note) return;
  const isEmpty = !(target as HTMLInputElement).value;
  note.hidden = !isEmpty;
  for (const control of field.querySelectorAll('[aria-invalid]'))
    control.setAttribute('aria-invalid', String(isEmpty));
  showRefusal();
}

function showRefusal() {
  const isMended = !document.querySelector('.field-error:not([hidden])');
  for (const alert of document.querySelectorAll<HTMLElement>('main .alert.error:not([data-note])')) {
    if (alert.querySelector('a, button:not([data-dismiss]), input')) continue;
    // An alert that the user has closed stays closed.
    const isOurs = isMended ? !alert.hidden : alert.dataset.mended === '';
    if (!isOurs) continue;
    alert.hidden = isMended;
    if (isMended) alert.dataset.mended = '';
    else delete alert.dataset.mended;
  }
}
