import { groupThousands } from '../../shared/thousands.ts';

// Thousands separators go with the first keystroke and come back on leaving; the focus selects the text.

const ungrouped = (text: string) => text.replaceAll(',', '');

const isAmount = (element: EventTarget | null): element is HTMLInputElement =>
  (element as Element).matches('[inputmode=decimal]:read-write');

let entered: string;
const placeOf = (end: number | null) => ungrouped(entered.slice(0, end!)).length;
const enter = (field: EventTarget | null) => {
  if (!isAmount(field)) return;
  entered = field.value;
  field.select();
};
addEventListener('focusin', ({ target }) => enter(target));
addEventListener('beforeinput', ({ target: field }) => {
  if (!isAmount(field) || field.value !== entered) return;
  const { selectionStart, selectionEnd } = field;
  field.value = ungrouped(entered);
  field.setSelectionRange(placeOf(selectionStart), placeOf(selectionEnd));
});
addEventListener('focusout', ({ target }) => {
  if (isAmount(target)) target.value = groupThousands(target.value);
});
const focused = document.activeElement as HTMLInputElement;
if (focused.value === focused.defaultValue) enter(focused);
