import { Fragment, type ReactNode } from 'react';
import { formatDate } from '../../../shared/dates.ts';
import { formatMoney } from '../../../shared/money.ts';
import { noteOf, plainText, type Remark, textWithIds } from '../../../shared/remarks.ts';
import { sizeText } from '../../../shared/text.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { Facts } from '../../../shared/ui/Facts.tsx';
import { pages } from '../../../shared/urls.ts';
import type { CfdiCandidate, CfdiReceipt, ReadDocument } from '../../formats/cfdi/candidates.ts';
import { ownAmount } from '../../formats/cfdi/payment-receipts.ts';
import type { DocumentPreview } from '../../services/cfdi/documents.ts';
import type { ReceiptLineState } from '../../services/cfdi/payment-receipts-state.ts';
import type { Upload } from '../../services/files.ts';
import type { NamedInvoice } from '../../services/invoices/finding.ts';
import { sayBalances } from '../payments/list.tsx';
import { moneyColumn } from '../ui/columns.tsx';

/** The invoices that a credit note or a receipt names, by UUID: people know them by their numbers. */
type OnFile = ReadonlyMap<string, NamedInvoice>;

interface CfdiFactsProps {
  preview: DocumentPreview;
  files: readonly Upload[];
  onFile: OnFile;
}

type Fact = readonly [term: string, value: ReactNode];

/** The document's own words that no field shows, and its warnings. */
export function CfdiFacts({ preview: { document, outcome, lines }, files, onFile }: CfdiFactsProps) {
  const warnings = warningsOf(document, outcome.warnings);
  const facts: Fact[] = [
    // The lines of a receipt that is on file stand in a table of their own.
    ...factsOf(document, onFile).filter(([term]) => term !== PAID || lines.length === 0),
    [
      'Archivos',
      files
        .map(({ filename, bytes }) => `${filename} (${sizeText(bytes.length).replace(' ', '\u00a0')})`)
        .join(', '),
    ],
  ];
  return (
    <>
      {warnings.length > 0 && (
        <div className="alerts">
          {warnings.map((warning) => (
            <Alert key={textWithIds(warning)} tone="warning" dismissible={false}>
              {plainText(warning)}
            </Alert>
          ))}
        </div>
      )}
      <Facts look="of-document" facts={Object.fromEntries(facts)} />
    </>
  );
}

/** A total that misses its parts is asked about beside the total. */
function warningsOf(document: ReadDocument, warnings: readonly Remark[] = []): readonly Remark[] {
  const isAsked = !('receipt' in document) && issuedIn(document).mismatch !== undefined;
  return isAsked ? warnings.filter((warning) => noteOf(warning).code !== 'total_mismatch') : warnings;
}

const issuedIn = (document: Exclude<ReadDocument, { receipt: CfdiReceipt }>): CfdiCandidate =>
  'candidate' in document ? document.candidate : document.note;

export function namedIn(document: ReadDocument): readonly string[] {
  if ('receipt' in document)
    return document.receipt.lines.slice(0, MOST_NAMED).map(({ invoiceUuid }) => invoiceUuid);
  return 'note' in document ? document.note.credits.slice(0, MOST_NAMED) : [];
}

function factsOf(document: ReadDocument, onFile: OnFile): Fact[] {
  if ('receipt' in document) return receiptFacts(document.receipt, onFile);
  if ('candidate' in document) return amountFacts(document.candidate, 'de ingreso');
  const { note } = document;
  return [
    ...amountFacts(note, 'de egreso (nota de crédito)'),
    ['Número', note.draft.numfactura],
    ['Fecha', formatDate(note.draft.fechaemision)],
    ['Total', formatMoney(note.draft.totalCents)],
    [
      'Se descuenta de',
      note.credits.length > 0
        ? listed(note.credits.map((uuid) => nameOf(uuid, onFile)))
        : 'no dice de qué factura',
    ],
  ];
}

