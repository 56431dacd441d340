/** What a picker searches and shows: plain data, so that it can be an island's property. */
export interface PickerSpec {
  /** the dialog's title: "Seleccionar proveedor" */
  title: string;
  /** address of a search of the API: a JSON array, paged by its Link header */
  searchUrl: string;
  /** the parameter that takes the typed text, and its label */
  filterParam: string;
  filterLabel: string;
  sortOptions: readonly { value: string; label: string }[];
  columns: readonly PickerColumn[];
  /** the column that names a row, also once chosen */
  nameKey: string;
}

export interface PickerColumn {
  /** a member of the row; dots reach inside: "supplier.suppliername" */
  key: string;
  label: string;
  format?: 'text' | 'money' | 'date';
  hideOnSmall?: boolean;
}

/** A row as the API sends it: amounts are decimals. */
export type PickerRow = Readonly<Record<string, unknown>> & { readonly id: number };

/** The chosen row's name; its number where it has none, as an invoice without one. */
export const rowName = (row: PickerRow, { nameKey }: PickerSpec): string =>
  String(memberOf(row, nameKey) || `#${row.id}`);

/** A member of the row; dots reach inside. */
export function memberOf(row: PickerRow, path: string): unknown {
  let value: unknown = row;
  for (const key of path.split('.')) {
    value = value && typeof value === 'object' ? (value as Record<string, unknown>)[key] : undefined;
  }
  return value;
}
