import { groupThousands } from '../../shared/thousands.ts';

// An amount shows its thousands while nobody types in it, as the server has them from the start: they go with the first
// key, come back when the field is left, and are not sent. What it holds is selected by the focus.

const ungrouped = (text: string) => text.replaceAll(',', '');

const isAmount = (element: EventTarget | null): element is HTMLInputElement =>
  (element as Element).matches?.('input.num[inputmode=decimal]:enabled:not(:read-only)');

let entered: string;
const enter = (field: EventTarget | null) => {
  if (!isAmount(field)) return;
  entered = field.value;
  field.select();
};
addEventListener('focusin', ({ target }) => enter(target));
addEventListener('beforeinput', ({ target: field }) => {
  if (!isAmount(field) || field.value !== entered) return;
  const ends = [field.selectionStart, field.selectionEnd].map(
    (end) => ungrouped(entered.slice(0, end!)).length,
  );
  field.value = ungrouped(entered);
  field.setSelectionRange(ends[0]!, ends[1]!);
});
addEventListener('focusout', ({ target }) => {
  if (isAmount(target)) target.value = groupThousands(target.value);
});
addEventListener('formdata', ({ target, formData }) => {
  for (const { name, value } of [...(target as HTMLFormElement).elements].filter(isAmount)) {
    const plain = ungrouped(value);
    // What somebody has grouped in another way is refused as it stands.
    if (groupThousands(plain) === value && !formData.getAll(name)[1]) formData.set(name, plain);
  }
});
const { activeElement } = document;
if (isAmount(activeElement) && activeElement.value === activeElement.defaultValue) enter(activeElement);
