import { Fragment, type ReactNode } from 'react';
import { formatDate } from '../../../shared/dates.ts';
import { formatMoney } from '../../../shared/money.ts';
import { noteOf, plainText, type Remark, textWithIds } from '../../../shared/remarks.ts';
import { sizeText } from '../../../shared/text.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Facts } from '../../../shared/ui/Facts.tsx';
import { pages } from '../../../shared/urls.ts';
import type { CfdiCandidate, CfdiReceipt, ReadDocument } from '../../formats/cfdi/candidates.ts';
import { ownAmount } from '../../formats/cfdi/payment-receipts.ts';
import type { DocumentPreview } from '../../services/cfdi/documents.ts';
import type { Upload } from '../../services/files.ts';
import type { NamedInvoice } from '../../services/invoices/finding.ts';

interface CfdiFactsProps {
  preview: DocumentPreview;
  files: readonly Upload[];
  /** the invoices that a credit note or a receipt names, by UUID: a person knows their numbers */
  onFile: ReadonlyMap<string, NamedInvoice>;
}

type Fact = readonly [term: string, value: ReactNode];

/** What the document says of itself that no field shows, and what is to be seen before it is saved. */
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

/** The UUIDs of the invoices that a document is about. */
export function namedIn(document: ReadDocument): readonly string[] {
  if ('receipt' in document)
    return document.receipt.lines.slice(0, MOST_NAMED).map(({ invoiceUuid }) => invoiceUuid);
  return 'note' in document ? document.note.credits.slice(0, MOST_NAMED) : [];
}

function factsOf(document: ReadDocument, onFile: CfdiFactsProps['onFile']): Fact[] {
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

function receiptFacts(receipt: CfdiReceipt, onFile: CfdiFactsProps['onFile']): Fact[] {
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

function nameOf(uuid: string, onFile: CfdiFactsProps['onFile']): ReactNode {
  const invoice = onFile.get(uuid);
  return invoice ? (
    <a href={pages.editInvoice(invoice.id)}>{invoice.numfactura || `#${invoice.id}`}</a>
  ) : (
    uuid
  );
}

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
