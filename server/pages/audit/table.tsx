import { clockTimeIn, formatDate, plainDateIn } from '../../../shared/dates.ts';
import type { Column } from '../../../shared/ui/DataTable.tsx';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { exportOf, pages, withQuery } from '../../../shared/urls.ts';
import type { AuditChange } from '../../services/audit/batch-lines.ts';
import type { AuditEntry } from '../../services/audit/reading.ts';
import { originLabel, wordEntry } from '../../services/audit/wording.ts';

/** The moment by the clocks of the business's zone. */
export const whenOf = (timeZone: string): Column<AuditEntry> => ({
  key: 'at',
  label: 'Cuándo',
  render: ({ at }) => {
    const moment = new Date(at);
    return (
      <time dateTime={at}>
        {formatDate(plainDateIn(moment, timeZone))} {clockTimeIn(moment, timeZone)}
      </time>
    );
  },
});

export const WHO: Column<AuditEntry> = { key: 'username', label: 'Quién' };

/** Each entry as a sentence, with the changes below it. */
export const auditColumns = (timeZone: string): Column<AuditEntry>[] => [
  { key: 'id', label: 'ID', align: 'end', card: 'corner' },
  whenOf(timeZone),
  WHO,
  { key: 'origin', label: 'Desde', render: ({ origin }) => originLabel(origin) },
  {
    key: 'text',
    label: 'Qué',
    card: 'title',
    className: 'said',
    render: (entry) => <Sentence entry={entry} />,
  },
];

function Sentence({ entry }: { entry: AuditEntry }) {
  const { text, changes, href } = wordEntry(entry);
  const { entity, entityId } = entry;
  const whole = withQuery(exportOf(pages.audit, 'csv'), { entity, entityId });
  return (
    <>
      {href ? <a href={href}>{text}</a> : text}
      {changes.length > 0 &&
        (entry.action === 'update' ? (
          <Changes changes={changes} whole={whole} />
        ) : (
          <Disclosure summary="Datos">
            <Changes changes={changes} whole={whole} isWhole />
          </Disclosure>
        ))}
    </>
  );
}

interface ChangesProps {
  changes: readonly AuditChange[];
  /** the file with all changes of the row */
  whole: string;
  /** of a row that was not there before, or is no more: its members, which have one value */
  isWhole?: boolean;
}

/** A batch may have a thousand lines. */
const MOST_SHOWN = 20;

function Changes({ changes, whole, isWhole = false }: ChangesProps) {
  const hidden = changes.length - MOST_SHOWN;
  return (
    <ul className="changes">
      {changes.slice(0, MOST_SHOWN).map(({ label, before, after }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several lines of a batch may be called the same
        <li key={index}>
          {label}: {isWhole ? (after === '—' ? before : after) : `${before} → ${after}`}
        </li>
      ))}
      {hidden > 0 && (
        <li>
          <a href={whole}>y {hidden.toLocaleString('es-MX')} más</a>
        </li>
      )}
    </ul>
  );
}
