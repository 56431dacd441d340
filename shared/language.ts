/** `mixto` mixes English and Spanish, as the specification does. */
export type Language = 'mixto' | 'es';

export let currentLanguage = (): Language => 'mixto';

let translateToSpanish = (text: string): string => text;

/** @param translate translates a text of the specification, and returns any other text unchanged */
export function setLanguageSource(readLanguage: () => Language, translate = translateToSpanish): void {
  currentLanguage = readLanguage;
  translateToSpanish = translate;
}

export const localize = (text: string): string =>
  currentLanguage() === 'es' ? translateToSpanish(text) : text;
