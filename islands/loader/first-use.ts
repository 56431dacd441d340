/** When the reader first does anything with the page: time to fetch what the next thing may want. */
export function onFirstUse(work: () => void): void {
  const used = new AbortController();
  const use = (event: Event) => {
    if (isAtRest(event)) return;
    used.abort();
    work();
  };
  for (const type of ['pointermove', 'touchstart', 'focusin', 'scroll'])
    addEventListener(type, use, { signal: used.signal, capture: true, passive: true });
}

/** A pointer where the page comes up under it: browsers tell of it as of one that moves, by nothing. */
export const isAtRest = (event: Event): boolean =>
  event.type === 'pointermove' && !(event as PointerEvent).movementX && !(event as PointerEvent).movementY;
