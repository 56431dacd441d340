import { formatMoney } from '../../../shared/money.ts';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { pages } from '../../../shared/urls.ts';
import type { ReceiptLineState } from '../../services/cfdi/payment-receipts-state.ts';
import { sayBalances } from '../payments/receipt-balances.ts';
import { moneyColumn } from '../ui/columns.tsx';

/** A receipt may name hundreds of invoices; what is missing is shown first. */
const MOST_LINES = 50;

/** What a receipt that is on file says of each invoice, and the payment that it belongs to, where there is one. */
export function ReceiptLines({ lines }: { lines: readonly ReceiptLineState[] }) {
  const shown = lines.toSorted((a, b) => Number(b.isMissing) - Number(a.isMissing)).slice(0, MOST_LINES);
  const more = lines.length - shown.length;
  return (
    <section className="form" aria-labelledby="lines-title">
      <h2 id="lines-title">Pagos del recibo</h2>
      <DataTable
        caption="Pagos que dice el recibo"
        columns={lines.some(({ balance }) => balance) ? [...COLUMNS, BALANCE] : COLUMNS}
        rows={shown}
        rowKey={({ id }) => id}
      />
      {more > 0 && <p className="soft">{more === 1 ? 'Y 1 pago más.' : `Y ${more} pagos más.`}</p>}
    </section>
  );
}

const COLUMNS: readonly Column<ReceiptLineState>[] = [
  {
    key: 'invoice',
    label: 'Factura',
    card: 'title',
    clip: true,
    render: ({ invoice, invoiceUuid }) =>
      invoice ? (
        <a href={pages.editInvoice(invoice.id)}>{invoice.numfactura || `#${invoice.id}`}</a>
      ) : (
        invoiceUuid
      ),
  },
  { key: 'paidOn', label: 'Fecha de pago', render: ({ paidOn }) => <DateText date={paidOn} /> },
  { key: 'state', label: 'Pago', render: (line) => <LineState line={line} /> },
  moneyColumn('amount', 'Cantidad', ({ amountCents }) => amountCents),
];

/** Only where the two differ is there anything to say. */
const BALANCE: Column<ReceiptLineState> = {
  key: 'balance',
  label: 'Saldos que difieren',
  card: 'line',
  className: 'wraps',
  render: ({ balance }) => balance && <span className="tone-warn">{sayBalances(balance)}</span>,
};

function LineState({ line }: { line: ReceiptLineState }) {
  const { paymentId, isMissing, invoice, roomCents, isClosed } = line;
  if (paymentId !== undefined) return <a href={pages.editPayment(paymentId)}>Ver pago</a>;
  if (isMissing) return <Chip tone="warn">Falta capturarlo</Chip>;
  if (!invoice) return <span className="soft">Su factura no está registrada</span>;
  if (isClosed) return <span className="soft">De un periodo cerrado</span>;
  if (roomCents !== undefined)
    return <span className="soft">No cabe: de la factura se deben {formatMoney(roomCents)}</span>;
  return null;
}
