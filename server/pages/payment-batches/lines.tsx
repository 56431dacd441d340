import { formatForeign } from '../../../shared/foreign-amounts.ts';
import { invoiceNumberText } from '../../../shared/invoices.ts';
import { toDecimalText } from '../../../shared/money.ts';
import {
  type BatchLine,
  type FullBatch,
  groupBySupplier,
  isHeldLine,
} from '../../../shared/payment-batches.ts';
import { groupThousands } from '../../../shared/thousands.ts';
import { type Column, DataTable, MAX_UNWRAPPED_LETTERS } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { LongTable } from '../ui/long-table.tsx';
import type { FieldTexts } from '../ui/record-fields.tsx';
import { RowCheckbox } from '../ui/row-checkbox.tsx';

/** Controls in the table name the form by this id in their attribute `form`. */
export const LINES_FORM_ID = 'partidas';
export const REMOVED_INVOICE_FIELD = 'quitar';

/** Query parameter that shows the batch as a form. Saving that form removes the batch's signatures. */
export const EDITING_PARAMETER = 'editar';

/** In the query this parameter is the index of the first line that is shown of a long batch. */
export const FIRST_LINE_PARAMETER = 'partidas';

export const amountFieldName = (invoiceId: number) => `importe-${invoiceId}`;

const LINES_ON_PAGE = 40;

interface BatchLinesProps {
  batch: FullBatch;
  /** index of the first line shown */
  from: number;
  values: FieldTexts;
}

type LineOrTotalRow = { place: number } & (
  | { line: BatchLine }
  | { line: undefined; suppliername: string; cents: number; key: string }
);

export function BatchLines(props: BatchLinesProps) {
  const { from, batch, values } = props;
  const { lines, totalCents } = batch;
  let place = 0;
  const rows = groupBySupplier(lines).flatMap(
    ({ supplierId, suppliername, lines: supplierLines, totalCents: cents }): LineOrTotalRow[] => [
      ...supplierLines.map((line) => ({ place: place++, line })),
      ...(supplierLines.length > 1
        ? [{ place: place - 1, line: undefined, suppliername, cents, key: `total-${supplierId}` }]
        : []),
    ],
  );
  // A refused form shows all lines up to the last one with a typed amount.
  const typed = rows.findLast(({ line }) => line && values[amountFieldName(line.invoiceId)] !== undefined);
  const end = Math.max(from + LINES_ON_PAGE, (typed?.place ?? 0) + 1);
  return (
    <LongTable
      id={FIRST_LINE_PARAMETER}
      shown={end}
      total={lines.length}
      noun={['factura', 'facturas']}
      href={withQuery(pages.paymentBatch(batch.id), { [EDITING_PARAMETER]: 1, [FIRST_LINE_PARAMETER]: end })}
    >
      <DataTable
        caption="Facturas"
        className="batch-lines"
        columns={lineColumns(props)}
        rows={rows.filter((row) => row.place >= from && row.place < end)}
        rowKey={(row) => (row.line ? row.line.invoiceId : row.key)}
        rowClass={(row) => (row.line ? undefined : 'summary')}
        footer={{ suppliername: 'Total', importe: <Money cents={totalCents} /> }}
      />
    </LongTable>
  );
}

function lineColumns({ batch, values }: BatchLinesProps): Column<LineOrTotalRow>[] {
  const isPartial = (line: BatchLine) => line.pendingCents !== line.amountCents;
  const columns: (Column<LineOrTotalRow> | false)[] = [
    {
      key: 'suppliername',
      label: 'Proveedor y obra',
      card: 'title',
      className: 'wraps',
      render: ({ line, ...total }) =>
        line ? (
          <>
            {line.suppliername}
            <div className="hint">{line.jobtitle}</div>
            <LineFindings line={line} />
          </>
        ) : (
          'suppliername' in total && <strong>{`Total ${total.suppliername}`}</strong>
        ),
    },
    {
      key: 'numfactura',
      label: 'Factura',
      wraps: MAX_UNWRAPPED_LETTERS,
      card: 'half',
      cardLabel: () => '',
      text: (row) => row.line?.numfactura ?? '',
      render: ({ line }) =>
        line && <a href={pages.editInvoice(line.invoiceId)}>{invoiceNumberText(line.numfactura)}</a>,
    },
    {
      key: 'vence',
      label: 'Vence',
      card: 'half',
      cardLabel: () => '',
      render: ({ line }) => line && <DateText date={line.vence} />,
    },
    batch.lines.some(isPartial) && {
      key: 'pendiente',
      label: 'Pendiente',
      align: 'end',
      render: ({ line }) => line && isPartial(line) && <Money cents={line.pendingCents} />,
    },
    {
      key: 'importe',
      label: 'Importe',
      align: 'end',
      card: 'corner',
      render: (row) =>
        row.line ? (
          <>
            <AmountInput line={row.line} values={values} />
            {row.line.foreign && (
              <div className="hint">{formatForeign(row.line.foreign.cents, row.line.foreign.moneda)}</div>
            )}
          </>
        ) : (
          <strong>
            <Money cents={row.cents} />
          </strong>
        ),
    },
    {
      key: 'quitar',
      label: 'Quitar',
      className: 'taken-out no-print',
      card: 'half',
      cardLabel: () => '',
      render: ({ line }) =>
        line && (
          <RowCheckbox
            name={REMOVED_INVOICE_FIELD}
            value={line.invoiceId}
            form={LINES_FORM_ID}
            label={`Quitar de la programación la factura ${line.numfactura || line.invoiceId}`}
          >
            <span className="on-card">Quitar</span>
          </RowCheckbox>
        ),
    },
  ];
  return columns.filter((column) => column !== false);
}

const AmountInput = ({ line, values }: { line: BatchLine; values: FieldTexts }) => (
  <input
    className="control num"
    name={amountFieldName(line.invoiceId)}
    form={LINES_FORM_ID}
    inputMode="decimal"
    autoComplete="off"
    defaultValue={groupThousands(values[amountFieldName(line.invoiceId)] ?? toDecimalText(line.amountCents))}
    aria-label={`Importe de la factura ${line.numfactura || line.invoiceId}`}
  />
);

export const LineFindings = ({ line }: { line: BatchLine }) => (
  <>
    {line.verdict.findings.map(({ code, reason, remedy }) => (
      <div key={code} className={`finding ${isHeldLine(line) ? 'tone-danger' : 'tone-warn'}`}>
        <Icon name="warning" />
        <span>
          {reason} <a href={remedy}>{REMEDY_LABELS[code] ?? 'Ver la factura'}</a>
        </span>
      </div>
    ))}
    {line.permit && (
      <div className="hint">{`${line.permit.username} la autorizó de todos modos: ${line.permit.reason}`}</div>
    )}
  </>
);

const REMEDY_LABELS: Readonly<Record<string, string>> = {
  periodo_cerrado: 'Ver las programaciones',
  beneficiario_cambiado: 'Ver el proveedor',
  duplicada: 'Ver esa factura',
  presupuesto_excedido: 'Ver el presupuesto',
  rep_pendiente: 'Ver sus pagos',
  clabe_no_confiable: 'Ver sus cuentas',
  rfc_mal_formado: 'Corregirlo',
};
