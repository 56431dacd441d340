/** When the reader first does anything with the page: time to fetch what the next thing may want. */
export function onFirstUse(work: () => void): void {
  for (const type of ['pointerover', 'touchstart', 'focusin', 'scroll'])
    addEventListener(type, work, { once: true, capture: true, passive: true });
}
