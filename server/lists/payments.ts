import { pluralize } from '../../shared/counts.ts';
import {
  PAYMENT_FIELDS,
  PAYMENT_KIND_LABELS,
  PAYMENT_SORTS,
  type PaymentSort,
  REP_STATE_LABELS,
} from '../../shared/payments.ts';
import { monthPeriodOf } from '../../shared/periods.ts';
import { getField } from '../../shared/record-fields.ts';
import { pages } from '../../shared/urls.ts';
import type { PaymentTotals } from '../services/payments/sums.ts';
import {
  clientFilter,
  fundingSourceFilter,
  invoiceFilter,
  jobFilter,
  rubroFilter,
  supplierFilter,
  userFilter,
} from './catalog-filters.ts';
import { choiceFilter, createPeriodFlags, type Filter, periodFilter, textFilter } from './filter.ts';
import type { List, ListSum } from './list.ts';

const PAID_INVOICE_DESCRIPTION = 'De la factura pagada';

const filters = [
  { ...userFilter, only: 'api' },
  { ...invoiceFilter, flag: ['--invoice <factura>', 'los de una factura, por su id'] },
  { ...supplierFilter, description: PAID_INVOICE_DESCRIPTION },
  { ...jobFilter, description: PAID_INVOICE_DESCRIPTION },
  { ...clientFilter, only: 'link' },
  fundingSourceFilter,
  { ...rubroFilter, description: PAID_INVOICE_DESCRIPTION, only: 'link' },
  textFilter(getField(PAYMENT_FIELDS, 'checknum'), {
    flag: ['--number <texto>', 'parte del número de cheque'],
  }),
  periodFilter('paymentdate', 'Fecha de pago', {
    of: 'Pago',
    flags: createPeriodFlags('pagados desde ese día, AAAA-MM-DD'),
  }),
  periodFilter('fechaemision', 'Emisión de la factura', {
    of: 'Emisión',
    description: PAID_INVOICE_DESCRIPTION,
    only: 'link',
  }),
  choiceFilter('kind', 'Tipo', PAYMENT_KIND_LABELS, {
    description: '`pago`: en dinero; `credito`: parte de una nota de crédito',
    flag: ['--kind <tipo>', 'tipo'],
  }),
  choiceFilter('rep', 'REP', REP_STATE_LABELS, {
    description: '`sin`: de facturas PPD cuyo recibo de pago (REP) no ha llegado; `con`: ya llegó',
    flag: ['--rep <estado>', 'con o sin su recibo de pago (REP)'],
  }),
] as const satisfies readonly Filter[];

/** Applied credit notes move no money, so they are counted apart. */
export const toPaymentSum = ({ count, creditCount, amountCents }: PaymentTotals): ListSum => ({
  count: count - creditCount,
  cents: amountCents,
  note: creditCount > 0 ? `+ ${pluralize(creditCount, 'nota de crédito', 'notas de crédito')}` : undefined,
});

/** Loaded on demand, so that commands, which all load this file, start quickly. */
let sumsModule: typeof import('../services/payments/sums.ts') | undefined;

export const paymentList: List<typeof filters, PaymentSort> = {
  title: 'Pagos realizados',
  noun: ['pago', 'pagos'],
  page: pages.payments,
  area: 'work',
  help: 'pagos',
  filters,
  alwaysVisible: ['checknum', 'supplierId', 'jobId', 'origenderecursoId'],
  leadingFilters: {
    page: ['checknum'],
    command: ['checknum', 'supplierId', 'jobId', 'facturaproveedorId', 'kind', 'rep'],
    words: ['supplierId', 'jobId', 'checknum', 'facturaproveedorId'],
  },
  sorts: PAYMENT_SORTS,
  indexedSorts: ['id', 'paymentdate'],
  headingSorts: ['facturaproveedorId', 'importebanco', 'rep'],
  openingView: { sort: 'paymentdate', newestFirst: true },
  sortAliases: { fechavencimiento: 'paymentdate' },
  sortDescription: '`fechavencimiento` es el nombre antiguo de `paymentdate`',
  views: [
    { name: 'todos', label: 'Todos', filter: () => ({}), sort: 'id' },
    {
      name: 'este-mes',
      label: 'Este mes',
      filter: (today) => {
        const { from, to } = monthPeriodOf(today);
        return { paymentdateDesde: from, paymentdateHasta: to };
      },
      sort: 'paymentdate',
    },
    { name: 'sin-rep', label: 'Sin REP', filter: () => ({ rep: 'sin' }), sort: 'paymentdate' },
  ],
  async sum(query, { db }) {
    sumsModule ??= await import('../services/payments/sums.ts');
    const totals = await sumsModule.sumPaymentsIfCheap(db, query);
    return totals && toPaymentSum(totals);
  },
  command: { name: 'payments', description: 'los pagos' },
  async readExport(query, { db }) {
    const { paymentsExport } = await import('../services/exports/payments.ts');
    return paymentsExport(db, query);
  },
};
