import { type InvoiceSort, pendingOf, STATUS_FILTERS, STATUS_LABELS } from '../../shared/invoices.ts';
import { dueThisWeek } from '../../shared/invoices-due.ts';
import { pages } from '../../shared/urls.ts';
import { byClient, byJob, byRubro, bySupplier } from './catalog-filters.ts';
import type { Filter } from './filter.ts';
import type { List } from './list.ts';

const filters = [
  {
    kind: 'text',
    name: 'numfactura',
    label: 'Número de factura',
    max: 100,
    words: 'Número con',
    flag: ['--number <texto>', 'parte del número de factura'],
  },
  { ...bySupplier, always: true },
  { ...byJob, always: true },
  { ...byClient, only: 'link' },
  byRubro,
  {
    kind: 'row',
    name: 'invoiceId',
    label: 'Factura',
    table: 'invoices',
    column: 'numfactura',
    only: 'link',
  },
  {
    kind: 'choice',
    name: 'status',
    label: 'Estado',
    choices: STATUS_FILTERS,
    labels: STATUS_LABELS,
    flag: ['--status <estado>', 'estado'],
  },
  {
    kind: 'date',
    name: 'fechaemisionDesde',
    label: 'Emisión desde',
    bound: 'from',
    words: 'Emisión',
    flag: ['--from <fecha>', 'emitidas desde ese día, AAAA-MM-DD'],
  },
  {
    kind: 'date',
    name: 'fechaemisionHasta',
    label: 'Emisión hasta',
    bound: 'to',
    words: 'Emisión',
    flag: ['--to <fecha>', 'hasta ese día'],
  },
  {
    kind: 'choice',
    name: 'emision',
    label: 'Emisión',
    says: '`sin`: las que no tienen fecha de emisión',
    choices: ['sin'],
    labels: { sin: 'Sin fecha de emisión' },
    only: 'link',
  },
  {
    kind: 'choice',
    name: 'parecidas',
    label: 'Parecidas',
    says: '`si`: las que se parecen a otra: mismo proveedor y total, con hasta 10 días entre ellas',
    choices: ['si'],
    labels: { si: 'Que se parecen a otra' },
    only: 'link',
  },
  {
    kind: 'date',
    name: 'capturaDesde',
    label: 'Capturada desde',
    bound: 'from',
    only: 'link',
    words: 'Captura',
  },
  {
    kind: 'date',
    name: 'capturaHasta',
    label: 'Capturada hasta',
    bound: 'to',
    only: 'link',
    words: 'Captura',
  },
  {
    kind: 'date',
    name: 'venceDesde',
    label: 'Vence desde',
    bound: 'from',
    words: 'Vence',
    flag: ['--due-from <fecha>', 'que vencen desde ese día'],
  },
  {
    kind: 'date',
    name: 'venceHasta',
    label: 'Vence hasta',
    bound: 'to',
    words: 'Vence',
    flag: ['--due-to <fecha>', 'que vencen hasta ese día'],
  },
  {
    kind: 'date',
    name: 'fechavencimientoDesde',
    label: 'Fecha de vencimiento desde',
    says: 'Solo las que la tienen; venceDesde cuenta también los días estimados',
    bound: 'from',
    only: 'link',
    words: 'Vencimiento',
  },
  {
    kind: 'date',
    name: 'fechavencimientoHasta',
    label: 'Fecha de vencimiento hasta',
    says: 'Solo las que la tienen; venceHasta cuenta también los días estimados',
    bound: 'to',
    only: 'link',
    words: 'Vencimiento',
  },
  {
    kind: 'date',
    name: 'corte',
    label: 'Corte',
    flag: ['--corte <fecha>', 'todo como era al terminar ese día'],
  },
  {
    kind: 'text',
    name: 'contrato',
    label: 'Contrato',
    max: 60,
    words: 'Contrato con',
    flag: ['--contract <texto>', 'parte del contrato u orden de compra'],
  },
] as const satisfies readonly Filter[];

/** Loaded once it is asked for, since commands start without it: each import takes a while, also of what is there. */
let sums: typeof import('../services/invoices/sums.ts') | undefined;

export const invoiceList: List<typeof filters, InvoiceSort> = {
  title: 'Facturas',
  page: pages.invoices,
  area: 'work',
  help: 'facturas',
  filters,
  inSight: ['numfactura', 'supplierId', 'jobId', 'status'],
  first: { words: ['supplierId', 'jobId'] },
  sorts: { id: 'ID', fechavencimiento: 'Vencimiento', total: 'Total' },
  asOf: 'corte',
  views: [
    { name: 'todas', label: 'Todas', asked: () => ({}), sort: 'id' },
    {
      name: 'por-pagar',
      label: 'Por pagar',
      asked: () => ({ status: 'por-pagar' }),
      sort: 'fechavencimiento',
    },
    { name: 'vencidas', label: 'Vencidas', asked: () => ({ status: 'vencida' }), sort: 'fechavencimiento' },
    { name: 'esta-semana', label: 'Esta semana', asked: dueThisWeek, sort: 'fechavencimiento' },
    { name: 'sin-fecha', label: 'Sin fecha', asked: () => ({ status: 'sin-vencimiento' }), sort: 'id' },
  ],
  /** of what is open what is pending of it, else what was invoiced */
  async sum(asked, { db, ...day }) {
    sums ??= await import('../services/invoices/sums.ts');
    const totals = await sums.sumInvoicesAtOnce(db, asked, day);
    const isOpen = asked.status !== undefined && asked.status !== 'pagada';
    return totals && { count: totals.count, cents: isOpen ? pendingOf(totals) : totals.totalCents };
  },
  command: { name: 'invoices', says: 'las facturas' },
  async read(asked, { db, today, timeZone, now, facts }) {
    const { invoicesExport } = await import('../services/exports/invoices.ts');
    return invoicesExport(db, asked, { day: { today, timeZone }, now, facts });
  },
};
