import { pages } from '../../shared/urls.ts';
import { byJob } from './catalog-filters.ts';
import type { Filter } from './filter.ts';
import type { List } from './list.ts';

const filters = [{ ...byJob, always: true }] as const satisfies readonly Filter[];

export const budgetList: List<typeof filters> = {
  title: 'Presupuesto',
  noun: ['partida', 'partidas'],
  page: pages.budgets,
  area: 'work',
  help: 'presupuesto',
  filters,
  menu: { label: 'Presupuesto', icon: 'report', place: 3 },
  sorts: {},
  command: { name: 'budgets', says: 'los presupuestos por obra y rubro, con lo gastado y lo que queda' },
  async read({ jobId }, { db }) {
    const { budgetsExport } = await import('../services/exports/budgets.ts');
    return budgetsExport(db, jobId);
  },
};
