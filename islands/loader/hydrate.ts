import { type ComponentType, createElement, type ReactNode, useEffect } from 'react';
import { flushSync } from 'react-dom';
import { hydrateRoot } from 'react-dom/client';
import { speakAs } from '../../shared/language.ts';
import { keepTyped, selectionIn } from './typed.ts';

// The server's texts come as they are to be shown; a refusal of the API's is translated where it is read.
speakAs(() => (document.documentElement.dataset.idioma === 'es' ? 'es' : 'mixto'));

/** Hydrates an <is-land> and resolves once its effects have run; what was typed meanwhile is kept. */
export function hydrateIsland(island: HTMLElement, component: ComponentType<object>): Promise<void> {
  const html = island.innerHTML;
  const tellTyped = keepTyped(island);
  const props = JSON.parse(island.getAttribute('props') ?? '{}') as object;
  return new Promise<void>((resolve) => {
    const content = createElement(component, props);
    const draw = () =>
      hydrateRoot(island, createElement(Hydrated, { onReady: resolve }, content), {
        identifierPrefix: island.id,
        onRecoverableError: (error) => console.error(error),
        onUncaughtError: (error) => {
          console.error(error);
          // React empties the island. The server's markup works without script, so it comes back.
          setTimeout(() => {
            island.innerHTML = html;
            island.dataset.state = 'failed';
          });
        },
      });
    // Drawn in one go where text is selected: a key that came between would be added to the text that it was to replace.
    const select = selectionIn(island);
    if (!select) return void draw();
    flushSync(draw);
    select();
  }).then(tellTyped);
}

/** An effect of the outermost component runs after all others: then the island answers to its user. */
function Hydrated({ onReady, children }: { onReady: () => void; children?: ReactNode }) {
  useEffect(onReady, [onReady]);
  return children;
}
