import { Hono } from 'hono';
import type { FilterField } from '../../../islands/ListFilter.tsx';
import { formatCount } from '../../../shared/counts.ts';
import { formatMoment } from '../../../shared/dates.ts';
import { currentLanguage } from '../../../shared/language.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import type { Column } from '../../../shared/ui/DataTable.tsx';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { Facts } from '../../../shared/ui/Facts.tsx';
import { exportPath, pages, withQuery } from '../../../shared/urls.ts';
import type { AppContext, AppEnv } from '../../http/session.ts';
import { auditList } from '../../lists/audit.ts';
import { findAuditFaults, readAuditTail } from '../../services/audit/audit.ts';
import type { AuditChange } from '../../services/audit/batch-lines.ts';
import { describeEntry, originLabel } from '../../services/audit/entry-descriptions.ts';
import { type AuditEntry, searchAudit } from '../../services/audit/reading.ts';
import { listUsers } from '../../services/users/reading.ts';
import { showList } from '../ui/list-page.tsx';

export const auditPages = new Hono<AppEnv>({ strict: false }).get(pages.audit, async (c) => {
  const { db, config } = c.get('deps');
  const isChecked = c.req.query('comprobar') === '1';
  const users = await listUsers(db, {});
  const names = users.map(({ id, username }) => ({ value: String(id), label: username }));
  const options = [{ value: '', label: 'Todos' }, ...names];
  return showList(c, auditList, {
    alert: async () => isChecked && <ChainCheckAlert faults={await findChainFaults(c)} />,
    controls: (fields) =>
      fields.map(
        (field): FilterField =>
          field.name === 'userId' && field.kind === 'text' ? { ...field, kind: 'select', options } : field,
      ),
    read: async (_, search) => ({
      ...(await searchAudit(db, search, config)),
      tail: await readAuditTail(db),
    }),
    columns: () => auditColumns(config.timeZone),
    after: ({ tail }) => <ChainTail tail={tail} />,
    noMatches: c.req.query('entityId')
      ? {
          title: 'Sin cambios',
          hint: 'Nadie lo ha cambiado desde que se lleva la bitácora.',
          clear: 'Ver todos',
        }
      : { title: 'Sin registros', hint: 'Aquí queda quién capturó, cambió o eliminó qué.' },
  });
});

const MAX_FAULTS = 20;

async function findChainFaults(c: AppContext): Promise<{ id: number; problem: string }[]> {
  const faults = [];
  for await (const fault of findAuditFaults(c.get('deps').db)) {
    faults.push(fault);
    if (faults.length === MAX_FAULTS) break;
  }
  return faults;
}

function ChainCheckAlert({ faults }: { faults: readonly { id: number; problem: string }[] }) {
  if (faults.length === 0)
    return <Alert tone="success">La cadena está completa: ninguna anotación falta ni ha cambiado.</Alert>;
  return (
    <Alert tone="error">
      La cadena está rota: {faults.map(({ id, problem }) => `anotación ${id}, ${problem}`).join('; ')}.
    </Alert>
  );
}

/** The hash of the last entry, noted down elsewhere, proves later that no earlier entry was changed. */
const ChainTail = ({ tail: { lastId, lastHash } }: { tail: { lastId: number; lastHash: string } }) => (
  <Disclosure summary="Detalles">
    <p className="note">
      Cada anotación lleva la huella de la anterior, así que ninguna se quita ni se cambia sin que se note.
    </p>
    <Facts
      facts={{
        Última: formatCount(lastId),
        Huella: lastHash && <code>{lastHash}</code>,
      }}
    />
    <LinkButton href={withQuery(pages.audit, { comprobar: 1 })} icon="check">
      Comprobar la cadena
    </LinkButton>
  </Disclosure>
);

export const timeColumn = (timeZone: string): Column<AuditEntry> => ({
  key: 'at',
  label: 'Cuándo',
  render: ({ at }) => <time dateTime={at}>{formatMoment(new Date(at), timeZone)}</time>,
});

export const USER_COLUMN: Column<AuditEntry> = { key: 'username', label: 'Quién' };

const USUAL_ORIGINS = new Set(['page', 'system']);

const auditColumns = (timeZone: string): Column<AuditEntry>[] => [
  ...(currentLanguage() === 'es' ? [] : [{ key: 'id', label: 'ID', align: 'end', card: 'corner' } as const]),
  { ...timeColumn(timeZone), card: 'half', cardLabel: () => '' },
  {
    ...USER_COLUMN,
    card: 'half',
    cardLabel: () => '',
    textBelow: ({ origin }) => (USUAL_ORIGINS.has(origin) ? null : originLabel(origin)),
  },
  {
    key: 'text',
    label: 'Qué',
    card: 'title',
    className: 'said wraps',
    render: (entry) => <EntrySentence entry={entry} />,
  },
];

function EntrySentence({ entry }: { entry: AuditEntry }) {
  const { text, changes, href } = describeEntry(entry);
  const { entity, entityId } = entry;
  const exportAddress = withQuery(exportPath(pages.audit, 'csv'), { entity, entityId });
  return (
    <>
      {href ? <a href={href}>{shortenHashes(text)}</a> : shortenHashes(text)}
      {changes.length > 0 &&
        (entry.action === 'update' ? (
          <Changes changes={changes} exportAddress={exportAddress} />
        ) : (
          <Disclosure summary={<span className="visually-hidden">Datos</span>}>
            <Changes changes={changes} exportAddress={exportAddress} isSingleValued />
          </Disclosure>
        ))}
    </>
  );
}

interface ChangesProps {
  changes: readonly AuditChange[];
  exportAddress: string;
  /** whether each field has one value instead of an old and a new one, because the row was created or deleted */
  isSingleValued?: boolean;
}

const shortenHashes = (text: string) => text.replace(/\b([0-9a-f]{12})[0-9a-f]{52}\b/g, '$1…');

/** Limits the changed fields shown for one entry, because a payment batch may have a thousand. */
const MAX_CHANGES = 20;

function Changes({ changes, exportAddress, isSingleValued = false }: ChangesProps) {
  const hidden = changes.length - MAX_CHANGES;
  return (
    <ul className="changes">
      {changes.slice(0, MAX_CHANGES).map(({ label, before, after }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several lines of a batch may be called the same
        <li key={index}>
          {label}: {shortenHashes(isSingleValued ? (after === '—' ? before : after) : `${before} → ${after}`)}
        </li>
      ))}
      {hidden > 0 && (
        <li>
          <a href={exportAddress}>y {formatCount(hidden)} más</a>
        </li>
      )}
    </ul>
  );
}
