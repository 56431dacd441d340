import { Hono } from 'hono';
import ListFilter from '../../../islands/ListFilter.tsx';
import type { PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { ExportLinks } from '../../../shared/ui/ExportLinks.tsx';
import { exportOf, pages, withQuery } from '../../../shared/urls.ts';
import { statusOf } from '../../http/errors.ts';
import { idInPath } from '../../http/request.ts';
import type { AppContext, AppEnv } from '../../http/session.ts';
import { readDatedLater } from '../../services/balances/dated-later.ts';
import { readSettings } from '../../services/settings/settings.ts';
import { readStatement, type StatementQuery } from '../../services/statements/reading.ts';
import { supplierStatementShape } from '../../shapes/statements.ts';
import { Island } from '../../shell/island.tsx';
import { answerList, parseListQuery, renderList } from '../ui/lists.tsx';
import { mailStatement } from './mail.ts';
import { MailLink } from './mail-link.tsx';
import { StatementResults } from './results.tsx';

const TITLE = 'Estado de cuenta';

/** More movements than these nobody reads on a page; files have them all. */
const MOST_LINES = 300;

/** What a supplier billed, what it was paid, and what it is owed. */
export const statementPages = new Hono<AppEnv>({ strict: false }).get(pages.statement(':id{[0-9]+}'), (c) => {
  const address = pages.statement(idInPath(c));
  const loadFailed = 'Ocurrió un error al cargar el estado de cuenta.';
  return answerList(c, { title: TITLE, loadFailed, address }, () => showStatement(c, address));
});

async function showStatement(c: AppContext, address: string): Promise<Response> {
  const { db, config } = c.get('deps');
  const asked = parseListQuery(c, supplierStatementShape);
  const day = { today: c.get('today'), timeZone: config.timeZone };
  const read = (period: Omit<StatementQuery, 'supplierId'>) =>
    readStatement(db, { ...period, supplierId: idInPath(c) }, day, MOST_LINES);
  let refused: DomainError | undefined;
  const statement = await read(asked).catch((error) => {
    if (!(error instanceof DomainError) || error.code !== 'bad_period') throw error;
    refused = error;
    return read({});
  });
  const { supplier } = statement;
  const { empresa } = await readSettings(db);
  return renderList(
    c,
    {
      title: `${TITLE}: ${supplier.suppliername}`,
      status: refused && statusOf(refused),
      actions: (
        <>
          <ExportLinks list={address} first="pdf" query={asked} />
          <MailLink
            letter={mailStatement(statement, empresa)}
            pdf={withQuery(exportOf(address, 'pdf'), asked)}
          />
          <LinkButton href={`${pages.editSupplier}/${supplier.id}`}>Ver proveedor</LinkButton>
        </>
      ),
    },
    {
      filter: async () => <PeriodFilter action={address} asked={asked} />,
      results: refused ? (
        <Alert tone="error">{refused.message}</Alert>
      ) : (
        <StatementResults
          statement={statement}
          later={await readDatedLater(db, { supplierId: supplier.id }, statement.to, day)}
        />
      ),
    },
  );
}

interface Asked {
  desde?: PlainDate | null;
  hasta?: PlainDate | null;
}

const PeriodFilter = ({ action, asked }: { action: string; asked: Asked }) => (
  <Island
    of={ListFilter}
    props={{
      action,
      fields: [
        { kind: 'date', name: 'desde', label: 'Desde', value: asked.desde ?? '' },
        { kind: 'date', name: 'hasta', label: 'Hasta', value: asked.hasta ?? '' },
      ],
      resultsId: 'results',
    }}
  />
);
