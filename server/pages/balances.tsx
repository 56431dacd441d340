import { Hono } from 'hono';
import type { BalanceReport } from '../../shared/balances.ts';
import { catalogOf } from '../../shared/catalogs/all.ts';
import { DomainError } from '../../shared/errors.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { LinkButton } from '../../shared/ui/Button.tsx';
import { pages, withQuery } from '../../shared/urls.ts';
import { renderPage } from '../render.tsx';
import { readBalances } from '../services/balances.ts';
import { balancesSheet } from '../services/balances-sheet.ts';
import { writeCsv } from '../services/csv.ts';
import type { AppContext, AppEnv } from '../session.ts';
import { balancePageShape, toBalanceQuery } from '../shapes/balances.ts';
import { parseQuery } from '../shapes/fields.ts';
import { type AskedBalances, BalanceFilter } from './balances-filter.tsx';
import { BalanceResults } from './balances-table.tsx';
import { pickedId } from './pickers.ts';

const EXPORT_CSV = `${pages.balances}/export.csv`;

export const balancesPages = new Hono<AppEnv>({ strict: false })
  .get(pages.balances, async (c) => {
    const asked = readAsked(c);
    const { report, problem } = await tryToRead(c, asked);
    // A script that swaps the results has no use for an error's status: the message is among them.
    const status = problem && !c.req.header('X-Fragment') ? 400 : 200;
    return renderPage(
      c,
      {
        title: 'Saldos por proveedor',
        status,
        actions: (
          <LinkButton href={withQuery(EXPORT_CSV, linkParameters(asked))} icon="export" data-follow-filter="">
            Exportar
          </LinkButton>
        ),
      },
      <>
        <BalanceFilter db={c.get('deps').db} asked={asked} corte={asked.corte ?? c.get('today')} />
        <div id="results">
          {problem && <Alert tone="error">{problem.message}</Alert>}
          {report && <BalanceResults report={report} asked={asked} />}
        </div>
      </>,
    );
  })
  .get(EXPORT_CSV, async (c) => {
    const asked = readAsked(c);
    const report = await read(c, await withPicked(c, asked));
    const { headings, rows } = balancesSheet(report);
    return c.body(writeCsv(headings, rows), 200, {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="Saldos por proveedor ${report.corte}.csv"`,
    });
  });
