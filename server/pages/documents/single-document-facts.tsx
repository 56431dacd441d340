import { Fragment, type ReactNode } from 'react';
import { formatDate } from '../../../shared/dates.ts';
import { formatMoney } from '../../../shared/money.ts';
import { formatFileSize } from '../../../shared/text.ts';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { Facts } from '../../../shared/ui/Facts.tsx';
import { pages } from '../../../shared/urls.ts';
import type { SuccessfulReading } from '../../formats/cfdi/candidates.ts';
import { formatForeignAmount } from '../../formats/cfdi/payment-receipts.ts';
import type { ReceiptLineState } from '../../services/documents/receipt-state.ts';
import { type DocumentPreview, summarizeDocument } from '../../services/documents/single-document.ts';
import type { Upload } from '../../services/files.ts';
import type { InvoiceReference } from '../../services/invoices/finding.ts';
import { describeBalanceDifference } from '../payments/list.tsx';
import { moneyColumn } from '../ui/columns.tsx';
import { putFirst } from '../ui/long-table.tsx';

export function CfdiFacts({ preview }: { preview: DocumentPreview }) {
  const { document, receiptLines, storedInvoicesByUuid } = preview;
  if (document.kind === 'I') {
    const { draft, detail, moneda, tipoCambio } = document.issued;
    const original = `${formatMoney(detail.totalCents)} ${moneda} × ${tipoCambio} = ${formatMoney(draft.totalCents)}`;
    return draft.moneda && <Facts facts={{ 'Total del documento': original }} />;
  }
  const { numero, fecha, totalCents = 0 } = summarizeDocument(document);
  const { nombre, rfc } = document.issued.detail.emisor;
  return (
    <Facts
      look="of-document"
      facts={{
        Número: numero,
        Fecha: fecha && formatDate(fecha),
        Emisor: `${nombre || 'sin nombre'} · ${rfc}`,
        ...(document.kind === 'E'
          ? {
              Total: formatMoney(totalCents),
              'Se descuenta de':
                joinItems(
                  document.issued.credits.map((uuid) => renderInvoiceOrUuid(uuid, storedInvoicesByUuid)),
                ) ?? 'no dice de qué factura',
            }
          : {
              Pagos: joinItems(
                document.issued.detail.pagos.map(
                  (pago) => `${formatDate(pago.fecha)}, ${formatMoney(pago.montoCents)} ${pago.moneda}`,
                ),
              ),
              // A receipt (REP) that is already stored has its lines in a table below.
              'Facturas que paga':
                receiptLines.length === 0 &&
                joinItems(
                  document.issued.lines.map((line) => (
                    <>
                      {renderInvoiceOrUuid(line.invoiceUuid, storedInvoicesByUuid)}:{' '}
                      {formatMoney(line.amountCents)}
                      {line.pagado && ` (${formatForeignAmount(line)})`}
                    </>
                  )),
                ),
            }),
      }}
    />
  );
}

export function CfdiDetails({ document, files }: { document: SuccessfulReading; files: readonly Upload[] }) {
  const { kind, uuid } = document;
  const { receptor } = document.issued.detail;
  const issued = kind === 'P' ? undefined : document.issued;
  return (
    <Disclosure summary="Detalles del CFDI">
      <Facts
        look="of-document"
        facts={{
          Documento: issued
            ? `CFDI ${issued.version} ${CFDI_TYPE_LABELS[kind as 'I' | 'E']}${uuid ? '' : ', sin timbrar'}`
            : 'CFDI de pago (recibo electrónico de pago)',
          UUID: uuid,
          Receptor: `${receptor.nombre || 'sin nombre'} · ${receptor.rfc || 'sin RFC'}`,
          'Método de pago': issued?.draft.metodoPago,
          Archivos: files
            .map(
              ({ filename, bytes }) => `${filename} (${formatFileSize(bytes.length).replace(' ', '\u00a0')})`,
            )
            .join(', '),
        }}
      />
    </Disclosure>
  );
}

const CFDI_TYPE_LABELS = { I: 'de ingreso', E: 'de egreso (nota de crédito)' };

const MAX_NAMED_ITEMS = 6;

