const STOPS = 'input:not([type=hidden]), select, textarea, button, summary, a[href]';

/** Leads the focus to the next stop of the form, as Tab would. */
export function goOn(from: HTMLElement): void {
  const stops = [...(from.closest('form')?.querySelectorAll<HTMLElement>(STOPS) ?? [])].filter(
    (stop) => stop.tabIndex >= 0 && !stop.matches(':disabled') && stop.checkVisibility(),
  );
  stops[stops.indexOf(from) + 1]?.focus();
}
