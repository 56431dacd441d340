import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { type Invoice, invoiceNumberText, invoiceTexts, pendingOf } from '../../../shared/invoices.ts';
import { ESTIMATED_NOTE, isDueEstimated } from '../../../shared/invoices-due.ts';
import { currentLanguage } from '../../../shared/language.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import type { Column } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { EstimatedMark } from '../../../shared/ui/EstimatedMark.tsx';
import { PaymentBatchChips } from '../../../shared/ui/PaymentBatchChips.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';
import { invoiceList } from '../../lists/invoices.ts';
import { type InvoiceFilter, readInvoices, searchInvoices } from '../../services/invoices/reading.ts';
import { type InvoiceTotals, sumInvoices } from '../../services/invoices/sums.ts';
import {
  type CommittedLine,
  readCommittedLines,
  sumCommitted,
} from '../../services/payments/committed-amounts.ts';
import { idsOf } from '../../services/stored-rows.ts';
import {
  CHOSEN_INVOICE_FIELD,
  PaymentSelectionBar,
  SelectAllCheckbox,
  SelectionCheckbox,
} from '../payment-batches/row-selection.tsx';
import { moneyColumn } from '../ui/columns.tsx';
import { DueChip } from '../ui/due-chip.tsx';
import { FileDropForm } from '../ui/file-drop-form.tsx';
import { toFilterAndOrder } from '../ui/list-filters.tsx';
import { showList } from '../ui/list-page.tsx';

export const showInvoices = (c: AppContext) =>
  showList(c, invoiceList, {
    className: 'plan invoices',
    loadFailed: invoiceTexts.loadFailed,
    first: 'pdf',
    secondaryActions: <UploadXmlLink />,
    create: <NewInvoiceLink />,
    async read(c, search, { corte }) {
      const { db, config } = c.get('deps');
      const day = { today: c.get('today'), timeZone: config.timeZone };
      const [{ rows: invoices, cursor }, totals] = await Promise.all([
        searchInvoices(db, search, day),
        sumInvoices(db, search, day),
      ]);
      // Open batches are known only for today, not for an earlier day.
      const rows: ListedInvoice[] = corte ? invoices : await addCommittedLines(db, invoices);
      return { rows, cursor, ...totals, today: corte ?? day.today };
    },
    listSum: ({ count, totalCents: cents }) => ({ count, cents }),
    rowHref: ({ id }) => pages.editInvoice(id),
    async findOne(c, id) {
      const { db } = c.get('deps');
      return (await addCommittedLines(db, await readInvoices(db, [id])))[0];
    },
    columns: ({ today }) => invoiceColumns(today),
    above: (totals, query) => <FilterCostTotals query={query} totals={totals} />,
    totals: (totals) => (
      <Totals
        isFooter
        label="Totales del filtro"
        items={[
          { label: 'Total facturas', cents: totals.totalCents },
          { label: 'Total pagado', cents: totals.paidCents, op: '−' },
          { label: 'Total pendiente', cents: pendingOf(totals), op: '=' },
        ]}
      />
    ),
    after: (found, query) => (
      <>
        {found.rows.some(isDueEstimated) && <p className="note">{ESTIMATED_NOTE}</p>}
        {pendingOf(found) > 0 && !query.corte && (
          <p className="no-print">
            <a href={withQuery(pages.newPaymentBatch, toFilterAndOrder(invoiceList, query))}>
              Programar el pago de lo pendiente
            </a>
          </p>
        )}
      </>
    ),
    below: (
      <>
        <PaymentSelectionBar other={{ label: 'Cambiar', action: pages.changeInvoices }} />
        <FileDropForm />
      </>
    ),
    noMatches: {
      title: 'Ninguna factura con este filtro',
      hint: 'Prueba con otra parte del número, o quita alguno de los filtros.',
      views: {
        all: 'Ver todas las facturas',
        titles: {
          'por-pagar': { title: 'No debes nada', hint: 'Todas las facturas están pagadas.' },
          'sin-programar': {
            title: 'Todo está programado',
            hint: 'Todo lo que está por pagar va ya, entero o en parte, en una programación abierta.',
          },
          vencidas: {
            title: 'Nada está vencido',
            hint: 'Ninguna factura por pagar ha pasado su vencimiento.',
          },
          'esta-semana': { title: 'Nada vence esta semana', hint: 'Lo que vence después está en Por pagar.' },
          'sin-fecha': {
            title: 'Todas tienen vencimiento',
            hint: 'Ninguna factura por pagar está sin fecha.',
          },
        },
      },
    },
    empty: {
      title: 'Todavía no hay facturas',
      hint: 'Aquí se ve lo que se debe a los proveedores de cada obra, y cuándo vence. Captura la primera factura.',
      action: (
        <>
          <NewInvoiceLink />
          <UploadXmlLink />
        </>
      ),
    },
  });

