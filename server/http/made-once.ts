import { cachedAnswer } from '../../db/answer-cache.ts';
import { language } from '../../shared/language.ts';
import { readSettings } from '../services/settings/settings.ts';
import type { AppContext } from './session.ts';

/**
 * What is made for an address that is only read, and is the same for everybody who may: made once for as long as
 * nothing is written, where the database can tell, and the settings and the minute are the same. `kind` tells apart what
 * one address gives in several forms. Nobody may change what comes out.
 */
export async function madeOnce<T>(c: AppContext, kind: string, make: () => Promise<T>): Promise<T> {
  if (c.req.method !== 'GET') return make();
  const { db } = c.get('deps');
  const minute = Math.floor(c.get('now').getTime() / 60_000);
  const key = JSON.stringify([kind, c.req.url, minute, c.get('today'), await readSettings(db), language()]);
  return cachedAnswer(db, key, make);
}
