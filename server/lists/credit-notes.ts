import { CREDIT_NOTE_SORTS, CREDIT_STATE_LABELS, type CreditNoteSort } from '../../shared/credit-notes.ts';
import { pages } from '../../shared/urls.ts';
import { supplierFilter } from './catalog-filters.ts';
import { choiceFilter, type Filter } from './filter.ts';
import type { List } from './list.ts';

const filters = [
  supplierFilter,
  choiceFilter('estado', 'Estado', CREDIT_STATE_LABELS, {
    description: '`con-saldo`: queda algo por aplicar; `aplicada`: nada',
    flag: ['--estado <estado>', 'con-saldo o aplicada'],
  }),
] as const satisfies readonly Filter[];

export const creditNoteList: List<typeof filters, CreditNoteSort> = {
  title: 'Notas de crédito',
  noun: ['nota de crédito', 'notas de crédito'],
  page: pages.creditNotes,
  area: 'work',
  help: 'notas-de-credito',
  filters,
  sorts: CREDIT_NOTE_SORTS,
  openingView: { sort: 'fecha', newestFirst: true },
  command: { name: 'credit-notes', description: 'las notas de crédito' },
  async readExport(query, { db }) {
    const { creditNotesExport } = await import('../services/exports/credit-notes.ts');
    return creditNotesExport(db, query);
  },
};