function renderInvoiceOrUuid(uuid: string, onFile: DocumentPreview['storedInvoicesByUuid']): ReactNode {
  const invoice = onFile.get(uuid);
  return invoice ? <InvoiceLink invoice={invoice} /> : uuid;
}

const InvoiceLink = ({ invoice }: { invoice: Pick<InvoiceReference, 'id' | 'numfactura'> }) => (
  <a href={pages.editInvoice(invoice.id)}>{invoice.numfactura || `#${invoice.id}`}</a>
);

/** Items beyond MAX_NAMED_ITEMS are only counted, because a receipt may name hundreds of invoices. */
function joinItems(items: readonly ReactNode[]): ReactNode {
  if (items.length === 0) return undefined;
  const more = items.length - MAX_NAMED_ITEMS;
  return (
    <>
      {items.slice(0, MAX_NAMED_ITEMS).map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, on the server
        <Fragment key={index}>
          {index > 0 && '; '}
          {item}
        </Fragment>
      ))}
      {more > 0 && `; y ${more} más`}
    </>
  );
}

export function alreadyStoredReceiptMessage(message: string, lines: readonly ReceiptLineState[]): string {
  const missing = lines.filter(({ isMissing }) => isMissing);
  if (missing.length === 0) return message;
  const sum = formatMoney(missing.reduce((total, { amountCents }) => total + amountCents, 0));
  return missing.length === 1
    ? `${message} Falta capturar un pago, de ${sum}: elige de qué origen salió y se registra.`
    : `${message} Faltan por capturar ${missing.length} pagos, por ${sum}: elige de qué origen salieron y se registran.`;
}

const MAX_RECEIPT_LINES = 50;

export function ReceiptLines({ lines }: { lines: readonly ReceiptLineState[] }) {
  const shown = putFirst(lines, ({ isMissing }) => isMissing).slice(0, MAX_RECEIPT_LINES);
  const more = lines.length - shown.length;
  return (
    <section className="form" aria-labelledby="lines-title">
      <h2 id="lines-title">Pagos del recibo</h2>
      <DataTable
        caption="Pagos que dice el recibo"
        columns={
          lines.some(({ balance }) => balance)
            ? [...RECEIPT_LINE_COLUMNS, BALANCE_DIFFERENCE_COLUMN]
            : RECEIPT_LINE_COLUMNS
        }
        rows={shown}
        rowKey={({ id }) => id}
      />
      {more > 0 && <p className="soft">{more === 1 ? 'Y 1 pago más.' : `Y ${more} pagos más.`}</p>}
    </section>
  );
}

const RECEIPT_LINE_COLUMNS: readonly Column<ReceiptLineState>[] = [
  {
    key: 'invoice',
    label: 'Factura',
    card: 'title',
    wraps: true,
    render: ({ invoice, invoiceUuid }) => (invoice ? <InvoiceLink invoice={invoice} /> : invoiceUuid),
  },
  { key: 'paidOn', label: 'Fecha de pago', render: ({ paidOn }) => <DateText date={paidOn} /> },
  { key: 'state', label: 'Pago', render: (line) => <ReceiptLineStatus line={line} /> },
  moneyColumn('amount', 'Cantidad', ({ amountCents }) => amountCents),
];

const BALANCE_DIFFERENCE_COLUMN: Column<ReceiptLineState> = {
  key: 'balance',
  label: 'Saldos que difieren',
  card: 'line',
  className: 'wraps',
  render: ({ balance }) => balance && <span className="tone-warn">{describeBalanceDifference(balance)}</span>,
};

function ReceiptLineStatus({ line }: { line: ReceiptLineState }) {
  const { paymentId, isMissing, invoice, availableCents, isClosed } = line;
  if (paymentId !== undefined) return <a href={pages.editPayment(paymentId)}>Ver pago</a>;
  if (isMissing) return <Chip tone="warn">Falta capturarlo</Chip>;
  if (!invoice) return <span className="soft">Su factura no está registrada</span>;
  if (isClosed) return <span className="soft">De un periodo cerrado</span>;
  if (availableCents !== undefined)
    return <span className="soft">No cabe: de la factura se deben {formatMoney(availableCents)}</span>;
  return null;
}
