import { type ComponentType, createElement, useId } from 'react';
import { renderToString } from 'react-dom/server';

/** When the browser loads and hydrates an island. `use`: on pointer, focus or touch; clicks are repeated. */
type HydrateOn = 'idle' | 'visible' | 'use';

interface IslandProps<Props extends object> {
  /** the default export of a file directly in islands/ */
  of: ComponentType<Props>;
  /** JSON only, and public: chosen fields, never a whole row */
  props: Props;
  on?: HydrateOn;
}

/** Rendered in a root of its own, hydrated by name. A `noscript` key stays out of the browser's copy of the props. */
export function Island<Props extends object>({ of, props, on = 'use' }: IslandProps<Props>) {
  // useId numbers by place in the page: the browser's root gets the same prefix, so ids agree and stay unique.
  const id = useId();
  const name = names.get(of as ComponentType<never>);
  if (!name) throw new Error(`${of.name}: an island is the default export of a file directly in islands/`);
  const sent = JSON.stringify(props, function (this: Readonly<Record<string, unknown>>, key, value) {
    if (import.meta.env.DEV) requireJson(this[key], this, key && `${name}.${key}`);
    return key === 'noscript' ? undefined : value;
  });
  const html = renderToString(createElement(of, props), { identifierPrefix: id });
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

const names = new Map(
  Object.entries(islands).map(([path, component]) => [
    component,
    path.slice('../../islands/'.length, -'.tsx'.length),
  ]),
);

/** JSON would change the value, and hydration differ, so it fails in development; undefined members may be left out. */
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
