type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** What the user changed in an island's controls before it was hydrated. */
export function typedIn(island: HTMLElement): Map<Control, string> {
  const typed = new Map<Control, string>();
  for (const control of island.querySelectorAll<Control>(EDITABLE)) {
    if (currentOf(control) !== initialOf(control)) typed.set(control, currentOf(control));
  }
  return typed;
}

/**
 * Gives back what hydration took away, and tells the island's handlers by the events they would have had.
 * Called when the island is ready: what was typed while React was on its way counts too.
 */
export function replayTyped(island: HTMLElement, before: Map<Control, string>): void {
  for (const [control, value] of new Map([...before, ...typedIn(island)])) {
    if (isBox(control)) {
      if (control.type === 'radio' && !value) continue; // its neighbour's click does both
      control.checked = !value;
      control.click();
    } else {
      setUnseen(control, value);
      for (const type of ['input', 'change']) control.dispatchEvent(new Event(type, { bubbles: true }));
    }
  }
}

const EDITABLE = ':is(input, textarea, select):enabled:not([readonly], [type=hidden], [type=file])';

// React compares with the value it saw last and swallows an event that changes nothing. Its eyes are the
// element's own `value` property; the prototype's setter goes past them.
function setUnseen(control: Control, value: string) {
  const caret =
    control === document.activeElement && 'selectionStart' in control ? control.selectionStart : null;
  control.value = initialOf(control);
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, value);
  if (caret !== null) (control as HTMLInputElement).setSelectionRange(caret, caret);
}

/** A box's value is 'on' or nothing. */
function currentOf(control: Control): string {
  return isBox(control) ? onOrNothing(control.checked) : control.value;
}

function initialOf(control: Control): string {
  if (isBox(control)) return onOrNothing(control.defaultChecked);
  if ('defaultValue' in control) return control.defaultValue;
  const options = [...control.options];
  return (options.find((option) => option.defaultSelected) ?? options[0])?.value ?? '';
}

const onOrNothing = (checked: boolean) => (checked ? 'on' : '');

const isBox = (control: Control): control is HTMLInputElement => /^(checkbox|radio)$/.test(control.type);
