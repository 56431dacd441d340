import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import { compress } from 'hono/compress';
import { isMigrated } from '../db/migrate.ts';
import { DomainError } from '../shared/errors.ts';
import { api } from './api/routes.ts';
import { serveAssets } from './assets.ts';
import { answerError } from './error-page.tsx';
import { boundsBodies, refusesLargeBodies, refusesOddPaths } from './guards.ts';
import { setsSecurityHeaders } from './headers.ts';
import { pagesApp } from './pages/routes.tsx';
import { forgetNotices } from './services/notices.ts';
import { type AppEnv, type Deps, guardsAccess, readsSession, refusesForeignOrigins } from './session.ts';

/** The whole application over one database, without a socket: `createApp(deps).request('/…')` is a test. */
export function createApp(deps: Deps): Hono<AppEnv> {
  const app = new Hono<AppEnv>({ strict: false });
  app.use(async (c, next) => {
    c.set('deps', deps);
    c.set('requestId', randomUUID());
    const started = performance.now();
    await next();
    if (c.req.method !== 'GET') forgetNotices(deps.db);
    const ms = Math.round((performance.now() - started) * 10) / 10;
    const route = {
      id: c.get('requestId'),
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      ms,
    };
    deps.log[c.res.status >= 500 ? 'error' : 'info'](
      { ...route, userId: c.get('session')?.userId },
      'request',
    );
  });
  app.use(setsSecurityHeaders);
  app.use(refusesOddPaths);
  // A list is 100 KB of HTML and 8 KB of gzip; assets come compressed from the build.
  app.use(compress({ encoding: 'gzip' }));
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
