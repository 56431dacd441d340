import { FUND_SORTS, FUND_STATE_LABELS, type FundSort } from '../../shared/petty-cash.ts';
import { pages } from '../../shared/urls.ts';
import { choiceFilter, createPeriodFlags, type Filter } from './filter.ts';
import type { List } from './list.ts';

/** On the command line this list also exports the movements of one fund; on screen those have a page of their own. */
const ONLY_ON_COMMAND_LINE = { only: 'command', words: false } as const;
const [FROM_FLAG, TO_FLAG] = createPeriodFlags();

const filters = [
  {
    kind: 'text',
    name: 'fund',
    label: 'Caja',
    max: 200,
    ...ONLY_ON_COMMAND_LINE,
    flag: ['--fund <caja>', 'id o nombre exacto'],
  },
  choiceFilter('estado', 'Cajas', FUND_STATE_LABELS, {
    defaultChoice: 'abiertas',
    only: 'link',
    words: false,
    flag: ['--estado <estado>', 'las abiertas, si no dice otra cosa, o las cerradas'],
  }),
  { kind: 'date', name: 'desde', label: 'Desde', ...ONLY_ON_COMMAND_LINE, flag: FROM_FLAG },
  { kind: 'date', name: 'hasta', label: 'Hasta', ...ONLY_ON_COMMAND_LINE, flag: TO_FLAG },
] as const satisfies readonly Filter[];

export const fundList: List<typeof filters, FundSort> = {
  title: 'Caja chica',
  noun: ['caja', 'cajas'],
  page: pages.pettyCash,
  area: 'work',
  help: 'caja-chica',
  filters,
  sorts: FUND_SORTS,
  command: {
    name: 'caja-chica',
    description:
      'las cajas chicas, o con --fund los movimientos de una; si no se dice, desde su apertura hasta hoy',
  },
  async readExport({ fund: fundName, desde, hasta, ...query }, { db, today }) {
    const { fundsExport, fundStatementExport } = await import('../services/exports/petty-cash.ts');
    const to = hasta ?? today;
    if (fundName === undefined) return fundsExport(db, to, query);
    const { getFundByNameOrId } = await import('../services/petty-cash/reading.ts');
    const fund = await getFundByNameOrId(db, fundName);
    return fundStatementExport(db, fund, { from: desde ?? fund.openedOn, to });
  },
};
