/** A form with amounts computes while it is typed in; where this fails it is a form that saves all the same. */
export function startForms(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-live]');
  if (form) import('../forms/live.ts').then(({ start }) => start(form), console.warn);
}
