import { Hono } from 'hono';
import { pages } from '../../../shared/urls.ts';
import { localPath, readForm } from '../../http/request.ts';
import { type AppEnv, requireSession } from '../../http/session.ts';
import { denseRows } from '../../services/preferences/dense-rows.ts';
import { setPreference } from '../../services/preferences/preferences.ts';

/** Whether tables have dense rows: a choice of the user, for all of them at once. */
export const denseRowsPages = new Hono<AppEnv>({ strict: false }).post(pages.denseRows, async (c) => {
  const { densas, returnTo } = await readForm(c);
  await setPreference(c.get('deps').db, requireSession(c).userId, denseRows, densas ? true : undefined);
  return c.redirect(localPath(returnTo) ?? pages.invoices, 303);
});
