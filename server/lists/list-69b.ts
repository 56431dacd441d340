import { FISCAL_SUBJECTS, fiscalPaths, LIST_69B_TABLE_LABELS } from '../services/fiscal/labels.ts';
import { choiceFilter, type Filter } from './filter.ts';
import type { List } from './list.ts';

const filters = [
  choiceFilter('que', 'Qué', LIST_69B_TABLE_LABELS, {
    ...{ defaultChoice: 'proveedores', only: 'link' },
    flag: ['--que <tabla>', 'los proveedores de la lista, o lo pagado a los definitivos'],
  }),
] as const satisfies readonly Filter[];

export const list69bList: List<typeof filters> = {
  title: FISCAL_SUBJECTS.lista69b,
  noun: ['renglón', 'renglones'],
  page: fiscalPaths.list69b,
  area: 'fiscal',
  help: 'lista-69b',
  filters,
  sorts: {},
  command: {
    name: 'lista69b',
    description: 'los proveedores en la lista 69-B del SAT, y lo pagado a los definitivos',
  },
  async readExport({ que = 'proveedores' }, { db }) {
    const { list69bExport } = await import('../services/exports/list-69b.ts');
    return list69bExport(db, que);
  },
};
