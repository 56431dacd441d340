import { AsyncLocalStorage } from 'node:async_hooks';
import { HOME_ZONE, setBusinessZone } from '../../../shared/dates.ts';
import { type Language, setLanguageSource } from '../../../shared/language.ts';
import { toSpanish } from '../../../shared/spanish.ts';
import type { Settings } from './definitions.ts';

/** Set for each request or command, and for everything that it awaits. */
const languageScope = new AsyncLocalStorage<{ language: Language; timeZone: string }>();

setLanguageSource(() => languageScope.getStore()?.language ?? 'mixto', toSpanish);
setBusinessZone(() => languageScope.getStore()?.timeZone ?? HOME_ZONE);

/** Runs `work` with dates, refusals and fixed texts in this language, and with moments in this time zone. */
export const runInLanguage = <T>(language: Language, work: () => T, timeZone = HOME_ZONE): T =>
  languageScope.run({ language, timeZone }, work);

/**
 * Changes the language, and the time zone if given, of the current request or command. A command needs it because it
 * starts before the database is open, which both values depend on.
 */
export function setLanguage(language: Language, timeZone?: string): void {
  const store = languageScope.getStore();
  if (store) Object.assign(store, { language }, timeZone && { timeZone });
}

export const languageOf = ({ idioma }: Pick<Settings, 'idioma'>): Language =>
  idioma === 'es' ? 'es' : 'mixto';
