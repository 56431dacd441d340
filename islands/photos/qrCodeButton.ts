/** A button[data-code] submits its form with the QR code in a photo. An input[data-code] does so once it gets one. */

import { originalPhotoOf } from './shrink.ts';

/** the button that was pressed before there was a photo to read */
let buttonAwaitingPhoto: HTMLButtonElement | undefined;

addEventListener('change', ({ target }) => {
  const input = target as HTMLInputElement;
  const file = input.files?.[0];
  if (
    file &&
    file === originalPhotoOf(file) &&
    (buttonAwaitingPhoto?.dataset.code === input.name || 'code' in input.dataset)
  )
    readCodeAndSubmit(input, buttonAwaitingPhoto);
});
addEventListener('cancel', () => {
  buttonAwaitingPhoto = undefined;
});
addEventListener('click', (event) => {
  const button = (event.target as Element).closest<HTMLButtonElement>('button[data-code]');
  const { foto: input, fotoId } = (button?.form?.elements ?? {}) as Record<
    string,
    HTMLInputElement | undefined
  >;
  if (!button || !input || (!input.value && fotoId)) return; // the server already has the photo, and reads its code
  event.preventDefault();
  buttonAwaitingPhoto = button;
  if (input.value) readCodeAndSubmit(input, button);
  else input.click();
});

/** Where the QR reader cannot be loaded, the form is submitted without a code, and the server reads the photo. */
function readCodeAndSubmit({ form, files }: HTMLInputElement, button?: HTMLButtonElement): void {
  buttonAwaitingPhoto = undefined;
  const photo = originalPhotoOf(files![0]!);
  void import('./qrCode.ts')
    .then(({ readQrCode }) => readQrCode(photo))
    .then((code) => {
      const field = form!.querySelector('[name=qr]') ?? document.createElement('input');
      Object.assign(field, { type: 'hidden', name: 'qr', value: code });
      form!.append(field);
    })
    .catch(() => {})
    .then(() => form!.requestSubmit(button));
}
