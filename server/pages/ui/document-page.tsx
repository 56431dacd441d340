import type { ReactNode } from 'react';
import { formatDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { formatMoney } from '../../../shared/money.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { Facts } from '../../../shared/ui/Facts.tsx';
import { DECIMAL_ONE, type Decimal, formatDecimal, toCents } from '../../formats/cfdi/attribute-values.ts';
import type { CfdiDocument, CfdiParty } from '../../formats/cfdi/document.ts';
import type { AttachmentKind } from '../../formats/file-kinds.ts';
import type { AppContext } from '../../http/session.ts';
import { requireSession } from '../../http/session.ts';
import { readFullCfdi } from '../../services/documents/read-cfdi.ts';
import { renderPage } from '../../shell/render.tsx';

interface DocumentFile {
  filename: string;
  kind: AttachmentKind;
  bytes: Uint8Array;
  /** where the file itself is; absent for one that is not stored yet */
  href?: string;
}

export async function showDocument(c: AppContext, { filename, kind, bytes, href }: DocumentFile) {
  const content =
    kind === 'cfdi' ? await renderCfdiFile(c, { filename, bytes }) : renderImageOrPdf(kind, filename, href);
  return renderPage(
    c,
    {
      title: filename,
      actions: href && (
        <LinkButton href={href} download="" icon="load">
          Descargar
        </LinkButton>
      ),
    },
    <article className="document-sheet" id="document">
      {content}
    </article>,
  );
}

const renderImageOrPdf = (kind: AttachmentKind, filename: string, href = ''): ReactNode =>
  kind === 'imagen' ? (
    <a href={href} download="">
      <img src={href} alt={`Foto ${filename}`} />
    </a>
  ) : (
    <p data-pdf={href}>
      <a href={href} download="">
        Descargar el PDF
      </a>
    </p>
  );

async function renderCfdiFile(
  c: AppContext,
  file: { filename: string; bytes: Uint8Array },
): Promise<ReactNode> {
  try {
    const { userId } = requireSession(c);
    return <CfdiContent document={await readFullCfdi(file, { signal: c.req.raw.signal, userId })} />;
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind === 'busy') throw error;
    return <p>No se puede mostrar: {error.message}</p>;
  }
}

/** At most this many concepts, payments or related invoices are shown, so that the page does not become too long. */
const MAX_ROWS = 200;

const DOCUMENT_KIND_LABELS = {
  I: 'Factura',
  E: 'Nota de crédito',
  P: 'Recibo de pago',
  N: 'Nómina',
  T: 'Traslado',
} as const;

function CfdiContent({ document }: { document: CfdiDocument }) {
  const { kind, serie, folio, fecha, emisor, receptor, uuid, conceptos, pagos, metodoPago } = document;
  const money = amountFormatterOf(document.moneda);
  const shown = conceptos.slice(0, MAX_ROWS);
  return (
    <>
      <h2>
        {DOCUMENT_KIND_LABELS[kind]} {[serie, folio].filter(Boolean).join(' ')}
      </h2>
      <Facts
        facts={{
          Emisor: <Party party={emisor} />,
          Receptor: <Party party={receptor} />,
          Fecha: formatDate(fecha),
          'Método de pago': metodoPago,
          Moneda: document.moneda !== 'MXN' && `${document.moneda}, tipo de cambio ${document.tipoCambio}`,
          UUID: uuid ?? 'sin timbrar',
          ...describeRelations(document),
        }}
      />
      {kind !== 'P' && (
        <>
          <DataTable
            caption="Conceptos"
            columns={textAndAmountColumns('Concepto', 'Importe')}
            rows={shown.map(({ descripcion, importe }, index) =>
              createTextAndAmountRow(index, descripcion, money(importe)),
            )}
            rowKey={([index]) => index}
          />
          {conceptos.length > shown.length && (
            <p className="note">
              Se muestran {shown.length} de {conceptos.length} conceptos.
            </p>
          )}
          <Facts facts={listCfdiTotals(document, money)} />
        </>
      )}
      {pagos.slice(0, MAX_ROWS).map((pago, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the document's own order
        <section key={index}>
          <h3>
            Pago del {formatDate(pago.fecha)}: {amountFormatterOf(pago.moneda)(pago.monto)}
          </h3>
          <DataTable
            caption={`Facturas del pago del ${formatDate(pago.fecha)}`}
            columns={textAndAmountColumns('Factura', 'Pagado')}
            rows={pago.doctos
              .slice(0, MAX_ROWS)
              .map(({ uuid: paid, moneda, pagado }, row) =>
                createTextAndAmountRow(row, paid, amountFormatterOf(moneda)(pagado ?? pago.monto)),
              )}
            rowKey={([row]) => row}
          />
        </section>
      ))}
    </>
  );
}

