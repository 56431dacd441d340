import { type ReactNode, useEffect, useId, useRef } from 'react';

interface PickerViewProps {
  title: string;
  /** one view of a dialog is shown; the others keep what was typed in them */
  shown: boolean;
  /** what Esc does instead of closing the dialog */
  onLeave?: () => void;
  children: ReactNode;
}

/** One of the views that a picker's dialog switches between; the one that is shown gives the dialog its name. */
export function PickerView({ title, shown, onLeave, children }: PickerViewProps) {
  const id = useId();
  const view = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const dialog = view.current?.closest('dialog');
    if (!shown || !dialog) return;
    dialog.setAttribute('aria-labelledby', id);
    dialog.oncancel = onLeave
      ? (event) => {
          event.preventDefault();
          onLeave();
        }
      : null;
  }, [shown, id, onLeave]);
  return (
    <div ref={view} className="dialog-view" hidden={!shown}>
      {shown && (
        <div className="dialog-head">
          <h2 id={id}>{title}</h2>
        </div>
      )}
      {children}
    </div>
  );
}
