import { Hono } from 'hono';
import { z } from 'zod';
import { balanceRecord } from '../../shared/balances.ts';
import type { AppEnv } from '../http/session.ts';
import { balanceList, balanceQueryOf } from '../lists/reports.ts';
import { apiShape } from '../lists/shapes.ts';
import { readBalances } from '../services/balances/balances.ts';
import { balanceAnswer } from '../shapes/balances.ts';
import { formatField, parseQuery } from '../shapes/fields.ts';
import { answerRows, sendList } from './answers.ts';
import { describes } from './describe.ts';

const queryShape = apiShape(balanceList)
  .extend({ format: formatField })
  .meta({ examples: [{ weeknum: 47, yr: 2026, corte: '2026-11-20' }] });

/** Mounted under /facturaproveedores, before its own routes. */
export const balancesApi = new Hono<AppEnv>({ strict: false }).get(
  '/reporting/pivot',
  describes({
    tag: 'Facturas',
    summary: 'Saldos por proveedor y semana',
    text: 'Una fila por factura abierta, el total de cada proveedor y el total general. `ANTERIORES` está siempre; después, una columna por semana (`SEM 47`), en el orden en que vienen.',
    query: queryShape,
    success: {
      status: 200,
      says: 'Las filas, cada una con todas las columnas',
      shape: z.array(balanceAnswer),
    },
    problems: ['bad_week', 'report_too_large'],
  }),
  async (c) => {
    const { db, config } = c.get('deps');
    const { format, ...asked } = parseQuery(queryShape, c.req.queries());
    if (format) return sendList(c, balanceList, asked, format);
    const day = { today: c.get('today'), timeZone: config.timeZone };
    const report = await readBalances(db, balanceQueryOf(asked), day);
    return answerRows(c, report.rows, (row) => balanceRecord(row, report.columns));
  },
);
