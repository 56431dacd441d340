import { Hono } from 'hono';
import { pages } from '../../shared/urls.ts';
import { cameFrom } from '../http/request.ts';
import { type AppEnv, requireSession } from '../http/session.ts';
import { markSeen, seenIn } from '../services/seen-notices.ts';

/** The bell was opened: what it counted is not counted again. Back to the page that it stood on. */
export const seenNoticesPages = new Hono<AppEnv>({ strict: false }).post(pages.seenNotices, async (c) => {
  await markSeen(c.get('deps').db, requireSession(c).userId, seenIn(c.req.query()));
  return c.redirect(cameFrom(c) ?? pages.invoices, 303);
});
