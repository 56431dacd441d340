import type { KeyboardEvent, MouseEvent } from 'react';

/**
 * Arrows lead from the filter into the rows and through them, Home and End to the first and the last, Page up
 * and Page down further; a letter typed on a row goes on in the filter.
 */
export function moveThroughRows(event: KeyboardEvent<HTMLElement>, filter: HTMLInputElement | null): void {
  const { key, ctrlKey, metaKey, altKey, nativeEvent } = event;
  if (ctrlKey || metaKey || altKey || nativeEvent.isComposing) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('tbody button, .more-rows')];
  const from = stops.indexOf(event.target as HTMLElement);
  if (from < 0 && event.target !== filter) return; // keys mean something else in a <select>
  const isLetter = from >= 0 && /^[^ ]$/u.test(key);
  const to = isLetter ? -1 : target(key, from, stops.length - 1);
  if (to === undefined) return;
  if (!isLetter) event.preventDefault(); // a letter lands in the filter
  if (to < 0) filter?.focus();
  else stops[to]?.focus();
}

/** A click anywhere in a row picks it, as its button does. */
export function pickPointedRow({ target }: MouseEvent<HTMLElement>): void {
  const row = (target as Element).closest('tbody tr');
  if (!(target as Element).closest('button')) row?.querySelector('button')?.click();
}

const PAGE = 10;

/** From the filter, at -1, only downwards: there Home and End move the caret. */
function target(key: string, from: number, last: number): number | undefined {
  if (key === 'ArrowDown') return Math.min(from + 1, last);
  if (from < 0) return undefined;
  if (key === 'ArrowUp') return from - 1;
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  if (key === 'PageDown') return Math.min(from + PAGE, last);
  if (key === 'PageUp') return Math.max(from - PAGE, 0);
  return undefined;
}
