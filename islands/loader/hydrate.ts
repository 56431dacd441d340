import { type ComponentType, createElement, type ReactNode, useEffect } from 'react';
import { flushSync } from 'react-dom';
import { hydrateRoot } from 'react-dom/client';
import { setLanguageSource } from '../../shared/language.ts';

// Only the language is set, without its translations: the server's texts arrive translated, and refusals of the API are
// translated where they are read.
setLanguageSource(() => (document.documentElement.dataset.idioma === 'es' ? 'es' : 'mixto'));

/** Resolves once the island's effects have run; input typed meanwhile is kept. */
export function hydrateIsland(island: HTMLElement, component: ComponentType<object>): Promise<void> {
  const html = island.innerHTML;
  const replayTyped = recordTypedInput(island);
  const props = JSON.parse(island.getAttribute('props') ?? '{}') as object;
  return new Promise<void>((resolve) => {
    const content = createElement(component, props);
    const renderIsland = () =>
      hydrateRoot(island, createElement(HydrationNotifier, { onReady: resolve }, content), {
        identifierPrefix: island.id,
        onRecoverableError: (error) => console.error(error),
        onUncaughtError: (error) => {
          console.error(error);
          // React empties the island after an error. The server's markup works without script, so it is restored.
          setTimeout(() => {
            island.innerHTML = html;
            island.dataset.state = 'failed';
          });
        },
      });
    // Text that is selected needs synchronous hydration: otherwise a key would be added to it instead of replacing it.
    const focused = island.querySelector<HTMLTextAreaElement>('textarea:focus');
    if (!focused) return void renderIsland();
    const restoreSelection = saveSelection(focused);
    flushSync(renderIsland);
    restoreSelection?.();
  }).then(replayTyped);
}

/** An effect of the outermost component runs after all others, when the island is ready. */
function HydrationNotifier({ onReady, children }: { onReady: () => void; children?: ReactNode }) {
  useEffect(onReady, [onReady]);
  return children;
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Call it before hydration, which resets text areas. @returns a function that replays the input with its events */
function recordTypedInput(island: HTMLElement): () => void {
  const recorded = findTypedValues(island);
  const recordEvent = ({ target }: Event) => {
    if ((target as Element).matches(EDITABLE_SELECTOR))
      recorded.set(target as Control, currentValue(target as Control));
  };
  // Listens on the island itself, where React will later listen as well.
  for (const type of INPUT_EVENTS) island.addEventListener(type, recordEvent, true);
  return () => {
    for (const type of INPUT_EVENTS) island.removeEventListener(type, recordEvent, true);
    for (const [control, value] of new Map([...recorded, ...findTypedValues(island)])) {
      if (value !== initialValue(control)) replayInput(control, value);
    }
  };
}

/** Saves the whole selection, because the next key must replace a selected text, such as a proposed amount. */
function saveSelection(control: Control): (() => void) | undefined {
  const { selectionStart, selectionEnd } = control as HTMLInputElement;
  // An e-mail field has no selection that can be read, and a select none at all.
  if (control !== document.activeElement || selectionStart == null) return undefined;
  return () => (control as HTMLInputElement).setSelectionRange(selectionStart, selectionEnd);
}

function findTypedValues(island: HTMLElement): Map<Control, string> {
  const typed = new Map<Control, string>();
  for (const control of island.querySelectorAll<Control>(EDITABLE_SELECTOR)) {
    if (currentValue(control) !== initialValue(control)) typed.set(control, currentValue(control));
  }
  return typed;
}

function replayInput(control: Control, value: string) {
  if (isCheckable(control)) {
    if (control.type === 'radio' && !value) return; // clicking the other radio button also clears this one
    control.checked = !value;
    control.click();
  } else {
    setValueBypassingReact(control, value);
    for (const type of INPUT_EVENTS) control.dispatchEvent(new Event(type, { bubbles: true }));
  }
}

const INPUT_EVENTS = ['input', 'change'];

const EDITABLE_SELECTOR = ':is(input, textarea, select):enabled:not([readonly], [type=hidden], [type=file])';

// React remembers the last value and ignores an event without a change; the prototype's setter bypasses this.
function setValueBypassingReact(control: Control, value: string) {
  const restoreSelection = saveSelection(control);
  control.value = initialValue(control);
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, value);
  restoreSelection?.();
}

function currentValue(control: Control): string {
  return isCheckable(control) ? checkedValue(control.checked) : control.value;
}

function initialValue(control: Control): string {
  if (isCheckable(control)) return checkedValue(control.defaultChecked);
  if ('defaultValue' in control) return control.defaultValue;
  const options = [...control.options];
  return (options.find((option) => option.defaultSelected) ?? options[0])?.value ?? '';
}

const checkedValue = (checked: boolean) => (checked ? 'on' : '');

const isCheckable = (control: Control): control is HTMLInputElement =>
  /^(checkbox|radio)$/.test(control.type);
