import { language, say } from '../../shared/language.ts';
import { isEnglish } from '../../shared/spanish.ts';

/** The `lang` of an element that says this text of ours: one that stays English says so to who reads it aloud. */
export const langOf = (text: string): 'en' | undefined =>
  language() === 'mixto' && isEnglish(text) ? 'en' : undefined;

/** A text of ours as it is said here, among others. */
export function Said({ text }: { text: string }) {
  const lang = langOf(text);
  return lang ? <span lang={lang}>{text}</span> : say(text);
}
