/**
 * After a refusal each field is judged anew while it is mended: its message goes with the first thing typed
 * or chosen, and comes back where the field is emptied again. What is really wrong, the next submit says.
 */
export function followMending(): void {
  for (const type of ['input', 'change']) {
    document.addEventListener(type, ({ target }) => {
      if (!(target instanceof Element)) return;
      const field = target.closest('.field');
      const note = field?.querySelector<HTMLElement>('.field-error');
      if (!field || !note) return;
      const isEmpty = !(target as HTMLInputElement).value;
      note.hidden = !isEmpty;
      field.querySelector('[aria-invalid]')?.setAttribute('aria-invalid', String(isEmpty));
    });
  }
}
