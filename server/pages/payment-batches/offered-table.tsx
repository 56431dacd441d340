import { pluralize } from '../../../shared/counts.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { invoiceNumberText } from '../../../shared/invoices.ts';
import { isDueEstimated } from '../../../shared/invoices-due.ts';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { EstimatedMark } from '../../../shared/ui/EstimatedMark.tsx';
import { pages } from '../../../shared/urls.ts';
import {
  computeAvailableCents,
  type OfferedInvoice,
  sumAvailable,
} from '../../services/payment-batches/offered-invoices.ts';
import { moneyColumn } from '../ui/columns.tsx';
import { isDueSoon, isNewlyOverdue } from '../ui/due-chip.tsx';
import { CHOSEN_INVOICE_FIELD, SelectionCheckbox } from './row-selection.tsx';

const INVOICES_ON_PAGE = 100;

/** An offer of no more invoices than this is shown with all suppliers unfolded. */
const MAX_UNFOLDED_INVOICES = 20;

const supplierOf = ({ supplierId }: OfferedInvoice) => supplierId;

/** @param offeredInvoices by due day @returns suppliers by their oldest due day, and each one's invoices by theirs */
export const orderBySupplier = (offeredInvoices: readonly OfferedInvoice[]): OfferedInvoice[] =>
  [...Map.groupBy(offeredInvoices, supplierOf).values()].flat();

/**
 * @param minEnd the part contains at least the invoices up to this index
 * @returns the end of the part that begins at `start`: between two suppliers, unless one has more invoices than fit
 */
export function findPartEnd(
  orderedInvoices: readonly OfferedInvoice[],
  firstIndex: number,
  minEnd: number,
): number {
  const most = firstIndex + INVOICES_ON_PAGE;
  let end = firstIndex;
  for (const [, { length }] of Map.groupBy(orderedInvoices.slice(firstIndex), supplierOf)) {
    if (end > firstIndex && end >= minEnd && end + length > most) break;
    end += length;
  }
  return minEnd > most ? end : Math.min(end, most);
}

interface OfferedTableProps {
  formId: string;
  /** all offered invoices, by supplier; the table shows those from index `from` to before `end` */
  ordered: readonly OfferedInvoice[];
  from: number;
  end: number;
  chosen: ReadonlySet<string>;
  today: PlainDate;
}

/** A supplier with several invoices has a row of its own before theirs. */
interface OfferRow {
  kind: 'supplier' | 'invoice-of-supplier' | 'only-invoice';
  /** by due day; a row of an invoice has just that one */
  invoices: readonly OfferedInvoice[];
}

export function OfferedTable(props: OfferedTableProps) {
  const { ordered, from, end } = props;
  const offeredOf = Map.groupBy(ordered, supplierOf);
  const rows = [...Map.groupBy(ordered.slice(from, end), supplierOf)].flatMap(
    ([supplierId, invoices]): OfferRow[] =>
      offeredOf.get(supplierId)!.length === 1
        ? [{ kind: 'only-invoice', invoices }]
        : [
            { kind: 'supplier', invoices },
            ...invoices.map((one) => ({ kind: 'invoice-of-supplier' as const, invoices: [one] })),
          ],
  );
  return (
    <DataTable
      caption="Facturas por pagar"
      columns={columnsOf(props, offeredOf)}
      rows={rows}
      rowKey={({ kind, invoices }) => `${kind} ${invoices[0]!.id}`}
      rowClass={({ kind }) => (kind === 'supplier' ? 'summary' : undefined)}
      groupKey={({ invoices }) => invoices[0]!.supplierId}
    />
  );
}

