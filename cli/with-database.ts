import type { Db } from '../db/schema.ts';
import { goOnIn, languageOf } from '../server/services/settings/speaking.ts';
import type { Language } from '../shared/language.ts';
import type { Opened, OpenOptions, Runtime } from './runtime.ts';

/** Opens the database for one command and closes it whatever happens. */
export async function withDatabase<T>(
  runtime: Runtime,
  options: OpenOptions,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const opened = await runtime.open(options);
  try {
    goOnIn(await readLanguage(opened.db));
    if (options.area) {
      const { requireArea } = await import('../server/services/users/may-act.ts');
      requireArea(opened.actor, options.area);
    }
    return await work(opened);
  } finally {
    await opened.close();
  }
}

/** A damaged database has to be looked into as well. */
async function readLanguage(db: Db): Promise<Language> {
  const { readSettings } = await import('../server/services/settings/settings.ts');
  return readSettings(db).then(languageOf, () => 'mixto');
}
