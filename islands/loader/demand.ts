type Keys = typeof import('./keys.ts');

let keys: Keys | undefined;

/**
 * Fetches code with its first use: the page's shortcuts and the command palette with a key or the button in
 * the bar, the keeper of drafts with a form. Keys that were pressed meanwhile are heard when it is there.
 */
export function startOnDemand(): void {
  let isAsked = false;
  addEventListener('keydown', (event) => {
    if (keys) return keys.press(event);
    // Browsers have a Ctrl+K and a / of their own; what is typed after Ctrl+K belongs into the palette.
    isAsked ||= (event.ctrlKey || event.metaKey) && event.key === 'k';
    const isMeant = isAsked && event.key !== 'Escape'; // which closes a dialog
    const ours = isMeant || (event.key === '/' && !(event.target as Element).matches(':read-write, select'));
    if (ours) event.preventDefault();
    withKeys(({ press }) => press(event, ours)).finally(() => {
      isAsked = false;
    });
  });
  addEventListener('click', ({ target }) => {
    if ((target as Element).closest('[data-palette]')) void withKeys(({ showPalette }) => showPalette());
  });
  for (const type of ['focusin', 'input']) {
    addEventListener(type, ({ target }) => {
      // Ahead of what is typed, while the line is there; but after what the page itself still waits for.
      if ((target as Element).closest?.('form[data-busy]'))
        setTimeout(keepDrafts, type === 'input' ? 0 : 2000);
    });
  }
  // A browser that forbids its storage forbids cookies as well, and nobody is signed in there.
  if (sessionStorage.drafts && document.querySelector('main[data-saved]')) sessionStorage.draftAnswered = '';
  // A form that was refused is a draft, also where it was posted before its keeper had come.
  if (sessionStorage.drafts || document.querySelector('main[data-posted]')) keepDrafts();
}

let coming: Promise<Keys> | undefined;

// One promise, so that keys are heard in the order in which they were pressed. What did not come is asked
// for again by the next use.
function withKeys(use: (keys: Keys) => unknown): Promise<unknown> {
  coming ??= import('./keys.ts');
  return coming.then(
    (module) => {
      keys = module;
      return use(keys);
    },
    () => {
      coming = undefined;
    },
  );
}

const keepDrafts = () => void import('../drafts/keeper.ts').then(({ keep }) => keep()).catch(() => {});
