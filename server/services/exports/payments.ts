import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import {
  creditLabel,
  PAYMENT_KIND_LABELS,
  type Payment,
  RECEIPT_LABELS,
  takenBy,
} from '../../../shared/payments.ts';
import {
  day,
  type ExportFrame,
  type ListExport,
  money,
  pagesOf,
  type Sheet,
  type SheetColumn,
  type SheetPart,
} from '../../formats/sheets/sheet.ts';
import { toPaymentJson } from '../../shapes/to-json.ts';
import { hasExchange, type PaymentQuery, searchPayments } from '../payments/reading.ts';
import { sumPayments } from '../payments/sums.ts';

/** The payments of a filter. */
export async function paymentsExport(
  db: Db,
  query: Omit<PaymentQuery, 'limit'> & SheetPart,
  { today, facts }: ExportFrame,
): Promise<ListExport<PaymentRow>> {
  const { limit = Number.POSITIVE_INFINITY, cursor: _, ...filter } = query;
  return {
    file: `Pagos realizados ${today}`,
    title: 'Pagos realizados',
    filters: facts,
    noun: ['pago', 'pagos'],
    sheet: paymentsSheet(db, query, await hasExchange(db)),
    count: async () => Math.min((await sumPayments(db, filter)).count, limit),
    toRecords: (payments) => payments.map(toPaymentJson),
  };
}

/** What tells the invoice of a payment from others, elsewhere too: an import finds it again by these. */
interface PaidInvoice {
  uuid: string | null;
  rfc: string | null;
  fechaemision: PlainDate | null;
  totalCents: Cents;
}

/** What tells the credit note that a payment is a part of from others, and what it comes to. */
interface PartedNote {
  uuid: string | null;
  totalCents: Cents;
  ivaCents: Cents;
  otrosimpuestosCents: Cents;
  retencionesCents: Cents;
}

type PaymentRow = Payment & PaidInvoice & { note?: PartedNote };

/** @param showsBank on paper too what left the bank: the firm has paid at other rates than its invoices' */
export function paymentsSheet(
  db: Db,
  query: Omit<PaymentQuery, 'limit'> & SheetPart,
  showsBank = false,
): Sheet<PaymentRow> {
  return {
    columns: COLUMNS.map((column) =>
      column.name === BANK && showsBank ? { ...column, paper: undefined } : column,
    ),
    // Credits move no money: as on the screen, they are named beside what was paid.
    parts: {
      column: 'kind',
      labels: [
        [PAYMENT_KIND_LABELS.pago, 'Total pagado'],
        [PAYMENT_KIND_LABELS.credito, 'Total notas de crédito'],
      ],
    },
    pages: pagesOf(async (page) => {
      const { payments, cursor } = await searchPayments(db, { ...query, ...page });
      const invoices = await readInvoices(db, payments);
      const notes = await readNotes(db, payments);
      const rows = payments.flatMap((payment) => {
        const invoice = invoices.get(payment.facturaproveedorId);
        const note = notes.get(payment.creditNoteId ?? 0);
        return invoice ? [{ ...payment, ...invoice, note }] : []; // gone between the two reads, payment and all
      });
      return { rows, cursor };
    }, query),
  };
}

const BANK = 'importebanco';

