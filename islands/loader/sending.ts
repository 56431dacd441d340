export function showSendingNote(form: HTMLFormElement): void {
  const { length } = form.querySelector<HTMLInputElement>('input[multiple]')!.files!;
  const note = document.createElement('p');
  note.className = 'alert info';
  note.role = 'status';
  note.textContent = length === 1 ? 'Enviando el archivo…' : `Enviando ${length} archivos…`;
  document.querySelector('main .page-head')?.after(note);
  addEventListener('pagehide', () => note.remove(), { once: true }); // the browser may show this page again from its cache
}
