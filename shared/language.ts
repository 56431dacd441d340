/** English and Spanish mixed, as in the specification, or Spanish alone. */
export type Language = 'mixto' | 'es';

/** The language of whoever is served right now: of the request on a server, of the page in a browser. */
export let language = (): Language => 'mixto';

let inSpanish = (text: string): string => text;

/** @param spanish translates a text of the specification, and leaves any other as it is */
export function setLanguageSource(current: () => Language, spanish = inSpanish): void {
  language = current;
  inSpanish = spanish;
}

export const localized = (text: string): string => (language() === 'es' ? inSpanish(text) : text);
