import { EXPENSE_STATES, kindName, MOVEMENT_KINDS, STATE_NAMES } from '../../shared/petty-cash.ts';
import { pages } from '../../shared/urls.ts';
import type { ListExport } from '../formats/sheets/sheet.ts';
import { byJob, byRubro } from './catalog-filters.ts';
import type { Filter } from './filter.ts';
import type { List } from './list.ts';

const { none: _none, ...rubro } = byRubro;

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
  {
    kind: 'choice',
    name: 'tipo',
    label: 'Tipo',
    choices: MOVEMENT_KINDS,
    labels: Object.fromEntries(MOVEMENT_KINDS.map((kind) => [kind, kindName(kind)])),
    flag: ['--tipo <tipo>', 'tipo de movimiento'],
  },
  {
    kind: 'choice',
    name: 'estado',
    label: 'Estado del gasto',
    choices: EXPENSE_STATES,
    labels: STATE_NAMES,
    flag: ['--estado <estado>', 'hasta dónde llegó el gasto'],
  },
  byJob,
  { ...rubro, flag: ['--rubro <rubro>', 'id o nombre exacto'] },
  {
    kind: 'date',
    name: 'desde',
    label: 'Fecha desde',
    bound: 'from',
    words: 'Fecha',
    flag: ['--from <fecha>', 'desde ese día, AAAA-MM-DD'],
  },
  {
    kind: 'date',
    name: 'hasta',
    label: 'Fecha hasta',
    bound: 'to',
    words: 'Fecha',
    flag: ['--to <fecha>', 'hasta ese día'],
  },
] as const satisfies readonly Filter[];

/** What was moved in all boxes, one by one. */
export const movementList: List<typeof filters> = {
  title: 'Movimientos de caja chica',
  page: pages.pettyCashMovements,
  area: 'work',
  help: 'caja-chica',
  filters,
  inSight: ['tipo', 'jobId'],
  sorts: {},
  command: {
    name: 'movimientos-caja',
    says: 'los movimientos de las cajas chicas, para importarlos otra vez',
  },
  async read(asked, { db, today, facts }) {
    const { movementsExport } = await import('../services/exports/petty-cash-movements.ts');
    return movementsExport(db, asked, { today, facts }) as Promise<ListExport<unknown>>;
  },
};
