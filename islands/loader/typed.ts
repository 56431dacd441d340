type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** What the user changed in an island's controls before it was hydrated. */
export function typedIn(island: HTMLElement): Map<Control, string> {
  const typed = new Map<Control, string>();
  for (const control of island.querySelectorAll<Control>('input, textarea, select')) {
    if (isEditable(control) && currentOf(control) !== initialOf(control))
      typed.set(control, currentOf(control));
  }
  return typed;
}

/**
 * Gives back what hydration took away, and tells the island's handlers by the events they would have had.
 * Called when the island is ready: what was typed while React was on its way counts too.
 */
export function replayTyped(island: HTMLElement, before: Map<Control, string>): void {
  for (const [control, value] of new Map([...before, ...typedIn(island)])) {
    if (!control.isConnected) continue;
    if (control.type === 'checkbox' || control.type === 'radio') {
      const box = control as HTMLInputElement;
      if (box.type === 'radio' && value === 'false') continue; // its neighbour's click does both
      box.checked = value !== 'true';
      box.click();
    } else {
      setUnseen(control, value);
      control.dispatchEvent(new Event('input', { bubbles: true }));
      control.dispatchEvent(new Event('change', { bubbles: true }));
    }
  }
}

// React compares with the value it saw last and swallows an event that changes nothing. Its eyes are the
// element's own `value` property; the prototype's setter goes past them.
function setUnseen(control: Control, value: string) {
  const caret =
    control === document.activeElement && 'selectionStart' in control ? control.selectionStart : null;
  control.value = initialOf(control);
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, value);
  if (caret !== null) (control as HTMLInputElement).setSelectionRange(caret, caret);
}

function isEditable(control: Control): boolean {
  if (control.disabled || ('readOnly' in control && control.readOnly)) return false;
  return !['hidden', 'file', 'submit', 'button', 'reset', 'image'].includes(control.type);
}

function currentOf(control: Control): string {
  return isBox(control) ? String(control.checked) : control.value;
}

function initialOf(control: Control): string {
  if (isBox(control)) return String(control.defaultChecked);
  if (!(control instanceof HTMLSelectElement)) return control.defaultValue;
  const options = [...control.options];
  return (options.find((option) => option.defaultSelected) ?? options[0])?.value ?? '';
}

const isBox = (control: Control): control is HTMLInputElement =>
  control.type === 'checkbox' || control.type === 'radio';
