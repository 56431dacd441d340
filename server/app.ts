import { Hono, type MiddlewareHandler } from 'hono';
import { compress } from 'hono/compress';
import { isMigrated } from '../db/migrate.ts';
import { isInPlace } from '../db/open.ts';
import type { Db } from '../db/schema.ts';
import { api } from './api/routes.ts';
import { cachesAnswers } from './http/answer-cache.ts';
import { answerUnknown, boundsBodies, refusesLargeBodies, refusesOddPaths } from './http/guards.ts';
import { setsSecurityHeaders } from './http/headers.ts';
import { answersByJob } from './http/job-answers.ts';
import type { JobRequest } from './http/jobs.ts';
import type { RequestEvent } from './http/request-facts.ts';
import { logsRequests } from './http/request-log.ts';
import {
  type AppEnv,
  type Deps,
  guardsAccess,
  isApi,
  readsSession,
  refusesForeignOrigins,
  settingsOf,
} from './http/session.ts';
import { pagesApp } from './pages/routes.ts';
import { inLanguage, languageOf } from './services/settings/language.ts';
import { serveAssets } from './shell/assets.ts';
import { answerError } from './shell/error-page.tsx';

/** The whole application over one database, without a socket: tests call `createApp(deps).request('/…')`. */
export function createApp(deps: Deps): Hono<AppEnv> {
  const app = new Hono<AppEnv>({ strict: false });
  app.use(async (c, next) => {
    c.set('deps', deps);
    await next();
  });
  app.use(logsRequests);
  app.use(setsSecurityHeaders);
  app.use(refusesOddPaths);
  app.get('/healthz', (c) => c.text('ok'));
  app.get('/readyz', async (c) => {
    const ready = isInPlace(deps.db) && (await isMigrated(deps.db).catch(() => false));
    return ready ? c.text('ok') : c.text('not ready', 503);
  });
  app.route('/', serveAssets());
  app.use(refusesForeignOrigins);
  app.use(refusesLargeBodies);
  app.use(readsSession);
  app.use(speaksLanguage);
  app.use(guardsAccess);
  app.use(cachesAnswers());
  // A list is 100 KB of HTML and 8 KB of gzip; the build compresses assets.
  app.use(compress());
  app.use(boundsBodies);
  app.use(answersByJob);
  return addAnswers(app);
}

/** Answers in a worker thread, for a user whose rights were checked before. */
export function createJobApp(deps: Deps): Hono<AppEnv> {
  const app = new Hono<AppEnv>({ strict: false });
  app.use(async (c, next) => {
    const around = c.env as JobEnvironment;
    const { requestId, session, byToken, now, today } = around.asker;
    c.set('deps', { ...deps, db: around.db });
    c.set('requestId', requestId);
    c.set('session', session);
    c.set('byToken', byToken);
    c.set('now', now);
    c.set('today', today);
    await next();
    around.event = c.get('event');
  });
  app.use(compress());
  app.use(speaksLanguage);
  return addAnswers(app);
}

export interface JobEnvironment {
  /** a snapshot, where the request has to read one moment's */
  db: Db;
  asker: JobRequest['asker'];
  event?: RequestEvent;
}

function addAnswers(app: Hono<AppEnv>): Hono<AppEnv> {
  app.route('/api', api);
  app.route('/', pagesApp);
  app.notFound((c) => answerUnknown(app, c));
  app.onError(answerError);
  return app;
}

/** Pages and files are in the firm's language; programs get the messages of the specification. */
const speaksLanguage: MiddlewareHandler<AppEnv> = async (c, next) => {
  const isForPrograms = isApi(c) && !c.req.query('format');
  const language = isForPrograms ? 'mixto' : languageOf(await settingsOf(c));
  await inLanguage(language, next, c.get('deps').config.timeZone);
};
