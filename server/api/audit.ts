import { z } from 'zod';
import { auditList } from '../lists/audit.ts';
import { requireOrderedPeriods } from '../lists/filter.ts';
import { AUDIT_FILTER_NOUNS, AUDIT_SORTS } from '../services/audit/entities.ts';
import { searchAudit } from '../services/audit/reading.ts';
import { listAnswer } from '../shapes/answers.ts';
import { auditEntryAnswer } from '../shapes/audit.ts';
import {
  choiceField,
  cursorField,
  dateField,
  idField,
  limitField,
  sortOrderShape,
  textField,
} from '../shapes/fields.ts';
import { createEndpoints } from './calls.ts';
import { answerList } from './lists.ts';

const endpoints = createEndpoints('Bitácora');
export const auditApi = endpoints.app;

endpoints.reads('/audit', {
  summary: 'Quién cambió qué',
  text: 'De la anotación más reciente a la más antigua, si no se pide otro orden. `before` y `after` son los registros, con los importes y las tasas como en el resto de la API.',
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
      ...sortOrderShape(AUDIT_SORTS).shape,
      limit: limitField,
      cursor: cursorField,
    })
    .meta({ examples: [{ entity: 'payments', from: '2026-11-01', limit: 50 }] }),
  returns: 'Las anotaciones',
  answer: listAnswer(auditEntryAnswer),
  headers: ['page'],
  problems: ['bad_period'],
  run: async ({ c, db, query: { limit = 1000, sortfield: sort, sorttype: direction, ...filter } }) => {
    requireOrderedPeriods(auditList.filters, filter);
    const query = { ...filter, sort, direction, limit };
    const { rows, count: total, cursor } = await searchAudit(db, query, c.get('deps').config);
    return answerList(c, rows.map(auditEntryAnswer.toJson), { total, cursor });
  },
});
