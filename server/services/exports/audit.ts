import type { Db } from '../../../db/schema.ts';
import {
  createPages,
  createSheetColumns,
  type ExportQuery,
  numberCell,
  type PartialListExport,
} from '../../formats/sheets/sheet.ts';
import { auditEntryAnswer } from '../../shapes/audit.ts';
import type { AuditedEntity } from '../audit/entities.ts';
import { describeEntry, originLabel } from '../audit/entry-descriptions.ts';
import { AUDIT_NOUNS } from '../audit/nouns.ts';
import { type AuditEntry, type AuditQuery, searchAudit } from '../audit/reading.ts';
import { formatMoment } from './export-texts.ts';

export const auditExport = (
  db: Db,
  query: ExportQuery<AuditQuery>,
  timeZone: string,
): PartialListExport<AuditEntry> => ({
  sheet: {
    columns: createSheetColumns([
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
      { name: 'text', heading: 'Qué', cell: describeEntryInOneLine },
    ]),
    pages: createPages((part) => searchAudit(db, { ...query, ...part }, { timeZone }), query),
  },
  toRecords: (entries) => entries.map(auditEntryAnswer.toJson),
});

function describeEntryInOneLine(entry: AuditEntry): string {
  const { text, changes } = describeEntry(entry);
  const details = changes.map(({ label, before, after }) => `${label}: ${before} → ${after}`);
  return [text, ...details].join('; ');
}
