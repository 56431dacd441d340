import type { PickerSpec } from './picker.ts';

/** How a picker's dialog begins: what stands in its filter, and whether a new row is asked for at once. */
export interface Opening {
  search: FormData;
  isCreating: boolean;
}

export function openingOf(
  step: 'all' | 'create',
  { filterParam, create }: PickerSpec,
  typed: string,
): Opening {
  const search = new FormData();
  search.set(filterParam, typed);
  return { search, isCreating: step === 'create' && create?.form !== undefined };
}
