import { HELP_PATH } from './paths.ts';

export { showPalette };

const LATE_MS = 1000;

/**
 * No shortcuts but Ctrl+K and Ctrl+Enter work while typing, in a dialog, or with a modifier (these belong to the
 * browser). `isOurs`: the loader has already prevented the event's default.
 */
export function handleKey(event: KeyboardEvent, isOurs = false): void {
  const { key, ctrlKey, metaKey, altKey } = event;
  const focused = event.target as HTMLElement;
  // If the target has disappeared while this code was loading, the key was meant for a dialog that has closed.
  if (event.isComposing || altKey || !focused.checkVisibility()) return;
  if (captureForPalette(event)) {
    event.preventDefault();
    return;
  }
  if (ctrlKey || metaKey) {
    if (key === 'k') {
      event.preventDefault(); // browsers have their own Ctrl+K
      void showPalette();
    } else if (key === 'p' && printRows()) event.preventDefault();
    else if (key === 'Enter' && !event.defaultPrevented && submitForm(focused)) event.preventDefault();
    return;
  }
  // A key that waited was prevented by the loader if it is ours; after a long wait it is ignored.
  if ((event.defaultPrevented && !isOurs) || performance.now() - event.timeStamp > LATE_MS) return;
  if (isDialogOpen() || focused.closest('[role=menu]')) return;
  const done = isTyping(focused) ? handleFilterKey(key, focused) : runShortcut(event, focused);
  if (done) event.preventDefault();
}

function runShortcut({ key, shiftKey }: KeyboardEvent, focused: HTMLElement): boolean {
  if (key === '/') return focusFilter();
  if (key === 'n') return clickLink('[data-new]');
  if (key === '?') return listShortcuts();
  if (key === 'ArrowDown' || key === 'ArrowUp') return moveRow(focused, key === 'ArrowDown' ? 1 : -1);
  if (key === 'x' || key === 'X') return tickRow(focused, shiftKey);
  return false;
}

function handleFilterKey(key: string, focused: HTMLElement | null): boolean {
  if (!focused?.matches('[data-filter]')) return false;
  if (key === 'Escape') focused.blur();
  // From the filter the arrow leads into the rows; it has no other use in a line of text.
  else if (key === 'ArrowDown') return focusLink(document.querySelector('main table tbody tr'), 0);
  return false;
}

/** Prints the rows that are not shown yet as well, which the browser's own menu cannot wait for. */
function printRows(): boolean {
  if (!document.querySelector('#results .pager a[rel=next]')) return false;
  void import('./pager.ts').then(({ showRows }) => showRows(MAX_PRINTED)).finally(() => print());
  return true;
}

/** More are rather exported than printed from the screen. */
const MAX_PRINTED = 500;

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

function listShortcuts(): boolean {
  import('./shortcuts.ts').then(
    ({ showShortcuts }) => isDialogOpen() || showShortcuts(),
    () => location.assign(HELP_PATH),
  );
  return true;
}

/** It does what Enter does in a line of text. On buttons and links Ctrl+Enter has another meaning. */
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

/** Focuses the same link of the nearest row that has one; only within a table, since arrows scroll elsewhere. */
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

/** React Aria's dialogs have the role; a dialog sent open by the server is open before hydration. */
const isDialogOpen = (): boolean => document.querySelector('[role=dialog], dialog[open]') !== null;

let paletteText: string | undefined;

/** If loading fails, the help opens. Open menus are closed, since they would cover the palette. */
async function showPalette(): Promise<void> {
  if (paletteText !== undefined || isDialogOpen()) return;
  paletteText = '';
  const button = document.querySelector('[data-palette]');
  button?.setAttribute('aria-busy', 'true');
  try {
    const { openPalette } = await import('../palette/PaletteSearch.tsx');
    for (const menu of document.querySelectorAll<HTMLElement>('[popover]:popover-open')) menu.hidePopover();
    openPalette(takePaletteText);
  } catch {
    paletteText = undefined;
    location.assign(HELP_PATH);
  }
  button?.removeAttribute('aria-busy');
}

/** The palette's field gets the letter, and no shortcut sees it. */
function captureForPalette(event: KeyboardEvent): boolean {
  if (paletteText === undefined || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.key.length === 1) paletteText += event.key;
  else if (event.key === 'Backspace') paletteText = paletteText.slice(0, -1);
  else return false;
  return true;
}

function takePaletteText(): string {
  const text = paletteText ?? '';
  paletteText = undefined;
  return text;
}
