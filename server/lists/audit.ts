import { pages } from '../../shared/urls.ts';
import { AUDITED } from '../services/audit/entities.ts';
import { AUDIT_NOUNS } from '../services/audit/nouns.ts';
import type { Filter } from './filter.ts';
import type { List } from './list.ts';

const CHOICES = [...AUDITED, 'petty-cash'] as const;
const LABELS = {
  ...Object.fromEntries(AUDITED.map((noun) => [noun, AUDIT_NOUNS[noun].many])),
  'petty-cash': 'Caja chica, todo',
};

const filters = [
  {
    kind: 'choice',
    name: 'entity',
    label: 'De qué',
    choices: CHOICES,
    labels: LABELS,
    flag: ['--entity <de qué>', 'de qué: uno de los nombres del glosario'],
  },
  { kind: 'row', name: 'userId', label: 'Quién', table: 'users', column: 'username' },
  {
    kind: 'date',
    name: 'from',
    label: 'Desde',
    bound: 'from',
    words: 'Periodo',
    flag: ['--from <fecha>', 'desde ese día, AAAA-MM-DD'],
  },
  {
    kind: 'date',
    name: 'to',
    label: 'Hasta',
    bound: 'to',
    words: 'Periodo',
    flag: ['--to <fecha>', 'hasta ese día'],
  },
  {
    kind: 'text',
    name: 'entityId',
    label: 'Registro',
    max: 40,
    flag: ['--id <registro>', 'un registro, por su id'],
  },
] as const satisfies readonly Filter[];

export const auditList: List<typeof filters> = {
  title: 'Bitácora',
  page: pages.audit,
  area: 'admin',
  help: 'bitacora',
  filters,
  inSight: ['entity', 'userId', 'from', 'to'],
  sorts: {},
  isPaged: true,
  command: { name: 'audit', says: 'la bitácora: quién cambió qué' },
  async read({ limit, cursor, ...asked }, { db, today, timeZone, facts }) {
    const { auditExport } = await import('../services/exports/audit.ts');
    return auditExport(db, { ...asked, limit, cursor }, { today, timeZone, facts });
  },
};
