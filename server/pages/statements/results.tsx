import type { DatedLater } from '../../../shared/balances.ts';
import { formatDate, type PlainDate } from '../../../shared/dates.ts';
import { formatMoney } from '../../../shared/money.ts';
import { RECEIPT_LABELS } from '../../../shared/payments.ts';
import { STATEMENT_KIND_LABELS, type Statement, type StatementLine } from '../../../shared/statements.ts';
import { type Column, DataTable, LONGEST_NUMBER } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { pages } from '../../../shared/urls.ts';
import { TieOut } from '../reports/tie-out.tsx';
import { OwedAging, OwedTable } from './owed.tsx';

/** Balance, ageing, movements and what is due when. */
export function StatementResults({ statement, later }: { statement: Statement; later: DatedLater }) {
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
