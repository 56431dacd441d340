import { useState } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import type { Opening } from './opening.ts';
import { PickerCreate } from './PickerCreate.tsx';
import { PickerSearch } from './PickerSearch.tsx';
import { type Picked, type PickerRow, type PickerSpec, rowName } from './picker.ts';

const EXIT_MS = 300;

/**
 * Opens a picker's dialog over the page, in a root of its own, and resolves with the row that was picked or
 * made, or with null; the focus is back on `opener` by then. React Aria, 18 KB, keeps it inside meanwhile:
 * only a first opening loads it.
 */
export function openPicker(spec: PickerSpec, opener: HTMLElement, start?: Opening): Promise<Picked | null> {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  return new Promise((resolve) => {
    const close = (row: PickerRow | null) => {
      opener.focus();
      resolve(row && { row, name: rowName(row, spec) });
      setTimeout(() => {
        root.unmount();
        place.remove();
      }, 2 * EXIT_MS); // by then it has faded out
    };
    root.render(<PickerDialog spec={spec} start={start} onClose={close} />);
  });
}

interface PickerDialogProps {
  spec: PickerSpec;
  start?: Opening;
  onClose: (row: PickerRow | null) => void;
}

function PickerDialog({ spec, start, onClose }: PickerDialogProps) {
  const [isOpen, setOpen] = useState(true);
  const [isCreating, setCreating] = useState(start?.isCreating ?? false);
  const close = (row: PickerRow | null) => {
    if (!isOpen) return;
    flushSync(() => setOpen(false)); // it holds the focus until then
    onClose(row);
  };
  return (
    <I18nProvider locale="es-MX">
      <ModalOverlay
        className="modal-overlay"
        // a click beside the dialog must not cost what was typed in a form
        isDismissable={!isCreating}
        isOpen={isOpen}
        onOpenChange={() => close(null)}
      >
        <Modal className={`modal choosing${spec.columns.length > 3 ? ' large' : ''}`}>
          <Dialog className="dialog">
            <PickerLevel
              spec={spec}
              start={start}
              onPick={close}
              onLeave={() => close(null)}
              onCreating={setCreating}
            />
          </Dialog>
        </Modal>
      </ModalOverlay>
    </I18nProvider>
  );
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
