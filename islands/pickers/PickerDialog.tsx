import { useState } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { createRoot } from 'react-dom/client';
import { PickerSearch } from './PickerSearch.tsx';
import type { PickerRow, PickerSpec } from './picker.ts';

const EXIT_MS = 300;

/**
 * Opens a picker's dialog over the page, in a root of its own, and resolves with the row that was picked or
 * with null. React Aria, 18 KB, keeps the focus inside and gives it back: only a first opening loads it.
 */
export function openPicker(spec: PickerSpec): Promise<PickerRow | null> {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  return new Promise((resolve) => {
    const close = (row: PickerRow | null) => {
      resolve(row);
      setTimeout(() => {
        root.unmount();
        place.remove();
      }, 2 * EXIT_MS); // by then it has faded out
    };
    root.render(<PickerDialog spec={spec} onClose={close} />);
  });
}

function PickerDialog({ spec, onClose }: { spec: PickerSpec; onClose: (row: PickerRow | null) => void }) {
  const [isOpen, setOpen] = useState(true);
  const close = (row: PickerRow | null) => {
    setOpen(false);
    onClose(row);
  };
  return (
    <I18nProvider locale="es-MX">
      <ModalOverlay className="modal-overlay" isDismissable isOpen={isOpen} onOpenChange={() => close(null)}>
        <Modal className={spec.columns.length > 3 ? 'modal large' : 'modal'}>
          <Dialog className="dialog">
            <div className="dialog-head">
              <Heading slot="title">{spec.title}</Heading>
            </div>
            <PickerSearch spec={spec} onPick={close} onClose={() => close(null)} />
          </Dialog>
        </Modal>
      </ModalOverlay>
    </I18nProvider>
  );
}
