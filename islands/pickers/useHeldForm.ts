import { type RefObject, useEffect, useState } from 'react';

/** So long a form that was sent waits for what its picker still asks, while nothing else happens in it. */
const PATIENCE_MS = 5000;

interface Awaited {
  isWanted: () => boolean;
  giveUp: () => void;
}

/**
 * A form that is sent while its picker waits for the row that was wanted goes once that is chosen, or as it stands
 * when no answer comes.
 */
export function useHeldForm(field: RefObject<HTMLInputElement | null>, { isWanted, giveUp }: Awaited) {
  const [held, setHeld] = useState<() => void>();

  // biome-ignore lint/correctness/useExhaustiveDependencies: once; it calls what stays the same
  useEffect(() => {
    const { form } = field.current as HTMLInputElement;
    const hold = (event: SubmitEvent) => {
      if (event.defaultPrevented || !isWanted()) return;
      event.preventDefault();
      setHeld(() => () => form?.requestSubmit(event.submitter));
    };
    form?.addEventListener('submit', hold);
    return () => form?.removeEventListener('submit', hold);
  }, []);

  useEffect(() => {
    if (!held) return;
    const go = () => {
      giveUp();
      setHeld(undefined);
      held();
    };
    if (!isWanted()) return go(); // with what was chosen in its place
    const timer = setTimeout(go, PATIENCE_MS);
    return () => clearTimeout(timer);
  });

  return { isHeld: Boolean(held), stay: () => setHeld(undefined) };
}
