import type { ComponentType } from 'react';
import type { PickerRow, PickerSpec } from './picker.ts';

export interface PickerFieldProps {
  /** of the hidden field that carries the chosen id */
  name: string;
  label: string;
  picker: PickerSpec;
  value?: number | null;
  /** the chosen row's name */
  chosen?: string | null;
  /** what was typed and led to no row */
  typed?: string;
  /** what is chosen was proposed, and says so until somebody touches it */
  isProposal?: boolean;
  /** what is proposed where nobody has chosen anything; null takes a former proposal away */
  proposal?: Proposal | null;
  /** what is said beside what was proposed */
  proposedAs?: string;
  /** shown where nothing is chosen: "Todos" in a filter */
  emptyLabel?: string;
  required?: boolean;
  error?: string;
  /** focus on arrival: the first wrong field */
  focus?: boolean;
  /** told of every choice, the row as the API has it, or null */
  onPick?: (row: PickerRow | null) => void;
  /** in the narrow columns of a filter: icons alone; what is typed there and not chosen is given up */
  compact?: boolean;
  /** reaches the server's markup only: what stands here without script */
  noscript?: PickerFallback;
}

/** The field hands itself on to the dialog, whose forms name rows of other lists as a page's do. */
export type PickerControl = ComponentType<PickerFieldProps>;

/** A row that is proposed. */
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
