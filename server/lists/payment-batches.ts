import { BATCH_STATE_LABELS, type BatchSort } from '../../shared/payment-batches.ts';
import { pages } from '../../shared/urls.ts';
import { byInvoice, bySource, bySupplier } from './catalog-filters.ts';
import { choice, type Filter, fromTo, period } from './filter.ts';
import type { List } from './list.ts';

const { none: _none, ...source } = bySource;

const filters = [
  choice('estado', 'Estado', BATCH_STATE_LABELS, { flag: ['--estado <estado>', 'estado'] }),
  { ...source, flag: ['--origen <origen>', 'id o nombre exacto'] },
  { ...bySupplier, says: 'Con una factura suya' },
  { ...byInvoice, says: 'Las que la pagan' },
  period('fecha', 'Fecha', { flags: fromTo() }),
] as const satisfies readonly Filter[];

export const batchList: List<typeof filters, BatchSort> = {
  title: 'Programación de pagos',
  noun: ['programación', 'programaciones'],
  page: pages.paymentBatches,
  area: 'work',
  help: 'programaciones',
  filters,
  inSight: ['estado', 'origenderecursoId'],
  sorts: { id: 'ID', fecha: 'Fecha' },
  opens: { sort: 'fecha', newestFirst: true },
  command: { name: 'programaciones', says: 'las programaciones de pagos' },
  async read(asked, { db }) {
    const { batchesExport } = await import('../services/exports/payment-batches.ts');
    return batchesExport(db, asked);
  },
};
