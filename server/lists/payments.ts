import {
  PAYMENT_KIND_LABELS,
  PAYMENT_KINDS,
  type PaymentSort,
  RECEIPT_LABELS,
  RECEIPT_STATES,
} from '../../shared/payments.ts';
import { monthOf } from '../../shared/periods.ts';
import { pages } from '../../shared/urls.ts';
import type { ListExport } from '../formats/sheets/sheet.ts';
import { byClient, byJob, byRubro, bySource, bySupplier } from './catalog-filters.ts';
import type { Filter } from './filter.ts';
import type { List } from './list.ts';

const filters = [
  { kind: 'row', name: 'userId', label: 'Usuario', table: 'users', column: 'username', only: 'api' },
  {
    kind: 'row',
    name: 'facturaproveedorId',
    label: 'Factura',
    table: 'invoices',
    column: 'numfactura',
    only: 'link',
    flag: ['--invoice <factura>', 'los de una factura, por su id'],
  },
  { ...bySupplier, says: 'De la factura pagada' },
  { ...byJob, says: 'De la factura pagada' },
  { ...byClient, only: 'link' },
  bySource,
  { ...byRubro, says: 'De la factura pagada', only: 'link' },
  {
    kind: 'text',
    name: 'checknum',
    label: 'Número de cheque',
    max: 60,
    words: 'Cheque con',
    flag: ['--number <texto>', 'parte del número de cheque'],
  },
  {
    kind: 'date',
    name: 'paymentdateDesde',
    label: 'Pago desde',
    bound: 'from',
    words: 'Fecha de pago',
    flag: ['--from <fecha>', 'pagados desde ese día, AAAA-MM-DD'],
  },
  {
    kind: 'date',
    name: 'paymentdateHasta',
    label: 'Pago hasta',
    bound: 'to',
    words: 'Fecha de pago',
    flag: ['--to <fecha>', 'hasta ese día'],
  },
  {
    kind: 'date',
    name: 'fechaemisionDesde',
    label: 'Emisión desde',
    says: 'De la factura pagada',
    bound: 'from',
    only: 'link',
    words: 'Emisión de la factura',
  },
  {
    kind: 'date',
    name: 'fechaemisionHasta',
    label: 'Emisión hasta',
    says: 'De la factura pagada',
    bound: 'to',
    only: 'link',
    words: 'Emisión de la factura',
  },
  {
    kind: 'choice',
    name: 'kind',
    label: 'Tipo',
    says: '`pago`: en dinero; `credito`: parte de una nota de crédito',
    choices: PAYMENT_KINDS,
    labels: PAYMENT_KIND_LABELS,
    flag: ['--kind <tipo>', 'tipo'],
  },
  {
    kind: 'choice',
    name: 'rep',
    label: 'REP',
    says: '`sin`: de facturas PPD cuyo recibo de pago (REP) no ha llegado; `con`: ya llegó',
    choices: RECEIPT_STATES,
    labels: RECEIPT_LABELS,
    flag: ['--rep <estado>', 'con o sin su recibo de pago (REP)'],
  },
] as const satisfies readonly Filter[];

/** Loaded once it is asked for, since commands start without it: each import takes a while, also of what is there. */
let sums: typeof import('../services/payments/sums.ts') | undefined;

export const paymentList: List<typeof filters, PaymentSort> = {
  title: 'Pagos realizados',
  page: pages.payments,
  area: 'work',
  help: 'pagos',
  filters,
  inSight: ['checknum', 'supplierId', 'jobId', 'origenderecursoId'],
  first: {
    page: ['checknum'],
    command: ['checknum', 'supplierId', 'jobId', 'facturaproveedorId', 'kind', 'rep'],
    words: ['supplierId', 'jobId', 'checknum', 'facturaproveedorId'],
  },
  sorts: { id: 'ID', paymentdate: 'Fecha de pago' },
  // The old client's name for the payment date.
  otherSorts: { fechavencimiento: 'paymentdate' },
  sortSays: '`fechavencimiento` es el nombre antiguo de `paymentdate`',
  views: [
    { name: 'todos', label: 'Todos', asked: () => ({}), sort: 'id' },
    {
      name: 'este-mes',
      label: 'Este mes',
      asked: (today) => {
        const { from, to } = monthOf(today);
        return { paymentdateDesde: from, paymentdateHasta: to };
      },
      sort: 'paymentdate',
    },
    { name: 'sin-rep', label: 'Sin REP', asked: () => ({ rep: 'sin' }), sort: 'paymentdate' },
  ],
  async sum(asked, { db }) {
    sums ??= await import('../services/payments/sums.ts');
    const totals = await sums.sumPaymentsAtOnce(db, asked);
    return totals && { count: totals.count, cents: totals.amountCents };
  },
  command: { name: 'payments', says: 'los pagos' },
  async read(asked, { db, today, facts }) {
    const { paymentsExport } = await import('../services/exports/payments.ts');
    return paymentsExport(db, asked, { today, facts }) as Promise<ListExport<unknown>>;
  },
};
