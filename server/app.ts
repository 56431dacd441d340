import { Hono } from 'hono';
import { isMigrated } from '../db/migrate.ts';
import { DomainError } from '../shared/errors.ts';
import { api } from './api/routes.ts';
import { serveAssets } from './assets.ts';
import { compresses } from './compression.ts';
import { answerError } from './error-page.tsx';
import { boundsBodies, refusesLargeBodies, refusesOddPaths } from './guards.ts';
import { setsSecurityHeaders } from './headers.ts';
import { pagesApp } from './pages/routes.tsx';
import { logsRequests } from './request-log.ts';
import { forgetNotices } from './services/notices.ts';
import { type AppEnv, type Deps, guardsAccess, readsSession, refusesForeignOrigins } from './session.ts';

/** The whole application over one database, without a socket: `createApp(deps).request('/…')` is a test. */
export function createApp(deps: Deps): Hono<AppEnv> {
  const app = new Hono<AppEnv>({ strict: false });
  app.use(async (c, next) => {
    c.set('deps', deps);
    await next();
    if (c.req.method !== 'GET') forgetNotices(deps.db);
  });
  app.use(logsRequests);
  app.use(setsSecurityHeaders);
  app.use(refusesOddPaths);
  // A list is 100 KB of HTML and 8 KB of gzip; assets come compressed from the build.
  app.use(compresses);
  app.get('/healthz', (c) => c.text('ok'));
  app.get('/readyz', async (c) => {
    const ready = await isMigrated(deps.db).catch(() => false);
    return ready ? c.text('ok') : c.text('not ready', 503);
  });
  app.route('/', serveAssets());
  app.use(refusesForeignOrigins);
  app.use(refusesLargeBodies);
  app.use(readsSession);
  app.use(guardsAccess);
  app.use(boundsBodies);
  app.route('/api', api);
  app.route('/', pagesApp);
  app.notFound((c) => answerError(new DomainError('not-found', 'No existe esta página.'), c));
  app.onError(answerError);
  return app;
}
