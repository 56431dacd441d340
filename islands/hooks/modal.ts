import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';

interface ModalView<Answer> {
  look: string;
  /** its accessible name; without one a heading of the content gives it */
  label?: string;
  content: (close: (answer: Answer | null) => void) => ReactNode;
}

const EXIT_MS = 300;

/** Counted, since a dialog may open over another one and no id may occur twice. */
let opened = 0;

/**
 * Opens a <dialog> over the page, in a React root of its own, and resolves with the answer that it was closed with, or
 * with null after Esc or a click beside it. Where its content makes something else of Esc (`oncancel`), a click beside
 * it closes nothing either, since it would cost what was typed.
 */
export function openModal<Answer>({ look, label, content }: ModalView<Answer>): Promise<Answer | null> {
  const dialog = document.body.appendChild(document.createElement('dialog'));
  dialog.className = `dialog ${look}`;
  if (label) dialog.ariaLabel = label;
  const root = createRoot(dialog, { identifierPrefix: `modal${++opened}` });
  const ending = new AbortController();
  const { signal } = ending;
  return new Promise((resolve) => {
    // A text that is selected beyond the edge ends in a click on the dialog, too.
    let isBeside = false;
    dialog.addEventListener('pointerdown', ({ target }) => {
      isBeside = target === dialog && !dialog.oncancel;
    });
    dialog.addEventListener('click', ({ target }) => isBeside && target === dialog && dialog.close());
    dialog.addEventListener('close', () => {
      ending.abort();
      resolve(null); // nothing, where it was closed with an answer
      setTimeout(() => {
        root.unmount();
        dialog.remove();
      }, 2 * EXIT_MS); // by then it has faded out
    });
    // A phone's keyboard leaves less of the window than 100dvh says.
    const followKeyboard = () => dialog.style.setProperty('--window', `${visualViewport?.height}px`);
    visualViewport?.addEventListener('resize', followKeyboard, { signal });
    followKeyboard();
    dialog.showModal();
    const close = (answer: Answer | null) => {
      resolve(answer);
      dialog.close();
    };
    flushSync(() => root.render(content(close)));
  });
}
