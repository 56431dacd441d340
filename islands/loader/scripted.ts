/**
 * A picker's hidden field is disabled in the page as sent, because without script its <select> carries the
 * name. With script it speaks from the start, long before React comes.
 */
export function enableScripted(): void {
  for (const field of document.querySelectorAll<HTMLInputElement>('input[data-scripted]'))
    field.disabled = false;
}
