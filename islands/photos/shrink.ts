/** The photo of an input[data-photo] is made smaller before it is sent. Other files are left alone. */

const MAX_BYTES = 600_000;
/** No side of the sent photo is longer than this. */
const MAX_PX = 2000;

/** Sizes and JPEG qualities, the sharpest first; the first result that is small enough is sent. */
const SIZE_AND_QUALITY_STEPS = [MAX_PX, 1500, 1000].flatMap((side) =>
  [0.85, 0.7, 0.5].map((quality) => ({ side, quality })),
);

type Size = Pick<ImageBitmap, 'width' | 'height'>;

export const isTooLarge = (bytes: number, { width, height }: Size): boolean =>
  bytes > MAX_BYTES || Math.max(width, height) > MAX_PX;

export function fitWithin(maxSide: number, { width, height }: Size): Size {
  const scale = Math.min(1, maxSide / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

const formatFileSize = (bytes: number): string =>
  bytes > MAX_BYTES ? `${(bytes / 1024 ** 2).toFixed(1)} MB` : `${Math.round(bytes / 1024)} KB`;

const originalByShrunk = new WeakMap<File, File>();
/** @returns the file that the user chose, in which a code is easier to read than in the smaller one */
export const originalPhotoOf = (file: File): File => originalByShrunk.get(file) ?? file;

const shrinkingByForm = new Map<HTMLFormElement | null, Promise<void>>();

// Tests import this file outside of a browser.
if (typeof document !== 'undefined') {
  addEventListener('change', shrinkChosenPhotos, true);
  addEventListener('submit', waitForPhotos, true);
}

function shrinkChosenPhotos({ target }: Event): void {
  const input = target as HTMLInputElement;
  const file = 'photo' in input.dataset && input.files?.[0];
  if (!file || originalByShrunk.has(file)) return;
  const work = replacePhoto(input, file).finally(() => {
    if (shrinkingByForm.get(input.form) === work) shrinkingByForm.delete(input.form);
  });
  shrinkingByForm.set(input.form, work);
}

function waitForPhotos(event: SubmitEvent): void {
  const form = event.target as HTMLFormElement;
  const work = shrinkingByForm.get(form);
  if (!work) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  // While a form is being submitted, browsers ignore a second submit, so this waits for the first one to end.
  void work.then(() => setTimeout(() => form.requestSubmit(event.submitter)));
}

async function replacePhoto(input: HTMLInputElement, file: File): Promise<void> {
  const field = input.closest('.field');
  field?.querySelector('[role=status]')?.remove();
  // A picture that the browser cannot read is sent as it is: the server says whether it can be attached.
  const smaller = await shrinkPhoto(file).catch(() => file);
  if (smaller === file || input.files?.[0] !== file) return;
  originalByShrunk.set(smaller, file);
  const transfer = new DataTransfer();
  transfer.items.add(smaller);
  input.files = transfer.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
  const textContent = `${formatFileSize(file.size)} → ${formatFileSize(smaller.size)}`;
  field?.append(
    Object.assign(document.createElement('p'), { className: 'hint', role: 'status', textContent }),
  );
}

/** @throws where the browser cannot read the picture */
async function shrinkPhoto(file: File): Promise<File> {
  if (!file.type.startsWith('image/')) return file;
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' });
  if (!isTooLarge(file.size, picture)) return file;
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d')!;
  for (const { side, quality } of SIZE_AND_QUALITY_STEPS) {
    Object.assign(canvas, fitWithin(side, picture));
    context.fillStyle = '#fff'; // JPEG has no transparency, so transparent pixels become white
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', quality));
    if (blob && blob.size <= MAX_BYTES)
      return new File([blob], file.name.replace(/(\.\w+)?$/, '.jpg'), { type: blob.type });
  }
  return file;
}
