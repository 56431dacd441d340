import { HELP_PATH } from './paths.ts';

export { showPalette };

const MAX_KEY_AGE_MS = 1000;

// People who use the keyboard also type dates.
if (document.querySelector('.date')) import('./dates.ts').catch(() => {});

/** Fields in which Enter moves to the next one; in a textarea it begins a line, and in a row it ticks the box. */
const ENTER_ADVANCES_SELECTOR =
  'form:is(.form, .stack[novalidate]) :is(input:not([type=file], [type=radio]:not(:checked)), select):enabled:not([readonly], dialog *, .tick > *)';

/**
 * Ctrl+K, Ctrl+P and Ctrl+Enter work everywhere. Other keys work neither in dialogs nor with Ctrl or Alt; while typing,
 * only Enter and the keys of the filter work. `preventedByLoader`: the event's default is prevented already.
 */
export function handleKey(event: KeyboardEvent, preventedByLoader = false): void {
  const { key, ctrlKey, metaKey, altKey } = event;
  const focused = event.target as HTMLElement;
  // If the target has disappeared while this code was loading, the key was meant for a dialog that has closed.
  if (event.isComposing || altKey || !focused.checkVisibility()) return;
  if (captureForPalette(event)) {
    event.preventDefault();
    return;
  }
  // Something else has handled the key.
  if (event.defaultPrevented && !preventedByLoader) return;
  if (ctrlKey || metaKey) {
    if (key === 'k') {
      event.preventDefault(); // browsers have their own Ctrl+K
      void showPalette();
    } else if (key === 'p' && printRows()) event.preventDefault();
    else if (key === 'Enter' && submitForm(focused, event.shiftKey)) event.preventDefault();
    return;
  }
  if (performance.now() - event.timeStamp > MAX_KEY_AGE_MS) return; // the key was pressed too long ago
  if (isDialogOpen() || focused.closest('[role=menu]')) return;
  const done =
    focused.matches(ENTER_ADVANCES_SELECTOR) && key === 'Enter'
      ? moveToNextFieldOrSubmit(focused, event)
      : isTyping(focused)
        ? handleFilterKey(key, focused)
        : runShortcut(event, focused);
  if (done) event.preventDefault();
}

function runShortcut({ key, shiftKey }: KeyboardEvent, focused: HTMLElement): boolean {
  if (key === '/') return focusFilter();
  if (key === 'n') return clickLink('[data-new]');
  if (key === '?') return openShortcuts();
  const step = ROW_STEP_BY_KEY[key];
  if (step) return moveFocusToRow(focused, step);
  // Enter on a checkbox would press a button of its form.
  if (key === 'x' || key === 'X' || (key === 'Enter' && focused.matches('.tick > input')))
    return tickRow(focused, shiftKey);
  return false;
}

const ROW_STEP_BY_KEY: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

function handleFilterKey(key: string, focused: HTMLElement | null): boolean {
  if (!focused?.matches('[data-filter]')) return false;
  if (key === 'Escape') focused.blur();
  // From the filter the arrow leads into the rows; it has no other use in a line of text.
  else if (key === 'ArrowDown') return focusFirstRow();
  return false;
}

/** Loads the rows not shown yet, then prints; the browser's own print command would not wait for them. */
function printRows(): boolean {
  if (!document.querySelector('#results .pager a[rel=next]')) return false;
  void import('./pager.ts').then(({ showRows }) => showRows(MAX_PRINTED_ROWS)).finally(() => print());
  return true;
}

/** Longer lists are better exported than printed from the screen. */
const MAX_PRINTED_ROWS = 500;

function focusFilter(): boolean {
  const filter = document.querySelector<HTMLInputElement>('[data-filter]');
  filter?.focus();
  filter?.select?.();
  return filter !== null;
}

function clickLink(selector: string): boolean {
  const link = document.querySelector<HTMLElement>(selector);
  link?.click();
  return link !== null;
}

function openShortcuts(): boolean {
  import('./shortcuts.ts').then(
    ({ showShortcuts }) => isDialogOpen() || showShortcuts(),
    () => location.assign(HELP_PATH),
  );
  return true;
}

/** Enter moves to the next field, and saves in the last one; a key held down does not run through all of them. */
function moveToNextFieldOrSubmit(line: HTMLElement, { repeat }: KeyboardEvent): boolean {
  const lines = [
    ...line
      .closest('form')!
      .querySelectorAll<HTMLElement>(`${ENTER_ADVANCES_SELECTOR}, :not(.with-amounts)>.fields textarea`),
  ].filter((one) => one === line || (one.tabIndex >= 0 && one.checkVisibility()));
  const next = lines[lines.indexOf(line) + 1];
  if (!repeat) next ? next.focus() : submitForm(line);
  return true;
}

