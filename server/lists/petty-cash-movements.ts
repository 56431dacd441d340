import { EXPENSE_STATE_LABELS, MOVEMENT_KIND_LABELS, MOVEMENT_SORTS } from '../../shared/petty-cash.ts';
import { pages } from '../../shared/urls.ts';
import { jobFilter, rubroFilter } from './catalog-filters.ts';
import { choiceFilter, createPeriodFlags, type Filter } from './filter.ts';
import type { List } from './list.ts';

const { none: _none, ...rubroFilterWithoutNone } = rubroFilter;

const filters = [
  {
    kind: 'row',
    name: 'fundId',
    label: 'Caja',
    table: 'petty_cash_funds',
    column: 'nombre',
    only: 'link',
    flag: ['--caja <id>', 'de una caja'],
  },
  choiceFilter('tipo', 'Tipo', MOVEMENT_KIND_LABELS, { flag: ['--tipo <tipo>', 'tipo de movimiento'] }),
  choiceFilter('estado', 'Estado del gasto', EXPENSE_STATE_LABELS, {
    flag: ['--estado <estado>', 'hasta dónde llegó el gasto'],
  }),
  jobFilter,
  { ...rubroFilterWithoutNone, flag: ['--rubro <rubro>', 'id o nombre exacto'] },
  {
    kind: 'period',
    name: 'desde',
    to: 'hasta',
    label: 'Fecha',
    ends: ['Fecha desde', 'Fecha hasta'],
    flags: createPeriodFlags(),
  },
] as const satisfies readonly Filter[];

export const movementList: List<typeof filters, keyof typeof MOVEMENT_SORTS> = {
  title: 'Movimientos de caja chica',
  noun: ['movimiento', 'movimientos'],
  page: pages.pettyCashMovements,
  area: 'work',
  help: 'caja-chica',
  filters,
  alwaysVisible: ['tipo', 'jobId'],
  sorts: MOVEMENT_SORTS,
  openingView: { sort: 'fecha', newestFirst: true },
  command: {
    name: 'movimientos-caja',
    description: 'los movimientos de las cajas chicas, para importarlos otra vez',
  },
  async readExport(query, { db }) {
    const { movementsExport } = await import('../services/exports/petty-cash-movements.ts');
    return movementsExport(db, query);
  },
};