type TextAndAmountRow = readonly [index: number, text: string, amount: string];

const createTextAndAmountRow = (...row: TextAndAmountRow): TextAndAmountRow => row;

const textAndAmountColumns = (text: string, amount: string): Column<TextAndAmountRow>[] => [
  { key: 'text', label: text, render: (row) => row[1] },
  { key: 'amount', label: amount, align: 'end', render: (row) => row[2] },
];

function listCfdiTotals(
  { subtotal, descuento, traslados, retenciones, localTaxes, total }: CfdiDocument,
  money: AmountFormatter,
) {
  // Sums by tax and rate. Documents without taxes of their own have them in their concepts.
  const taxes = new Map<string, Decimal>();
  const addTaxes = (list: typeof traslados, word: string) => {
    for (const { tax, rate, isExempt, amount } of list) {
      const label = `${word}${tax}${isExempt ? ' exento' : rate === null ? '' : ` ${formatDecimal(rate * 100n)} %`}`;
      taxes.set(label, (taxes.get(label) ?? 0n) + amount);
    }
  };
  addTaxes(traslados, '');
  addTaxes(retenciones, 'Retención de ');
  return {
    Subtotal: money(subtotal),
    Descuento: descuento !== 0n && money(descuento),
    ...Object.fromEntries([...taxes].map(([label, amount]) => [label, money(amount)])),
    'Impuestos locales': localTaxes.traslados !== 0n && money(localTaxes.traslados),
    'Retenciones locales': localTaxes.retenciones !== 0n && money(localTaxes.retenciones),
    Total: <strong>{money(total)}</strong>,
  };
}

type AmountFormatter = (amount: Decimal) => string;

/** Formats amounts exactly as the document states them, even with more decimals than cents. */
const amountFormatterOf =
  (moneda: string): AmountFormatter =>
  (amount) => {
    const isCents = amount % (DECIMAL_ONE / 100n) === 0n && amount < DECIMAL_ONE * 10_000_000_000n;
    const text = isCents ? formatMoney(toCents(amount)) : `$${formatDecimal(amount)}`;
    return moneda === 'MXN' ? text : `${text} ${moneda}`;
  };

const Party = ({ party: { nombre, rfc } }: { party: CfdiParty }) => (
  <>
    {nombre || 'sin nombre'}
    <br />
    {rfc}
  </>
);

function describeRelations({ relacionados }: CfdiDocument): Record<string, string> {
  const facts: Record<string, string> = {};
  for (const { tipo, uuids } of relacionados) {
    const label = RELATION_LABELS[tipo] ?? `Relación ${tipo.slice(0, 20)}`;
    facts[label] = [facts[label], ...uuids.slice(0, MAX_ROWS)].filter(Boolean).join(', ');
  }
  return facts;
}

/** The SAT's catalog c_TipoRelacion. */
const RELATION_LABELS: Readonly<Record<string, string>> = {
  '01': 'Nota de crédito de',
  '02': 'Nota de débito de',
  '03': 'Devolución de',
  '04': 'Sustituye a',
  '07': 'Aplica el anticipo',
};
