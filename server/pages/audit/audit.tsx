import { Hono } from 'hono';
import { decodeCursor, encodeCursor } from '../../../db/paging.ts';
import ListFilter, { type FilterField } from '../../../islands/ListFilter.tsx';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { ExportLinks } from '../../../shared/ui/ExportLinks.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AppContext, AppEnv } from '../../http/session.ts';
import { auditList } from '../../lists/audit.ts';
import { pageShape } from '../../lists/shapes.ts';
import { auditFaults, readAuditTail } from '../../services/audit/audit.ts';
import { searchAudit } from '../../services/audit/reading.ts';
import { searchUsers } from '../../services/users/reading.ts';
import { choiceField } from '../../shapes/fields.ts';
import { Island } from '../../shell/island.tsx';
import { filterFields, filterWords, listAddress } from '../ui/list-filters.tsx';
import { answerList, parseListQuery, readableQuery, renderList, rowsBefore, rowsOn } from '../ui/lists.tsx';
import { AuditTable } from './table.tsx';

/** The list's parameters, the page's place, and whether the chain is gone through now. */
const SHAPE = pageShape(auditList).extend({ comprobar: choiceField('comprobar', ['1']) });

type Query = ReturnType<typeof readQuery>;

const readQuery = (c: AppContext) => parseListQuery(c, SHAPE);

/** Who did what, newest first. */
export const auditPages = new Hono<AppEnv>({ strict: false }).get(pages.audit, (c) => {
  const options = { title: auditList.title, address: pages.audit };
  const filter = async () => renderAuditFilter(c, readableQuery(c, SHAPE));
  return answerList(c, { ...options, filter }, () => showAudit(c, readQuery(c)));
});

async function showAudit(c: AppContext, query: Query): Promise<Response> {
  const { db, config } = c.get('deps');
  const { comprobar, cursor, shown: _shown, limit: _limit, ...asked } = query;
  const page = await searchAudit(
    db,
    { ...asked, limit: rowsOn(query), cursor: cursor ? decodeCursor(cursor, 'number').id : undefined },
    config,
  );
  const before = rowsBefore(query);
  const next = (more: Record<string, string | number | undefined>) => listAddress(auditList, asked, more);
  const shown = before + page.entries.length;
  return renderList(
    c,
    { title: auditList.title, actions: <ExportLinks list={pages.audit} first="xlsx" query={asked} /> },
    {
      alert: comprobar && <ChainState faults={await verify(c)} />,
      filter: () => renderAuditFilter(c, query),
      words: await filterWords(c, auditList, asked),
      results: (
        <>
          <AuditTable
            entries={page.entries}
            timeZone={config.timeZone}
            total={page.total}
            shown={shown}
            next={
              page.cursor
                ? next({ cursor: encodeCursor({ value: page.cursor, id: page.cursor }), shown })
                : undefined
            }
          />
          <Chain tail={await readAuditTail(db)} />
        </>
      ),
    },
  );
}

async function renderAuditFilter(c: AppContext, query: Partial<Query>) {
  const users = await searchUsers(c.get('deps').db, {});
  const fields = await filterFields(c, auditList, query);
  const options = [
    { value: '', label: 'Todos' },
    ...users.map(({ id, username }) => ({ value: String(id), label: username })),
  ];
  const withNames = fields.map(
    (field): FilterField =>
      field.name === 'userId' && field.kind === 'text' ? { ...field, kind: 'select', options } : field,
  );
  return <Island of={ListFilter} props={{ action: pages.audit, fields: withNames, resultsId: 'results' }} />;
}

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
