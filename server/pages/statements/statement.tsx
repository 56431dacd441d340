import { Hono } from 'hono';
import ListFilter from '../../../islands/ListFilter.tsx';
import type { DatedLater } from '../../../shared/balances.ts';
import { formatDate, type PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { formatMoney } from '../../../shared/money.ts';
import { RECEIPT_LABELS } from '../../../shared/payments.ts';
import { STATEMENT_KIND_LABELS, type Statement, type StatementLine } from '../../../shared/statements.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { type Column, DataTable, LONGEST_NUMBER } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { ExportLinks } from '../../../shared/ui/ExportLinks.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { exportOf, pages, withQuery } from '../../../shared/urls.ts';
import { statusOf } from '../../http/errors.ts';
import { idInPath } from '../../http/request.ts';
import type { AppContext, AppEnv } from '../../http/session.ts';
import { readDatedLater } from '../../services/balances/dated-later.ts';
import { readSettings } from '../../services/settings/settings.ts';
import { readStatement, type StatementQuery } from '../../services/statements/reading.ts';
import { supplierStatementShape } from '../../shapes/statements.ts';
import { Island } from '../../shell/island.tsx';
import { TieOut } from '../reports/tie-out.tsx';
import { answerList, parseListQuery, renderList } from '../ui/lists.tsx';
import { mailStatement } from './mail.ts';
import { MailLink } from './mail-link.tsx';
import { OwedAging, OwedTable } from './owed.tsx';

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

/** Balance, ageing, movements and what is due when. */
function StatementResults({ statement, later }: { statement: Statement; later: DatedLater }) {
  const { supplier, to, openingCents, chargeCents, creditCents, closingCents, unappliedCents } = statement;
  const debt = { supplierId: supplier.id, corte: to };
  return (
    <>
      <Totals
        label="Saldo del periodo"
        items={[
          { label: 'Saldo anterior', cents: openingCents },
          { label: 'Facturado', cents: chargeCents, op: '+' },
          { label: 'Pagos y notas de crédito', cents: creditCents, op: '−' },
          { label: `Saldo al ${formatDate(to)}`, cents: closingCents, op: '=' },
        ]}
      />
      <OwedAging debt={debt} aging={statement.aging} asOf={to} />
      <TieOut
        says="Saldo"
        cents={closingCents}
        corte={to}
        later={later}
        whose={{ supplierId: supplier.id }}
      />
      {unappliedCents > 0 && (
        <p className="note">
          Además hay <a href={pages.supplierCredit(supplier.id)}>{formatMoney(unappliedCents)} a favor</a> en
          notas de crédito sin aplicar: no están en el saldo.
        </p>
      )}
      <div className="stack">
        <Movements {...statement} />
        <OwedTable debt={debt} owed={statement.owed} />
      </div>
    </>
  );
}

function Movements({ supplier, from, to, lines, untold, openingCents, closingCents }: Statement) {
  if (lines.length === 0)
    return (
      <EmptyState title={from === null ? 'Todavía no hay movimientos' : 'Sin movimientos en este periodo'}>
        Aquí van las facturas del proveedor, sus pagos y sus notas de crédito, con el saldo después de cada
        uno.
      </EmptyState>
    );
  const before = openingCents + (untold ? untold.chargeCents - untold.creditCents : 0);
  return (
    <>
      {untold && (
        <p className="note">
          Se muestran los últimos {lines.length} movimientos; el saldo anterior de la tabla incluye los demás.
          Elige un periodo más corto, o exporta para tenerlos todos.
        </p>
      )}
      <DataTable
        caption={`Movimientos de ${supplier.suppliername}`}
        columns={lines.some(({ uuid }) => uuid) ? COLUMNS : COLUMNS.filter((one) => one !== UUID)}
        rows={[{ kind: 'saldo', balanceCents: before, date: from }, ...lines]}
        rowKey={(line) => (line.kind === 'saldo' ? 'saldo' : `${line.kind} ${line.id}`)}
        rowHref={addressOf}
        footer={{ kind: `Saldo al ${formatDate(to)}`, balance: <Money cents={closingCents} /> }}
      />
    </>
  );
}

/** A movement, or the balance that the table begins with. */
type Line = StatementLine | { kind: 'saldo'; date: PlainDate | null; balanceCents: number };

function addressOf(line: Line): string | undefined {
  if (line.kind === 'saldo') return undefined;
  return line.kind === 'factura' ? pages.editInvoice(line.id) : pages.editPayment(line.id);
}

const kindOf = (line: Line): string => {
  if (line.kind === 'saldo') return 'Saldo anterior';
  const name = STATEMENT_KIND_LABELS[line.kind];
  return line.reference === '' ? name : `${name} ${line.reference}`;
};

/** Of the invoice, or of the credit note; in no table where no document has any. */
const UUID: Column<Line> = {
  key: 'uuid',
  label: 'UUID',
  clip: true,
  render: (line) => (line.kind === 'saldo' ? '' : line.uuid),
};

const COLUMNS: Column<Line>[] = [
  { key: 'date', label: 'Fecha', card: 'corner', render: ({ date }) => date && <DateText date={date} /> },
  { key: 'kind', label: 'Movimiento', link: true, card: 'title', clip: true, render: kindOf },
  {
    key: 'numfactura',
    label: 'Factura',
    clip: LONGEST_NUMBER,
    render: (line) => (line.kind === 'saldo' ? '' : line.numfactura),
  },
  {
    key: 'jobtitle',
    label: 'Obra',
    clip: true,
    render: (line) => (line.kind === 'saldo' ? '' : line.jobtitle),
  },
  UUID,
  {
    key: 'rep',
    label: 'REP',
    render: (line) => (line.kind !== 'saldo' && line.rep ? RECEIPT_LABELS[line.rep] : ''),
  },
  {
    key: 'charge',
    label: 'Cargo',
    align: 'end',
    render: (line) => line.kind === 'factura' && <Money cents={line.chargeCents} />,
  },
  {
    key: 'credit',
    label: 'Abono',
    align: 'end',
    render: (line) => line.kind !== 'saldo' && line.kind !== 'factura' && <Money cents={line.creditCents} />,
  },
  { key: 'balance', label: 'Saldo', align: 'end', render: (line) => <Money cents={line.balanceCents} /> },
];
