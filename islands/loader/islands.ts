import type { ComponentType } from 'react';

const islandModules = import.meta.glob<ComponentType<object>>('../*.tsx', { import: 'default' });

/** For each island, the last click, Enter or submit before it was ready. It is repeated once the island is ready. */
const deferredActions = new Map<HTMLElement, { target: HTMLElement; repeat: () => void }>();

export function startIslands(): void {
  // Input events are among these types, since autofill causes no others.
  for (const type of ['pointermove', 'focusin', 'touchstart', 'input', 'change']) {
    document.addEventListener(type, hydrateOnUse, { capture: true, passive: true });
  }
  document.addEventListener('click', deferClick, { capture: true });
  document.addEventListener('keydown', deferEnter, { capture: true });
  document.addEventListener('submit', deferSubmit, { capture: true });
  // Fetched parts of a page may contain islands.
  document.addEventListener('saldo:content', (event) => scheduleIslands(event.target as ParentNode));
  scheduleIslands(document);
  // Loads the filter's code early, so that the first keystroke neither waits for the code nor needs a connection.
  const filter = islandOf(document.querySelector('form[data-results]'));
  if (filter) onFirstUse(() => void loadIslandCode(filter).catch(() => {}));
}

function scheduleIslands(scope: ParentNode) {
  for (const island of scope.querySelectorAll<HTMLElement>('is-land:not([data-state])')) {
    const on = island.getAttribute('on');
    if (on === 'idle') whenIdle(() => hydrate(island));
    else if (on === 'visible') hydrateWhenVisible(island);
  }
}

const loadIslandCode = (island: HTMLElement) =>
  Promise.all([import('./hydrate.ts'), islandModules[`../${island.getAttribute('name')}.tsx`]!()]);

async function hydrate(island: HTMLElement) {
  if (island.dataset.state) return;
  island.dataset.state = 'loading';
  try {
    const [{ hydrateIsland }, component] = await loadIslandCode(island);
    await hydrateIsland(island, component);
    island.dataset.state = 'ready';
  } catch (error) {
    console.error(error);
    delete island.dataset.state; // the next use of the island tries again
  }
  const { target, repeat } = deferredActions.get(island) ?? {};
  deferredActions.delete(island);
  delete island.dataset.held;
  // A submitted form is sent even if the island could not be loaded.
  if (target?.isConnected && (island.dataset.state || target.matches('form'))) repeat?.();
}

function hydrateOnUse(event: Event) {
  const island = islandOf(event.target);
  if (island && !island.dataset.state && !isStationary(event)) void hydrate(island);
}

// Defers only clicks that do nothing without script: links, submits, checkboxes and <summary> work by themselves.
function deferClick(event: Event) {
  const island = islandOf(event.target);
  const target = (event.target as Element).closest<HTMLElement>(
    'button[type=button], [role=button], [role=combobox]',
  );
  if (!island || !target) return;
  deferEvent(event, island, target, () => {
    // The list of a field opens only while the field has the focus.
    if (target.role !== 'combobox' || target === document.activeElement) target.click();
  });
}

// In the field of a picker, Enter chooses the first suggestion instead of submitting.
function deferEnter(event: KeyboardEvent) {
  const target = event.target as HTMLElement;
  const island = islandOf(target);
  if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || !island || target.role !== 'combobox')
    return;
  deferEvent(event, island, target, () =>
    target.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })),
  );
}

// Defers a submit only if a picker contains text, for which its island has to find the row.
function deferSubmit(event: SubmitEvent) {
  const form = event.target as HTMLFormElement;
  const picker = [...form.querySelectorAll<HTMLInputElement>('is-land [role=combobox]')].find(
    ({ value, defaultValue }) => value !== defaultValue,
  );
  const island = islandOf(picker ?? null);
  if (!island) return;
  deferEvent(event, island, form, () => {
    if (island.dataset.state) form.requestSubmit(event.submitter);
    else form.submit();
  });
}

function deferEvent(event: Event, island: HTMLElement, target: HTMLElement, repeat: () => void) {
  if (/ready|failed/.test(island.dataset.state ?? '')) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  deferredActions.set(island, { target, repeat });
  island.dataset.held = '';
  void hydrate(island);
}

const islandOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>('is-land') : null;

function whenIdle(work: () => void) {
  const scheduleWhenIdle = () =>
    // Safari has no requestIdleCallback.
    'requestIdleCallback' in window ? requestIdleCallback(work, { timeout: 3000 }) : setTimeout(work, 300);
  if (document.readyState === 'complete') scheduleWhenIdle();
  else addEventListener('load', scheduleWhenIdle);
}

// <is-land> is display: contents and has no box to observe, but its children have.
function hydrateWhenVisible(island: HTMLElement) {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    void hydrate(island);
  });
  for (const child of island.children) observer.observe(child);
}

function onFirstUse(work: () => void): void {
  const used = new AbortController();
  const use = (event: Event) => {
    if (isStationary(event)) return;
    used.abort();
    work();
  };
  for (const type of ['pointermove', 'focusin', 'touchstart', 'scroll'])
    addEventListener(type, use, { signal: used.signal, capture: true, passive: true });
}

/** Browsers send a pointer move of zero when the page appears under a resting pointer. */
const isStationary = (event: Event): boolean =>
  event.type === 'pointermove' && !(event as PointerEvent).movementX && !(event as PointerEvent).movementY;
