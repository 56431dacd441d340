import { type ComponentType, createElement, useId } from 'react';
import { renderToString } from 'react-dom/server';

/** When the browser loads and hydrates an island. `use`: on pointer, focus or touch; early clicks are repeated. */
type HydrateOn = 'idle' | 'visible' | 'use';

interface IslandProps<Props extends object> {
  /** the default export of a file directly in islands/ */
  component: ComponentType<Props>;
  /** serialized into the page as JSON, so pass single fields, never a complete row */
  props: Props;
  on?: HydrateOn;
}

/** The prop `noscript` is not sent to the browser. */
export function Island<Props extends object>({ component, props, on = 'use' }: IslandProps<Props>) {
  // The browser's root gets the same prefix, so that useId returns equal ids on both sides, each unique in the page.
  const id = useId();
  const name = islandNames.get(component as ComponentType<never>);
  if (!name)
    throw new Error(`${component.name}: an island is the default export of a file directly in islands/`);
  const sent = JSON.stringify(props, function (this: Readonly<Record<string, unknown>>, key, value) {
    if (import.meta.env.DEV) requireJson(this[key], this, key && `${name}.${key}`);
    return key === 'noscript' ? undefined : value;
  });
  const html = renderToString(createElement(component, props), { identifierPrefix: id });
  return createElement('is-land', {
    id,
    name,
    on,
    props: sent,
    dangerouslySetInnerHTML: { __html: html },
  });
}

const islands = import.meta.glob<ComponentType<never>>('../../islands/*.tsx', {
  eager: true,
  import: 'default',
});

const islandNames = new Map(
  Object.entries(islands).map(([path, component]) => [
    component,
    path.slice('../../islands/'.length, -'.tsx'.length),
  ]),
);

/** Throws in development where JSON would change a prop, since hydration would differ; `undefined` is allowed. */
function requireJson(value: unknown, holder: unknown, path: string): void {
  const isPlain =
    value === null ||
    ['string', 'boolean'].includes(typeof value) ||
    Number.isFinite(value) ||
    Array.isArray(value) ||
    (value === undefined && !Array.isArray(holder)) ||
    (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype);
  if (isPlain) return;
  const kind = typeof value === 'object' ? value.constructor?.name : String(value);
  throw new TypeError(`island property ${path}: JSON can't carry ${kind}`);
}
