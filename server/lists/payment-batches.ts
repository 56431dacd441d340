import { BATCH_SORTS, BATCH_STATE_LABELS, type BatchSort } from '../../shared/payment-batches.ts';
import { pages } from '../../shared/urls.ts';
import { fundingSourceFilter, invoiceFilter, supplierFilter } from './catalog-filters.ts';
import { choiceFilter, createPeriodFlags, type Filter, periodFilter } from './filter.ts';
import type { List } from './list.ts';

const { none: _none, ...sourceFilter } = fundingSourceFilter;

const filters = [
  choiceFilter('estado', 'Estado', BATCH_STATE_LABELS, { flag: ['--estado <estado>', 'estado'] }),
  { ...sourceFilter, flag: ['--origen <origen>', 'id o nombre exacto'] },
  { ...supplierFilter, description: 'Con una factura suya' },
  { ...invoiceFilter, description: 'Las que la pagan' },
  periodFilter('fecha', 'Fecha', { flags: createPeriodFlags() }),
] as const satisfies readonly Filter[];

export const batchList: List<typeof filters, BatchSort> = {
  title: 'Programación de pagos',
  noun: ['programación', 'programaciones'],
  page: pages.paymentBatches,
  area: 'work',
  help: 'programaciones',
  filters,
  alwaysVisible: ['estado', 'origenderecursoId'],
  sorts: BATCH_SORTS,
  openingView: { sort: 'fecha', newestFirst: true },
  command: { name: 'programaciones', description: 'las programaciones de pagos' },
  async readExport(query, { db }) {
    const { batchesExport } = await import('../services/exports/payment-batches.ts');
    return batchesExport(db, query);
  },
};
