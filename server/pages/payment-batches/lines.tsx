import { pluralize } from '../../../shared/counts.ts';
import { formatDate, type PlainDate, plainDateIn } from '../../../shared/dates.ts';
import { shownNumber } from '../../../shared/invoices.ts';
import { moneyText } from '../../../shared/money.ts';
import {
  type BatchLine,
  type FullBatch,
  groupBySupplier,
  isHeld,
  isUntouched,
} from '../../../shared/payment-batches.ts';
import { groupThousands } from '../../../shared/thousands.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { type Column, DataTable, MAX_NUMBER_LENGTH } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { LongTable } from '../ui/long-table.tsx';
import type { Texts } from '../ui/record-fields.tsx';
import { StepForm } from '../ui/step-form.tsx';

/** Id of the form, to which controls in the table belong by their attribute `form`. */
export const LINES_FORM = 'partidas';
export const REMOVED_NAME = 'quitar';
export const amountName = (invoiceId: number) => `importe-${invoiceId}`;

const LINES_ON_PAGE = 40;

interface LinesProps {
  caption: string;
  from: { name: string; line: number };
  batch: FullBatch;
  lines: readonly BatchLine[];
  isOpen: boolean;
  mayPermit: boolean;
  values: Texts;
  timeZone: string;
}

type Row = { place: number } & (
  | { line: BatchLine }
  | { line: undefined; suppliername: string; cents: number; key: string }
);

export function BatchLines(props: LinesProps) {
  const { caption, lines, from, batch, values } = props;
  let place = 0;
  const rows = groupBySupplier(lines).flatMap(
    ({ supplierId, suppliername, lines: supplierLines, totalCents }): Row[] => [
      ...supplierLines.map((line) => ({ place: place++, line })),
      ...(supplierLines.length > 1
        ? [{ place: place - 1, line: undefined, suppliername, cents: totalCents, key: `total-${supplierId}` }]
        : []),
    ],
  );
  const total = lines.reduce((sum, { amountCents }) => sum + amountCents, 0);
  // A refused form shows all lines up to the last one with a typed amount.
  const typed = rows.findLast(({ line }) => line && values[amountName(line.invoiceId)] !== undefined);
  const end = Math.max(from.line + LINES_ON_PAGE, (typed?.place ?? 0) + 1);
  return (
    <LongTable
      id={from.name}
      shown={end}
      total={lines.length}
      noun={['factura', 'facturas']}
      href={withQuery(pages.paymentBatch(batch.id), { [from.name]: end })}
    >
      <DataTable
        caption={caption}
        showCaption
        className="batch-lines"
        columns={columnsOf(props)}
        rows={rows.filter((row) => row.place >= from.line && row.place < end)}
        rowKey={(row) => (row.line ? row.line.invoiceId : row.key)}
        rowClass={(row) => (row.line ? undefined : 'summary')}
        footer={{ suppliername: 'Total', importe: <Money cents={total} /> }}
      />
      {end < lines.length && (
        <p className="print-only">
          Aquí van {end - from.line} de {pluralize(lines.length, 'factura', 'facturas')}; el PDF de Exportar
          las trae todas.
        </p>
      )}
    </LongTable>
  );
}

