import { useState } from 'react';
import { openModal } from '../hooks/modal.tsx';
import { PickerCreate } from './PickerCreate.tsx';
import { PickerSearch } from './PickerSearch.tsx';
import {
  type PickedRow,
  type PickerComponent,
  type PickerRow,
  type PickerSpec,
  rowName,
  type SuggestionAction,
} from './picker.ts';

/** @returns the row or null, once the focus is back on `opener` */
export async function openPicker(
  spec: PickerSpec,
  opener: HTMLElement,
  pickerComponent: PickerComponent,
  action: SuggestionAction,
  typed: string,
): Promise<PickedRow | null> {
  const search = new FormData();
  search.set(spec.filterParam, typed);
  const isCreating = action === 'create' && spec.create?.form !== undefined;
  const row = await openModal<PickerRow>({
    look: `modal choosing${spec.columns.length > 3 ? ' large' : ''}`,
    dialog: { className: 'dialog' },
    // A click outside of the dialog must not lose input in a form.
    isHeld: isCreating,
    content: (close, hold) => <PickerViews {...{ spec, search, isCreating, pickerComponent, hold, close }} />,
  });
  opener.focus();
  return row && { row, name: rowName(row, spec) };
}

interface PickerViewsProps {
  spec: PickerSpec;
  search: FormData;
  isCreating: boolean;
  pickerComponent: PickerComponent;
  hold: (isHeld: boolean) => void;
  close: (row: PickerRow | null) => void;
}

function PickerViews({ spec, search, pickerComponent, hold, close, ...start }: PickerViewsProps) {
  const [isCreating, setCreating] = useState(start.isCreating);
  const [savedSearch, setSavedSearch] = useState(start.isCreating ? search : undefined);
  const showCreation = (creating: boolean) => {
    setCreating(creating);
    hold(creating);
  };
  return (
    <>
      {!isCreating && (
        <PickerSearch
          spec={spec}
          initialForm={savedSearch ?? search}
          onPick={close}
          onLeave={() => close(null)}
          onCreate={(latest) => {
            setSavedSearch(latest);
            showCreation(true);
          }}
        />
      )}
      {savedSearch && spec.create?.form && (
        <PickerCreate
          title={spec.create.title}
          form={spec.create.form}
          nameField={spec.nameKey}
          proposal={String(savedSearch.get(spec.filterParam) ?? '').trim()}
          isOpen={isCreating}
          picker={pickerComponent}
          onCreated={close}
          onLeave={() => showCreation(false)}
        />
      )}
    </>
  );
}