function FilterCostTotals({ query, totals }: { query: InvoiceFilter; totals: InvoiceTotals }) {
  const { fechaemisionDesde, fechaemisionHasta, emision, jobId, status } = query;
  const isOfJob = Boolean(jobId && !status);
  if (!(fechaemisionDesde || fechaemisionHasta || emision || isOfJob)) return null;
  const { sinIvaCents, totalCents } = totals;
  return (
    <Totals
      label="Costo del filtro"
      items={[
        { label: 'Costo sin IVA', cents: sinIvaCents },
        { label: 'IVA, menos retenciones', cents: totalCents - sinIvaCents, op: '+' },
        { label: 'Total con IVA', cents: totalCents, op: '=' },
      ]}
    />
  );
}

export const UploadXmlLink = () => (
  <LinkButton href={pages.loadInvoice} icon="load">
    <span>
      <span className="roomy">Cargar </span>XML
    </span>
  </LinkButton>
);

const NewInvoiceLink = () => (
  <LinkButton href={pages.newInvoice} look="primary" icon="plus" data-new="">
    <span>
      Nueva<span className="roomy"> factura</span>
    </span>
  </LinkButton>
);

async function addCommittedLines(db: Db, invoices: readonly Invoice[]): Promise<ListedInvoice[]> {
  const batches = await readCommittedLines(db, idsOf(invoices));
  const committed = Map.groupBy(batches, ({ invoiceId }) => invoiceId);
  return invoices.map((one) => ({ ...one, committed: committed.get(one.id) ?? [] }));
}

interface ListedInvoice extends Invoice {
  /** lines of open batches that will pay the invoice; absent where rows cannot be selected for payment */
  committed?: readonly CommittedLine[];
}

function invoiceColumns(today: PlainDate): Column<ListedInvoice>[] {
  const number: Column<ListedInvoice>[] = [{ key: 'id', label: 'ID', align: 'end', at: 'id', card: 'none' }];
  const isSpanish = currentLanguage() === 'es';
  return [
    ...(isSpanish ? [] : number),
    {
      key: 'numfactura',
      label: 'Factura',
      at: 'doc',
      isRowLink: true,
      card: 'foot',
      render: ({ numfactura }) => invoiceNumberText(numfactura),
    },
    { key: 'suppliername', label: 'Proveedor', at: 'who', card: 'title' },
    {
      key: 'jobtitle',
      label: 'Obra',
      at: 'job',
      card: 'line',
      render: (invoice) => (
        <span>
          {invoice.jobtitle}{' '}
          {computeUncommittedCents(invoice) > 0 && <PaymentBatchChips batches={invoice.committed ?? []} />}
        </span>
      ),
    },
    moneyColumn('total', 'Total', ({ totalCents }) => totalCents, {
      at: 'total',
      card: 'half',
      cardLabel: () => 'de',
    }),
    moneyColumn('totalamountpaid', 'Pagado', ({ paidCents }) => paidCents, { at: 'paid', card: 'none' }),
    moneyColumn('pending', 'Pendiente', pendingOf, { at: 'open', card: 'corner' }),
    {
      key: 'fechavencimiento',
      label: 'Vencimiento',
      at: 'due',
      card: 'none',
      render: (invoice) => (
        <span>
          <DateText date={invoice.vence} />
          {isDueEstimated(invoice) && <EstimatedMark />}
        </span>
      ),
    },
    {
      key: 'status',
      label: 'Estado',
      at: 'state',
      card: 'line',
      render: (invoice) => (
        <>
          <DueChip invoice={invoice} today={today} />
          {isSpanish && isDueEstimated(invoice) && pendingOf(invoice) > 0 && (
            <span className="on-card">
              <EstimatedMark />
            </span>
          )}
        </>
      ),
    },
    {
      key: 'actions',
      label: 'Acciones',
      card: 'actions',
      headingContent: <SelectAllCheckbox />,
      render: (invoice) => <InvoiceRowActions invoice={invoice} />,
    },
  ];
}

const computeUncommittedCents = (invoice: ListedInvoice) =>
  pendingOf(invoice) - sumCommitted(invoice.committed);

function InvoiceRowActions({ invoice }: { invoice: ListedInvoice }) {
  const { id, committed } = invoice;
  const name = invoice.numfactura || `factura ${id}`;
  const roomCents = computeUncommittedCents(invoice);
  return (
    <>
      {committed && (
        <SelectionCheckbox
          name={CHOSEN_INVOICE_FIELD}
          value={id}
          cents={Math.max(roomCents, 0)}
          label={`Marcar ${name}`}
        />
      )}
      {roomCents > 0 ? (
        <LinkButton href={pages.payInvoice(id)} look="quiet" aria-label={`Pagar ${name}`}>
          Pagar
        </LinkButton>
      ) : (
        <PaymentBatchChips batches={committed ?? []} />
      )}
      {/* On Spanish screens only the number links there. */}
      {currentLanguage() !== 'es' && (
        <LinkButton href={pages.editInvoice(id)} icon="edit" tip={`Editar ${name}`} />
      )}
    </>
  );
}
