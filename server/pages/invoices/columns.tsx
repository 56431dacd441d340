import { daysBetween, type PlainDate } from '../../../shared/dates.ts';
import {
  dueShort,
  dueText,
  type Invoice,
  type InvoiceSort,
  pendingOf,
  shownNumber,
  statusOf,
} from '../../../shared/invoices.ts';
import { isDueEstimated } from '../../../shared/invoices-due.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { StatusChip } from '../../../shared/ui/Chip.tsx';
import { type Column, LONGEST_NUMBER } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { EstimatedMark } from '../../../shared/ui/EstimatedMark.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { ProgrammedMarks } from '../../../shared/ui/ProgrammedMarks.tsx';
import { pages } from '../../../shared/urls.ts';
import { type Committed, committedSum } from '../../services/payment-batches/committed.ts';
import { CHOSEN, Tick } from '../payment-batches/tick.tsx';
import { moneyColumn } from '../ui/columns.tsx';

interface InvoiceColumns {
  /** the day that due texts refer to */
  today: PlainDate;
  sort: (field: InvoiceSort) => Column<Invoice>['sort'];
}

/** A row of the list; `committed`: what open batches are to pay of it, where it is chosen to be paid. */
export interface ListedInvoice extends Invoice {
  committed?: readonly Committed[];
}

/** The columns of the list of invoices. */
export function invoiceColumns({ today, sort }: InvoiceColumns): Column<ListedInvoice>[] {
  return [
    { key: 'id', label: 'ID', align: 'end', card: 'none', className: 'hide-mid', sort: sort('id') },
    {
      key: 'numfactura',
      label: 'Factura',
      link: true,
      clip: LONGEST_NUMBER,
      card: 'title',
      render: (invoice) => shownNumber(invoice.numfactura),
    },
    { key: 'suppliername', label: 'Proveedor', clip: true, line: 'over', card: 'line' },
    {
      key: 'jobtitle',
      label: 'Obra',
      clip: true,
      line: 'under',
      card: 'line',
      text: (invoice) => invoice.jobtitle,
      render: ({ committed = [], jobtitle }) =>
        committed.length > 0 ? (
          // Ahead of the name, which is clipped.
          <>
            <span>
              <ProgrammedMarks batches={committed} />
            </span>{' '}
            {jobtitle}
          </>
        ) : (
          jobtitle
        ),
    },
    moneyColumn('total', 'Total', (invoice) => invoice.totalCents, { card: 'half', sort: sort('total') }),
    {
      key: 'totalamountpaid',
      label: 'Pagado',
      align: 'end',
      card: 'none',
      className: 'hide-mid', // total and pendiente say it
      render: (invoice) => <Money cents={invoice.paidCents} />,
    },
    moneyColumn('pending', 'Pendiente', (invoice) => pendingOf(invoice), { card: 'half' }),
    {
      key: 'fechavencimiento',
      label: 'Vencimiento',
      line: 'over',
      card: 'foot',
      sort: sort('fechavencimiento'),
      render: (invoice) => <DueDay invoice={invoice} />,
    },
    {
      key: 'vencimientoTexto',
      label: 'Estado',
      line: 'under',
      card: 'corner',
      render: (invoice) => <DueChip invoice={invoice} today={today} />,
    },
    {
      key: 'actions',
      label: 'Acciones',
      card: 'actions',
      render: (invoice) => <Actions invoice={invoice} />,
    },
  ];
}

/** The day on which it is due, also where it was worked out. */
const DueDay = ({ invoice }: { invoice: Invoice }) => (
  <>
    <DateText date={invoice.vence} />
    {isDueEstimated(invoice) && <EstimatedMark />}
  </>
);

/** Amber from a week before the due date on. */
const SOON_DAYS = 7;

/** Where an invoice stands, coloured by how soon it is due. */
export function DueChip({ invoice, today }: { invoice: Invoice; today: PlainDate }) {
  const days = daysBetween(today, invoice.vence);
  const soon = days >= 0 && days <= SOON_DAYS;
  return (
    <StatusChip
      status={statusOf(invoice, today)}
      text={dueText(invoice, today)}
      short={dueShort(invoice, today)}
      soon={soon}
    />
  );
}

function Actions({ invoice }: { invoice: ListedInvoice }) {
  const { id, committed } = invoice;
  const name = invoice.numfactura || `factura ${id}`;
  const isOpen = pendingOf(invoice) > 0;
  const roomCents = pendingOf(invoice) - committedSum(committed);
  return (
    <>
      {committed && roomCents > 0 && (
        <Tick name={CHOSEN} value={id} cents={roomCents} label={`Marcar ${name}`} />
      )}
      {isOpen && <LinkButton href={pages.payInvoice(id)} icon="pay" tip={`Pagar ${name}`} />}
      <LinkButton href={pages.editInvoice(id)} icon="edit" tip={`Editar ${name}`} />
    </>
  );
}
