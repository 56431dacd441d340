import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import {
  type FilterFact,
  figure,
  type ListExport,
  pagesOf,
  type Sheet,
  type SheetPart,
} from '../../formats/sheets/sheet.ts';
import { toAuditJson } from '../../shapes/audit.ts';
import type { Audited } from '../audit/entities.ts';
import { AUDIT_NOUNS } from '../audit/nouns.ts';
import { type AuditEntry, type AuditFilter, searchAudit } from '../audit/reading.ts';
import { originLabel, wordEntry } from '../audit/wording.ts';
import { formatMoment } from './filter-words.ts';

type Query = AuditFilter & SheetPart;

/** The audit trail as a file: what each entry says, in words. */
export const auditExport = (
  db: Db,
  query: Query,
  { today, timeZone, facts }: { today: PlainDate; timeZone: string; facts: readonly FilterFact[] },
): ListExport<AuditEntry> => ({
  file: `Bitácora ${today}`,
  title: 'Bitácora',
  filters: facts,
  noun: ['anotación', 'anotaciones'],
  sheet: auditSheet(db, query, timeZone),
  toRecords: (entries) => entries.map(toAuditJson),
});

const auditSheet = (db: Db, query: Query, timeZone: string): Sheet<AuditEntry> => ({
  columns: [
    { name: 'id', heading: 'ID', cell: ({ id }) => id },
    { name: 'at', heading: 'Cuándo', cell: ({ at }) => formatMoment(new Date(at), timeZone) },
    { name: 'username', heading: 'Quién', cell: ({ username }) => username },
    { name: 'origin', heading: 'Desde', cell: ({ origin }) => originLabel(origin) },
    {
      name: 'entity',
      heading: 'De qué',
      cell: ({ entity }) => AUDIT_NOUNS[entity as Audited]?.many ?? entity,
    },
    { name: 'entityId', heading: 'Registro', cell: ({ entityId }) => figure(entityId) },
    { name: 'text', heading: 'Qué', cell: (entry) => sentenceOf(entry) },
  ],
  pages: pagesOf(async ({ limit, cursor }) => {
    const asked = { ...query, limit, cursor: cursor === undefined ? undefined : Number(cursor) };
    const page = await searchAudit(db, asked, { timeZone });
    return { rows: page.entries, cursor: page.cursor?.toString() };
  }, query),
});

function sentenceOf(entry: AuditEntry): string {
  const { text, changes } = wordEntry(entry);
  const details = changes.map(({ label, before, after }) => `${label}: ${before} → ${after}`);
  return [text, ...details].join('; ');
}