/** On buttons and links Ctrl+Enter has another meaning. @param addsAnother saves and begins the next one */
function submitForm(focused: HTMLElement | null, addsAnother = false): boolean {
  const { form } = focused as { form?: HTMLFormElement | null };
  if (!form || !(isTyping(focused, true) || focused?.matches('output'))) return false;
  const submits = [...form.elements].filter((element) =>
    element.matches('button:not([type=button]):enabled'),
  );
  const findSubmitButton = (selector: string) => submits.find((button) => button.matches(selector));
  const wanted =
    (addsAnother && findSubmitButton('[name=another], [name=next]')) ||
    findSubmitButton('.btn-primary') ||
    submits[0];
  form.requestSubmit(wanted as HTMLElement);
  return true;
}

function tickRow(focused: HTMLElement, shiftKey: boolean): boolean {
  const box = focused.closest('tbody tr')?.querySelector('.tick > input');
  box?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey }));
  return Boolean(box);
}

/** Focuses the same link in the nearest row that has one. Above the first row comes the filter, or the page itself. */
function moveFocusToRow(focused: HTMLElement, step: 1 | -1): boolean {
  const row = focused.closest('tbody tr');
  // Outside of the rows, only ↓ leads into them, and only from the page itself, a link, a button or an alert.
  if (!row) return step > 0 && focused.matches('body, main, main :is(a, button, .alert)') && focusFirstRow();
  const column = Math.max(listLinks(row).indexOf(focused), 0);
  const rows = [...row.closest('table')!.querySelectorAll('tbody tr')];
  for (let index = rows.indexOf(row) + step; index < rows.length; index += step) {
    if (index < 0) return leaveTable();
    if (focusLink(rows[index]!, column)) return true;
  }
  return false;
}

const focusFirstRow = (): boolean =>
  [...document.querySelectorAll('main table tbody tr')].some((row) => focusLink(row, 0));

function leaveTable(): boolean {
  if (!focusFilter()) document.querySelector('main')?.focus();
  return true;
}

function focusLink(row: Element, column: number): boolean {
  const links = listLinks(row);
  const link = row.checkVisibility() ? (links[column] ?? links[0]) : undefined;
  link?.focus();
  return link !== undefined;
}

const listLinks = (row: Element) => [
  ...row.querySelectorAll<HTMLElement>('a[href], button, .grouped summary'),
];

function isTyping(element: HTMLElement | null, inBoxes = false): boolean {
  if (!element) return false;
  if (element.matches('input'))
    return inBoxes || !/^(checkbox|radio|button|submit)$/.test((element as HTMLInputElement).type);
  return element.isContentEditable || element.matches('textarea, select');
}

/** React Aria's dialogs have role=dialog. A <dialog> that the server sent is open even before hydration. */
const isDialogOpen = (): boolean => document.querySelector('[role=dialog], dialog[open]') !== null;

let pendingPaletteText: string | undefined;

/** Closes open menus, which would cover the palette. If the palette cannot be loaded, the help page opens. */
async function showPalette(): Promise<void> {
  if (pendingPaletteText !== undefined || isDialogOpen()) return;
  pendingPaletteText = '';
  const button = document.querySelector('[data-palette]');
  button?.setAttribute('aria-busy', 'true');
  try {
    const { openPalette } = await import('../palette/PaletteSearch.tsx');
    for (const menu of document.querySelectorAll<HTMLElement>('[popover]:popover-open')) menu.hidePopover();
    openPalette(takePendingPaletteText);
  } catch {
    pendingPaletteText = undefined;
    location.assign(HELP_PATH);
  }
  button?.removeAttribute('aria-busy');
}

/** While the palette is loading, letters are kept for its field, and are no shortcuts. */
function captureForPalette(event: KeyboardEvent): boolean {
  if (pendingPaletteText === undefined || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.key.length === 1) pendingPaletteText += event.key;
  else if (event.key === 'Backspace') pendingPaletteText = pendingPaletteText.slice(0, -1);
  else return false;
  return true;
}

function takePendingPaletteText(): string {
  const text = pendingPaletteText ?? '';
  pendingPaletteText = undefined;
  return text;
}
