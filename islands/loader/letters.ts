/** A click on an a[data-also], which opens the mail program, also downloads the letter at the address in data-also. */
addEventListener('click', ({ target }) => {
  const { also } = (target as Element).closest<HTMLElement>('a[data-also]')?.dataset ?? {};
  if (!also) return;
  const link = document.createElement('a');
  link.href = also;
  link.download = '';
  link.click();
});

export {};
