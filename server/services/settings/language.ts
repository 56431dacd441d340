import { AsyncLocalStorage } from 'node:async_hooks';
import { HOME_ZONE, setBusinessZoneSource } from '../../../shared/dates.ts';
import { type Language, setLanguageSource } from '../../../shared/language.ts';
import { toSpanish } from '../../../shared/spanish.ts';
import type { Settings } from './definitions.ts';

const languageScope = new AsyncLocalStorage<{ language: Language; timeZone: string }>();

setLanguageSource(() => languageScope.getStore()?.language ?? 'mixto', toSpanish);
setBusinessZoneSource(() => languageScope.getStore()?.timeZone ?? HOME_ZONE);

export const runInLanguage = <T>(language: Language, work: () => T, timeZone = HOME_ZONE): T =>
  languageScope.run({ language, timeZone }, work);

/** A command starts before the database is open, so it sets the language and the time zone only later. */
export function setLanguage(language: Language, timeZone?: string): void {
  const store = languageScope.getStore();
  if (store) Object.assign(store, { language }, timeZone && { timeZone });
}

export const languageOf = ({ idioma }: Pick<Settings, 'idioma'>): Language =>
  idioma === 'es' ? 'es' : 'mixto';
