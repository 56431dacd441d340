import { Hono } from 'hono';
import { z } from 'zod';
import { decodeCursor, encodeCursor } from '../../db/paging.ts';
import type { AppEnv } from '../http/session.ts';
import { auditList } from '../lists/audit.ts';
import { requirePeriods } from '../lists/filter.ts';
import { searchAudit } from '../services/audit/reading.ts';
import { auditAnswer, auditQueryShape, toAuditJson } from '../shapes/audit.ts';
import { parseQuery } from '../shapes/fields.ts';
import { answerList } from './answers.ts';
import { describes } from './describe.ts';

export const auditApi = new Hono<AppEnv>({ strict: false }).get(
  '/audit',
  describes({
    tag: 'Bitácora',
    summary: 'Quién cambió qué',
    text: 'De la anotación más reciente a la más antigua. `before` y `after` son los registros, con los importes y las tasas como en el resto de la API.',
    query: auditQueryShape,
    success: { status: 200, says: 'Las anotaciones', shape: z.array(auditAnswer), headers: ['page'] },
    problems: ['bad_period'],
  }),
  async (c) => {
    const { db, config } = c.get('deps');
    const { limit = 1000, cursor, ...filter } = parseQuery(auditQueryShape, c.req.queries());
    requirePeriods(auditList.filters, filter);
    const after = cursor ? decodeCursor(cursor, 'number').id : undefined;
    const page = await searchAudit(db, { ...filter, limit, cursor: after }, config);
    const entries = page.entries.map(toAuditJson);
    const next = page.cursor && encodeCursor({ value: page.cursor, id: page.cursor });
    return answerList(c, entries, { total: page.total, cursor: next || undefined });
  },
);
