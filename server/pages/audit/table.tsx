import { clockTimeIn, formatDate, plainDateIn } from '../../../shared/dates.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { Pager } from '../../../shared/ui/Pager.tsx';
import { exportOf, pages, withQuery } from '../../../shared/urls.ts';
import type { AuditChange } from '../../services/audit/batch-lines.ts';
import type { AuditEntry } from '../../services/audit/reading.ts';
import { originLabel, wordEntry } from '../../services/audit/wording.ts';

interface AuditTableProps {
  entries: readonly AuditEntry[];
  timeZone: string;
  total: number;
  shown: number;
  next?: string;
}

/** Each entry as a sentence, with what changed below it. */
export function AuditTable({ entries, timeZone, total, shown, next }: AuditTableProps) {
  if (total === 0)
    return (
      <EmptyState
        title="Ninguna anotación coincide"
        action={<LinkButton href={pages.audit}>Quitar filtros</LinkButton>}
      >
        Aquí queda quién capturó, cambió o eliminó qué, y desde dónde.
      </EmptyState>
    );
  return (
    <>
      <DataTable caption="Bitácora" columns={columnsOf(timeZone)} rows={entries} rowKey={({ id }) => id} />
      <Pager shown={shown} total={total} noun={total === 1 ? 'anotación' : 'anotaciones'} href={next} />
    </>
  );
}

/** When, as clocks in the business's zone saw it. */
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

export const WHO: Column<AuditEntry> = {
  key: 'username',
  label: 'Quién',
  render: ({ username }) => username,
};

const columnsOf = (timeZone: string): Column<AuditEntry>[] => [
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
          <details className="disclosure">
            <summary>
              <Icon name="chevron" />
              Datos
            </summary>
            <Changes changes={changes} whole={whole} isWhole />
          </details>
        ))}
    </>
  );
}

interface ChangesProps {
  changes: readonly AuditChange[];
  /** where the entries of its row are told in full */
  whole: string;
  /** of a row that was not there before, or is no more: what it was */
  isWhole?: boolean;
}

/** A batch may have a thousand lines. */
const MOST_TOLD = 20;

function Changes({ changes, whole, isWhole = false }: ChangesProps) {
  const untold = changes.length - MOST_TOLD;
  return (
    <ul className="changes">
      {changes.slice(0, MOST_TOLD).map(({ label, before, after }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several lines of a batch may be called the same
        <li key={index}>
          {label}: {isWhole ? (after === '—' ? before : after) : `${before} → ${after}`}
        </li>
      ))}
      {untold > 0 && (
        <li>
          <a href={whole}>y {untold.toLocaleString('es-MX')} más</a>
        </li>
      )}
    </ul>
  );
}
