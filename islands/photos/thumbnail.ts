/** Key for a photo's name and thumbnail, kept in this tab for the page that comes after the photo is sent. */
const STORAGE_KEY = 'saldo:photo';

const THUMBNAIL_PX = 96;

addEventListener('change', ({ target: input }) => {
  if (input instanceof HTMLInputElement && input.matches('[capture]')) void showThumbnail(input);
});
for (const input of document.querySelectorAll<HTMLInputElement>('[capture]')) void showThumbnail(input);

/** Shows the thumbnail of a chosen or sent photo before its name, and after the name a button that removes it. */
async function showThumbnail(input: HTMLInputElement): Promise<void> {
  const place = input.parentElement!;
  for (const shown of place.querySelectorAll('img, button')) shown.remove();
  const [file] = input.files!;
  if (file) sessionStorage.setItem(STORAGE_KEY, JSON.stringify([file.name, await createThumbnail(file)]));
  if (input.files![0] !== file) return; // a smaller photo has replaced this one meanwhile
  const output = place.querySelector<HTMLElement>('[data-file]');
  if (!output) return;
  const { file: sent, none } = output.dataset;
  const name = file?.name ?? sent;
  if (name === none) return;
  const [storedName, source] = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]') as string[];
  if (name === storedName && source) output.before(Object.assign(new Image(), { src: source, alt: '' }));
  const remove = document.createElement('button');
  Object.assign(remove, {
    type: 'button',
    className: 'btn btn-icon',
    textContent: '×',
    ariaLabel: `Quitar ${name}`,
  });
  remove.addEventListener('click', () => {
    output.dataset.file = none;
    // The id of a photo that was sent before is in this field (server/pages/petty-cash/expense-uploads.tsx).
    input.form!.querySelector(`[name=${input.name}Id]`)?.remove();
    input.value = '';
    input.dispatchEvent(new Event('change', { bubbles: true }));
    input.focus();
  });
  place.append(remove);
}

/** @returns an empty text where the browser cannot read the picture */
async function createThumbnail(file: File): Promise<string> {
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return '';
  const canvas = document.createElement('canvas');
  const scale = Math.min(1, THUMBNAIL_PX / Math.max(picture.width, picture.height));
  [canvas.width, canvas.height] = [picture.width * scale, picture.height * scale];
  canvas.getContext('2d')!.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/jpeg');
}

export {};
