/**
 * A button[data-code] submits its form with the code that a photo shows, taking the photo first if there is none; so
 * does an input[data-code] once a photo is chosen.
 */

import { originalOf } from './shrink.ts';

/** pressed before there was a photo to read */
let pressed: HTMLButtonElement | undefined;

addEventListener('change', ({ target }) => {
  const input = target as HTMLInputElement;
  const file = input.files?.[0];
  if (file && file === originalOf(file) && (pressed?.dataset.code === input.name || 'code' in input.dataset))
    submitCode(input, pressed);
});
addEventListener('cancel', () => {
  pressed = undefined;
});
addEventListener('click', (event) => {
  const button = (event.target as Element).closest<HTMLButtonElement>('button[data-code]');
  const { foto: input, fotoId } = (button?.form?.elements ?? {}) as Record<
    string,
    HTMLInputElement | undefined
  >;
  if (!button || !input || (!input.value && fotoId)) return; // the server reads a photo that it has already
  event.preventDefault();
  pressed = button;
  if (input.value) submitCode(input, button);
  else input.click();
});

/** Where the code of the reader cannot be loaded, the server reads the photo. */
function submitCode({ form, files }: HTMLInputElement, button?: HTMLButtonElement): void {
  pressed = undefined;
  const photo = originalOf(files![0]!);
  void import('./code.ts')
    .then(({ readCode }) => readCode(photo))
    .then((code) => {
      const field = form!.querySelector('[name=qr]') ?? document.createElement('input');
      Object.assign(field, { type: 'hidden', name: 'qr', value: code });
      form!.append(field);
    })
    .catch(() => {})
    .then(() => form!.requestSubmit(button));
}
