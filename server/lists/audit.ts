import { pages } from '../../shared/urls.ts';
import {
  AUDIT_SORTS,
  AUDITED_ENTITIES,
  type AuditedEntity,
  type AuditSort,
} from '../services/audit/entities.ts';
import { AUDIT_NOUNS } from '../services/audit/nouns.ts';
import { userFilter } from './catalog-filters.ts';
import { choiceFilter, createPeriodFlags, type Filter } from './filter.ts';
import type { List } from './list.ts';

const ENTITY_LABELS = {
  ...(Object.fromEntries(AUDITED_ENTITIES.map((noun) => [noun, AUDIT_NOUNS[noun].many])) as Record<
    AuditedEntity,
    string
  >),
  'petty-cash': 'Caja chica, todo',
};

const filters = [
  choiceFilter('entity', 'De qué', ENTITY_LABELS, {
    flag: ['--entity <de qué>', 'de qué: uno de los nombres del glosario'],
  }),
  { ...userFilter, label: 'Quién' },
  {
    kind: 'period',
    name: 'from',
    to: 'to',
    label: 'Periodo',
    ends: ['Desde', 'Hasta'],
    flags: createPeriodFlags(),
  },
  {
    kind: 'text',
    name: 'entityId',
    label: 'Registro',
    max: 40,
    flag: ['--id <registro>', 'un registro, por su id'],
  },
] as const satisfies readonly Filter[];

export const auditList: List<typeof filters, AuditSort> = {
  title: 'Bitácora',
  noun: ['anotación', 'anotaciones'],
  page: pages.audit,
  area: 'admin',
  help: 'bitacora',
  filters,
  alwaysVisible: ['entity', 'userId', 'from'],
  sorts: AUDIT_SORTS,
  indexedSorts: ['id', 'at'],
  newestFirst: true,
  command: { name: 'audit', description: 'la bitácora: quién cambió qué' },
  async readExport(query, { db, timeZone }) {
    const { auditExport } = await import('../services/exports/audit.ts');
    return auditExport(db, query, timeZone);
  },
};
