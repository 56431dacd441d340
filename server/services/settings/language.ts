import { AsyncLocalStorage } from 'node:async_hooks';
import { HOME_ZONE, keepTimeOf } from '../../../shared/dates.ts';
import { type Language, speakAs } from '../../../shared/language.ts';
import { inSpanish } from '../../../shared/spanish.ts';
import type { Settings } from './definitions.ts';

/** Each request, and each command line, with all that it waits for. */
const under = new AsyncLocalStorage<{ language: Language; timeZone: string }>();

speakAs(() => under.getStore()?.language ?? 'mixto', inSpanish);
keepTimeOf(() => under.getStore()?.timeZone ?? HOME_ZONE);

/** Dates, refusals and the texts of the specification come from `work` in this language; moments are of this zone's days. */
export const inLanguage = <T>(language: Language, work: () => T, timeZone = HOME_ZONE): T =>
  under.run({ language, timeZone }, work);

/** The work under way goes on in this language: the command line learns it once the database is open, and the zone with it. */
export function setLanguage(language: Language, timeZone?: string): void {
  const store = under.getStore();
  if (store) Object.assign(store, { language }, timeZone && { timeZone });
}

/** The firm's, by its settings. */
export const languageOf = ({ idioma }: Pick<Settings, 'idioma'>): Language =>
  idioma === 'es' ? 'es' : 'mixto';
