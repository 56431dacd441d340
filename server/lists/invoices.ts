import {
  INVOICE_FIELDS,
  INVOICE_SORTS,
  type InvoiceSort,
  pendingOf,
  STATUS_LABELS,
} from '../../shared/invoices.ts';
import { dueThisWeekFilter } from '../../shared/invoices-due.ts';
import { getField } from '../../shared/record-fields.ts';
import { pages } from '../../shared/urls.ts';
import {
  AS_OF_FILTER,
  clientFilter,
  invoiceFilter,
  jobFilter,
  rubroFilter,
  supplierFilter,
} from './catalog-filters.ts';
import { choiceFilter, createPeriodFlags, type Filter, periodFilter, textFilter } from './filter.ts';
import type { List } from './list.ts';

const filters = [
  textFilter(getField(INVOICE_FIELDS, 'numfactura'), {
    words: 'Número con',
    flag: ['--number <texto>', 'parte del número de factura'],
  }),
  { ...supplierFilter, always: true },
  { ...jobFilter, always: true },
  { ...clientFilter, only: 'link' },
  rubroFilter,
  { ...invoiceFilter, name: 'invoiceId' },
  choiceFilter('status', 'Estado', STATUS_LABELS, { flag: ['--status <estado>', 'estado'] }),
  periodFilter('fechaemision', 'Emisión', { flags: createPeriodFlags('emitidas desde ese día, AAAA-MM-DD') }),
  choiceFilter(
    'emision',
    'Emisión',
    { sin: 'Sin fecha de emisión' },
    {
      description: '`sin`: las que no tienen fecha de emisión',
      only: 'link',
    },
  ),
  choiceFilter(
    'parecidas',
    'Parecidas',
    { si: 'Que se parecen a otra' },
    {
      description: '`si`: las que se parecen a otra: mismo proveedor y total, con hasta 10 días entre ellas',
      only: 'link',
    },
  ),
  periodFilter('captura', 'Captura', { of: 'Capturada', only: 'link' }),
  periodFilter('vence', 'Vence', {
    flags: [
      ['--due-from <fecha>', 'que vencen desde ese día'],
      ['--due-to <fecha>', 'que vencen hasta ese día'],
    ],
  }),
  periodFilter('fechavencimiento', 'Vencimiento', {
    of: 'Fecha de vencimiento',
    description: [
      'Solo las que la tienen; venceDesde cuenta también los días estimados',
      'Solo las que la tienen; venceHasta cuenta también los días estimados',
    ],
    only: 'link',
  }),
  AS_OF_FILTER,
  textFilter(getField(INVOICE_FIELDS, 'contrato'), {
    label: 'Contrato',
    flag: ['--contract <texto>', 'parte del contrato u orden de compra'],
  }),
] as const satisfies readonly Filter[];

/** Loaded on demand, so that commands, which all load this file, start quickly. */
let sumsModule: typeof import('../services/invoices/sums.ts') | undefined;

export const invoiceList: List<typeof filters, InvoiceSort> = {
  title: 'Facturas',
  noun: ['factura', 'facturas'],
  page: pages.invoices,
  area: 'work',
  help: 'facturas',
  filters,
  alwaysVisible: ['numfactura', 'supplierId', 'jobId', 'status'],
  leadingFilters: { words: ['supplierId', 'jobId'] },
  sorts: INVOICE_SORTS,
  indexedSorts: ['id', 'fechavencimiento', 'total'],
  openingView: { view: 'por-pagar', sort: 'id', newestFirst: true },
  asOf: 'corte',
  currentOnlyFilter: { status: 'sin-programar' },
  views: [
    { name: 'todas', label: 'Todas', filter: () => ({}), sort: 'id' },
    {
      name: 'por-pagar',
      label: 'Por pagar',
      filter: () => ({ status: 'por-pagar' }),
      sort: 'fechavencimiento',
    },
    {
      name: 'sin-programar',
      label: 'Sin programar',
      filter: () => ({ status: 'sin-programar' }),
      sort: 'fechavencimiento',
    },
    { name: 'vencidas', label: 'Vencidas', filter: () => ({ status: 'vencida' }), sort: 'fechavencimiento' },
    { name: 'esta-semana', label: 'Esta semana', filter: dueThisWeekFilter, sort: 'fechavencimiento' },
    { name: 'sin-fecha', label: 'Sin fecha', filter: () => ({ status: 'sin-vencimiento' }), sort: 'id' },
  ],
  async sum(query, { db, ...day }) {
    sumsModule ??= await import('../services/invoices/sums.ts');
    const totals = await sumsModule.sumInvoicesIfCheap(db, query, day);
    const isOpen = query.status !== undefined && query.status !== 'pagada';
    return totals && { count: totals.count, cents: isOpen ? pendingOf(totals) : totals.totalCents };
  },
  command: { name: 'invoices', description: 'las facturas' },
  async readExport(query, { db, today, timeZone, now, appliedFilters }) {
    const { invoicesExport } = await import('../services/exports/invoices.ts');
    return invoicesExport(db, query, { day: { today, timeZone }, now, appliedFilters });
  },
};
