import type { ReactNode } from 'react';
import { Heading } from 'react-aria-components/Heading';

interface PickerDialogViewProps {
  title: string;
  /** A dialog shows one of its views at a time; the others keep their input. */
  isOpen: boolean;
  onLeave?: () => void;
  children: ReactNode;
}

export function PickerDialogView({ title, isOpen, onLeave, children }: PickerDialogViewProps) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Esc, wherever in the view the focus is
    <div
      className="dialog-view"
      hidden={!isOpen}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !onLeave) return;
        event.stopPropagation();
        onLeave();
      }}
    >
      {isOpen && (
        <div className="dialog-head">
          <Heading slot="title">{title}</Heading>
        </div>
      )}
      {children}
    </div>
  );
}
