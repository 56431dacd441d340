import type { PickerRow, PickerSpec } from './picker.ts';

/** One line of what a picker's field suggests: a row, or a step beside the rows. */
export type Suggestion = { row: PickerRow } | { step: 'all' | 'create'; text: string };

export const optionId = (listId: string, index: number): string => `${listId}-${index}`;

/** The rows, the whole list where there is more to see, and what is missing. */
export function linesOf({ create }: PickerSpec, rows: readonly PickerRow[], typed: string): Suggestion[] {
  const lines: Suggestion[] = rows.map((row) => ({ row }));
  if (rows.length > 0) lines.push({ step: 'all', text: 'Ver la lista completa…' });
  if (create)
    lines.push({ step: 'create', text: typed && create.form ? `${create.title} «${typed}»` : create.title });
  return lines;
}
