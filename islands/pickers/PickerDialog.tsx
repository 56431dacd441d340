import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { PickerSearch } from './PickerSearch.tsx';
import type { PickerRow, PickerSpec } from './picker.ts';

interface PickerDialogProps {
  spec: PickerSpec;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  onPick: (row: PickerRow) => void;
}

/**
 * The dialog behind every picker. React Aria keeps the focus inside, gives it back, and closes on Esc; it
 * weighs 20 KB, so only PickerField's first opening loads this file.
 */
export default function PickerDialog({ spec, isOpen, onOpenChange, onPick }: PickerDialogProps) {
  return (
    <I18nProvider locale="es-MX">
      <ModalOverlay className="modal-overlay" isDismissable isOpen={isOpen} onOpenChange={onOpenChange}>
        <Modal className={spec.columns.length > 3 ? 'modal large' : 'modal'}>
          <Dialog className="dialog">
            <div className="dialog-head">
              <Heading slot="title">{spec.title}</Heading>
            </div>
            <PickerSearch spec={spec} onPick={onPick} onClose={() => onOpenChange(false)} />
          </Dialog>
        </Modal>
      </ModalOverlay>
    </I18nProvider>
  );
}
