import { language, localized } from '../../shared/language.ts';
import { isEnglish } from '../../shared/spanish.ts';

/** The `lang` of an element with this text: text that stays English is marked for screen readers. */
export const langOf = (text: string): 'en' | undefined =>
  language() === 'mixto' && isEnglish(text) ? 'en' : undefined;

export function LocalizedText({ text }: { text: string }) {
  const lang = langOf(text);
  return lang ? <span lang={lang}>{text}</span> : localized(text);
}
