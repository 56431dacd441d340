import { BATCH_STATE_LABELS, BATCH_STATES, type BatchSort } from '../../shared/payment-batches.ts';
import { pages } from '../../shared/urls.ts';
import type { ListExport } from '../formats/sheets/sheet.ts';
import { bySource, bySupplier } from './catalog-filters.ts';
import type { Filter } from './filter.ts';
import type { List } from './list.ts';

const { none: _none, ...source } = bySource;

const filters = [
  {
    kind: 'choice',
    name: 'estado',
    label: 'Estado',
    choices: BATCH_STATES,
    labels: BATCH_STATE_LABELS,
    flag: ['--estado <estado>', 'estado'],
  },
  { ...source, flag: ['--origen <origen>', 'id o nombre exacto'] },
  { ...bySupplier, says: 'Con una factura suya' },
  {
    kind: 'row',
    name: 'facturaproveedorId',
    label: 'Factura',
    says: 'Las que la pagan',
    table: 'invoices',
    column: 'numfactura',
    only: 'link',
  },
  {
    kind: 'date',
    name: 'fechaDesde',
    label: 'Fecha desde',
    bound: 'from',
    words: 'Fecha',
    flag: ['--from <fecha>', 'desde ese día, AAAA-MM-DD'],
  },
  {
    kind: 'date',
    name: 'fechaHasta',
    label: 'Fecha hasta',
    bound: 'to',
    words: 'Fecha',
    flag: ['--to <fecha>', 'hasta ese día'],
  },
] as const satisfies readonly Filter[];

export const batchList: List<typeof filters, BatchSort> = {
  title: 'Programación de pagos',
  page: pages.paymentBatches,
  area: 'work',
  help: 'programaciones',
  filters,
  inSight: ['estado', 'origenderecursoId'],
  sorts: { id: 'ID', fecha: 'Fecha' },
  command: { name: 'programaciones', says: 'las programaciones de pagos' },
  async read(asked, { db, today, facts }) {
    const { batchesExport } = await import('../services/exports/payment-batches.ts');
    return batchesExport(db, asked, { today, facts }) as Promise<ListExport<unknown>>;
  },
};