/** Held and payable lines have the same columns, so that figures line up. */
function columnsOf(props: LinesProps): Column<Row>[] {
  const { batch, isOpen, values } = props;
  const isPaid = batch.estado === 'pagada';
  const isPartial = (line: BatchLine) =>
    isPaid ? line.pendingCents > 0 : isUntouched(line) && line.pendingCents !== line.amountCents;
  const columns: (Column<Row> | false)[] = [
    {
      key: 'suppliername',
      label: 'Proveedor y obra',
      card: 'title',
      className: 'wraps',
      render: (row) =>
        row.line ? <LineOwner {...props} line={row.line} /> : <strong>{`Total ${row.suppliername}`}</strong>,
    },
    {
      key: 'numfactura',
      label: 'Factura',
      clip: MAX_NUMBER_LENGTH,
      card: 'half',
      cardLabel: () => '',
      text: (row) => row.line?.numfactura ?? '',
      render: ({ line }) =>
        line && <a href={pages.editInvoice(line.invoiceId)}>{shownNumber(line.numfactura)}</a>,
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
      label: isPaid ? 'Se debe' : 'Pendiente',
      align: 'end',
      render: ({ line }) => line && isPartial(line) && <Money cents={line.pendingCents} />,
    },
    batch.lines.some((line) => isPaid || !isUntouched(line)) && {
      key: 'pago',
      label: 'Pago',
      clip: MAX_NUMBER_LENGTH,
      text: ({ line }) => line?.checknum ?? '',
      render: ({ line }) => line && <LinePayment line={line} />,
    },
    {
      key: 'importe',
      label: 'Importe',
      align: 'end',
      card: 'corner',
      render: (row) => {
        if (!row.line)
          return (
            <strong>
              <Money cents={row.cents} />
            </strong>
          );
        return isOpen ? (
          <AmountInput line={row.line} values={values} />
        ) : (
          <Money cents={row.line.amountCents} />
        );
      },
    },
    isOpen && {
      key: 'quitar',
      label: 'Quitar de la programación',
      className: 'taken-out no-print',
      card: 'half',
      cardLabel: () => '',
      render: ({ line }) =>
        line && (
          <label className="tick">
            <input
              type="checkbox"
              name={REMOVED_NAME}
              value={line.invoiceId}
              form={LINES_FORM}
              aria-label={`Quitar de la programación la factura ${line.numfactura || line.invoiceId}`}
            />
            <span className="on-card">Quitar</span>
          </label>
        ),
    },
  ];
  return columns.filter((column) => column !== false);
}

export const SupplierAndJob = ({ suppliername, jobtitle }: Pick<BatchLine, 'suppliername' | 'jobtitle'>) => (
  <div className="supplier-job">
    <span>{suppliername}</span>
    <span className="hint">{jobtitle}</span>
  </div>
);

const LineOwner = ({ batch, line, mayPermit, timeZone }: Omit<LinesProps, 'lines'> & { line: BatchLine }) => (
  <>
    <SupplierAndJob {...line} />
    <Findings line={line} checkedOn={plainDateIn(new Date(line.verdict.at), timeZone)} />
    {mayPermit && isHeld(line) && <PermitStep batch={batch} line={line} />}
  </>
);

const AmountInput = ({ line, values }: { line: BatchLine; values: Texts }) => (
  <input
    className="control num"
    name={amountName(line.invoiceId)}
    form={LINES_FORM}
    inputMode="decimal"
    autoComplete="off"
    defaultValue={groupThousands(values[amountName(line.invoiceId)] ?? moneyText(line.amountCents))}
    aria-label={`Importe de la factura ${line.numfactura || line.invoiceId}`}
  />
);

const LinePayment = ({ line: { paymentId, checknum, refusedAt } }: { line: BatchLine }) =>
  refusedAt !== null ? (
    <Chip tone="danger">La devolvió el banco</Chip>
  ) : paymentId === null ? (
    <Chip tone="warn">Sin pagar</Chip>
  ) : (
    <a href={pages.editPayment(paymentId)}>{checknum || `Pago ${paymentId}`}</a>
  );

const Findings = ({ line, checkedOn }: { line: BatchLine; checkedOn: PlainDate }) => (
  <>
    {line.verdict.findings.map(({ code, reason, remedy, date }) => (
      <div key={code} className={`finding ${isHeld(line) ? 'tone-danger' : 'tone-warn'}`}>
        <Icon name="warning" />
        <a href={remedy}>{date && date !== checkedOn ? `${reason} (${formatDate(date)})` : reason}</a>
      </div>
    ))}
    {line.permit && (
      <div className="hint">{`${line.permit.username} la autorizó de todos modos: ${line.permit.reason}`}</div>
    )}
  </>
);

const PermitStep = ({ batch, line: { invoiceId, numfactura } }: { batch: FullBatch; line: BatchLine }) => (
  <Disclosure
    summary="Autorizar de todos modos"
    label={`Autorizar de todos modos la factura ${numfactura || invoiceId}`}
  >
    <StepForm
      action={pages.paymentBatchStep(batch.id, `partidas/${invoiceId}/permitir`)}
      hidden={{ version: String(batch.version) }}
      fields={
        <Field
          id={`motivo-${invoiceId}`}
          name="motivo"
          label="Motivo"
          maxLength={500}
          autoComplete="off"
          required
          wide
        />
      }
      buttons={<Button>Autorizar esta factura</Button>}
    />
  </Disclosure>
);
