import { Hono } from 'hono';
import type { LaterDatedSums } from '../../../shared/balances.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { pluralize } from '../../../shared/counts.ts';
import { addDays, formatDate, type PlainDate } from '../../../shared/dates.ts';
import { invoiceNumberText } from '../../../shared/invoices.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import { REP_STATE_LABELS } from '../../../shared/payments.ts';
import { type Column, DataTable, MAX_UNWRAPPED_LETTERS } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { exportPath, pages, withQuery } from '../../../shared/urls.ts';
import { ID_SEGMENT, idInPath } from '../../http/request.ts';
import { type AppContext, type AppEnv, readSettingsOnce } from '../../http/session.ts';
import type { Filter } from '../../lists/filter.ts';
import { sumDatedLater } from '../../services/balances/after-corte.ts';
import { getRow } from '../../services/catalogs/reading.ts';
import { composeSupplierStatementLetter } from '../../services/mails/letters.ts';
import {
  describeForeignLine,
  readSupplierStatement,
  STATEMENT_LINE_KIND_LABELS,
  type StatementLine,
  type SupplierStatement,
} from '../../services/statements/supplier-statement.ts';
import { supplierStatementShape } from '../../shapes/statements.ts';
import { openInvoicesHref } from '../reports/addresses.ts';
import { ReconciliationNote } from '../reports/notes.tsx';
import { moneyColumn } from '../ui/columns.tsx';
import { showReport } from '../ui/report-page.tsx';
import { MailLink, maySendMail } from './mail-links.tsx';
import { OwedAging, OwedTable } from './supplier-debt.tsx';

const TITLE = 'Estado de cuenta';
const periodFilters = [
  { kind: 'period', name: 'desde', to: 'hasta', label: 'Periodo', ends: ['Desde', 'Hasta'] },
] as const satisfies readonly Filter[];

const MAX_LINES = 200;
/** Without a first day the statement is of all years, of which the table opens with the last movements. */
const RECENT_LINES = 15;

export const supplierStatementPages = new Hono<AppEnv>({ strict: false }).get(
  pages.statement(ID_SEGMENT),
  (c) => showSupplierStatement(c, idInPath(c)),
);

function showSupplierStatement(c: AppContext, supplierId: number): Promise<Response> {
  const { db, config } = c.get('deps');
  const page = pages.statement(supplierId);
  return showReport(
    c,
    { title: TITLE, page, filters: periodFilters, sorts: {} },
    {
      subject: async () => ({
        name: String((await getRow(db, suppliers, supplierId)).suppliername),
        href: `${pages.editSupplier}/${supplierId}`,
      }),
      shape: supplierStatementShape,
      first: 'pdf',
      words: () => ({}),
      loadFailed: 'Ocurrió un error al cargar el estado de cuenta.',
      async read(query) {
        const day = { today: c.get('today'), timeZone: config.timeZone };
        const limit = query.desde ? MAX_LINES : RECENT_LINES;
        const statement = await readSupplierStatement(db, { ...query, supplierId }, day, limit);
        const later = await sumDatedLater(db, { supplierId }, statement.to, day);
        const letter = composeSupplierStatementLetter(statement, (await readSettingsOnce(c)).empresa);
        return {
          actions: (
            <MailLink
              letter={letter}
              pdf={withQuery(exportPath(page, 'pdf'), query)}
              sendingHref={maySendMail(c) && withQuery(pages.sendStatement(supplierId), query)}
            />
          ),
          results: <SupplierStatementResults statement={statement} later={later} today={day.today} />,
        };
      },
    },
  );
}

function SupplierStatementResults({
  statement,
  later,
  today,
}: {
  statement: SupplierStatement;
  later: LaterDatedSums;
  today: PlainDate;
}) {
  const { supplier, from, to, openingCents, chargeCents, creditCents, closingCents, unappliedCents } =
    statement;
  const debt = { supplierId: supplier.id, corte: to };
  const before =
    from === null ? undefined : withQuery(pages.statement(supplier.id), { hasta: addDays(from, -1) });
  const movements = `${wholePeriodHref(statement) ?? ''}#movimientos`;
  return (
    <>
      <Totals
        label="Saldo del periodo"
        items={[
          { label: 'Saldo anterior', cents: openingCents, href: before },
          { label: 'Facturado', cents: chargeCents, op: '+', href: movements },
          { label: 'Pagos y notas de crédito', cents: creditCents, op: '−', href: movements },
          {
            label: `Saldo al ${formatDate(to)}`,
            cents: closingCents,
            op: '=',
            href: openInvoicesHref(debt),
          },
        ]}
      />
      <OwedAging debt={debt} aging={statement.aging} asOf={to} />
      <OwedTable debtFilter={debt} owedInvoices={statement.owed} today={today} />
      <ReconciliationNote
        label="Saldo"
        cents={closingCents}
        corte={to}
        laterDatedSums={later}
        filter={{ supplierId: supplier.id }}
      />
      {unappliedCents > 0 && (
        <p className="note">
          Además hay <Money cents={unappliedCents} href={pages.supplierCredit(supplier.id)} /> a favor en
          notas de crédito sin aplicar: no están en el saldo.
        </p>
      )}
      <section id="movimientos">
        <h2>{wholePeriodHref(statement) ? 'Últimos movimientos' : 'Movimientos'}</h2>
        <MovementsTable {...statement} />
      </section>
    </>
  );
}

