/**
 * After a refusal each field is validated anew while it is mended: its message goes with the first thing typed
 * or chosen, and comes back where the field is emptied again. What is really wrong, the next submit says.
 * The form's own alert stands as long as one of its fields does; one with more to it than words stays.
 */
export function followMending(): void {
  for (const type of ['input', 'change']) {
    document.addEventListener(type, ({ target }) => {
      if (target instanceof Element) follow(target);
    });
  }
  // Something may have been typed before this had come.
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
    // One that its reader has closed stays closed.
    const isOurs = isMended ? !alert.hidden : alert.dataset.mended === '';
    if (!isOurs) continue;
    alert.hidden = isMended;
    if (isMended) alert.dataset.mended = '';
    else delete alert.dataset.mended;
  }
}