function columnsOf(
  { formId, ordered, chosen, today }: OfferedTableProps,
  offeredOf: ReadonlyMap<number, readonly OfferedInvoice[]>,
): Column<OfferRow>[] {
  const isPartlyChosen = (invoices: readonly OfferedInvoice[]) => {
    const { length } = invoices.filter(({ id }) => chosen.has(String(id)));
    return length > 0 && length < invoices.length;
  };
  const sumOverdue = (invoices: readonly OfferedInvoice[]) =>
    sumAvailable(invoices.filter(({ vence }) => vence < today));
  const countInvoices = (invoices: readonly OfferedInvoice[]) => {
    const { length } = offeredOf.get(invoices[0]!.supplierId)!;
    const part = invoices.length < length ? `${invoices.length} de ` : '';
    return `${part}${pluralize(length, 'factura', 'facturas')}`;
  };
  const columns: (Column<OfferRow> | false)[] = [
    {
      key: 'chosen',
      label: 'Pagar',
      card: 'side',
      className: 'no-print',
      render: ({ kind, invoices }) => {
        const [invoice] = invoices as [OfferedInvoice];
        return kind === 'supplier' ? (
          // It has no name, so it is not posted: the ticks of the supplier's invoices are.
          <label className="tick needs-script">
            <input
              type="checkbox"
              form={formId}
              aria-label={`Pagar ${countInvoices(invoices)} de ${invoice.suppliername}`}
            />
          </label>
        ) : (
          <SelectionCheckbox
            name={CHOSEN_INVOICE_FIELD}
            value={invoice.id}
            cents={computeAvailableCents(invoice)}
            form={formId}
            checked={chosen.has(String(invoice.id))}
            label={`Pagar la factura ${invoice.numfactura || invoice.id} de ${invoice.suppliername}`}
          />
        );
      },
    },
    {
      key: 'suppliername',
      label: 'Proveedor y factura',
      at: 'who',
      card: 'title',
      className: 'wraps',
      render: ({ kind, invoices }) => {
        const [{ id, numfactura, suppliername }] = invoices as [OfferedInvoice];
        if (kind === 'supplier')
          return (
            <details
              open={
                ordered.length <= MAX_UNFOLDED_INVOICES || offeredOf.size === 1 || isPartlyChosen(invoices)
              }
            >
              <summary>
                {suppliername}
                {'\u00a0'}
                <span className="hint">{`${countInvoices(invoices)} `.replaceAll(' ', '\u00a0')}</span>
              </summary>
            </details>
          );
        const number = <a href={pages.editInvoice(id)}>{invoiceNumberText(numfactura)}</a>;
        return kind === 'only-invoice' ? (
          <>
            {suppliername} {number}
          </>
        ) : (
          <span>
            {'\u2003\u2003'}
            {number}
          </span>
        );
      },
    },
    {
      key: 'jobtitle',
      label: 'Obra',
      at: 'state',
      card: 'line',
      className: 'wraps',
      // A supplier's row has no obra where its invoices have several.
      render: ({ invoices }) => {
        const jobs = new Set(invoices.map(({ jobtitle }) => jobtitle));
        return jobs.size === 1 && invoices[0]!.jobtitle;
      },
    },
    {
      key: 'vence',
      label: 'Vence',
      at: 'doc',
      card: 'line',
      render: ({ invoices: [first] }) =>
        first && (
          <span
            className={
              isNewlyOverdue(first.vence, today)
                ? 'late'
                : isDueSoon(first.vence, today)
                  ? 'tone-warn'
                  : undefined
            }
          >
            <span className="on-card">{first.vence < today ? 'venció ' : 'vence '}</span>
            <DateText date={first.vence} />
            {isDueEstimated(first) && <EstimatedMark />}
          </span>
        ),
    },
    ordered.some(({ committedCents }) => committedCents > 0) &&
      moneyColumn(
        'comprometido',
        'En otra programación',
        ({ invoices }) => invoices.reduce((sum, { committedCents }) => sum + committedCents, 0),
        { isBlank: true, hideOnSmall: true },
      ),
    moneyColumn(
      'vencido',
      'Vencido',
      ({ kind, invoices }) => (kind === 'invoice-of-supplier' ? 0 : sumOverdue(invoices)),
      { isBlank: true, at: 'job', card: 'half' },
    ),
    moneyColumn('importe', 'Por pagar', ({ invoices }) => sumAvailable(invoices), {
      at: 'open',
      card: 'corner',
    }),
  ];
  return columns.filter((column) => column !== false);
}
