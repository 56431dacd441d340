import type { MiddlewareHandler } from 'hono';
import { readSettings } from '../services/settings/settings.ts';
import { inLanguage, languageOf } from '../services/settings/speaking.ts';
import { type AppEnv, isApi } from './session.ts';

/** Pages and files speak the firm's language; programs read the messages that the specification gives. */
export const speaksLanguage: MiddlewareHandler<AppEnv> = async (c, next) => {
  const isForPrograms = isApi(c) && !c.req.query('format');
  const language = isForPrograms ? 'mixto' : languageOf(await readSettings(c.get('deps').db));
  await inLanguage(language, next);
};
