import { Hono } from 'hono';
import { balanceRecord } from '../../shared/balances.ts';
import { readBalances } from '../services/balances.ts';
import type { AppEnv } from '../session.ts';
import { balanceQueryShape, toBalanceQuery } from '../shapes/balances.ts';
import { parseQuery } from '../shapes/fields.ts';

/** Mounted under /facturaproveedores, before its own routes. */
export const balancesApi = new Hono<AppEnv>({ strict: false }).get('/reporting/pivot', async (c) => {
  const { db, config } = c.get('deps');
  const query = toBalanceQuery(parseQuery(balanceQueryShape, c.req.queries()));
  const report = await readBalances(db, query, { today: c.get('today'), timeZone: config.timeZone });
  return c.json(report.rows.map((row) => balanceRecord(row, report.columns)));
});
