import { Hono, type MiddlewareHandler } from 'hono';
import { compress } from 'hono/compress';
import { isMigrated } from '../db/migrate.ts';
import { isFileInPlace } from '../db/open.ts';
import type { Db } from '../db/schema.ts';
import { api } from './api/routes.ts';
import { cacheAnswers } from './http/answer-cache.ts';
import { answerUnmatchedPath, limitBodies, refuseLargeBodies, refuseOddPaths } from './http/guards.ts';
import { setSecurityHeaders } from './http/headers.ts';
import { answerByJob } from './http/job-answers.ts';
import type { JobRequest } from './http/jobs.ts';
import type { RequestEvent } from './http/request-facts.ts';
import { logRequests } from './http/request-log.ts';
import {
  type AppEnv,
  attachSession,
  type Deps,
  guardAccess,
  isApiRequest,
  readSettingsOnce,
  refuseForeignOrigins,
} from './http/session.ts';
import { pagesApp } from './pages/routes.ts';
import { languageOf, runInLanguage } from './services/settings/language.ts';
import { serveAssets } from './shell/assets.ts';
import { answerError } from './shell/error-page.tsx';

export function createApp(deps: Deps): Hono<AppEnv> {
  const app = new Hono<AppEnv>({ strict: false });
  app.use(async (c, next) => {
    c.set('deps', deps);
    await next();
  });
  app.use(logRequests);
  app.use(setSecurityHeaders(deps.config, deps.isDevelopment));
  app.use(refuseOddPaths);
  app.get('/healthz', (c) => c.text('ok'));
  app.get('/readyz', async (c) => {
    const ready = isFileInPlace(deps.db) && (await isMigrated(deps.db).catch(() => false));
    return ready ? c.text('ok') : c.text('not ready', 503);
  });
  app.route('/', serveAssets());
  app.use(refuseForeignOrigins);
  app.use(refuseLargeBodies);
  app.use(attachSession);
  app.use(setRequestLanguage);
  app.use(guardAccess);
  app.use(cacheAnswers());
  app.use(compress());
  app.use(limitBodies);
  app.use(answerByJob);
  return addRoutes(app);
}

/** The application of the worker thread (worker.ts). The main thread has checked the session and its rights before. */
export function createWorkerApp(deps: Deps): Hono<AppEnv> {
  const app = new Hono<AppEnv>({ strict: false });
  app.use(async (c, next) => {
    const workerRequest = c.env as WorkerRequestEnv;
    const { requestId, session, byToken, now, today } = workerRequest.context;
    c.set('deps', { ...deps, db: workerRequest.db });
    c.set('requestId', requestId);
    c.set('session', session);
    c.set('byToken', byToken);
    c.set('now', now);
    c.set('today', today);
    await next();
    workerRequest.event = c.get('event');
  });
  app.use(compress());
  app.use(setRequestLanguage);
  return addRoutes(app);
}

export interface WorkerRequestEnv {
  /** a snapshot for reports and exports */
  db: Db;
  context: JobRequest['context'];
  event?: RequestEvent;
}

function addRoutes(app: Hono<AppEnv>): Hono<AppEnv> {
  app.route('/api', api);
  app.route('/', pagesApp);
  app.notFound((c) => answerUnmatchedPath(app, c));
  app.onError(answerError);
  return app;
}

/** Pages and files are in the language of the settings; the API's JSON is always in `mixto`, as specified. */
const setRequestLanguage: MiddlewareHandler<AppEnv> = async (c, next) => {
  const isForPrograms = isApiRequest(c) && !c.req.query('format');
  const language = isForPrograms ? 'mixto' : languageOf(await readSettingsOnce(c));
  await runInLanguage(language, next, c.get('deps').config.timeZone);
};
