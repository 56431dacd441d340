import { useState } from 'react';
import { openModal } from '../hooks/modal.tsx';
import type { PickerControl } from './fieldProps.ts';
import { PickerCreate } from './PickerCreate.tsx';
import { PickerSearch } from './PickerSearch.tsx';
import { type Opening, type Picked, type PickerRow, type PickerSpec, rowName } from './picker.ts';

/** Resolves with the row that was picked or made, or with null; the focus is back on `opener` by then. */
export async function openPicker(
  spec: PickerSpec,
  opener: HTMLElement,
  control: PickerControl,
  start: Opening,
): Promise<Picked | null> {
  const row = await openModal<PickerRow>({
    look: `modal choosing${spec.columns.length > 3 ? ' large' : ''}`,
    dialog: { className: 'dialog' },
    // A click beside the dialog must not cost what was typed in a form.
    isHeld: start.isCreating,
    content: (close, hold) => <PickerViews {...{ spec, start, control, hold, close }} />,
  });
  opener.focus();
  return row && { row, name: rowName(row, spec) };
}

interface PickerViewsProps {
  spec: PickerSpec;
  start: Opening;
  control: PickerControl;
  /** while a creation form is shown */
  hold: (isHeld: boolean) => void;
  close: (row: PickerRow | null) => void;
}

/** The search of one list and, in its place when asked for, the form of a new row, which keeps what is typed. */
function PickerViews({ spec, start, control, hold, close }: PickerViewsProps) {
  const [isCreating, setCreating] = useState(start.isCreating);
  /** what stood in the search when the form was asked for; missing until then */
  const [left, setLeft] = useState(start.isCreating ? start.search : undefined);
  const show = (creating: boolean) => {
    setCreating(creating);
    hold(creating);
  };
  return (
    <>
      {!isCreating && (
        <PickerSearch
          spec={spec}
          start={left ?? start.search}
          onPick={close}
          onLeave={() => close(null)}
          onCreate={(search) => {
            setLeft(search);
            show(true);
          }}
        />
      )}
      {left && spec.create?.form && (
        <PickerCreate
          title={spec.create.title}
          form={spec.create.form}
          nameField={spec.nameKey}
          proposal={String(left.get(spec.filterParam) ?? '').trim()}
          shown={isCreating}
          picker={control}
          onCreated={close}
          onLeave={() => show(false)}
        />
      )}
    </>
  );
}
