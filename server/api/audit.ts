import { z } from 'zod';
import { auditList } from '../lists/audit.ts';
import { requireOrderedPeriods } from '../lists/filter.ts';
import { AUDIT_FILTER_NOUNS } from '../services/audit/entities.ts';
import { searchAudit } from '../services/audit/reading.ts';
import { listAnswer } from '../shapes/answers.ts';
import { auditAnswer } from '../shapes/audit.ts';
import { choiceField, cursorField, dateField, idField, limitField, textField } from '../shapes/fields.ts';
import { defineCalls } from './calls.ts';
import { answerList } from './lists.ts';

const calls = defineCalls('Bitácora');
export const auditApi = calls.app;

calls.reads('/audit', {
  summary: 'Quién cambió qué',
  text: 'De la anotación más reciente a la más antigua. `before` y `after` son los registros, con los importes y las tasas como en el resto de la API.',
  query: z
    .strictObject({
      entity: choiceField('entity', AUDIT_FILTER_NOUNS).meta({
        description: 'De qué: uno de los nombres del glosario',
      }),
      entityId: textField('Registro', 40, 'entityId').meta({
        description: 'El registro; en los ajustes, su nombre',
      }),
      userId: idField('Usuario').meta({ description: 'Quién lo hizo' }),
      from: dateField('Desde').meta({ description: 'Desde ese día, en la zona horaria del negocio' }),
      to: dateField('Hasta').meta({ description: 'Hasta ese día, incluido' }),
      limit: limitField,
      cursor: cursorField,
    })
    .meta({ examples: [{ entity: 'payments', from: '2026-11-01', limit: 50 }] }),
  returns: 'Las anotaciones',
  answer: listAnswer(auditAnswer),
  headers: ['page'],
  problems: ['bad_period'],
  run: async ({ c, db, query: { limit = 1000, ...filter } }) => {
    requireOrderedPeriods(auditList.filters, filter);
    const { entries, ...page } = await searchAudit(db, { ...filter, limit }, c.get('deps').config);
    return answerList(c, entries.map(auditAnswer.toJson), page);
  },
});
