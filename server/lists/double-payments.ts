import { DOUBLE_PAYMENT_STATE_LABELS } from '../../shared/payments.ts';
import { pages } from '../../shared/urls.ts';
import { choiceFilter, type Filter } from './filter.ts';
import type { List } from './list.ts';

const filters = [
  choiceFilter('estado', 'Estado', DOUBLE_PAYMENT_STATE_LABELS, {
    defaultChoice: 'pendientes',
    flag: ['--estado <estado>', 'pendientes o revisados'],
  }),
] as const satisfies readonly Filter[];

export const doublePaymentList: List<typeof filters> = {
  title: 'Posibles pagos dobles',
  noun: ['posible pago doble', 'posibles pagos dobles'],
  page: pages.doublePayments,
  area: 'work',
  help: 'pagos-dobles',
  filters,
  sorts: {},
  command: { name: 'double-payments', description: 'los pagos que pudieron hacerse dos veces' },
  async readExport(query, { db }) {
    const { doublePaymentsExport } = await import('../services/exports/double-payments.ts');
    return doublePaymentsExport(db, query);
  },
};
