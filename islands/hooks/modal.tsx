import { type ReactNode, useState } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';

interface ModalOptions<Answer> {
  look: string;
  dialog: { className: string; 'aria-label'?: string };
  isHeld?: boolean;
  content: (close: (answer: Answer | null) => void, hold: (isHeld: boolean) => void) => ReactNode;
}

const EXIT_ANIMATION_MS = 300;

/** Makes each dialog's ids unique, since a dialog may open on top of another one. */
let lastModalNumber = 0;

/** React Aria (18 KB) is loaded with the first dialog. @returns null where the dialog is closed without an answer */
export function openModal<Answer>(options: ModalOptions<Answer>): Promise<Answer | null> {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place, { identifierPrefix: `modal${++lastModalNumber}` });
  return new Promise((resolve) => {
    const onClose = (answer: Answer | null) => {
      resolve(answer);
      setTimeout(() => {
        root.unmount();
        place.remove();
      }, 2 * EXIT_ANIMATION_MS); // the dialog is removed once it has faded out
    };
    root.render(<ModalDialog {...options} onClose={onClose} />);
  });
}

function ModalDialog<Answer>(props: ModalOptions<Answer> & { onClose: (answer: Answer | null) => void }) {
  const { look, dialog, content, onClose } = props;
  const [isOpen, setOpen] = useState(true);
  const [isHeld, hold] = useState(props.isHeld ?? false);
  const closeModal = (answer: Answer | null) => {
    if (!isOpen) return;
    flushSync(() => setOpen(false)); // the dialog keeps the focus until it is closed
    onClose(answer);
  };
  return (
    <I18nProvider locale="es-MX">
      <ModalOverlay
        className="modal-overlay"
        isDismissable={!isHeld}
        isOpen={isOpen}
        onOpenChange={() => closeModal(null)}
      >
        <Modal className={look}>
          <Dialog {...dialog}>{content(closeModal, hold)}</Dialog>
        </Modal>
      </ModalOverlay>
    </I18nProvider>
  );
}
