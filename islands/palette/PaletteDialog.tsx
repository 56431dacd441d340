import { useState } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { createRoot } from 'react-dom/client';
import { type Destination, pagesOf } from './destinations.ts';
import { PaletteSearch } from './PaletteSearch.tsx';

const EXIT_MS = 300;

/** Opens the palette over the page, in a root of its own; `typed` is what was typed while it was on its way. */
export function openPalette(typed: () => string): void {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  const close = () =>
    setTimeout(() => {
      root.unmount();
      place.remove();
    }, 2 * EXIT_MS); // by then it has faded out
  root.render(<PaletteDialog entries={pagesOf(menuLinks())} typed={typed} onClose={close} />);
}

interface PaletteDialogProps {
  entries: readonly Destination[];
  typed: () => string;
  onClose: () => void;
}

function PaletteDialog({ entries, typed, onClose }: PaletteDialogProps) {
  const [isOpen, setOpen] = useState(true);
  const close = () => {
    setOpen(false);
    onClose();
  };
  return (
    <I18nProvider locale="es-MX">
      <ModalOverlay className="modal-overlay" isDismissable isOpen={isOpen} onOpenChange={close}>
        <Modal className="modal">
          <Dialog className="dialog command" aria-label="Ir a…">
            <PaletteSearch entries={entries} typed={typed} onClose={close} />
          </Dialog>
        </Modal>
      </ModalOverlay>
    </I18nProvider>
  );
}

/** The sidebar holds what the user may enter, and nothing else. */
function menuLinks() {
  return [...document.querySelectorAll<HTMLAnchorElement>('#menu a[href]')].map((link) => ({
    href: link.getAttribute('href') ?? '',
    label: link.textContent?.trim() ?? '',
    group: link.closest('details')?.querySelector('summary')?.textContent?.trim(),
  }));
}
