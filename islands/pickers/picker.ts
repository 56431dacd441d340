import type { ComponentType } from 'react';
import { fold } from '../../shared/text.ts';
import type { FieldProps } from '../../shared/ui/Field.tsx';

/** A picker is plain data, so that it can be an island's prop. */
export interface PickerSpec {
  title: string;
  /** API address that returns a JSON array, paged by its Link header */
  searchUrl: string;
  suggestUrl: string;
  detailColumns: readonly PickerColumn[];
  filterParam: string;
  filterLabel: string;
  sortOptions: readonly { value: string; label: string }[];
  columns: readonly PickerColumn[];
  nameKey: string;
  /** rows are suggested by their names; if none has the text, those that sound like it */
  suggestsByName?: true;
  /** absent in filters, which only find existing rows */
  create?: PickerCreation;
}

export interface PickerColumn {
  /** a member of the row; dots for nested members: "supplier.suppliername" */
  key: string;
  label: string;
  /** `pending` shows the balance of an invoice and ignores the key. */
  format?: 'text' | 'money' | 'date' | 'pending';
  hideOnSmall?: boolean;
}

export interface PickerCreation {
  title: string;
  page: string;
  /** the form for the dialog; without one the list's own screen opens in a new tab */
  form?: CreationForm;
}

export interface CreationForm {
  url: string;
  saveLabel: string;
  fields: readonly CreationField[];
}

export interface CreationField extends Partial<FieldProps> {
  name: string;
  label: string;
  hint?: string;
  picker?: PickerSpec;
}

export interface PickerFieldProps {
  name: string;
  label: string;
  picker: PickerSpec;
  value?: number | null;
  chosen?: string | null;
  /** typed text that matched no row */
  typed?: string;
  /** the choice is a proposal, and is marked so until somebody edits it */
  isProposal?: boolean;
  /** proposed while nothing is chosen; null withdraws the previous proposal */
  proposal?: ProposedRow | null;
  proposalHint?: string;
  /** shown where nothing is chosen: "Todos" in a filter */
  emptyLabel?: string;
  required?: boolean;
  error?: string;
  focus?: boolean;
  onPick?: (row: PickerRow | null) => void;
  /** for the narrow columns of a filter: icons only, and text that matches no row is dropped */
  isCompact?: boolean;
  noscript?: PickerFallback;
}

/** The type of PickerField. The dialog gets that component as a parameter, because forms in the dialog have pickers. */
export type PickerComponent = ComponentType<PickerFieldProps>;

export interface ProposedRow {
  id: number;
  name: string;
}

/**
 * The control without script: a <select> if there are few rows (the option `noneLabel` has the value 0), otherwise a text
 * field, perhaps with a <datalist>, whose text the server matches with a name.
 */
export type PickerFallback =
  | { options: readonly { value: number; label: string }[]; noneLabel?: string }
  | { name: string; value: string; placeholder?: string; list?: string };

/** A row as the API returns it: amounts are decimals. */
export type PickerRow = Readonly<Record<string, unknown>> & { readonly id: number };

export interface PickedRow {
  row: PickerRow;
  name: string;
}

export const readMemberAtPath = (row: PickerRow, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as PickerRow | null | undefined)?.[key], row);

export const rowName = (row: PickerRow, { nameKey }: PickerSpec): string =>
  String(readMemberAtPath(row, nameKey) || `#${row.id}`);

export const rowMatchesText = (text: string, row: PickerRow, spec: PickerSpec): boolean =>
  !spec.suggestsByName || fold(rowName(row, spec)).includes(fold(text));

export function buildSuggestUrl({ suggestUrl }: PickerSpec, text: string): string {
  const query = new URLSearchParams(text.trim() ? { text: text.trim() } : {});
  return `${suggestUrl}?${query}`;
}

export type SuggestionAction = 'all' | 'create';

export type Suggestion = { row: PickerRow } | { action: SuggestionAction; text: string };

export const optionId = (listId: string, index: number): string => `${listId}-${index}`;

export function listSuggestions(
  { create }: PickerSpec,
  rows: readonly PickerRow[],
  typed: string,
): Suggestion[] {
  const lines: Suggestion[] = rows.map((row) => ({ row }));
  if (rows.length > 0) lines.push({ action: 'all', text: 'Ver la lista completa…' });
  if (create)
    lines.push({
      action: 'create',
      text: typed && create.form ? `${create.title} «${typed}»` : create.title,
    });
  return lines;
}

const TAB_STOP_SELECTOR = 'input:not([type=hidden]), select, textarea, button, summary, a[href]';

export function focusNextField(current: HTMLElement): void {
  const stops = [...(current.closest('form')?.querySelectorAll<HTMLElement>(TAB_STOP_SELECTOR) ?? [])].filter(
    (stop) => stop.tabIndex >= 0 && !stop.matches(':disabled') && stop.checkVisibility(),
  );
  stops[stops.indexOf(current) + 1]?.focus();
}
