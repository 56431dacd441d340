import { FISCAL_SUBJECTS, fiscalPaths, RECEIPT_LIST_LABELS } from '../services/fiscal/labels.ts';
import { AS_OF_FILTER, supplierFilter } from './catalog-filters.ts';
import { choiceFilter, type Filter } from './filter.ts';
import type { List } from './list.ts';

const filters = [
  { ...AS_OF_FILTER, description: 'Como era al terminar ese día; por omisión hoy' },
  supplierFilter,
  choiceFilter('que', 'Ver', RECEIPT_LIST_LABELS, {
    defaultChoice: 'pagos',
    flag: ['--que <lista>', 'qué lista; si falta, los pagos sin REP'],
  }),
] as const satisfies readonly Filter[];

export const paymentReceiptsDueList: List<typeof filters> = {
  title: FISCAL_SUBJECTS.rep,
  noun: ['renglón', 'renglones'],
  page: fiscalPaths.receipts,
  area: 'fiscal',
  help: 'rep-pendientes',
  filters,
  alwaysVisible: ['que'],
  asOf: 'corte',
  sorts: {},
  command: {
    name: 'rep',
    description: 'los pagos a facturas PPD sin REP, y las PUE que no se pagaron en su mes',
  },
  async readExport({ que = 'pagos', corte, supplierId }, { db, today }) {
    const { receiptsDueExport } = await import('../services/exports/receipts-due.ts');
    return receiptsDueExport(db, que, corte ?? today, supplierId);
  },
};
