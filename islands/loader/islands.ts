import type { ComponentType } from 'react';

const modules = import.meta.glob<ComponentType<object>>('../*.tsx', { import: 'default' });

/** The last click or Enter on an island that was not ready; it happens again when it is. */
const held = new Map<HTMLElement, { target: HTMLElement; again: () => void }>();

/** Hydrates the page's islands, each when it asked for it (server/shell/island.tsx) and at the latest on use. */
export function startIslands(): void {
  // A browser that fills fields in by itself neither points nor focuses; a pointer at rest uses nothing.
  for (const type of ['pointermove', 'focusin', 'touchstart', 'input', 'change']) {
    document.addEventListener(type, onUse, { capture: true, passive: true });
  }
  document.addEventListener('click', holdClick, { capture: true });
  document.addEventListener('keydown', holdEnter, { capture: true });
  document.addEventListener('submit', holdSubmit, { capture: true });
  // A part of a page that was fetched may have brought islands along.
  document.addEventListener('saldo:content', (event) => scan(event.target as ParentNode));
  scan(document);
  // Ahead of the first keystroke, which should not wait for it, nor find that the line is gone by then.
  const filter = islandOf(document.querySelector('form[data-results]'));
  if (filter) onFirstUse(() => void codeOf(filter).catch(() => {}));
}

function scan(scope: ParentNode) {
  for (const island of scope.querySelectorAll<HTMLElement>('is-land:not([data-state])')) {
    const on = island.getAttribute('on');
    if (on === 'idle') whenIdle(() => hydrate(island));
    else if (on === 'visible') whenVisible(island);
  }
}

const codeOf = (island: HTMLElement) =>
  Promise.all([import('./hydrate.ts'), modules[`../${island.getAttribute('name')}.tsx`]!()]);

async function hydrate(island: HTMLElement) {
  if (island.dataset.state) return;
  island.dataset.state = 'loading';
  try {
    const [{ hydrateIsland }, component] = await codeOf(island);
    await hydrateIsland(island, component);
    island.dataset.state = 'ready';
  } catch (error) {
    console.error(error);
    delete island.dataset.state; // the next use tries again
  }
  const { target, again } = held.get(island) ?? {};
  held.delete(island);
  delete island.dataset.held;
  // A form that was sent goes in any case.
  if (target?.isConnected && (island.dataset.state || target.matches('form'))) again?.();
}

function onUse(event: Event) {
  const island = islandOf(event.target);
  if (island && !island.dataset.state && !isAtRest(event)) void hydrate(island);
}

// Only what does nothing by itself waits: links, submits, boxes and <summary> work without script.
function holdClick(event: Event) {
  const island = islandOf(event.target);
  const target = (event.target as Element).closest<HTMLElement>(
    'button[type=button], [role=button], [role=combobox]',
  );
  if (!island || !target) return;
  hold(event, island, target, () => {
    // A field's list opens only while the field still has the focus.
    if (target.role !== 'combobox' || target === document.activeElement) target.click();
  });
}

// In a picker's field it means the first suggestion, and nothing is sent.
function holdEnter(event: KeyboardEvent) {
  const target = event.target as HTMLElement;
  const island = islandOf(target);
  if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || !island || target.role !== 'combobox')
    return;
  hold(event, island, target, () =>
    target.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })),
  );
}

// Except with what was typed into a picker, which is text until its island has found the row.
function holdSubmit(event: SubmitEvent) {
  const form = event.target as HTMLFormElement;
  const picker = [...form.querySelectorAll<HTMLInputElement>('is-land [role=combobox]')].find(
    ({ value, defaultValue }) => value !== defaultValue,
  );
  const island = islandOf(picker ?? null);
  if (!island) return;
  hold(event, island, form, () => {
    if (island.dataset.state) form.requestSubmit(event.submitter);
    else form.submit();
  });
}

function hold(event: Event, island: HTMLElement, target: HTMLElement, again: () => void) {
  if (/ready|failed/.test(island.dataset.state ?? '')) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  held.set(island, { target, again });
  island.dataset.held = '';
  void hydrate(island);
}

const islandOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>('is-land') : null;

function whenIdle(work: () => void) {
  const start = () =>
    // Safari has no requestIdleCallback.
    'requestIdleCallback' in window ? requestIdleCallback(work, { timeout: 3000 }) : setTimeout(work, 300);
  if (document.readyState === 'complete') start();
  else addEventListener('load', start, { once: true });
}

// <is-land> is display: contents and has no box to be seen; its children have.
function whenVisible(island: HTMLElement) {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    void hydrate(island);
  });
  for (const child of island.children) observer.observe(child);
}

/** When the reader first does anything with the page: time to fetch what the next thing may want. */
function onFirstUse(work: () => void): void {
  const used = new AbortController();
  const use = (event: Event) => {
    if (isAtRest(event)) return;
    used.abort();
    work();
  };
  for (const type of ['pointermove', 'touchstart', 'focusin', 'scroll'])
    addEventListener(type, use, { signal: used.signal, capture: true, passive: true });
}

/** A pointer where the page comes up under it: browsers tell of it as of one that moves, by nothing. */
const isAtRest = (event: Event): boolean =>
  event.type === 'pointermove' && !(event as PointerEvent).movementX && !(event as PointerEvent).movementY;
