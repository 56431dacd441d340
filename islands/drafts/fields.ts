import type { PickedRow, PickerSpec } from '../pickers/picker.ts';
import { EDITABLE_SELECTOR } from './notes.ts';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** The hidden input with a picker's value, to which hydration adds these members (islands/pickers/usePickerChoice.ts). */
export type PickerHiddenInput = HTMLInputElement & {
  pick?: (picked: PickedRow | { row: null; name: string }) => void;
  picker?: PickerSpec;
};

export const listDraftForms = (): HTMLFormElement[] =>
  [...document.querySelectorAll<HTMLFormElement>('form[method=post][data-busy]')].filter(
    (form) => listDraftControls(form).length > 0,
  );

/** Returns the controls that people fill in. Passwords, even visible ones, are never stored. */
export const listDraftControls = (form: HTMLFormElement): Control[] =>
  [...form.elements].filter(
    (element): element is Control =>
      element.matches(EDITABLE_SELECTOR) &&
      !element.matches('[type=password]') &&
      !/^$|password/.test((element as Control).name),
  );

export const listPickerInputs = (form: HTMLFormElement): PickerHiddenInput[] =>
  [...form.elements].filter((element): element is PickerHiddenInput =>
    element.matches('input[data-scripted]'),
  );

/** Returns a picker's value as the server sent it; the hidden field's own value changes with the first choice. */
export const serverValueOf = (field: PickerHiddenInput): string => field.dataset.sent ?? '';

export const controlKey = (control: Control): string =>
  control.type === 'checkbox' ? `${control.name}=${control.value}` : control.name;

export function currentValue(control: Control): string | undefined {
  if (control.type === 'radio') return (control as HTMLInputElement).checked ? control.value : undefined;
  if (control.type === 'checkbox') return (control as HTMLInputElement).checked ? 'on' : '';
  return normalizeBreaks(control.value);
}

export function isUnchanged(control: Control): boolean {
  if (control instanceof HTMLSelectElement) {
    const options = [...control.options];
    return control.value === (options.find((option) => option.defaultSelected) ?? options[0])?.value;
  }
  if (/^(checkbox|radio)$/.test(control.type))
    return (control as HTMLInputElement).checked === (control as HTMLInputElement).defaultChecked;
  return normalizeBreaks(control.value) === normalizeBreaks(control.defaultValue);
}

/** Fills in a control as if the value were typed: React ignores the event unless the prototype's setter is used. */
export function fillInControl(control: Control, value: string): void {
  if (/^(checkbox|radio)$/.test(control.type)) {
    const checked = control.type === 'radio' ? control.value === value : value === 'on';
    if ((control as HTMLInputElement).checked !== checked && (checked || control.type === 'checkbox'))
      control.click();
  } else {
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, value);
    for (const type of ['input', 'change']) control.dispatchEvent(new Event(type, { bubbles: true }));
  }
  const disclosure = control.closest('details');
  if (disclosure) disclosure.open = true;
}

const normalizeBreaks = (text: string) => text.replaceAll('\r\n', '\n');
