import { HELP_PATH } from './paths.ts';

export { showPalette };

const LATE_MS = 1000;

/**
 * The page's shortcuts: / to the filter, n new, ? lists them all, arrows between the rows of a table, Esc out of the
 * filter; Ctrl+K opens the command palette, Ctrl+Enter submits the current form. No others while typing, in a dialog,
 * or with a modifier (which belongs to the browser). `isOurs`: the loader has prevented the event's default.
 */
export function press(event: KeyboardEvent, isOurs = false): void {
  const { key, ctrlKey, metaKey, altKey } = event;
  const focused = event.target as HTMLElement;
  // A first key waits for this code: if its target has gone meanwhile, it was meant for a dialog that has closed.
  if (event.isComposing || altKey || !focused.checkVisibility()) return;
  if (isForPalette(event)) {
    event.preventDefault();
    return;
  }
  if (ctrlKey || metaKey) {
    if (key === 'k') {
      event.preventDefault(); // browsers have one of their own
      void showPalette();
    } else if (key === 'Enter' && !event.defaultPrevented && submitForm(focused)) event.preventDefault();
    return;
  }
  // The loader has prevented a key that waited, where it is ours; after a long wait it is not meant any more.
  if ((event.defaultPrevented && !isOurs) || performance.now() - event.timeStamp > LATE_MS) return;
  if (isDialogOpen() || focused.closest('[role=menu]')) return;
  const done = isTyping(focused) ? whileTyping(key, focused) : shortcut(event, focused);
  if (done) event.preventDefault();
}

function shortcut({ key, shiftKey }: KeyboardEvent, focused: HTMLElement): boolean {
  if (key === '/') return focusFilter();
  if (key === 'n') return follow('[data-new]');
  if (key === '?') return listShortcuts();
  if (key === 'ArrowDown' || key === 'ArrowUp') return moveRow(focused, key === 'ArrowDown' ? 1 : -1);
  if (key === 'x' || key === 'X') return tickRow(focused, shiftKey);
  return false;
}

function whileTyping(key: string, focused: HTMLElement | null): boolean {
  if (!focused?.matches('[data-filter]')) return false;
  if (key === 'Escape') focused.blur();
  // From the filter down into the rows; the arrow does nothing else in a line of text.
  else if (key === 'ArrowDown') return focusLink(document.querySelector('main table tbody tr'), 0);
  return false;
}

function focusFilter(): boolean {
  const filter = document.querySelector<HTMLInputElement>('[data-filter]');
  filter?.focus();
  filter?.select?.();
  return filter !== null;
}

function follow(selector: string): boolean {
  const link = document.querySelector<HTMLElement>(selector);
  link?.click();
  return link !== null;
}

function listShortcuts(): boolean {
  import('./shortcuts.ts').then(
    ({ showShortcuts }) => isDialogOpen() || showShortcuts(),
    () => location.assign(HELP_PATH),
  );
  return true;
}

/** Presses the form's main button, as Enter in a line of text; on buttons and links Ctrl+Enter means something else. */
function submitForm(focused: HTMLElement | null): boolean {
  const { form } = focused as { form?: HTMLFormElement | null };
  if (!form || !isTyping(focused, true)) return false;
  const submits = [...form.elements].filter((element) =>
    element.matches('button:not([type=button]):enabled'),
  );
  form.requestSubmit((submits.find((button) => button.matches('.btn-primary')) ?? submits[0]) as HTMLElement);
  return true;
}

function tickRow(focused: HTMLElement, shiftKey: boolean): boolean {
  const box = focused.closest('tbody tr')?.querySelector('.tick > input');
  box?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey }));
  return Boolean(box);
}

/** Goes to the same link of the nearest row that has one; only within a table, since arrows scroll elsewhere. */
function moveRow(focused: HTMLElement | null, step: 1 | -1): boolean {
  const row = focused?.closest('tbody tr');
  if (!row) return false;
  const column = Math.max(linksIn(row).indexOf(focused as HTMLElement), 0);
  const rows = [...(row.closest('table')?.querySelectorAll('tbody tr') ?? [])];
  for (let index = rows.indexOf(row) + step; index >= 0 && index < rows.length; index += step) {
    if (focusLink(rows[index] ?? null, column)) return true;
  }
  return false;
}

function focusLink(row: Element | null, column: number): boolean {
  const links = row ? linksIn(row) : [];
  const link = links[column] ?? links[0];
  link?.focus();
  return link !== undefined;
}

const linksIn = (row: Element) => [...row.querySelectorAll<HTMLElement>('a[href], button')];

function isTyping(element: HTMLElement | null, inBoxes = false): boolean {
  if (!element) return false;
  if (element.matches('input'))
    return inBoxes || !/^(checkbox|radio|button|submit)$/.test((element as HTMLInputElement).type);
  return element.isContentEditable || element.matches('textarea, select');
}

/** React Aria's dialogs have the role; a dialog that the server sends open is open before hydration. */
const isDialogOpen = (): boolean => document.querySelector('[role=dialog], dialog[open]') !== null;

/** Keys typed while the palette loads; undefined at other times. */
let paletteText: string | undefined;

/** Loaded with its first use; if it can't be, the help opens. An open menu would lie above it. */
async function showPalette(): Promise<void> {
  if (paletteText !== undefined || isDialogOpen()) return;
  paletteText = '';
  const button = document.querySelector('[data-palette]');
  button?.setAttribute('aria-busy', 'true');
  try {
    const { openPalette } = await import('../palette/PaletteSearch.tsx');
    for (const menu of document.querySelectorAll<HTMLElement>('[popover]:popover-open')) menu.hidePopover();
    openPalette(takeTyped);
  } catch {
    paletteText = undefined;
    location.assign(HELP_PATH);
  }
  button?.removeAttribute('aria-busy');
}

/** Whether this key went to a palette that is loading: its field gets the letter, and no shortcut sees it. */
function isForPalette(event: KeyboardEvent): boolean {
  if (paletteText === undefined || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.key.length === 1) paletteText += event.key;
  else if (event.key === 'Backspace') paletteText = paletteText.slice(0, -1);
  else return false;
  return true;
}

function takeTyped(): string {
  const text = paletteText ?? '';
  paletteText = undefined;
  return text;
}
