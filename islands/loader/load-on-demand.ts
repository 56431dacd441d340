type KeysModule = typeof import('./keys.ts');

let loadedKeysModule: KeysModule | undefined;

/** Keys pressed while their code is loading are handled once it is loaded. */
export function startLoadingOnDemand(): void {
  let isRequested = false;
  addEventListener('keydown', (event) => {
    // Enter held down since the previous page would press the focused button before anybody has read this page.
    if (event.repeat && event.key === 'Enter' && (event.target as HTMLButtonElement).type === 'submit')
      return event.preventDefault();
    if (loadedKeysModule) return loadedKeysModule.handleKey(event);
    // Ctrl+K and / have meanings of their own in browsers. Text typed after Ctrl+K belongs to the palette.
    isRequested ||= (event.ctrlKey || event.metaKey) && event.key === 'k';
    const isForPalette = isRequested && event.key !== 'Escape'; // Escape closes a dialog
    const isOurs =
      isForPalette ||
      (event.key === '/' && !(event.target as Element).matches(':read-write, select')) ||
      (event.key === 'Enter' &&
        (event.target as Element).matches('form[data-busy] input:not([role]), .tick *'));
    if (isOurs) event.preventDefault();
    withKeysModule(({ handleKey }) => handleKey(event, isOurs)).finally(() => {
      isRequested = false;
    });
  });
  addEventListener('click', ({ target }) => {
    if ((target as Element).closest('[data-palette]'))
      void withKeysModule(({ showPalette }) => showPalette());
  });
  for (const type of ['focusin', 'input']) {
    addEventListener(type, ({ target }) => {
      // The draft keeper is loaded while there is a connection, but after what the page itself still loads.
      if ((target as Element).closest?.('form[data-busy]'))
        setTimeout(loadDraftKeeper, type === 'input' ? 0 : 2000);
    });
  }
  // A browser that forbids storage also forbids cookies, so nobody is signed in there.
  if (sessionStorage.drafts && document.querySelector('main[data-saved]')) sessionStorage.draftAnswered = '';
  // The input of a refused form is stored as a draft, even if it was posted before the draft keeper was loaded.
  if (sessionStorage.drafts || document.querySelector('main[data-posted]')) loadDraftKeeper();
}

let loadingKeysModule: Promise<KeysModule> | undefined;

// A single promise, so that keys are handled in the order of being pressed. After a failure the next use tries again.
function withKeysModule(use: (loadedKeys: KeysModule) => unknown): Promise<unknown> {
  loadingKeysModule ??= import('./keys.ts');
  return loadingKeysModule.then(
    (module) => {
      loadedKeysModule = module;
      return use(loadedKeysModule);
    },
    () => {
      loadingKeysModule = undefined;
    },
  );
}

const loadDraftKeeper = () =>
  void import('../drafts/keeper.ts').then(({ keepDrafts }) => keepDrafts()).catch(() => {});