/** @returns undefined where all movements are shown, or the period was chosen */
const wholePeriodHref = ({ supplier, from, to, omittedCount, firstDay }: SupplierStatement) =>
  from === null && omittedCount > 0
    ? withQuery(pages.statement(supplier.id), { desde: firstDay, hasta: to })
    : undefined;

function MovementsTable(statement: SupplierStatement) {
  const { supplier, from, to, lines, omittedCount, ...rest } = statement;
  const whole = wholePeriodHref(statement);
  const [first] = lines;
  if (!first)
    return (
      <EmptyState title={from === null ? 'Todavía no hay movimientos' : 'Sin movimientos en este periodo'}>
        Aquí van las facturas del proveedor, sus pagos y sus notas de crédito, con el saldo después de cada
        uno.
      </EmptyState>
    );
  const opening: SupplierStatementRow = {
    ...OPENING_ROW,
    date: from,
    balanceCents: first.balanceCents - first.chargeCents + first.creditCents,
    ...(omittedCount > 0 && {
      says: `Saldo después de ${pluralize(omittedCount, 'movimiento', 'movimientos')}`,
      href: whole,
    }),
  };
  return (
    <>
      {from !== null && omittedCount > 0 && (
        <p className="note">
          Se muestran los últimos {lines.length} movimientos; la primera línea de la tabla es el saldo después
          de los demás. Elige un periodo más corto, o exporta para tenerlos todos.
        </p>
      )}
      <DataTable<SupplierStatementRow>
        caption={`Movimientos de ${supplier.suppliername}`}
        className="statement"
        columns={COLUMNS}
        rows={[opening, ...lines.map(toSupplierStatementRow)]}
        rowKey={({ key }) => key}
        rowHref={({ href }) => href}
        footer={{ says: `Saldo al ${formatDate(to)}`, balance: <Money cents={rest.closingCents} /> }}
      />
    </>
  );
}

type SupplierStatementRow = typeof OPENING_ROW & {
  foreign?: string | null;
  date: PlainDate | null;
  balanceCents: Cents;
  href?: string;
};

const OPENING_ROW = {
  key: 'saldo',
  says: 'Saldo anterior',
  numfactura: '',
  jobtitle: '',
  receipt: '',
  isInvoice: false,
  chargeCents: 0,
  creditCents: 0,
};

function toSupplierStatementRow(line: StatementLine): SupplierStatementRow {
  const { id, kind, numfactura, reference, rep, exchangeCents } = line;
  const isInvoice = kind === 'factura';
  const number = isInvoice ? invoiceNumberText(numfactura) : reference;
  return {
    ...line,
    key: `${kind} ${id}`,
    foreign: describeForeignLine(line),
    says:
      exchangeCents === null
        ? `${STATEMENT_LINE_KIND_LABELS[kind]} ${number}`.trim()
        : `${STATEMENT_LINE_KIND_LABELS[kind]} de ${formatMoney(exchangeCents)}`,
    numfactura: isInvoice ? '' : numfactura,
    receipt: rep ? REP_STATE_LABELS[rep] : '',
    isInvoice,
    href: isInvoice ? pages.editInvoice(id) : pages.editPayment(id),
  };
}

const COLUMNS: Column<SupplierStatementRow>[] = [
  { key: 'date', label: 'Fecha', card: 'corner', render: ({ date }) => date && <DateText date={date} /> },
  {
    key: 'says',
    label: 'Movimiento',
    isRowLink: true,
    linkName: ({ says, numfactura }) => (numfactura ? `${says}, factura ${numfactura}` : undefined),
    card: 'title',
    wraps: true,
    text: ({ says }) => says,
    textBelow: ({ foreign, receipt }) => [foreign, receipt].filter(Boolean).join(' · ') || null,
  },
  { key: 'numfactura', label: 'Factura', wraps: MAX_UNWRAPPED_LETTERS, card: 'none' },
  {
    key: 'jobtitle',
    label: 'Obra',
    wraps: true,
    card: 'line',
    text: ({ jobtitle }) => jobtitle,
    render: ({ jobtitle, numfactura }) => (
      <>
        {numfactura && <span className="on-card">{numfactura} · </span>}
        {jobtitle}
      </>
    ),
  },
  {
    key: 'charge',
    label: 'Cargo',
    align: 'end',
    card: 'half',
    render: ({ isInvoice, chargeCents, href }) => isInvoice && <Money cents={chargeCents} href={href} />,
  },
  moneyColumn('credit', 'Abono', (line) => line.creditCents, {
    isBlank: true,
    href: ({ href }) => href,
    card: 'half',
  }),
  moneyColumn('balance', 'Saldo', (line) => line.balanceCents, { card: 'half' }),
];
