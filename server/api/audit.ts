import { auditList } from '../lists/audit.ts';
import { requirePeriods } from '../lists/filter.ts';
import { searchAudit } from '../services/audit/reading.ts';
import { listOf } from '../shapes/answers.ts';
import { auditAnswer, auditQueryShape } from '../shapes/audit.ts';
import { answerList, callsOf } from './calls.ts';

const calls = callsOf('Bitácora');
export const auditApi = calls.app;

calls.reads('/audit', {
  summary: 'Quién cambió qué',
  text: 'De la anotación más reciente a la más antigua. `before` y `after` son los registros, con los importes y las tasas como en el resto de la API.',
  query: auditQueryShape,
  says: 'Las anotaciones',
  answer: listOf(auditAnswer),
  headers: ['page'],
  problems: ['bad_period'],
  run: async ({ c, db, query: { limit = 1000, ...asked } }) => {
    requirePeriods(auditList.filters, asked);
    const { entries, ...page } = await searchAudit(db, { ...asked, limit }, c.get('deps').config);
    return answerList(c, entries.map(auditAnswer.toJson), page);
  },
});
