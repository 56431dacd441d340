import { AsyncLocalStorage } from 'node:async_hooks';
import { type Language, speakAs } from '../../../shared/language.ts';
import { inSpanish } from '../../../shared/spanish.ts';
import type { Settings } from './definitions.ts';

/** Each request, and each command line, with all that it waits for. */
const under = new AsyncLocalStorage<{ language: Language }>();

speakAs(() => under.getStore()?.language ?? 'mixto', inSpanish);

/** Dates, refusals and the texts of the specification come from `work` in this language. */
export const inLanguage = <T>(language: Language, work: () => T): T => under.run({ language }, work);

/** The work under way goes on in this language: the command line learns it once the database is open. */
export function setLanguage(language: Language): void {
  const store = under.getStore();
  if (store) store.language = language;
}

/** The firm's, by its settings. */
export const languageOf = ({ idioma }: Pick<Settings, 'idioma'>): Language =>
  idioma === 'es' ? 'es' : 'mixto';
