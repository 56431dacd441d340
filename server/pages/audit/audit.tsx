import { Hono } from 'hono';
import { decodeCursor, encodeCursor } from '../../../db/paging.ts';
import type { FilterField } from '../../../islands/ListFilter.tsx';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AppContext, AppEnv } from '../../http/session.ts';
import { auditList } from '../../lists/audit.ts';
import { auditFaults, readAuditTail } from '../../services/audit/audit.ts';
import { searchAudit } from '../../services/audit/reading.ts';
import { searchUsers } from '../../services/users/reading.ts';
import { showList } from '../ui/list-page.tsx';
import { auditColumns } from './table.tsx';

export const auditPages = new Hono<AppEnv>({ strict: false }).get(pages.audit, async (c) => {
  const { db, config } = c.get('deps');
  const isChecked = c.req.query('comprobar') === '1';
  const users = await searchUsers(db, {});
  const names = users.map(({ id, username }) => ({ value: String(id), label: username }));
  const options = [{ value: '', label: 'Todos' }, ...names];
  return showList(c, auditList, {
    alert: async () => isChecked && <ChainState faults={await verify(c)} />,
    controls: (fields) =>
      fields.map(
        (field): FilterField =>
          field.name === 'userId' && field.kind === 'text' ? { ...field, kind: 'select', options } : field,
      ),
    async read(_, { limit, cursor }, { entity, entityId, userId, from, to }) {
      const before = cursor ? decodeCursor(cursor, 'number').id : undefined;
      const asked = { entity, entityId, userId, from, to, limit, cursor: before };
      const page = await searchAudit(db, asked, config);
      const next = page.cursor && encodeCursor({ value: page.cursor, id: page.cursor });
      const tail = await readAuditTail(db);
      return { rows: page.entries, cursor: next || undefined, count: page.total, tail };
    },
    columns: () => auditColumns(config.timeZone),
    after: ({ tail }) => <Chain tail={tail} />,
    unfound: {
      title: 'Ninguna anotación coincide',
      hint: 'Aquí queda quién capturó, cambió o eliminó qué, y desde dónde.',
    },
  });
});

const MOST_FAULTS = 20;

/** Goes through the whole chain. */
async function verify(c: AppContext): Promise<{ id: number; problem: string }[]> {
  const faults = [];
  for await (const fault of auditFaults(c.get('deps').db)) {
    faults.push(fault);
    if (faults.length === MOST_FAULTS) break;
  }
  return faults;
}

function ChainState({ faults }: { faults: readonly { id: number; problem: string }[] }) {
  if (faults.length === 0)
    return <Alert tone="success">La cadena está completa: ninguna anotación falta ni ha cambiado.</Alert>;
  return (
    <Alert tone="error">
      La cadena está rota: {faults.map(({ id, problem }) => `anotación ${id}, ${problem}`).join('; ')}.
    </Alert>
  );
}

/** Its end, which witnesses all before it where it was noted down elsewhere. */
function Chain({ tail }: { tail: { lastId: number; lastHash: string } }) {
  return (
    <section className="chain" aria-label="La cadena">
      <p className="note">
        Cada anotación lleva la huella de la anterior, así que ninguna se quita ni se cambia sin que se note.
        La última es la {tail.lastId.toLocaleString('en-US')}
        {tail.lastHash !== '' && (
          <>
            , con la huella <code>{tail.lastHash}</code>
          </>
        )}
        .
      </p>
      <LinkButton href={withQuery(pages.audit, { comprobar: 1 })} icon="check">
        Comprobar la cadena
      </LinkButton>
    </section>
  );
}
