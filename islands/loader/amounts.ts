import { groupThousands } from '../../shared/thousands.ts';

// Removes thousands separators at the first keystroke, and restores them on blur; the focus selects the text.

const withoutCommas = (text: string) => text.replaceAll(',', '');

const isAmountInput = (element: EventTarget | null): element is HTMLInputElement =>
  (element as Element).matches('[inputmode=decimal]:read-write');

let enteredText: string;
const caretWithoutCommas = (end: number | null) => withoutCommas(enteredText.slice(0, end!)).length;
const rememberAndSelectAmount = (field: EventTarget | null) => {
  if (!isAmountInput(field)) return;
  enteredText = field.value;
  field.select();
};
addEventListener('focusin', ({ target }) => rememberAndSelectAmount(target));
addEventListener('beforeinput', ({ target: field }) => {
  if (!isAmountInput(field) || field.value !== enteredText) return;
  const { selectionStart, selectionEnd } = field;
  field.value = withoutCommas(enteredText);
  field.setSelectionRange(caretWithoutCommas(selectionStart), caretWithoutCommas(selectionEnd));
});
addEventListener('focusout', ({ target }) => {
  if (isAmountInput(target)) target.value = groupThousands(target.value);
});
const focusedInput = document.activeElement as HTMLInputElement;
if (focusedInput.value === focusedInput.defaultValue) rememberAndSelectAmount(focusedInput);
