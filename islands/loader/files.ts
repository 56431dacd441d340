/**
 * form[data-sends] submits itself once files are chosen, or are dropped anywhere on its page. If this form is hidden,
 * links to its address open the file dialog. An input[data-submits] submits the form that it belongs to.
 */
export function startFileForms(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-sends]');
  addEventListener('change', ({ target }) => {
    const input = target as HTMLInputElement;
    if (input.type !== 'file') return;
    showChosenFiles(input);
    if (form?.contains(input)) scheduleSubmit(form);
    else if (input.value && 'submits' in input.dataset)
      input.form!.requestSubmit(input.closest('.stack')?.querySelector<HTMLButtonElement>('[formaction]'));
  });
  for (const input of document.querySelectorAll<HTMLInputElement>('input[type=file]')) showChosenFiles(input);
  if (!form) return;
  const input = form.querySelector<HTMLInputElement>('input[multiple]')!;
  addEventListener('click', (event) => {
    const link = (event.target as Element).closest('a');
    if (!form.hidden || link?.href !== form.action || event.ctrlKey || event.metaKey || event.shiftKey)
      return;
    event.preventDefault();
    input.click();
  });
  const root = document.documentElement;
  addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    root.dataset.drop = '';
    if (!(event.target as Element).matches('input[type=file]')) event.preventDefault();
  });
  addEventListener('dragleave', ({ relatedTarget }) => {
    if (!relatedTarget) delete root.dataset.drop;
  });
  addEventListener('drop', (event) => {
    delete root.dataset.drop;
    const { files } = event.dataTransfer ?? {};
    if (!files?.length || (event.target as Element).matches('input[type=file]')) return;
    event.preventDefault();
    input.files = files;
    showChosenFiles(input);
    scheduleSubmit(form);
  });
}

/** The browser's own text for chosen files is in the browser's language. */
function showChosenFiles({ files, parentElement }: HTMLInputElement): void {
  const output = parentElement?.querySelector<HTMLElement>('[data-file]');
  if (!output || !files) return;
  const { length } = files;
  output.textContent = length > 1 ? `${length} archivos elegidos` : (files[0]?.name ?? output.dataset.file!);
}

/** The time for the user to press the button, or to add files that belong to the same document. */
const SUBMIT_DELAY_MS = 1000;

let submitTimer: ReturnType<typeof setTimeout> | undefined;

function scheduleSubmit(form: HTMLFormElement): void {
  clearTimeout(submitTimer);
  const requestSubmit = () => form.requestSubmit();
  if (form.hidden)
    import('./sending.ts')
      .then(({ showSendingNote }) => showSendingNote(form))
      .then(requestSubmit, requestSubmit);
  else submitTimer = setTimeout(requestSubmit, SUBMIT_DELAY_MS);
}
