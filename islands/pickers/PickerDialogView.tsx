import type { ReactNode } from 'react';
import { Heading } from 'react-aria-components/Heading';

interface PickerDialogViewProps {
  title: string;
  /** only one view of a dialog is shown; the others keep their input */
  isShown: boolean;
  onLeave?: () => void;
  children: ReactNode;
}

export function PickerDialogView({ title, isShown, onLeave, children }: PickerDialogViewProps) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Esc, wherever in the view the focus is
    <div
      className="dialog-view"
      hidden={!isShown}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !onLeave) return;
        event.stopPropagation();
        onLeave();
      }}
    >
      {isShown && (
        <div className="dialog-head">
          <Heading slot="title">{title}</Heading>
        </div>
      )}
      {children}
    </div>
  );
}
