/** Most pages come without notices. The bell's button is updated, not replaced, since it may have the focus by then. */
export async function fillBell(): Promise<void> {
  const bell = document.querySelector<HTMLElement>('[data-bell]');
  if (!bell) return;
  const answer = await fetch(bell.dataset.bell!);
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const filled = page.querySelector('.bell:not([data-bell])'); // an error page has no bell
  if (!filled) return;
  bell.firstElementChild!.ariaLabel = filled.firstElementChild!.ariaLabel;
  bell.append(...filled.querySelectorAll('.count'));
  bell.querySelector('#notices')!.replaceChildren(...filled.lastElementChild!.childNodes);
}
