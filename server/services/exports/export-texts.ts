import type { AppliedFilter } from '../../formats/sheets/sheet.ts';

export const toAppliedFilters = (
  valuesByLabel: Record<string, string | number | null | undefined>,
): AppliedFilter[] =>
  Object.entries(valuesByLabel).flatMap(([label, value]) => (value ? [{ label, value: String(value) }] : []));

/** "20 de noviembre de 2026, 12:00 (America/Mexico_City)" */
export function formatMoment(moment: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('es-MX', {
    timeZone,
    dateStyle: 'long',
    timeStyle: 'short',
    hourCycle: 'h23',
  });
  return `${format.format(moment)} (${timeZone})`;
}
