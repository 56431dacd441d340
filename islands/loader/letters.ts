/** A link to a mail program also downloads the letter that a[data-also] names. */
addEventListener('click', ({ target }) => {
  const { also } = (target as Element).closest<HTMLElement>('a[data-also]')?.dataset ?? {};
  if (!also) return;
  const link = document.createElement('a');
  link.href = also;
  link.download = '';
  link.click();
});

export {};
