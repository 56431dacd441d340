/** English and Spanish mixed, as in the specification, or Spanish only. */
export type Language = 'mixto' | 'es';

export let language = (): Language => 'mixto';

let inSpanish = (text: string): string => text;

/** @param spanish translates a text of the specification, and returns any other text unchanged */
export function setLanguageSource(current: () => Language, spanish = inSpanish): void {
  language = current;
  inSpanish = spanish;
}

export const localized = (text: string): string => (language() === 'es' ? inSpanish(text) : text);
