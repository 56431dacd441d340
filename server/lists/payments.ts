import {
  PAYMENT_FIELDS,
  PAYMENT_KIND_LABELS,
  type PaymentSort,
  RECEIPT_LABELS,
} from '../../shared/payments.ts';
import { monthOf } from '../../shared/periods.ts';
import { fieldIn } from '../../shared/record-fields.ts';
import { pages } from '../../shared/urls.ts';
import { byClient, byInvoice, byJob, byRubro, bySource, bySupplier, byUser } from './catalog-filters.ts';
import { choice, contains, type Filter, fromTo, period } from './filter.ts';
import type { List } from './list.ts';

const OF_INVOICE = 'De la factura pagada';

const filters = [
  { ...byUser, only: 'api' },
  { ...byInvoice, flag: ['--invoice <factura>', 'los de una factura, por su id'] },
  { ...bySupplier, says: OF_INVOICE },
  { ...byJob, says: OF_INVOICE },
  { ...byClient, only: 'link' },
  bySource,
  { ...byRubro, says: OF_INVOICE, only: 'link' },
  contains(fieldIn(PAYMENT_FIELDS, 'checknum'), { flag: ['--number <texto>', 'parte del número de cheque'] }),
  period('paymentdate', 'Fecha de pago', {
    of: 'Pago',
    flags: fromTo('pagados desde ese día, AAAA-MM-DD'),
  }),
  period('fechaemision', 'Emisión de la factura', { of: 'Emisión', says: OF_INVOICE, only: 'link' }),
  choice('kind', 'Tipo', PAYMENT_KIND_LABELS, {
    says: '`pago`: en dinero; `credito`: parte de una nota de crédito',
    flag: ['--kind <tipo>', 'tipo'],
  }),
  choice('rep', 'REP', RECEIPT_LABELS, {
    says: '`sin`: de facturas PPD cuyo recibo de pago (REP) no ha llegado; `con`: ya llegó',
    flag: ['--rep <estado>', 'con o sin su recibo de pago (REP)'],
  }),
] as const satisfies readonly Filter[];

/** Loaded on demand, since commands load this file at their start, and each import takes a while. */
let sums: typeof import('../services/payments/sums.ts') | undefined;

export const paymentList: List<typeof filters, PaymentSort> = {
  title: 'Pagos realizados',
  noun: ['pago', 'pagos'],
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
  opens: { sort: 'paymentdate', newestFirst: true },
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
  async read(asked, { db }) {
    const { paymentsExport } = await import('../services/exports/payments.ts');
    return paymentsExport(db, asked);
  },
};