const COLUMNS: readonly SheetColumn<PaymentRow>[] = [
  { name: 'id', heading: 'ID', cell: ({ id }) => id },
  { name: 'checknum', heading: 'Cheque', cell: ({ checknum }) => checknum },
  {
    name: 'facturaproveedorId',
    heading: 'ID de factura',
    cell: (payment) => payment.facturaproveedorId,
    paper: false,
  },
  { name: 'numfactura', heading: 'Factura', cell: ({ numfactura }) => numfactura },
  { name: 'uuid', heading: 'UUID', cell: ({ uuid }) => uuid, paper: false },
  { name: 'suppliername', heading: 'Proveedor', cell: ({ suppliername }) => suppliername },
  { name: 'rfc', heading: 'RFC', cell: ({ rfc }) => rfc, paper: false },
  { name: 'jobtitle', heading: 'Obra', cell: ({ jobtitle }) => jobtitle },
  { name: 'fechaemision', heading: 'Emisión', cell: ({ fechaemision }) => day(fechaemision), paper: false },
  { name: 'total', heading: 'Total de la factura', cell: ({ totalCents }) => money(totalCents), sum: false },
  {
    name: 'kind',
    heading: 'Tipo',
    cell: ({ kind }) => PAYMENT_KIND_LABELS[kind],
    paper: ({ kind, creditNumero }) =>
      kind === 'credito' ? creditLabel(creditNumero) : PAYMENT_KIND_LABELS.pago,
  },
  { name: 'paymentamount', heading: 'Cantidad pagada', cell: ({ amountCents }) => money(amountCents) },
  {
    name: BANK,
    heading: 'Importe del banco',
    // Of every payment, so that its sum is the money spent.
    cell: (payment) => (payment.kind === 'pago' ? money(takenBy(payment)) : null),
    paper: false,
  },
  { name: 'paymentdate', heading: 'Fecha de pago', cell: ({ paymentdate }) => day(paymentdate) },
  {
    name: 'origenderecursonombre',
    heading: 'Origen de recurso',
    cell: ({ origenderecursonombre }) => origenderecursonombre,
  },
  { name: 'rep', heading: 'REP', cell: ({ rep }) => rep && RECEIPT_LABELS[rep] },
  { name: 'comments', heading: 'Observaciones', cell: ({ comments }) => comments },
  // Of credits alone: an import makes their notes again of these. Paper names the note under "Tipo".
  {
    name: 'creditnumero',
    heading: 'Nota de crédito',
    cell: ({ creditNumero }) => creditNumero,
    paper: false,
  },
  { name: 'credituuid', heading: 'UUID de la nota', cell: ({ note }) => note?.uuid ?? null, paper: false },
  ofNote('credittotal', 'Total de la nota', 'totalCents'),
  ofNote('creditiva', 'IVA de la nota', 'ivaCents'),
  ofNote('creditotrosimpuestos', 'Otros impuestos de la nota', 'otrosimpuestosCents'),
  ofNote('creditretenciones', 'Retenciones de la nota', 'retencionesCents'),
  {
    name: 'creditaplicado',
    heading: 'Aplicado de la nota',
    cell: ({ kind, importebancoCents: cents }) =>
      kind === 'credito' && cents !== null ? money(cents) : null,
    sum: false,
    paper: false,
  },
];

/** The same in each row that is a part of the note, so it is not summed. */
function ofNote(
  name: string,
  heading: string,
  amount: Exclude<keyof PartedNote, 'uuid'>,
): SheetColumn<PaymentRow> {
  return { name, heading, cell: ({ note }) => (note ? money(note[amount]) : null), sum: false, paper: false };
}

async function readInvoices(db: Db, payments: readonly Payment[]): Promise<Map<number, PaidInvoice>> {
  if (payments.length === 0) return new Map();
  const ids = [...new Set(payments.map((payment) => payment.facturaproveedorId))];
  const rows = await db
    .selectFrom('invoices')
    .innerJoin('suppliers', 'suppliers.id', 'invoices.supplierId')
    .select(['invoices.id', 'invoices.uuid', 'suppliers.rfc', 'fechaemision', 'totalCents'])
    .where('invoices.id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, ...invoice }) => [id, invoice]));
}

async function readNotes(db: Db, payments: readonly Payment[]): Promise<Map<number, PartedNote>> {
  const ids = [...new Set(payments.flatMap(({ creditNoteId }) => creditNoteId ?? []))];
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('credit_notes')
    .select(['id', 'uuid', 'totalCents', 'ivaCents', 'otrosimpuestosCents', 'retencionesCents'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, ...note }) => [id, note]));
}
