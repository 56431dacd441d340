import type { ComponentType } from 'react';
import type { FieldProps } from '../../shared/ui/Field.tsx';

/** A picker is described as plain data, so that it can be an island's property. */
export interface PickerSpec {
  title: string;
  /** address of a search of the API: a JSON array, paged by its Link header */
  searchUrl: string;
  /** address of the API that suggests rows for a text, as the field is typed in */
  suggestUrl: string;
  details: readonly PickerColumn[];
  filterParam: string;
  filterLabel: string;
  sortOptions: readonly { value: string; label: string }[];
  columns: readonly PickerColumn[];
  /** the column that names a row, also once chosen */
  nameKey: string;
  /** absent in filters, where one looks for what there is */
  create?: PickerCreation;
}

export interface PickerColumn {
  /** a member of the row; dots reach inside: "supplier.suppliername" */
  key: string;
  label: string;
  /** `pending`: of a row of invoices, what is owed of it, whatever the key */
  format?: 'text' | 'money' | 'date' | 'pending';
  hideOnSmall?: boolean;
}

export interface PickerCreation {
  title: string;
  page: string;
  /** what the dialog's own form needs; without one the screen opens in a new tab */
  form?: CreationForm;
}

export interface CreationForm {
  url: string;
  save: string;
  fields: readonly CreationField[];
}

export interface CreationField extends Partial<FieldProps> {
  name: string;
  label: string;
  hint?: string;
  picker?: PickerSpec;
}

export interface PickerFieldProps {
  /** of the hidden field that carries the chosen id */
  name: string;
  label: string;
  picker: PickerSpec;
  value?: number | null;
  chosen?: string | null;
  /** what was typed and led to no row */
  typed?: string;
  /** what is chosen was proposed, and says so until somebody touches it */
  isProposal?: boolean;
  /** what is proposed where nobody has chosen anything; null takes a former proposal away */
  proposal?: Proposal | null;
  proposedAs?: string;
  /** shown where nothing is chosen: "Todos" in a filter */
  emptyLabel?: string;
  required?: boolean;
  error?: string;
  /** focus on arrival: the first wrong field */
  focus?: boolean;
  /** called with every choice: the row as the API has it, or null */
  onPick?: (row: PickerRow | null) => void;
  /** in the narrow columns of a filter: icons alone; what is typed there and not chosen is given up */
  compact?: boolean;
  /** reaches the server's markup only: what stands here without script */
  noscript?: PickerFallback;
}

/** The field hands itself on to the dialog, whose forms name rows of other lists as a page's do. */
export type PickerControl = ComponentType<PickerFieldProps>;

export interface Proposal {
  id: number;
  name: string;
}

/**
 * Up to 500 rows a select, where `none` is chosen by 0; beyond that a text field whose name the server matches, and
 * which may offer the names of a <datalist> that the page has anyway.
 */
export type PickerFallback =
  | { options: readonly { value: number; label: string }[]; none?: string }
  | { name: string; value: string; placeholder?: string; list?: string };

/** A row as the API sends it: amounts are decimals. */
export type PickerRow = Readonly<Record<string, unknown>> & { readonly id: number };

export interface Picked {
  row: PickerRow;
  name: string;
}

/** @param path dots reach inside: "supplier.suppliername" */
export const memberOf = (row: PickerRow, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as PickerRow | null | undefined)?.[key], row);

/** The chosen row's name; its number where it has none, as an invoice without one. */
export const rowName = (row: PickerRow, { nameKey }: PickerSpec): string =>
  String(memberOf(row, nameKey) || `#${row.id}`);

export function suggestAddress({ suggestUrl }: PickerSpec, text: string): string {
  const query = new URLSearchParams(text.trim() ? { text: text.trim() } : {});
  return `${suggestUrl}?${query}`;
}

export type Step = 'all' | 'create';

export type Suggestion = { row: PickerRow } | { step: Step; text: string };

export const optionId = (listId: string, index: number): string => `${listId}-${index}`;

export function linesOf({ create }: PickerSpec, rows: readonly PickerRow[], typed: string): Suggestion[] {
  const lines: Suggestion[] = rows.map((row) => ({ row }));
  if (rows.length > 0) lines.push({ step: 'all', text: 'Ver la lista completa…' });
  if (create)
    lines.push({ step: 'create', text: typed && create.form ? `${create.title} «${typed}»` : create.title });
  return lines;
}

const STOPS = 'input:not([type=hidden]), select, textarea, button, summary, a[href]';

/** Leads the focus to the next stop of the form, as Tab would. */
export function goOn(from: HTMLElement): void {
  const stops = [...(from.closest('form')?.querySelectorAll<HTMLElement>(STOPS) ?? [])].filter(
    (stop) => stop.tabIndex >= 0 && !stop.matches(':disabled') && stop.checkVisibility(),
  );
  stops[stops.indexOf(from) + 1]?.focus();
}
