import { FUND_STATES } from '../../shared/petty-cash.ts';
import { pages } from '../../shared/urls.ts';
import type { ListExport } from '../formats/sheets/sheet.ts';
import type { Filter } from './filter.ts';
import type { List } from './list.ts';

const filters = [
  {
    kind: 'text',
    name: 'fund',
    label: 'Caja',
    max: 200,
    only: 'command',
    words: false,
    flag: ['--fund <caja>', 'id o nombre exacto'],
  },
  {
    kind: 'choice',
    name: 'estado',
    label: 'Cajas',
    choices: FUND_STATES,
    labels: { abiertas: 'Abiertas', cerradas: 'Cerradas' },
    usual: 'abiertas',
    only: 'link',
    words: false,
    flag: ['--estado <estado>', 'las abiertas, si no dice otra cosa, o las cerradas'],
  },
  {
    kind: 'date',
    name: 'desde',
    label: 'Desde',
    only: 'command',
    words: false,
    flag: ['--from <fecha>', 'desde ese día, AAAA-MM-DD'],
  },
  {
    kind: 'date',
    name: 'hasta',
    label: 'Hasta',
    only: 'command',
    words: false,
    flag: ['--to <fecha>', 'hasta ese día'],
  },
] as const satisfies readonly Filter[];

/** The funds; the command line has one fund's movements under the same name, pages at its own address. */
export const pettyCashList: List<typeof filters> = {
  title: 'Caja chica',
  page: pages.pettyCash,
  area: 'work',
  help: 'caja-chica',
  filters,
  sorts: {},
  command: {
    name: 'caja-chica',
    says: 'las cajas chicas, o con --fund los movimientos de una; si no se dice, desde su apertura hasta hoy',
  },
  async read({ fund: who, estado, desde, hasta }, { db, today }) {
    const { fundsExport, statementExport } = await import('../services/exports/petty-cash.ts');
    const to = hasta ?? today;
    if (who === undefined) return fundsExport(db, to, estado);
    const { findFund } = await import('../services/petty-cash/reading.ts');
    const fund = await findFund(db, who);
    return statementExport(db, fund, { from: desde ?? fund.openedOn, to }) as Promise<ListExport<unknown>>;
  },
};
