/** `mixto` mixes English and Spanish, as the specification does. */
export type Language = 'mixto' | 'es';

export let currentLanguage = (): Language => 'mixto';

let translateToSpanish = (text: string): string => text;

/** @param spanish translates a text of the specification, and returns any other text unchanged */
export function setLanguageSource(current: () => Language, spanish = translateToSpanish): void {
  currentLanguage = current;
  translateToSpanish = spanish;
}

export const localize = (text: string): string =>
  currentLanguage() === 'es' ? translateToSpanish(text) : text;
