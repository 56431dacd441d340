import { z } from 'zod';
import { decodeCursor, encodeCursor } from '../../db/paging.ts';
import { auditList } from '../lists/audit.ts';
import { requirePeriods } from '../lists/filter.ts';
import { searchAudit } from '../services/audit/reading.ts';
import { auditAnswer, auditQueryShape, toAuditJson } from '../shapes/audit.ts';
import { answerList, callsOf } from './calls.ts';

const calls = callsOf('Bitácora');
export const auditApi = calls.app;

calls.reads('/audit', {
  summary: 'Quién cambió qué',
  text: 'De la anotación más reciente a la más antigua. `before` y `after` son los registros, con los importes y las tasas como en el resto de la API.',
  query: auditQueryShape,
  says: 'Las anotaciones',
  answer: z.array(auditAnswer),
  headers: ['page'],
  problems: ['bad_period'],
  run: async ({ c, db, query: { limit = 1000, cursor: place, ...filter } }) => {
    requirePeriods(auditList.filters, filter);
    const cursor = place ? decodeCursor(place, 'number').id : undefined;
    const page = await searchAudit(db, { ...filter, limit, cursor }, c.get('deps').config);
    const next = page.cursor && encodeCursor({ value: page.cursor, id: page.cursor });
    return answerList(c, page.entries.map(toAuditJson), { total: page.total, cursor: next || undefined });
  },
});
