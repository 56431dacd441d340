import { groupThousands } from '../../shared/thousands.ts';

// Removes thousands separators at the first keystroke, and restores them on blur; the focus selects the text.

const withoutSeparators = (text: string) => text.replaceAll(',', '');

const isAmount = (element: EventTarget | null): element is HTMLInputElement =>
  (element as Element).matches('[inputmode=decimal]:read-write');

let entered: string;
const positionOf = (end: number | null) => withoutSeparators(entered.slice(0, end!)).length;
const startEditing = (field: EventTarget | null) => {
  if (!isAmount(field)) return;
  entered = field.value;
  field.select();
};
addEventListener('focusin', ({ target }) => startEditing(target));
addEventListener('beforeinput', ({ target: field }) => {
  if (!isAmount(field) || field.value !== entered) return;
  const { selectionStart, selectionEnd } = field;
  field.value = withoutSeparators(entered);
  field.setSelectionRange(positionOf(selectionStart), positionOf(selectionEnd));
});
addEventListener('focusout', ({ target }) => {
  if (isAmount(target)) target.value = groupThousands(target.value);
});
const focused = document.activeElement as HTMLInputElement;
if (focused.value === focused.defaultValue) startEditing(focused);
