import { useState } from 'react';
import type { Opening } from './opening.ts';
import { PickerCreate } from './PickerCreate.tsx';
import { PickerSearch } from './PickerSearch.tsx';
import type { PickerRow, PickerSpec } from './picker.ts';

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
export function PickerLevel({ spec, start, onPick, onLeave, isNested, onCreating }: PickerLevelProps) {
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
