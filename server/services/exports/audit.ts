import type { Db } from '../../../db/schema.ts';
import { columnsOf, type ListRows, numberCell, pagesOf, type SheetPart } from '../../formats/sheets/sheet.ts';
import { auditAnswer } from '../../shapes/audit.ts';
import type { AuditedEntity } from '../audit/entities.ts';
import { AUDIT_NOUNS } from '../audit/nouns.ts';
import { type AuditEntry, type AuditQuery, searchAudit } from '../audit/reading.ts';
import { describeEntry, originLabel } from '../audit/wording.ts';
import { formatMoment } from './filter-words.ts';

export const auditExport = (
  db: Db,
  query: Omit<AuditQuery, 'limit'> & SheetPart,
  timeZone: string,
): ListRows<AuditEntry> => ({
  sheet: {
    columns: columnsOf([
      { name: 'id', heading: 'ID' },
      { name: 'at', heading: 'Cuándo', cell: ({ at }) => formatMoment(new Date(at), timeZone) },
      { name: 'username', heading: 'Quién' },
      { name: 'origin', heading: 'Desde', cell: ({ origin }) => originLabel(origin) },
      {
        name: 'entity',
        heading: 'De qué',
        cell: ({ entity }) => AUDIT_NOUNS[entity as AuditedEntity]?.many ?? entity,
      },
      { name: 'entityId', heading: 'Registro', cell: ({ entityId }) => numberCell(entityId) },
      { name: 'text', heading: 'Qué', cell: describeInOneLine },
    ]),
    pages: pagesOf((part) => searchAudit(db, { ...query, ...part }, { timeZone }), query),
  },
  toRecords: (entries) => entries.map(auditAnswer.toJson),
});

function describeInOneLine(entry: AuditEntry): string {
  const { text, changes } = describeEntry(entry);
  const details = changes.map(({ label, before, after }) => `${label}: ${before} → ${after}`);
  return [text, ...details].join('; ');
}