function amountFacts({ draft, detail, version, moneda, tipoCambio }: CfdiCandidate, kind: string): Fact[] {
  const own = `${formatMoney(detail.totalCents)} ${moneda} × ${tipoCambio} = ${formatMoney(draft.totalCents)}`;
  return [
    ['Documento', `CFDI ${version} ${kind}${draft.uuid ? '' : ', sin timbrar'}`],
    ['UUID', draft.uuid ?? undefined],
    ...parties(detail),
    ['Método de pago', draft.metodoPago || undefined],
    ['Total del documento', draft.moneda && own],
  ];
}

function receiptFacts(receipt: CfdiReceipt, onFile: OnFile): Fact[] {
  const { numero, uuid, fecha, detail, lines } = receipt;
  const pagos = detail.pagos.map(
    (pago) => `${formatDate(pago.fecha)}, ${formatMoney(pago.montoCents)} ${pago.moneda}`,
  );
  const paid = lines.map((line) => (
    <>
      {nameOf(line.invoiceUuid, onFile)}: {formatMoney(line.amountCents)}
      {line.pagado && ` (${ownAmount(line)})`}
    </>
  ));
  return [
    ['Documento', 'CFDI de pago (recibo electrónico de pago)'],
    ['UUID', uuid],
    ['Número', numero],
    ['Fecha', formatDate(fecha)],
    ...parties(detail),
    ['Pagos', listed(pagos)],
    [PAID, listed(paid)],
  ];
}

function nameOf(uuid: string, onFile: OnFile): ReactNode {
  const invoice = onFile.get(uuid);
  return invoice ? <InvoiceLink invoice={invoice} /> : uuid;
}

const InvoiceLink = ({
  invoice: { id, numfactura },
}: {
  invoice: Pick<NamedInvoice, 'id' | 'numfactura'>;
}) => <a href={pages.editInvoice(id)}>{numfactura || `#${id}`}</a>;

/** A receipt may name hundreds of invoices. */
function listed(items: readonly ReactNode[]): ReactNode {
  if (items.length === 0) return undefined;
  const more = items.length - MOST_NAMED;
  return (
    <>
      {items.slice(0, MOST_NAMED).map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the document's own order, written once
        <Fragment key={index}>
          {index > 0 && '; '}
          {item}
        </Fragment>
      ))}
      {more > 0 && `; y ${more} más`}
    </>
  );
}

const MOST_NAMED = 6;
const PAID = 'Facturas que paga';

const parties = ({ emisor, receptor }: Pick<CfdiCandidate['detail'], 'emisor' | 'receptor'>): Fact[] => [
  ['Emisor', `${emisor.nombre || 'sin nombre'} · ${emisor.rfc}`],
  ['Receptor', `${receptor.nombre || 'sin nombre'} · ${receptor.rfc || 'sin RFC'}`],
];

/** A receipt may name hundreds of invoices. */
const MOST_LINES = 50;

/** The payments that a receipt on file names, and those captured that they belong to. */
export function ReceiptLines({ lines }: { lines: readonly ReceiptLineState[] }) {
  const shown = lines.toSorted((a, b) => Number(b.isMissing) - Number(a.isMissing)).slice(0, MOST_LINES);
  const more = lines.length - shown.length;
  return (
    <section className="form" aria-labelledby="lines-title">
      <h2 id="lines-title">Pagos del recibo</h2>
      <DataTable
        caption="Pagos que dice el recibo"
        columns={lines.some(({ balance }) => balance) ? [...LINE_COLUMNS, BALANCE] : LINE_COLUMNS}
        rows={shown}
        rowKey={({ id }) => id}
      />
      {more > 0 && <p className="soft">{more === 1 ? 'Y 1 pago más.' : `Y ${more} pagos más.`}</p>}
    </section>
  );
}

const LINE_COLUMNS: readonly Column<ReceiptLineState>[] = [
  {
    key: 'invoice',
    label: 'Factura',
    card: 'title',
    clip: true,
    render: ({ invoice, invoiceUuid }) => (invoice ? <InvoiceLink invoice={invoice} /> : invoiceUuid),
  },
  { key: 'paidOn', label: 'Fecha de pago', render: ({ paidOn }) => <DateText date={paidOn} /> },
  { key: 'state', label: 'Pago', render: (line) => <LineState line={line} /> },
  moneyColumn('amount', 'Cantidad', ({ amountCents }) => amountCents),
];

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
