import { AsyncLocalStorage } from 'node:async_hooks';
import { HOME_ZONE, keepTimeOf } from '../../../shared/dates.ts';
import { type Language, speakAs } from '../../../shared/language.ts';
import { inSpanish } from '../../../shared/spanish.ts';
import type { Settings } from './definitions.ts';

/** Set for each request and each command line, with everything that they await. */
const under = new AsyncLocalStorage<{ language: Language; timeZone: string }>();

speakAs(() => under.getStore()?.language ?? 'mixto', inSpanish);
keepTimeOf(() => under.getStore()?.timeZone ?? HOME_ZONE);

/**
 * Runs `work` so that dates, refusals and the specification's texts are in this language, and moments are in this
 * time zone.
 */
export const inLanguage = <T>(language: Language, work: () => T, timeZone = HOME_ZONE): T =>
  under.run({ language, timeZone }, work);

/** Changes the language of the work under way: the command line learns it, and the zone, once the database is open. */
export function setLanguage(language: Language, timeZone?: string): void {
  const store = under.getStore();
  if (store) Object.assign(store, { language }, timeZone && { timeZone });
}

export const languageOf = ({ idioma }: Pick<Settings, 'idioma'>): Language =>
  idioma === 'es' ? 'es' : 'mixto';
