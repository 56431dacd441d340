/** a[data-also] opens a letter, and downloads by the same click what goes with it. */
export function startLetters(): void {
  addEventListener('click', ({ target }) => {
    const { also } = (target as Element).closest<HTMLElement>('a[data-also]')?.dataset ?? {};
    if (!also) return;
    const link = document.createElement('a');
    link.href = also;
    link.download = '';
    link.click();
  });
}
