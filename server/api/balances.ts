import { Hono } from 'hono';
import { z } from 'zod';
import { balanceRecord } from '../../shared/balances.ts';
import { sendExport } from '../http/export-answer.ts';
import type { AppEnv } from '../http/session.ts';
import { readBalances } from '../services/balances/balances.ts';
import { balancesExport } from '../services/exports/balances.ts';
import { balanceAnswer, balanceQueryShape, toBalanceQuery } from '../shapes/balances.ts';
import { parseQuery } from '../shapes/fields.ts';
import { describes } from './describe.ts';

/** Mounted under /facturaproveedores, before its own routes. */
export const balancesApi = new Hono<AppEnv>({ strict: false }).get(
  '/reporting/pivot',
  describes({
    tag: 'Facturas',
    summary: 'Saldos por proveedor y semana',
    text: 'Una fila por factura abierta, el total de cada proveedor y el total general. `ANTERIORES` está siempre; después, una columna por semana (`SEM 47`), en el orden en que vienen.',
    query: balanceQueryShape,
    success: {
      status: 200,
      says: 'Las filas, cada una con todas las columnas',
      shape: z.array(balanceAnswer),
    },
    problems: ['bad_week'],
  }),
  async (c) => {
    const { db, config } = c.get('deps');
    const { format, ...asked } = parseQuery(balanceQueryShape, c.req.queries());
    const query = toBalanceQuery(asked);
    const report = await readBalances(db, query, { today: c.get('today'), timeZone: config.timeZone });
    if (format) return sendExport(c, format, await balancesExport(db, query, report));
    return c.json(report.rows.map((row) => balanceRecord(row, report.columns)));
  },
);
