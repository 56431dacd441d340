import { HELP_PATH } from './paths.ts';

/**
 * The page's shortcuts: / to the filter, n new, ? help, arrows between the rows of a table, Esc out of the
 * filter. None while typing, in a dialog, or with a modifier (which belongs to the browser).
 */
export function startKeyboard(): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const focused = document.activeElement as HTMLElement | null;
    if (focused?.closest('[role=dialog], [role=menu], dialog')) return;
    const done = isTyping(focused) ? whileTyping(event.key, focused) : shortcut(event.key, focused);
    if (done) event.preventDefault();
  });
}

function shortcut(key: string, focused: HTMLElement | null): boolean {
  if (key === '/') return focusFilter();
  if (key === 'n') return follow('[data-new]');
  if (key === '?') return goToHelp();
  if (key === 'ArrowDown' || key === 'ArrowUp') return moveRow(focused, key === 'ArrowDown' ? 1 : -1);
  return false;
}

function whileTyping(key: string, focused: HTMLElement | null): boolean {
  if (!focused?.matches('[data-filter]')) return false;
  if (key === 'Escape') focused.blur();
  // From the filter down into what it found; the arrow means nothing in a line of text.
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

function goToHelp(): boolean {
  location.assign(HELP_PATH);
  return true;
}

/** To the same link of the nearest row that has one; only from within a table, elsewhere arrows scroll. */
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

function isTyping(element: HTMLElement | null): boolean {
  if (!element) return false;
  if (element.matches('input'))
    return !/^(checkbox|radio|button|submit)$/.test((element as HTMLInputElement).type);
  return element.isContentEditable || element.matches('textarea, select');
}
