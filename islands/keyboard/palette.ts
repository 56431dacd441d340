import { HELP_PATH } from '../loader/paths.ts';

/** A modal one, also of an island that is not there yet. */
export const isDialogOpen = (): boolean => document.querySelector('[role=dialog], dialog[open]') !== null;

/** What was typed since the palette was asked for; undefined where none is on its way. */
let typed: string | undefined;

/**
 * Opens the command palette, which comes with its first use. An open menu would lie above it. Where it can't
 * be had, the help lists where things are.
 */
export async function showPalette(): Promise<void> {
  if (typed !== undefined || isDialogOpen()) return;
  typed = '';
  const button = document.querySelector('[data-palette]');
  button?.setAttribute('aria-busy', 'true');
  try {
    const { openPalette } = await import('../palette/PaletteDialog.tsx');
    for (const menu of document.querySelectorAll<HTMLElement>('[popover]:popover-open')) menu.hidePopover();
    openPalette(takeTyped);
  } catch {
    typed = undefined;
    location.assign(HELP_PATH);
  }
  button?.removeAttribute('aria-busy');
}

/** Whether this key went to a palette on its way: its field gets the letter, and no shortcut hears of it. */
export function isForPalette(event: KeyboardEvent): boolean {
  if (typed === undefined || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.key.length === 1) typed += event.key;
  else if (event.key === 'Backspace') typed = typed.slice(0, -1);
  else return false;
  return true;
}

/** On its first showing; from then on the field takes what is typed itself. */
function takeTyped(): string {
  const text = typed ?? '';
  typed = undefined;
  return text;
}
