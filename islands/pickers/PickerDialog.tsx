import { useState } from 'react';
import { openModal } from '../hooks/modal.tsx';
import { PickerCreate } from './PickerCreate.tsx';
import { PickerSearch } from './PickerSearch.tsx';
import { type Opening, type Picked, type PickerRow, type PickerSpec, rowName } from './picker.ts';

/** Resolves with the row that was picked or made, or with null; the focus is back on `opener` by then. */
export async function openPicker(
  spec: PickerSpec,
  opener: HTMLElement,
  start?: Opening,
): Promise<Picked | null> {
  const row = await openModal<PickerRow>({
    look: `modal choosing${spec.columns.length > 3 ? ' large' : ''}`,
    dialog: { className: 'dialog' },
    // A click beside the dialog must not cost what was typed in a form.
    isHeld: start?.isCreating,
    content: (close, hold) => (
      <PickerLevel spec={spec} start={start} onPick={close} onLeave={() => close(null)} onCreating={hold} />
    ),
  });
  opener.focus();
  return row && { row, name: rowName(row, spec) };
}

interface PickerLevelProps {
  spec: PickerSpec;
  start?: Opening;
  onPick: (row: PickerRow) => void;
  /** closes the dialog, or leads back to the form that a row is picked for */
  onLeave: () => void;
  isNested?: boolean;
  /** a creation form is shown, or no longer */
  onCreating?: (creating: boolean) => void;
}

/** The search of one list and, in its place when asked for, the form of a new row, which keeps what is typed. */
function PickerLevel({ spec, start, onPick, onLeave, isNested, onCreating }: PickerLevelProps) {
  const [isCreating, setCreating] = useState(start?.isCreating ?? false);
  /** what stood in the search when the form was asked for; missing until then */
  const [left, setLeft] = useState<FormData | undefined>(start?.isCreating ? start.search : undefined);
  const show = (creating: boolean) => {
    setCreating(creating);
    onCreating?.(creating);
  };
  return (
    <>
      {!isCreating && (
        <PickerSearch
          spec={spec}
          start={left ?? start?.search}
          onPick={onPick}
          onLeave={onLeave}
          isNested={isNested}
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
          level={PickerLevel}
          onCreated={onPick}
          onLeave={() => show(false)}
        />
      )}
    </>
  );
}
