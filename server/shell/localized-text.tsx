import { currentLanguage, localize } from '../../shared/language.ts';
import { isEnglish } from '../../shared/spanish.ts';

/** Returns the attribute `lang` for an element with this text, so that screen readers pronounce English as such. */
export const langOf = (text: string): 'en' | undefined =>
  currentLanguage() === 'mixto' && isEnglish(text) ? 'en' : undefined;

export function LocalizedText({ text }: { text: string }) {
  const lang = langOf(text);
  return lang ? <span lang={lang}>{text}</span> : localize(text);
}
